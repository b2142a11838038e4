"""How a board's forum shows its dice: a learnt pattern first, then what is known of its software.

Both read a whole text, since some forums show a roll on two lines; what neither has read is left to
the general reading, line by line.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Final, TypeAlias

from app.posts.dialects import DIALECTS
from app.posts.dialects.shown import ShownDie, reader, shape
from app.posts.dialects.thrown import ADDENDS, GAP, LIST, ROW, read_sum
from app.posts.pattern import Pattern, calibrated
from app.posts.results import Rendering, Roll, Unreadable
from app.posts.traced import Line

Shows: TypeAlias = Callable[[str], Sequence["tuple[ShownDie, How]"]]


class How(StrEnum):
    """How a die was read: from a learnt pattern, a known software, our own way, or in general."""

    LEARNT = "learnt"
    KNOWN = "known"
    OWN = "own"
    GENERAL = "general"


# What stands on two lines wherever it is shown: Gamers' Plane "(1d20+10)" over "(17) + 10 = 27",
# the box of vBulletin, the quotation of Discourse.
_TWO_LINES: Final = reader(
    shape(rf"\){GAP}\((?P<dice>{LIST})\)(?P<addends>{ADDENDS}){GAP}={GAP}"),
    shape(rf"[^\S\n]{{0,8}}+\n{GAP}>?+{GAP}(?P<row>{ROW}){GAP}={GAP}", below=True),
)
_JOINTS: Final = " \t-–—("


def shows_of(dialect: str = "", pattern: Pattern | None = None) -> Shows:
    """Put together what reads the dice of a forum; without either, what any forum may show."""
    reads = [(calibrated(pattern), How.LEARNT)] if pattern is not None else []
    if dialect in DIALECTS:
        reads.append((DIALECTS[dialect].read, How.KNOWN))
    reads += [(DIALECTS["vbulletin"].read, How.GENERAL), (_TWO_LINES, How.GENERAL)]

    def read(text: str) -> Sequence[tuple[ShownDie, How]]:
        found: list[tuple[ShownDie, How]] = []
        for one, how in reads:
            taken = [(die.start, die.end) for die, _ in found]
            more = [die for die in one(text) if not _is_taken(taken, die)]
            found += [(die, How.OWN if die.own else how) for die in more]
            found.sort(key=lambda each: each[0].start)
        return found

    return read


def rolls_in(
    text: str, lines: Sequence[Line], shows: Shows, rendering: Rendering
) -> Iterator[tuple[int, Roll | Unreadable]]:
    """Read the dice of some lines of a text; each comes with where its places count from."""
    starts = [line.at for line in lines]

    def is_kept(at: int) -> bool:
        place = bisect_right(starts, at) - 1
        return place >= 0 and at <= lines[place].at + len(lines[place].text)

    read = [
        (die, roll)
        for die, how in shows(text)
        if is_kept(die.start) and is_kept(die.end) and (roll := as_roll(die, how)) is not None
    ]
    for _, roll in read:
        yield 0, roll
    for line in lines:
        for part in _unread(line, [(die.start, die.end) for die, _ in read]):
            for one in rendering(part.text):
                yield part.at, one


def as_roll(die: ShownDie, how: How) -> Roll | None:
    """Give a shown die as a roll; None for one whose dice are of several kinds."""
    thrown = read_sum(die.expression)
    if thrown is None or len(thrown.groups) != 1 or thrown.groups[0][0] < 0:
        return None
    naturals = die.naturals
    if not naturals and thrown.count == 1:
        # No face gives this total: the nearest number that is none says so.
        naturals = (int(die.total - die.modifier),)
    return Roll(
        start=die.core[0],
        end=die.core[1],
        label=die.label.rstrip(_JOINTS) if how is How.GENERAL else die.label,
        count=thrown.count,
        sides=thrown.groups[0][2],
        modifier=die.modifier,
        faces=naturals,
        shown_modifier=die.modifier if die.added is None else die.added,
        total=_whole(die.total),
        how=how,
    )


def _whole(value: Fraction) -> Fraction | int:
    return int(value) if value.denominator == 1 else value


def _is_taken(taken: Sequence[tuple[int, int]], die: ShownDie) -> bool:
    place = bisect_right(taken, (die.start, die.start)) - 1
    before = place >= 0 and taken[place][1] > die.start
    after = place + 1 < len(taken) and taken[place + 1][0] < die.end
    return before or after


def _unread(line: Line, taken: Sequence[tuple[int, int]]) -> Iterator[Line]:
    """Give the parts of a line that nothing was read from, in their order."""
    at, stop = line.at, line.at + len(line.text)
    place = max(bisect_right(taken, (line.at, line.at)) - 1, 0)
    while place < len(taken) and taken[place][0] < stop:
        start, end = taken[place]
        if end > at:
            if start > at:
                yield Line(at, line.text[at - line.at : start - line.at])
            at = end
        place += 1
    if at < stop:
        yield Line(at, line.text[at - line.at :])
