"""An old thread, post by post: who wrote what, what is wrong with it, and how everybody stands.

Nothing is fatal: what cannot be read is told by post and line, and the rest is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from app.engine.findings import Facts
from app.posts.header import Header
from app.posts.lint import LONGEST, Issue, Lint, lint_reading, say_issue
from app.posts.phrases import LANGUAGES, say
from app.posts.read import Claim, Reading, post_starts, read_post
from app.posts.words import RULESET, plain
from app.rulesets.guida.entrants import Entrant, StackCount
from app.rulesets.guida.levels import bonus_points
from app.rulesets.guida.options import Options
from app.rulesets.guida.orders import Figures
from app.rulesets.guida.setup import enter
from app.rulesets.guida.sheet import Sheet, Stats
from app.rulesets.guida.terms import Stack, Stat

MOST_POSTS: Final = 40
MOST_PEOPLE: Final = 12
MOST_TROUBLES: Final = 50  # of one post
SEPARATOR: Final = re.compile(r"^[ \t]*\+{3,}[ \t]*$", re.MULTILINE)
TROUBLES: Final = ("who_unknown", "nothing_read", "too_many_people", "more_troubles")
_PLACES: Final = {
    "hp_unbalanced": "hp",
    "ep_unbalanced": "ep",
    "hp_above_most": "hp",
    "ep_above_most": "ep",
    "stat_notation": "stat",
    "unread_line": "",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Something in an old post that is wrong or was not understood, by post and line.

    ``line`` is None where it is about the whole post; ``about`` names the phrases of ``code``.
    """

    post: int
    line: int | None
    rule: str
    code: str
    facts: Facts
    about: str
    hint: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PostInThread:
    """An old post as it was read; ``who`` is empty where nobody can tell whose it is."""

    number: int
    who: str
    text: str
    edited: bool
    dice: int
    header: Header
    troubles: tuple[Trouble, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatRead:
    """A stat as the last post that shows it has it.

    ``points`` are the bonus points of the post, and ``others`` those of them that no stack gives.
    """

    stat: Stat
    base: int
    points: int
    others: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Character:
    """How a character stands after its last post; None is what no post tells."""

    name: str
    posts: tuple[int, ...]
    link: str = ""
    hp: int | None = None
    max_hp: int | None = None
    ep: int | None = None
    max_ep: int | None = None
    stats: tuple[StatRead, ...] = ()
    stacks: tuple[StackCount, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadRead:
    """A thread as it was read."""

    posts: tuple[PostInThread, ...]
    people: tuple[Character, ...]


@dataclass(slots=True)
class _Known:
    """What is known of a character so far."""

    name: str
    posts: list[int] = field(default_factory=list)
    link: str = ""
    vitals: dict[str, int | None] = field(default_factory=dict)
    stats: dict[Stat, tuple[int, int]] = field(default_factory=dict)
    stacks: dict[Stack, int] = field(default_factory=dict)
    before: Figures | None = None


def split_posts(text: str) -> tuple[str, ...]:
    """Cut a text at its lines of plus signs, and where another post surely begins."""
    return tuple(post for _, post in split_named("", text))


def split_named(who: str, text: str) -> tuple[tuple[str, str], ...]:
    """Cut a text into its posts; one that only its header shows has to tell whose it is."""
    return tuple(
        (who if place == 0 else "", post.strip("\n"))
        for part in SEPARATOR.split(text)
        for place, post in enumerate(_cut(part))
        if post.strip()
    )


def _cut(text: str) -> Iterator[str]:
    starts = post_starts(text[:LONGEST])
    for start, end in zip((0, *starts), (*starts, len(text)), strict=True):
        yield text[start:end]


def say_trouble(language: str, trouble: Trouble) -> str:
    """Say what is wrong with an old post, and how to mend it."""
    if trouble.about == "issue":
        return say_issue(language, _issue_of(trouble))
    return say(language, RULESET, trouble.about, trouble.code, trouble.facts)


def read_thread(posts: Sequence[tuple[str, str]], options: Options | None = None) -> ThreadRead:
    """Read posts in their order, each with the name of its author, or "" to be read from it."""
    rules = options or Options()
    known: dict[str, _Known] = {}
    readings = [read_post(text) for _, text in posts]
    names = _names(posts, readings)
    found: list[PostInThread] = []
    for number, ((_, text), reading, name) in enumerate(
        zip(posts, readings, names, strict=True), 1
    ):
        one = known.get(plain(name))
        if one is None and name and len(known) < MOST_PEOPLE:
            one = known[plain(name)] = _Known(name)
        before = one.before if one else None
        lint = lint_reading(reading, options=rules, before=before)
        troubles = list(_troubles(number, lint))
        if not name:
            troubles.insert(0, _own(number, "who_unknown"))
        elif one is None:
            troubles.insert(0, _own(number, "too_many_people", most=MOST_PEOPLE))
        if len(troubles) > MOST_TROUBLES:
            more = _own(number, "more_troubles", count=len(troubles) - MOST_TROUBLES)
            troubles[MOST_TROUBLES:] = [more]
        if one is not None:
            _learn(one, number, reading)
        found.append(
            PostInThread(
                number=number,
                who=one.name if one else name,
                text=text,
                edited=reading.edited,
                dice=len(reading.rolls) + len(reading.tags),
                header=reading.header,
                troubles=tuple(troubles),
            )
        )
    people = tuple(_character(one, rules) for one in known.values())
    return ThreadRead(posts=tuple(found), people=people)


def _names(posts: Sequence[tuple[str, str]], readings: Sequence[Reading]) -> list[str]:
    """Tell whose each post is: as given, else by its dice, else by a first line that is a name."""
    given = [" ".join(who.split())[:80] for who, _ in posts]
    dice = [_actor(reading) for reading in readings]
    called = {plain(name): name for name in (*dice, *given) if name}
    for reading in readings:
        for name in _targets(reading):
            called.setdefault(plain(name), name)
    return [
        who or actor or called.get(plain(_first_line(reading)), "")
        for who, actor, reading in zip(given, dice, readings, strict=True)
    ]


def _actor(reading: Reading) -> str:
    tags = [one.tag for one in reading.tags if not one.quoted]
    tags += [one.tag for one in reading.rolls]
    return next((tag.actor[:80] for tag in tags if tag.actor), "")


def _targets(reading: Reading) -> Iterator[str]:
    for tag in (*(one.tag for one in reading.tags), *(one.tag for one in reading.rolls)):
        yield from (target[:80] for target in tag.targets)


def _first_line(reading: Reading) -> str:
    return next((line.strip() for line in reading.story if line.strip()), "")[:200]


def _troubles(number: int, lint: Lint) -> Iterator[Trouble]:
    reading = lint.reading
    if not (reading.claims or reading.unread):
        yield _own(number, "nothing_read")
        return
    for issue in lint.issues:
        yield Trouble(
            post=number,
            line=_line(issue, lint),
            rule=issue.rule,
            code=issue.code,
            facts=issue.facts,
            about="issue",
            hint=issue.hint,
        )
    for claim in reading.unread:
        yield Trouble(
            post=number,
            line=claim.line,
            rule="",
            code=claim.kind,
            facts=claim.facts,
            about="unread",
            hint=True,
        )


def _line(issue: Issue, lint: Lint) -> int | None:
    """Find the line that an issue is about."""
    reading = lint.reading
    if issue.tag is not None:
        dice = [claim for claim in reading.claims if claim.kind == "tag"]
        dice += [one.claim for one in reading.rolls]
        return dice[issue.tag].line if issue.tag < len(dice) else None
    kind = _PLACES.get(issue.code)
    claims: Sequence[Claim] = reading.claims
    if kind == "stat":
        claims = [one for one in claims if one.facts.get("stat") == issue.facts["stat"]]
    return next((one.line for one in claims if kind and one.kind == kind), None)


def _issue_of(trouble: Trouble) -> Issue:
    return Issue(rule=trouble.rule, code=trouble.code, facts=trouble.facts, hint=trouble.hint)


def _own(number: int, code: str, **facts: int) -> Trouble:
    return Trouble(post=number, line=None, rule="", code=code, facts=facts, about="thread")


def _learn(one: _Known, number: int, reading: Reading) -> None:
    """Take over what a post shows: the latest counts, and stacks add up."""
    header = reading.header
    one.posts.append(number)
    one.link = header.sheet_link or one.link
    for name in ("hp", "max_hp", "ep", "max_ep"):
        value = getattr(header, name)
        if value is not None:
            one.vitals[name] = value
    for note in header.stats:
        one.stats[note.stat] = (note.base, note.points or 0)
    for claim in reading.claims:
        stack = _stack(str(claim.facts["name"])) if claim.kind == "stacks" else None
        amount = claim.facts.get("amount")
        if stack is not None and isinstance(amount, int):
            one.stacks[stack] = max(0, one.stacks.get(stack, 0) + amount)
    if header.hp is not None and header.ep is not None:
        one.before = Figures(hp=header.hp, ep=header.ep)


def _stack(said: str) -> Stack | None:
    """Find which condition a line of the register speaks of."""
    text = plain(said)
    return next((stack for word, stack in _stacks_called().items() if word in text), None)


@cache
def _stacks_called() -> Mapping[str, Stack]:
    words = {
        plain(say(language, RULESET, "words", stack)): stack
        for language in LANGUAGES
        for stack in Stack
    }
    return dict(sorted(words.items(), key=lambda one: -len(one[0])))


def _character(one: _Known, options: Options) -> Character:
    stacks = tuple(
        StackCount(stack=stack, count=min(count, 9999))
        for stack, count in one.stacks.items()
        if count
    )
    return Character(
        name=one.name,
        posts=tuple(one.posts),
        link=one.link if len(one.link) <= 500 else "",
        hp=one.vitals.get("hp"),
        max_hp=one.vitals.get("max_hp"),
        ep=one.vitals.get("ep"),
        max_ep=one.vitals.get("max_ep"),
        stats=tuple(_stat_reads(one.stats, stacks, options)),
        stacks=stacks,
    )


def _stat_reads(
    stats: Mapping[Stat, tuple[int, int]], stacks: tuple[StackCount, ...], options: Options
) -> Iterator[StatRead]:
    """Take out of the bonus points those that the stacks give, which count by themselves."""
    sheet = Sheet(name="-", max_hp=1, max_ep=0, stats=Stats())
    bare = enter(options, Entrant(id="-", team="-", sheet=sheet, stacks=stacks))
    bare = replace(bare, turn=1)  # from when they act
    for stat, (base, points) in stats.items():
        own = int(bonus_points(bare, stat).total)
        yield StatRead(stat=stat, base=base, points=points, others=points - own)
