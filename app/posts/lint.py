"""What a written post must hold: its template, a register that balances, its dice, one story.

What a post says is read from its text (``read_post``); what is
wrong with it is told by code, with the rule and the facts that a sentence needs. Hypotheticals are
found by their words and are hints: whether the story really forks is for people to see (GC-2.30).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from app.engine.findings import Facts
from app.engine.ruleset import Asked
from app.posts.dice_tag import ISSUES as TAG_ISSUES
from app.posts.dice_tag import MOST_TAGS, DiceTag, FoundTag
from app.posts.header import MOST_ENTRIES, PARTS, Header
from app.posts.names import safe_name
from app.posts.phrases import SERVICE, say
from app.posts.read import Reading, ShownRoll, read_post
from app.posts.shows import Shows
from app.posts.words import RULESET, actions_called
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.orders import (
    Figures,
)
from app.rulesets.guida.tables import ACTION_DIE, COUNTER_DIE, COUNTERS
from app.rulesets.guida.template import settle_balance
from app.rulesets.guida.terms import Action

LONGEST: Final = 60_000  # characters of a post: three times the longest part of one

# Every code that an issue or a hint can have; a page and the API have a sentence for each.
CODES: Final = (
    *(f"missing_{part}" for part in PARTS),
    *("hp_above_most", "ep_above_most"),
    *("sheet_link_unseen", "stat_notation", "hp_unbalanced", "ep_unbalanced", "unread_line"),
    *("before_unread", "register_too_long", "too_many_dice"),
    *TAG_ISSUES,
    *("impossible_face", "shown_modifier", "wrong_total"),
    *("wrong_die", "several_dice", "missing_roll", "extra_roll", "missing_half"),
    *("several_main_actions", "conditional_sequence", "hypothetical"),
)
MOST_HINTS: Final = 20  # of one kind
TAG_RULE: Final = {"missing_actors": "GC-4.84", "modifier_mismatch": "GC-4.87"}
PART_RULE: Final = {
    "sheet_link": "GC-1.1",
    "hp": "GC-1.2",
    "ep": "GC-1.2",
    "stats": "GC-1.3",
    "register": "GC-1.4",
}
_MAIN: Final = (Action.ATTACK, Action.MOVEMENT, Action.GENERIC_ACTION)

_SENTENCE: Final = re.compile(r"[.!?…]+")
# The words of a hypothetical: alone, or the first one with any of the second ones after it.
_ALONE: Final = re.compile(
    r"\b(?:nel caso in cui|nel caso che|in caso contrario|qualora|in the event that)\b",
    re.IGNORECASE,
)
_FORKS: Final = (
    (re.compile(r"\bse\b", re.IGNORECASE), re.compile(r"\b(?:allora|altrimenti)\b", re.IGNORECASE)),
    (re.compile(r"\bif\b", re.IGNORECASE), re.compile(r"\b(?:then|otherwise)\b", re.IGNORECASE)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """One thing to mend, or to look at where it is only a ``hint``; ``tag`` is its place if any."""

    rule: str
    code: str
    facts: Facts
    hint: bool = False
    tag: int | None = None


# Said by whoever was given the post before, and found no vitals there to add the register up from.
BEFORE_UNREAD: Final = Issue(rule="GC-2.5", code="before_unread", facts={}, hint=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lint:
    """A post as it was read, and what is wrong with it.

    The ``tag`` of an issue counts the tags, and after them the dice that were shown as fallen.
    """

    reading: Reading
    issues: tuple[Issue, ...]

    @property
    def header(self) -> Header:
        """Give the header of the post."""
        return self.reading.header

    @property
    def tags(self) -> tuple[FoundTag, ...]:
        """Give the dice tags of the post, and after them the dice that are shown as fallen."""
        shown = (
            FoundTag(
                start=one.claim.start,
                end=one.claim.end,
                source=one.claim.text,
                quoted=one.quoted,
                tag=one.tag,
            )
            for one in self.reading.rolls
        )
        return (*self.reading.tags, *shown)

    @property
    def valid(self) -> bool:
        """Say whether nothing has to be mended; hints do not count."""
        return all(issue.hint for issue in self.issues)


def lint_post(
    text: str,
    *,
    options: Options | None = None,
    before: Figures | None = None,
    needed: Sequence[Asked] = (),
    shows: Shows | None = None,
) -> Lint:
    """Read a whole post and list what is wrong with it.

    ``before`` are the vitals of the post before, without which the register cannot be added up;
    ``needed`` are the dice that the declared actions ask for; ``shows`` reads what fell as its
    forum shows it.
    """
    reading = read_post(text[:LONGEST], shows=shows)
    return lint_reading(reading, options=options, before=before, needed=needed)


def lint_reading(
    reading: Reading,
    *,
    options: Options | None = None,
    before: Figures | None = None,
    needed: Sequence[Asked] = (),
) -> Lint:
    """List what is wrong with a post that was read."""
    tags, header = reading.tags, reading.header
    quotation = reading.paste == "quoted"  # its dice are what was asked about
    told = [found.tag for found in tags if quotation or not found.quoted]
    issues = [
        *lint_header(header, shows_links=reading.shows_links),
        *(lint_register(options or Options(), before, header) if before else ()),
        *lint_tags(tags, quotation=quotation),
        *lint_shown(reading.rolls, len(tags)),
        *lint_rolls(needed, [*told, *(one.tag for one in reading.rolls if not one.quoted)]),
        *(() if needed else _missing_halves(told)),
        *_several_mains(told),
        *lint_story(reading.story),
    ]
    return Lint(reading=reading, issues=tuple(issues))


def say_issue(language: str, issue: Issue) -> str:
    """Say what is wrong, and how to mend it."""
    if issue.code in TAG_ISSUES:
        return say(language, SERVICE, "tag_issues", issue.code, issue.facts)
    return say(language, RULESET, "post_issues", issue.code, issue.facts)


def vitals_of(text: str) -> Figures | None:
    """Read the vitals of the post before, to add up the register of the next one."""
    header = read_post(text[:LONGEST]).header
    if header.hp is None or header.ep is None:
        return None
    return Figures(hp=header.hp, ep=header.ep)


def missing_parts(header: Header) -> tuple[str, ...]:
    """List by name the parts of the template that a post lacks (GC-1.1 to GC-1.4)."""
    there = {
        "sheet_link": bool(header.sheet_link),
        "hp": header.hp is not None,
        "ep": header.ep is not None,
        "stats": header.has_stats,
        "register": header.register is not None,
    }
    return tuple(part for part in PARTS if not there[part])


def lint_header(header: Header, *, shows_links: bool = True) -> Iterator[Issue]:
    """Hold a header against the template (GC-1.1 to GC-1.4).

    Without ``shows_links`` the text was copied from a page, where no address is to be seen.
    """
    for part in missing_parts(header):
        if part == "sheet_link" and not shows_links:
            yield Issue(rule="GC-1.1", code="sheet_link_unseen", facts={}, hint=True)
            continue
        yield Issue(rule=PART_RULE[part], code=f"missing_{part}", facts={"part": part})
    for unit, now, most in (
        ("hp", header.hp, header.max_hp),
        ("ep", header.ep, header.max_ep),
    ):
        if now is not None and most is not None and now > most:
            over: Facts = {"now": now, "most": most}
            yield Issue(rule="GC-1.2", code=f"{unit}_above_most", facts=over, hint=True)
    for stat in header.stats:
        if stat.points is None:  # GC-1.3: base level (+bonus points)
            facts: Facts = {"stat": stat.stat, "base": stat.base}
            yield Issue(rule="GC-1.3", code="stat_notation", facts=facts)
    if _is_cut(header):
        facts = {"most": MOST_ENTRIES}
        yield Issue(rule="GC-1.4", code="register_too_long", facts=facts)
    for line in header.unread:
        yield Issue(rule="GC-1.4", code="unread_line", facts={"line": line[:200]}, hint=True)


def lint_register(options: Options, before: Figures, header: Header) -> Iterator[Issue]:
    """Add the register up: what it lists must lead from the old vitals to the new (GC-2.5, 2.6)."""
    if header.register is None or _is_cut(header):  # the rest of it may well make it balance
        return
    for unit, rule, was, now in (
        ("hp", "GC-2.5", before.hp, header.hp),
        ("ep", "GC-2.6", before.ep, header.ep),
    ):
        amounts = [entry.amount for entry in header.register if entry.unit == unit]
        losses = -sum(amount for amount in amounts if amount < 0)
        gains = sum(amount for amount in amounts if amount > 0)
        if now is None:
            continue
        over = settle_balance(options, was, now, losses, gains)
        if over:
            facts: Facts = {
                "what": unit,
                "before": was,
                "now": now,
                "losses": losses,
                "gains": gains,
                "discrepancy": over,
            }
            yield Issue(rule=rule, code=f"{unit}_unbalanced", facts=facts)


def lint_tags(tags: Sequence[FoundTag], *, quotation: bool = False) -> Iterator[Issue]:
    """Hold every dice tag that a forum would roll against its label and its action (GC-4.85)."""
    for place, found in enumerate(tags):
        if quotation or not found.quoted:
            yield from lint_tag(found.tag, place)
    if len(tags) >= MOST_TAGS:
        yield Issue(rule="GC-4.83", code="too_many_dice", facts={"most": MOST_TAGS})


def lint_shown(rolls: Sequence[ShownRoll], first: int = 0) -> Iterator[Issue]:
    """Hold each die that is shown as fallen against its label, its faces and its total."""
    for place, shown in enumerate(rolls, first):
        if shown.quoted:
            continue
        roll = shown.roll
        yield from lint_tag(shown.tag, place)
        if roll.impossible:
            facts: Facts = {"face": roll.impossible[0], "sides": roll.sides}
            yield Issue(rule="GC-4.85", code="impossible_face", facts=facts, tag=place)
        if roll.shown_modifier != roll.modifier:
            facts = {"declared": roll.modifier, "shown": roll.shown_modifier}
            yield Issue(rule="GC-4.87", code="shown_modifier", facts=facts, tag=place)
        elif not roll.agrees:
            facts = {"total": roll.total, "reckoned": roll.reckoned}
            yield Issue(rule="GC-4.87", code="wrong_total", facts=facts, tag=place)
    if len(rolls) >= MOST_TAGS:
        yield Issue(rule="GC-4.83", code="too_many_dice", facts={"most": MOST_TAGS})


def lint_tag(tag: DiceTag, place: int | None = None) -> Iterator[Issue]:
    """Hold a dice tag against its label, and against the die of its action (GC-4.34, 4.85)."""
    for code in tag.issues:
        facts: Facts = {"declared": tag.declared_modifier, "listed": tag.listed_modifier}
        yield Issue(rule=TAG_RULE.get(code, "GC-4.85"), code=code, facts=facts, tag=place)
    if tag.count is not None and tag.count != 1:
        facts = {"count": tag.count}
        yield Issue(rule="GC-4.83", code="several_dice", facts=facts, tag=place)
    called = actions_called(tag.action_name)
    if called and tag.faces and not any(_fits(action, tag.faces) for action in called):
        action = min(called)
        facts = {"action": action, "faces": tag.faces, "sides": max(_sides(action))}
        yield Issue(rule="GC-4.34", code="wrong_die", facts=facts, tag=place)


def missing_rolls(needed: Sequence[Asked], tags: Sequence[DiceTag]) -> tuple[Asked, ...]:
    """List the dice that no tag of the post rolls: each action needs one of its own (GC-4.83)."""
    left = list(tags)
    missing = []
    for asked in needed:
        fitting = [tag for tag in left if _rolls(tag, asked)]
        if fitting:
            left.remove(fitting[0])
        else:
            missing.append(asked)
    return tuple(missing)


def lint_rolls(needed: Sequence[Asked], tags: Sequence[DiceTag]) -> Iterator[Issue]:
    """Report each die that is not rolled in the post of its action, or rolled twice (GC-4.83)."""
    for asked in missing_rolls(needed, tags):
        facts: Facts = {"action": asked.action, "sides": asked.sides, "actor": asked.actor}
        yield Issue(rule="GC-4.83", code="missing_roll", facts=facts)
    mine = {" ".join(safe_name(asked.actor).split()) for asked in needed}
    left = [tag for tag in tags if tag.actor in mine and actions_called(tag.action_name)]
    for asked in needed:
        spent = next((tag for tag in left if _rolls(tag, asked)), None)
        if spent is not None:
            left.remove(spent)
    for tag in left:
        facts = {"name": tag.action_name, "actor": tag.actor}
        yield Issue(rule="GC-4.83", code="extra_roll", facts=facts)


def _missing_halves(tags: Sequence[DiceTag]) -> Iterator[Issue]:
    """Ask for both dice of a counterattack, whatever its opponent did (GC-14.13)."""
    for action in COUNTERS:
        mine = [tag for tag in tags if action in actions_called(tag.action_name)]
        for actor in dict.fromkeys(tag.actor for tag in mine):
            faces = [tag.faces for tag in mine if tag.actor == actor]
            first, second = (faces.count(sides) for sides in _sides(action))
            if first != second:
                sides = _sides(action)[first > second]
                facts: Facts = {"action": action, "actor": actor, "sides": sides}
                yield Issue(rule="GC-14.13", code="missing_half", facts=facts)


def lint_sequence(sequences: int, *, conditional: bool) -> Iterator[Issue]:
    """Refuse a post that tells several courses of action, as its reader counted them (GC-2.30)."""
    if sequences != 1 or conditional:
        facts: Facts = {"sequences": sequences}
        yield Issue(rule="GC-2.30", code="conditional_sequence", facts=facts)


def lint_story(lines: Iterable[str]) -> Iterator[Issue]:
    """Point at sentences that read like hypotheticals; a hint, since prose may use them freely."""
    found = (
        sentence
        for line in lines
        for sentence in _SENTENCE.split(line)
        if _reads_hypothetical(sentence)
    )
    for sentence in islice(found, MOST_HINTS):
        facts: Facts = {"sentence": " ".join(sentence.split())[:200]}
        yield Issue(rule="GC-2.30", code="hypothetical", facts=facts, hint=True)


def _reads_hypothetical(sentence: str) -> bool:
    if _ALONE.search(sentence):
        return True
    for first, second in _FORKS:
        at = first.search(sentence)
        if at is not None and second.search(sentence, at.end()):
            return True
    return False


def _is_cut(header: Header) -> bool:
    return header.register is not None and len(header.register) >= MOST_ENTRIES


def _several_mains(tags: Iterable[DiceTag]) -> Iterator[Issue]:
    """Count each actor's main actions of the Offensive Phase: one is the limit (GC-2.17)."""
    actors = [tag.actor for tag in tags if set(_MAIN) & actions_called(tag.action_name)]
    for actor in dict.fromkeys(actors):
        if actors.count(actor) > 1:
            facts: Facts = {"actor": actor, "count": actors.count(actor)}
            yield Issue(rule="GC-2.17", code="several_main_actions", facts=facts)


def _rolls(tag: DiceTag, asked: Asked) -> bool:
    called = actions_called(tag.action_name)
    mine = not called or asked.action in called
    own = not tag.actor or tag.actor == " ".join(safe_name(asked.actor).split())
    return mine and own and tag.faces == asked.sides


def _fits(action: Action, faces: int) -> bool:
    return action is Action.GENERIC_ACTION or faces in _sides(action)


def _sides(action: Action) -> tuple[int, ...]:
    sides = ACTION_DIE[action]
    if sides is None:
        return (0,)
    return (sides, COUNTER_DIE) if action in COUNTERS else (sides,)
