"""The header of a written post, as people write it: link, vitals, stats, register (GC-1.1 to 1.4).

The reading is tolerant: BBCode is passed over, names may be those of either language, a colon is
free, signs may be those of a word processor. It is bounded and takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.posts.bbcode import JOINER, tokenise
from app.posts.words import phase_names, plain, stats_called, words_for
from app.rulesets.guida.terms import Stat

PARTS: Final = ("sheet_link", "hp", "ep", "stats", "register")
MOST_LINES: Final = 2_000
MOST_ENTRIES: Final = 200
LONGEST_LINE: Final = 500

_SIGN: Final = "[-+−–]"
_NUMBER: Final = re.compile(rf"({_SIGN}?)\s?(\d{{1,6}})", re.ASCII)
_STAT: Final = re.compile(rf"(\d{{1,5}})(?:\s*\(\s*({_SIGN}?)\s?(\d{{1,5}})\s*\))?", re.ASCII)
_AMOUNT: Final = re.compile(rf"({_SIGN})\s?(\d{{1,6}})\s?([^\W\d_]{{2,12}}(?: [^\W\d_]{{2,12}})?)")
_NAMED: Final = re.compile(r"\s*([^\W\d_][^:\d(]{0,40}?)\s*:?\s*(?=[-+−–(]?\d|$)")
_PARTED: Final = re.compile(r"[|;•·\t]| {2,}| [-–—] ")
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
    """What the header of a post says; a part that is not there is empty or None."""

    sheet_link: str = ""
    hp: int | None = None
    ep: int | None = None
    stats: tuple[StatNote, ...] = ()
    register: tuple[Entry, ...] | None = None

    @property
    def has_stats(self) -> bool:
        """Say whether every stat is shown (GC-1.3)."""
        return {one.stat for one in self.stats} == set(Stat)


def read_header(text: str) -> Header:
    """Read the header of a post, as far as it is there."""
    lines = _lines(text)
    vitals: dict[str, int] = {}
    stats: dict[Stat, StatNote] = {}
    for part in (part for line in lines for part in _PARTED.split(line)):
        named = _NAMED.match(part)
        if named is None:
            continue
        name, value = plain(named[1]), part[named.end() :]
        for unit in ("hp", "ep"):
            number = _NUMBER.match(value)
            if name in words_for(unit) and number is not None:
                vitals.setdefault(unit, _signed(number[1], number[2]))
        stat = stats_called().get(name)
        shown = _STAT.match(value)
        if stat is not None and shown is not None:
            points = None if shown[3] is None else _signed(shown[2], shown[3])
            stats.setdefault(stat, StatNote(stat=stat, base=int(shown[1]), points=points))
    return Header(
        sheet_link=_sheet_link(text, lines),
        hp=vitals.get("hp"),
        ep=vitals.get("ep"),
        stats=tuple(stats[stat] for stat in Stat if stat in stats),
        register=_register(lines),
    )


def read_entries(lines: Sequence[str]) -> tuple[Entry, ...]:
    """Read the amounts of register lines: a sign, a number and what it counts."""
    return tuple(entry for line in lines for entry in _entries(line))[:MOST_ENTRIES]


def _entries(line: str) -> Iterator[Entry]:
    for found in _AMOUNT.finditer(line):
        word = plain(found[3])
        for unit in ("hp", "ep"):
            if word in words_for(unit) or word.split(" ")[0] in words_for(unit):
                yield Entry(amount=_signed(found[1], found[2]), unit=unit)


def _register(lines: Sequence[str]) -> tuple[Entry, ...] | None:
    """Read the lines under the register's heading, to the next gap or the next phase."""
    names = words_for("register")
    for at, line in enumerate(lines):
        head, _, rest = line.partition(":")
        if plain(head) not in names:
            continue
        below = [rest] if rest.strip() else []
        for other in lines[at + 1 :]:
            if plain(other).rstrip(":") in phase_names() or (below and not other.strip()):
                break
            if other.strip():
                below.append(other)
        return read_entries(below) if below else None
    return None


def _sheet_link(text: str, lines: Sequence[str]) -> str:
    names = words_for("sheet_link")
    opened: tuple[str, int] | None = None
    for tag in tokenise(text):
        if tag.name == "url" and not tag.closing:
            opened = (tag.value.strip("\"'"), tag.end)
        elif tag.name == "url" and opened is not None:
            address, start = opened
            said = text[start : tag.start]
            before = plain(text[max(0, start - 200) : start].rsplit("\n", 1)[-1].split("[")[0])
            if plain(said) in names or before.rstrip(": ") in names:
                return address or said.strip()
            opened = None
    for line in lines:
        head, _, rest = line.partition(":")
        given = _ADDRESS.search(rest)
        if plain(head) in names and given is not None:
            return given[0]
    return ""


def _lines(text: str) -> list[str]:
    """Give the lines of a post without its tags, the bullets of lists and what nobody sees."""
    bare = list(text)
    for tag in tokenise(text):
        bare[tag.start : tag.end] = [""] * (tag.end - tag.start)
    cut = "".join(bare).replace(JOINER, "").split("\n")[:MOST_LINES]
    return [line[:LONGEST_LINE].strip().lstrip("•*· ").strip() for line in cut]


def _signed(sign: str, digits: str) -> int:
    return -int(digits) if sign in ("-", "−", "–") else int(digits)
