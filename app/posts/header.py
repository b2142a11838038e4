"""The header of a written post, as people write it: link, vitals, stats, register (GC-1.1 to 1.4).

The reading is tolerant: figures may stand on lines of their own or side by side, a colon is free,
names may be those of either language, signs those of a word processor. What cannot be read is said
to be so and never guessed. Every line is read whole, in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from app.posts.bbcode import Tag, tokenise
from app.posts.dice_tag import FoundTag
from app.posts.paste import bare_lines, heading
from app.posts.words import phase_names, plain, stats_called, words_for
from app.rulesets.guida.terms import Stat

PARTS: Final = ("sheet_link", "hp", "ep", "stats", "register")
MOST_ENTRIES: Final = 200
MOST_UNREAD: Final = 20

_SIGN: Final = "[-+−–]"
_DIGITS: Final = "[0-9]{1,6}"
# What may stand between a name and its figure: "PV 85", "PV: 85", "PV (85", "PV = 85".
_GAP: Final = r"\s?[:=(]?\s?"
_VITAL: Final = rf"({_SIGN}?)\s?({_DIGITS})(?![0-9])(?:\s?/\s?({_DIGITS})(?![0-9]))?"
_STAT: Final = (
    rf"({_DIGITS})(?![0-9])"
    rf"(?:\s?\(\s?({_SIGN}?)\s?({_DIGITS})\s?\)|\s?({_SIGN})\s?({_DIGITS})(?![0-9]))?"
)
_ADDRESS: Final = re.compile(r"https?://\S+|(?<!\S)/\S+")
_PER_TURN: Final = re.compile(
    r"\s?(?:/\s?|(?:a|per|a ogni|ad ogni|every|each)\s)(?:turno|turn)\b", re.IGNORECASE
)


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


def read_header(text: str, dice: tuple[FoundTag, ...] = ()) -> Header:
    """Read the header of a post, as far as it is there; ``dice`` are its dice tags."""
    lines = bare_lines(text, dice)
    start, end = _register(lines)
    listed = [line for line in lines[start:end] if line]
    stats: dict[Stat, StatNote] = {}
    for line in lines:
        for found in _stats().finditer(line):
            note = _stat_note(found)
            stats.setdefault(note.stat, note)
    hp, max_hp = _vitals("hp", [*lines[:start], *lines[end:]], listed)
    ep, max_ep = _vitals("ep", [*lines[:start], *lines[end:]], listed)
    return Header(
        sheet_link=_sheet_link(text, lines),
        hp=hp,
        max_hp=max_hp,
        ep=ep,
        max_ep=max_ep,
        stats=tuple(stats[stat] for stat in Stat if stat in stats),
        register=read_entries(listed) if listed else None,
        unread=tuple(_unread(listed))[:MOST_UNREAD],
    )


def read_entries(lines: Sequence[str]) -> tuple[Entry, ...]:
    """Read the amounts of register lines: a sign, a number and what it counts."""
    return tuple(entry for line in lines for entry in _entries(line))[:MOST_ENTRIES]


def _entries(line: str) -> Iterator[Entry]:
    for found in _amount().finditer(line):
        sign, digits = found["sign"] or found["sign_after"], found["digits"] or found["after"]
        word = plain(found["word"] or found["word_before"])
        if not _PER_TURN.match(line, found.end()):  # what begins now is paid later
            unit = "hp" if word in words_for("hp") else "ep"
            yield Entry(amount=_signed(sign, digits), unit=unit)


def _unread(lines: Sequence[str]) -> Iterator[str]:
    """Give the lines that count something without saying which way it went."""
    for line in lines:
        told = "=" in line or "/" in line  # the sum itself, or vitals
        if not told and _figure().search(line) and not _amount().search(line):
            yield line


def _register(lines: list[str]) -> tuple[int, int]:
    """Find the lines under the register's heading, to the next gap or the next phase.

    What stands on the heading's own line, behind a colon, becomes a line of its own.
    """
    names = words_for("register")
    for at, line in enumerate(lines):
        head, _, rest = line.partition(":")
        if plain(heading(head)) not in names:
            continue
        lines[at : at + 1] = [head, rest.strip()]
        filled = False
        for below in range(at + 1, len(lines)):
            other = lines[below]
            if plain(heading(other)) in phase_names() or (filled and not other):
                return at + 1, below
            filled = filled or bool(other)
        return at + 1, len(lines)
    return len(lines), len(lines)


def _vitals(
    unit: str, lines: Sequence[str], listed: Sequence[str]
) -> tuple[int | None, int | None]:
    """Find the hit points or the energy, and the maximum if it is told.

    A register may run on into them; with a sign they would be one of its changes.
    """
    for text in (lines, listed):
        for line in text:
            found = _vital(unit).search(line)
            if found is not None and not (found[1] and text is listed):
                most = None if found[3] is None else int(found[3])
                return _signed(found[1], found[2]), most
    return None, None


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
    for line in lines:
        head, _, rest = line.partition(":")
        given = _ADDRESS.search(rest)
        if plain(heading(head)) in names and given is not None:
            return given[0]
    return ""


def _stat_note(found: re.Match[str]) -> StatNote:
    points = None
    for sign, digits in ((found[3], found[4]), (found[5], found[6])):
        if digits is not None:
            points = _signed(sign, digits)
    return StatNote(stat=stats_called()[plain(found[1])], base=int(found[2]), points=points)


@cache
def _vital(unit: str) -> re.Pattern[str]:
    return re.compile(rf"{_named(words_for(unit), group='(?:')}{_GAP}{_VITAL}", re.IGNORECASE)


@cache
def _stats() -> re.Pattern[str]:
    return re.compile(rf"{_named(stats_called())}{_GAP}{_STAT}", re.IGNORECASE)


@cache
def _amount() -> re.Pattern[str]:
    """Match ``-12 PV`` and ``PV: -12``."""
    units = words_for("hp", "ep")
    return re.compile(
        rf"(?P<sign>{_SIGN})\s?(?P<digits>{_DIGITS})\s?"
        rf"{_named(units, group='(?P<word>', free=True)}"
        rf"|{_named(units, group='(?P<word_before>')}{_GAP}(?P<sign_after>{_SIGN})\s?"
        rf"(?P<after>{_DIGITS})(?![0-9])",
        re.IGNORECASE,
    )


@cache
def _figure() -> re.Pattern[str]:
    """Match a number of hit points or energy, whatever its sign."""
    units = words_for("hp", "ep")
    return re.compile(
        rf"{_DIGITS}\s?{_named(units, group='(?:', free=True)}"
        rf"|{_named(units, group='(?:')}{_GAP}{_SIGN}?\s?{_DIGITS}",
        re.IGNORECASE,
    )


def _named(words: Iterable[str], *, group: str = "(", free: bool = False) -> str:
    """Match any of these words as whole words; a ``free`` one may follow a digit."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    either = "|".join(r"\s".join(map(re.escape, word.split())) for word in longest_first)
    before = "" if free else r"(?<![^\W_])"
    return rf"{before}{group}{either})(?![^\W\d_])"


def _signed(sign: str, digits: str) -> int:
    return -int(digits) if sign in ("-", "−", "–") else int(digits)
