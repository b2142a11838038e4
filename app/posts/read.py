"""A pasted post as claims: what it says, where it says it, and what could not be understood.

Whichever way it was copied, from the editor, from the page, as a quotation or as HTML, nothing is
obeyed and nothing is fatal. How a forum shows fallen dice is given in: ``shows`` reads a whole
text, ``rendering`` what is left of each line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from app.engine.findings import Facts
from app.engine.numbers import spelled
from app.posts.bbcode import TAGS, Tag, tokenise
from app.posts.dice_tag import MOST_TAGS, UNROLLED, DiceTag, FoundTag, check_post, dice_tag
from app.posts.digest import Digest, find_digests
from app.posts.header import Header, find_header
from app.posts.header_words import FIELD
from app.posts.later_headers import later_headers
from app.posts.noise import Stripped, strip_noise
from app.posts.paste import QUOTES, bare, bbcode_of, heading, lines_of
from app.posts.phrases import LANGUAGES, say
from app.posts.results import Rendering, Roll, Unreadable, read_rolls
from app.posts.shows import Shows, rolls_in, shows_of
from app.posts.spots import Spot
from app.posts.traced import Line, Traced
from app.posts.words import RULESET, phase_names, plain, shortened

PASTES: Final = ("raw", "html", "rendered", "quoted")
KINDS: Final = (
    *("link", "hp", "ep", "temp", "stat", "change", "stacks"),
    *("phase", "tag", "roll", "edited", "digest"),
)
UNREAD: Final = (
    "empty_field",
    "strange_field",
    "other_field",
    "second_field",
    "second_header",
    "register_line",
    "unknown_field",
    "result",
    "quotation",
)
MOST_CLAIMS: Final = 300
LONGEST_EXCERPT: Final = 200
LONGEST_NAME: Final = 80

_ELEMENT: Final = re.compile(r"</?[a-z][a-z0-9]{0,15}[\s/>]", re.IGNORECASE)
_OPENS: Final = re.compile(r"\[[^\[\]\n]{0,300}\]|<[^<>\n]{0,300}>")
_CITED: Final = re.compile(r"^(?:>[ ]?)+", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Something that a post says, or says in a way of its own: ``source[start:end]``.

    ``line`` counts the lines of the pasted text from 1; ``text`` is the place itself, shortened.
    """

    kind: str
    start: int
    end: int
    line: int
    text: str
    facts: Facts


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRoll:
    """A die that the post shows as fallen, with what its label says.

    A ``quoted`` one stands in code or in a quotation, which proves nothing of this post.
    """

    claim: Claim
    roll: Roll
    tag: DiceTag
    quoted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A post as it was read; ``left_out`` counts the claims beyond those that are listed.

    The places of ``tags`` are those of the pasted text; ``story`` are its lines without them.
    ``digests`` say of each post of ours in it whether its words are still those we wrote.
    """

    paste: str
    header: Header
    tags: tuple[FoundTag, ...]
    rolls: tuple[ShownRoll, ...]
    claims: tuple[Claim, ...]
    unread: tuple[Claim, ...]
    left_out: int
    story: tuple[str, ...]
    digests: tuple[Digest, ...]

    @property
    def shows_links(self) -> bool:
        """Say whether an address could be seen: a page shows what a link is called, and no more."""
        if self.paste in ("raw", "html"):
            return True
        names = {plain(say(one, RULESET, "post", "sheet_link")) for one in LANGUAGES}
        return not any(plain(heading(line)) in names for line in self.story)

    @property
    def edited(self) -> bool:
        """Say whether the forum marks the post as changed since it was sent."""
        return any(claim.kind == "edited" for claim in self.claims)


def say_claim(language: str, claim: Claim) -> str:
    """Say what was read at a place, or why it was not understood and what to do."""
    section = "claims" if claim.kind in KINDS else "unread"
    return say(language, RULESET, section, claim.kind, claim.facts)


class _Places:
    """Where things found in an altered text stand in the pasted one."""

    def __init__(self, source: str, text: Traced) -> None:
        self._source = source
        self._text = text
        self._breaks = [found.start() for found in re.finditer("\n", source)]

    def claim(self, spot: Spot, text: Traced | None = None) -> Claim:
        return self.of_source(spot, *(text or self._text).place(spot.start, spot.end))

    def of_source(self, spot: Spot, start: int, end: int) -> Claim:
        return Claim(
            kind=spot.kind,
            start=start,
            end=end,
            line=bisect_right(self._breaks, start - 1) + 1 if start else 1,
            text=self._source[start : min(end, start + LONGEST_EXCERPT)],
            facts=spot.facts,
        )


def read_post(
    source: str, rendering: Rendering = read_rolls, shows: Shows | None = None
) -> Reading:
    """Read a pasted post; ``shows`` reads dice as its forum shows them, ``rendering`` the rest."""
    made = bbcode_of(Traced.of(source))
    tags = check_post(made.text)
    whole = _is_quotation(made.text)
    text = bare(made, tags, whole=whole)
    cited = _is_cited(text.text)
    if cited:
        text = text.sub(_CITED, lambda _: "")
    stripped = strip_noise(lines_of(text))
    found = find_header(made.text, stripped.lines)
    places = _Places(source, text)
    tags_said = [places.claim(spot, made) for spot in _tags(tags)]
    shown = rolls_in(text.text, stripped.lines, shows or shows_of(), rendering)
    found_rolls = list(islice(_rolls(shown), MOST_TAGS))
    unclear = [spot for spot, roll in found_rolls if roll is None]
    rolls = _shown_rolls(found_rolls, places, _code_in(made))
    digests = find_digests(source)
    said = [
        *(places.claim(spot, made) for spot in _link(made.text, found.header)),
        *(places.claim(spot) for spot in (*found.spots, *_around(stripped))),
        *tags_said,
        *(shown.claim for shown in rolls),
        *(places.of_source(spot, spot.start, spot.end) for spot in map(_digest, digests)),
    ]
    missed = [
        *found.unread,
        *_unknown(stripped.lines, (*found.spots, *found.unread)),
        *_quoted(stripped),
        *unclear,
    ]
    claims, unread = _in_order(said), _in_order(places.claim(spot) for spot in missed)
    return Reading(
        paste=_paste(source, quoted=whole or cited or stripped.quotes),
        header=found.header,
        tags=tuple(
            replace(tag, start=claim.start, end=claim.end)
            for tag, claim in zip(tags, tags_said, strict=True)
        ),
        rolls=rolls,
        claims=claims[:MOST_CLAIMS],
        unread=unread[:MOST_CLAIMS],
        left_out=sum(max(0, len(some) - MOST_CLAIMS) for some in (claims, unread)),
        story=tuple(line.text for line in stripped.lines),
        digests=digests,
    )


def post_starts(source: str) -> tuple[int, ...]:
    """Find where, behind the first one, other posts surely begin in a text: by their headers.

    Each place is the beginning of a line of the text.
    """
    made = bbcode_of(Traced.of(source))
    text = bare(made, check_post(made.text))
    lines = strip_noise(lines_of(text)).lines
    starts: list[int] = []
    for one in later_headers(lines):
        line = lines[one.begins]
        at, _ = text.place(line.at, line.at + len(line.text))
        start = source.rfind("\n", 0, at) + 1
        # What stands before it on its line may be tags alone.
        if one.certain and not _OPENS.sub("", source[start:at]).strip(" \t\r#*_>-"):
            starts.append(start)
    return tuple(starts)


def quoted_rolls(source: str, shows: Shows | None = None) -> tuple[ShownRoll, ...]:
    """Read the dice that a post shows only in its quotations and in code."""
    made = bbcode_of(Traced.of(source))
    text = bare(made, check_post(made.text), whole=True)
    places = _Places(source, text)
    lines = [line for line in lines_of(text) if line.text]
    found = islice(_rolls(rolls_in(text.text, lines, shows or shows_of(), read_rolls)), MOST_TAGS)
    post = read_post(source, shows=shows)
    told = {one.claim.start for one in post.rolls if not (one.quoted or post.paste == "quoted")}
    return tuple(
        replace(one, quoted=True)
        for one in _shown_rolls(found, places, ())
        if one.claim.start not in told
    )


def _shown_rolls(
    found: Iterable[tuple[Spot, Roll | None]], places: _Places, code: Sequence[tuple[int, int]]
) -> tuple[ShownRoll, ...]:
    """Put what was read beside what its label says, in the order of the post."""
    rolls: list[ShownRoll] = []
    for spot, roll in found:
        if roll is None:
            continue
        claim = places.claim(spot)
        before = bisect_right(code, (claim.start, claim.end)) - 1
        rolls.append(
            ShownRoll(
                claim=claim,
                roll=roll,
                tag=dice_tag((roll.count, roll.sides, roll.modifier), roll.label),
                quoted=before >= 0 and code[before][1] > claim.start,
            )
        )
    return tuple(sorted(rolls, key=lambda one: one.claim.start))


def _code_in(text: Traced) -> list[tuple[int, int]]:
    """Find where code stands in the source: what is shown there was not rolled there."""
    spans: list[tuple[int, int]] = []
    opened: Tag | None = None
    for tag in tokenise(text.text):
        if tag.name not in UNROLLED - QUOTES:
            continue
        if opened is None:
            opened = None if tag.closing else tag
        elif tag.closing and tag.name == opened.name:
            spans.append(text.place(opened.start, tag.end))
            opened = None
    if opened is not None:
        spans.append(text.place(opened.start, len(text.text)))
    return spans


def _in_order(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    return tuple(sorted(claims, key=lambda claim: (claim.start, claim.end)))


def _paste(source: str, *, quoted: bool) -> str:
    """Tell how a post was copied, since only what comes from the editor has dice to roll."""
    if quoted:
        return "quoted"
    if any(tag.closing or tag.name in TAGS for tag in tokenise(source)):
        return "raw"
    return "html" if _ELEMENT.search(source) else "rendered"


def _is_quotation(text: str) -> bool:
    """Say whether one quotation holds the whole text."""
    depth = 0
    quotes = [tag for tag in tokenise(text) if tag.name in QUOTES]
    if not quotes or quotes[0].closing or text[: quotes[0].start].strip():
        return False
    for tag in quotes:
        depth += -1 if tag.closing else 1
        if depth == 0:
            return not text[tag.end :].strip()
    return False


def _is_cited(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    return bool(lines) and all(line.lstrip().startswith(">") for line in lines)


def _link(text: str, header: Header) -> Iterator[Spot]:
    at = text.find(header.sheet_link) if header.sheet_link else -1
    if at >= 0:
        address = header.sheet_link
        yield Spot("link", at, at + len(address), {"address": address[:LONGEST_EXCERPT]})


def _digest(found: Digest) -> Spot:
    facts: Facts = {
        name: getattr(found, name)
        for name in ("state", "turn", "wording", "words", "dice", "shown", "outside")
    }
    return Spot("digest", found.start, found.end, facts)


def _tags(tags: Sequence[FoundTag]) -> Iterator[Spot]:
    for found in tags:
        tag = found.tag
        dice = f"{tag.count}d{tag.faces}" if tag.faces else ""
        if tag.declared_modifier:
            dice += spelled(tag.declared_modifier, sign=True)
        facts: Facts = {"dice": dice or "?", "label": _label(tag)}
        yield Spot("tag", found.start, found.end, facts)


def _rolls(shown: Iterable[tuple[int, Roll | Unreadable]]) -> Iterator[tuple[Spot, Roll | None]]:
    for at, one in shown:
        start, end = at + one.start, at + one.end
        if isinstance(one, Unreadable):
            yield Spot("result", start, end, {}), None
            continue
        modifier = spelled(one.modifier, sign=True) if one.modifier else ""
        facts: Facts = {
            "dice": f"{one.count}d{one.sides}{modifier}",
            "faces": ", ".join(map(str, one.faces)) or "?",
            "total": one.total if one.total is not None else one.reckoned,
            "label": shortened(one.label, LONGEST_NAME),
        }
        yield Spot("roll", start, end, facts), one


def _around(stripped: Stripped) -> Iterator[Spot]:
    for line in stripped.lines:
        if plain(heading(line.text)) in phase_names():
            yield _of_line("phase", line, {"name": heading(line.text)})
    for edit in stripped.edits:
        yield _of_line("edited", edit.line, {"who": edit.who or "?", "when": edit.when or "?"})


def _quoted(stripped: Stripped) -> Iterator[Spot]:
    for line in stripped.quoted:
        yield _of_line("quotation", line, {})


def _unknown(lines: Sequence[Line], spots: Sequence[Spot]) -> Iterator[Spot]:
    """Find figures that are set like those of the header, beside it, under names of their own."""
    taken = sorted((one.start, one.end) for one in spots)
    starts = [start for start, _ in taken]
    header = sorted(one.start for one in spots if one.kind in ("hp", "ep", "temp", "stat"))

    def spotted(line: Line) -> bool:
        at = bisect_right(header, line.at + len(line.text))
        return at > 0 and header[at - 1] >= line.at

    near = [spotted(line) for line in lines]
    beside = [any(some) for some in zip(near, [*near[1:], False], [False, *near], strict=False)]
    for line, is_near in zip(lines, beside, strict=True):
        for found in FIELD.finditer(line.text) if is_near else ():
            start, end = line.at + found.start(), line.at + found.end()
            before = bisect_right(starts, end - 1) - 1
            if before < 0 or taken[before][1] <= start:
                yield Spot("unknown_field", start, end, {"name": found["name"]})


def _of_line(kind: str, line: Line, facts: Facts) -> Spot:
    return Spot(kind, line.at, line.at + len(line.text), facts)


def _label(tag: DiceTag) -> str:
    who = f" ({tag.actor} vs {', '.join(tag.targets)})" if tag.actor and tag.targets else ""
    return shortened(f"{tag.action_name}{who}", LONGEST_NAME)
