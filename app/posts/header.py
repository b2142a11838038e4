"""The header of a written post, as people write it: link, vitals, stats, register (GC-1.1 to 1.4).

The reading is tolerant: figures may stand on lines of their own or side by side, a colon is free,
names may be those of either language, signs those of a word processor. What cannot be read is said
to be so and never guessed. Every line is read whole, in linear time.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.engine.findings import Facts
from app.posts.bbcode import Tag, tokenise
from app.posts.dice_tag import FoundTag
from app.posts.header_words import (
    PER_TURN,
    REST,
    STACKS,
    SUM,
    alone,
    amount,
    field,
    figure,
    signed,
    stats,
    value,
)
from app.posts.later_headers import later_headers
from app.posts.paste import bare, bare_lines, heading, lines_of
from app.posts.spots import Spot, spot_in
from app.posts.traced import Line, Traced
from app.posts.vitals import find_vital, other_vitals, unbalanced, vitals_named_otherwise
from app.posts.words import phase_names, plain, stats_called, words_for
from app.rulesets.guida.terms import Stat

PARTS: Final = ("sheet_link", "hp", "ep", "stats", "register")
MOST_ENTRIES: Final = 200
MOST_UNREAD: Final = 20
LONGEST_CAUSE: Final = 200
VITALS: Final = ("hp", "ep", "temp")

# What a unit came to, all of it: "PV: -1 − 4 + 0 = -5" changes nothing by itself.
_BALANCE: Final = re.compile(
    r"\W*[^\W\d_]{2,20}:? ?[-−–]?[0-9]{1,9} ?[-−–] ?[0-9]{1,9} ?\+ ?[0-9]{1,9} ?="
)
_MARKDOWN_LINK: Final = re.compile(
    r"\[([^\[\]\n]{1,80}+)\]\(<?(https?://[^\s<>()\[\]]{1,2000}+)>?\)", re.IGNORECASE
)
# What sets a field off from the one before it on its line.
_FIELDS: Final = re.compile(r"[|;,)]|\s[-–—/•·]\s")
_ADDRESS: Final = re.compile(r"https?://\S+|(?<!\S)/\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatNote:
    """A stat as a post shows it; ``points`` is None where the bracket is missing."""

    stat: Stat
    base: int
    points: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A change that the register lists: a signed amount, and ``hp`` or ``ep``."""

    amount: int
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What the header of a post says; a part that is not there is empty or None.

    ``unread`` are lines of the register that speak of hit points or energy in a way of their own.
    """

    sheet_link: str = ""
    hp: int | None = None
    max_hp: int | None = None
    ep: int | None = None
    max_ep: int | None = None
    stats: tuple[StatNote, ...] = ()
    register: tuple[Entry, ...] | None = None
    unread: tuple[str, ...] = ()

    @property
    def has_stats(self) -> bool:
        """Say whether every stat is shown (GC-1.3)."""
        return {one.stat for one in self.stats} == set(Stat)


@dataclass(frozen=True, slots=True)
class HeaderFound:
    """A header with the place of everything it was read from, and of what could not be read."""

    header: Header
    spots: tuple[Spot, ...]
    unread: tuple[Spot, ...]


def read_header(text: str, dice: tuple[FoundTag, ...] = ()) -> Header:
    """Read the header of a post, as far as it is there; ``dice`` are its dice tags."""
    return find_header(text, lines_of(bare(Traced.of(text), dice))).header


def find_header(text: str, lines: Sequence[Line]) -> HeaderFound:
    """Read the header of a post from its bare lines, with places; ``text`` has its links."""
    lines = _joined(lines)
    start, end = _register(lines)
    listed = [line for line in lines[start:end] if line.text]
    around = [*lines[:start], *lines[end:]]
    notes: dict[Stat, StatNote] = {}
    spots: list[Spot] = []
    for line in lines:
        for found in stats().finditer(line.text):
            note = _stat_note(found)
            if notes.setdefault(note.stat, note) is note:
                facts: Facts = {"stat": note.stat, "base": note.base, "points": note.points}
                spots.append(spot_in("stat", line, found.span(), facts))
    vitals: dict[str, Spot] = {}
    odd: list[Spot] = []
    for unit in VITALS:
        spot = find_vital(unit, around, listed)
        if spot is not None and spot.kind == unit:
            vitals[unit] = spot
            odd += other_vitals(unit, around, spot)
        elif unit != "temp":
            odd += [spot] if spot is not None else vitals_named_otherwise(unit, around)
    entries = [(line, *found) for line in listed for found in _entries(line.text)][:MOST_ENTRIES]
    spots += vitals.values()
    spots += [
        spot_in("change", line, span, {"amount": one.amount, "unit": one.unit, "cause": cause})
        for line, one, span, cause in entries
    ]
    spots += [spot for line in listed for spot in _stacks(line)]
    read = {spot.start for spot in spots}
    seconds = [
        spot_in("second_header", lines[one.fields], (0, len(lines[one.fields].text)), {})
        for one in later_headers(lines)
    ][:MOST_UNREAD]
    if seconds:  # which says it once for all that stands there
        odd = [spot for spot in odd if spot.start < seconds[0].start]
    return HeaderFound(
        header=Header(
            sheet_link=_sheet_link(text, [line.text for line in lines]),
            hp=_now(vitals.get("hp")),
            max_hp=_most(vitals.get("hp")),
            ep=_now(vitals.get("ep")),
            max_ep=_most(vitals.get("ep")),
            stats=tuple(notes[stat] for stat in Stat if stat in notes),
            register=tuple(one for _, one, *_ in entries) if listed else None,
            unread=tuple(_unread([line.text for line in listed]))[:MOST_UNREAD],
        ),
        spots=tuple(spots),
        unread=(
            *seconds,
            *odd,
            *_odd_fields(around, {spot.start for spot in odd}),
            *_silent(listed, sorted(read)),
        ),
    )


def read_entries(lines: Sequence[str]) -> tuple[Entry, ...]:
    """Read the amounts of register lines: a sign, a number and what it counts."""
    return tuple(entry for line in lines for entry, *_ in _entries(line))[:MOST_ENTRIES]


def _entries(line: str) -> Iterator[tuple[Entry, tuple[int, int], str]]:
    """Read the changes of a line, each with its place and what the line says it comes from."""
    if _BALANCE.match(line):
        return
    shown = list(amount().finditer(line))
    starts = [found.start() for found in shown[1:]]
    ends = [0, *(found.end() for found in shown[:-1])]
    for found, before, after in zip(shown, ends, [*starts, len(line)], strict=False):
        sign, digits = found["sign"] or found["sign_after"], found["digits"] or found["after"]
        word = plain(found["word"] or found["word_before"])
        # What begins now is paid later, and a sum of the register is none of its changes.
        if not (PER_TURN.match(line, found.end()) or SUM.match(line, found.end())):
            unit = "hp" if word in words_for("hp") else "ep"
            said = heading(line[before : found.start()]) or heading(line[found.end() : after])
            entry = Entry(amount=signed(sign, digits), unit=unit)
            yield entry, found.span(), said.strip(" |;,()")[:LONGEST_CAUSE]


def _stacks(line: Line) -> Iterator[Spot]:
    for found in STACKS.finditer(line.text):
        sign, digits = found["sign"] or found["sign_after"], found["digits"] or found["after"]
        name = heading(line.text[: found.start()]) or heading(line.text[found.end() :])
        facts: Facts = {"amount": signed(sign, digits), "name": name[:80]}
        yield spot_in("stacks", line, found.span(), facts)


def _odd_fields(lines: Sequence[Line], told: Collection[int]) -> Iterator[Spot]:
    """Find the fields that have no figure, or something else in its place."""
    for line in lines:
        for found in field().finditer(line.text):
            rest = REST.match(line.text, found.end())
            if rest is None or value().match(line.text, found.end()):
                continue
            if line.at + found.start(1) in told or unbalanced(line.text, found):
                continue
            said = rest[0].strip()
            kind = "strange_field" if any(map(str.isalnum, said)) else "empty_field"
            facts: Facts = {"name": found[1], "said": said}
            yield spot_in(kind, line, (found.start(1), rest.end()), facts)


def _silent(lines: Sequence[Line], read: Sequence[int]) -> Iterator[Spot]:
    """Give the lines of a register from which nothing was taken, and which say something."""
    nothing = words_for("nothing_changed")
    for line in lines:
        at = bisect_left(read, line.at)
        has_spot = at < len(read) and read[at] < line.at + len(line.text)
        # What is paid later, and a sum that only says whether the register balances.
        told = amount().search(line.text) or _balances(line.text)
        if not has_spot and not told and plain(heading(line.text).rstrip(".")) not in nothing:
            yield spot_in("register_line", line, (0, len(line.text)), {"line": line.text[:200]})


def _balances(line: str) -> bool:
    found = figure().search(line)
    return found is not None and SUM.match(line, found.end()) is not None


def _unread(lines: Sequence[str]) -> Iterator[str]:
    """Give the lines that count something without saying which way it went."""
    for line in lines:
        told = "=" in line or "/" in line  # the sum itself, or vitals
        if not told and figure().search(line) and not amount().search(line):
            yield line


def _joined(lines: Sequence[Line]) -> list[Line]:
    """Put a name that stands alone together with the figure on the line below it."""
    made: list[Line] = []
    for line in lines:
        last = made[-1] if made else Line(0, "")
        gap = line.at - last.at - len(last.text)
        if gap < 3 and value().fullmatch(line.text) and alone().fullmatch(last.text):
            # As many blanks as stand between them: the places of both stay what they are.
            made[-1] = Line(last.at, last.text + " " * gap + line.text)
        else:
            made.append(line)
    return made


def _register(lines: list[Line]) -> tuple[int, int]:
    """Find the lines under the register's heading, to the next gap or the next phase.

    What stands on the heading's own line, behind a colon, becomes a line of its own.
    """
    names = words_for("register")
    for at, line in enumerate(lines):
        head, _, _ = line.text.partition(":")
        if plain(heading(head)) not in names:
            continue
        lines[at : at + 1] = [line.part(0, len(head)), line.part(len(head) + 1)]
        filled = False
        for below in range(at + 1, len(lines)):
            other = lines[below].text
            if plain(heading(other)) in phase_names() or (filled and not other):
                return at + 1, below
            filled = filled or bool(other)
        return at + 1, len(lines)
    return len(lines), len(lines)


def _now(spot: Spot | None) -> int | None:
    now = spot.facts["now"] if spot else None
    return now if isinstance(now, int) else None


def _most(spot: Spot | None) -> int | None:
    most = spot.facts["most"] if spot else None
    return most if isinstance(most, int) else None


def _sheet_link(text: str, lines: Sequence[str]) -> str:
    names = words_for("sheet_link")
    opened: Tag | None = None
    for tag in tokenise(text):
        if tag.name == "url" and not tag.closing:
            opened = tag
        elif tag.name == "url" and opened is not None:
            said = text[opened.end : min(tag.start, opened.end + 500)]
            before = bare_lines(text[max(0, opened.start - 200) : opened.start])[-1]
            if plain(heading(said)) in names or plain(heading(before)) in names:
                return opened.value.strip("\"'") or said.strip()
            opened = None
    for link in _MARKDOWN_LINK.finditer(text):
        if plain(heading(link[1])) in names:
            return link[2]
    for line in lines:
        head, _, rest = line.partition(":")
        given = _ADDRESS.search(rest)
        if plain(heading(head)) in names and given is not None:
            return given[0]
    for line in lines:
        for given in _ADDRESS.finditer(line):
            before = _FIELDS.split(line[max(0, given.start() - 80) : given.start()])[-1]
            if plain(heading(before)) in names:
                return given[0].partition("|")[0].rstrip(",;")
    return ""


def _stat_note(found: re.Match[str]) -> StatNote:
    points = None
    for sign, digits in ((found[3], found[4]), (found[5], found[6])):
        if digits is not None:
            points = signed(sign, digits)
    return StatNote(stat=stats_called()[plain(found[1])], base=int(found[2]), points=points)
