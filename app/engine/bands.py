"""Bands and staircases as a book prints them, and what is wrong with them: gaps and overlaps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from typing import Final

from app.engine.numbers import exact, spelled

_NUMBER: Final = r"[0-9]+(?:[.,][0-9]+)?"
_BETWEEN: Final = re.compile(rf"({_NUMBER})\s*[-–—]\s*({_NUMBER})", re.ASCII)
_FROM: Final = re.compile(rf"({_NUMBER})\s*\+|≥\s*({_NUMBER})|(?:da|from)\s+({_NUMBER})", re.ASCII)
_OVER: Final = re.compile(rf"(?:oltre|over|>)\s*({_NUMBER})", re.ASCII)
_UP_TO: Final = re.compile(rf"(?:fino a|up to|≤)\s*({_NUMBER})", re.ASCII)
_UNDER: Final = re.compile(rf"(?:sotto|under|<)\s*({_NUMBER})", re.ASCII)
_ALONE: Final = re.compile(_NUMBER, re.ASCII)


class Fault(StrEnum):
    """What can be wrong with a table."""

    GAP = "gap"
    OVERLAP = "overlap"
    EMPTY = "empty"
    DISORDER = "disorder"
    REPEATED = "repeated"
    TURN = "turn"


class UnreadableBand(ValueError):
    """A band is written in no way that is known."""


@dataclass(frozen=True, slots=True)
class Band:
    """An interval as it is printed; no bound at an end means that it goes on for ever."""

    printed: str
    low: Fraction | None
    high: Fraction | None
    low_open: bool = False
    high_open: bool = False


@dataclass(frozen=True, slots=True)
class Defect:
    """One fault: where it is, as a text that a list of known faults can name, and in which rows."""

    fault: Fault
    at: str
    rows: tuple[str, ...]


def read_band(printed: str, unit: str = "") -> Band:
    """Read ``0–25``, ``100+``, ``over 100``, ``up to 5``, ``1000``; raise UnreadableBand."""
    text = printed.casefold().replace(unit.casefold(), "").strip() if unit else printed.casefold()
    if match := _BETWEEN.fullmatch(text):
        return Band(printed, _value(match[1]), _value(match[2]))
    if match := _FROM.fullmatch(text):
        return Band(printed, _value(match[1] or match[2] or match[3]), None)
    if match := _OVER.fullmatch(text):
        return Band(printed, _value(match[1]), None, low_open=True)
    if match := _UP_TO.fullmatch(text):
        return Band(printed, None, _value(match[1]))
    if match := _UNDER.fullmatch(text):
        return Band(printed, None, _value(match[1]), high_open=True)
    if _ALONE.fullmatch(text):
        return Band(printed, _value(text), _value(text))
    raise UnreadableBand(printed)


def faults_of_bands(
    bands: Sequence[Band], *, first: Fraction, last: Fraction | None, whole: bool
) -> Iterator[Defect]:
    """Find values between ``first`` and ``last`` in no band or in two, and bands out of order.

    ``whole`` values leave nothing between 5 and 6; others do. A table without ``last`` has to
    cover whatever is larger.
    """
    for band in bands:
        if _is_empty(band):
            yield Defect(Fault.EMPTY, band.printed, (band.printed,))
    sound = [_closed(band) if whole else band for band in bands if not _is_empty(band)]
    for one, two in pairwise(sound):
        if _start(two) < _start(one):
            yield Defect(Fault.DISORDER, two.printed, (one.printed, two.printed))
    sound.sort(key=_start)
    yield from _overlaps(sound)
    yield from _gaps(sound, first, last, whole)


def faults_of_steps(
    rows: Sequence[tuple[Fraction, Fraction]], *, first: Fraction
) -> Iterator[Defect]:
    """Find thresholds that repeat or fall, values before the first one, and a value that turns.

    A step holds until the next threshold, the last one for ever, so that only the beginning can
    be left out; what rises is expected to go on rising.
    """
    if rows and rows[0][0] > first:
        yield Defect(Fault.GAP, f"{spelled(first)} … <{spelled(rows[0][0])}", (_step(rows[0]),))
    for one, two in pairwise(rows):
        if two[0] == one[0]:
            yield Defect(Fault.REPEATED, spelled(two[0]), (_step(one), _step(two)))
        elif two[0] < one[0]:
            yield Defect(Fault.DISORDER, spelled(two[0]), (_step(one), _step(two)))
    slopes = [(two[1] - one[1], one, two) for one, two in pairwise(rows)]
    rising = next((slope > 0 for slope, _, _ in slopes if slope), True)
    for slope, one, two in slopes:
        if slope == 0 or (slope > 0) != rising:
            yield Defect(Fault.TURN, spelled(two[0]), (_step(one), _step(two)))


def _overlaps(bands: Sequence[Band]) -> Iterator[Defect]:
    for index, one in enumerate(bands):
        for two in bands[index + 1 :]:
            low, high = two.low, _least(one.high, two.high)
            # Sorted by their beginnings: what two bands share begins with the second.
            if one.high is not None and low is not None:
                touching = low == one.high and (one.high_open or two.low_open)
                if low > one.high or touching:
                    continue
            yield Defect(Fault.OVERLAP, _span(low, high), (one.printed, two.printed))


def _gaps(
    bands: Sequence[Band], first: Fraction, last: Fraction | None, whole: bool
) -> Iterator[Defect]:
    """Walk upwards from ``first``; ``reached`` is how far everything is covered, ``until`` open."""
    reached, until, before = first, True, ""
    for band in bands:
        start, opens = (first, False) if band.low is None else (band.low, band.low_open)
        if whole:
            if start > reached + (0 if until else 1):
                yield _hole_of_wholes(reached, until, start, (before, band.printed))
        elif start > reached or (start == reached and until and opens):
            yield _hole(reached, until, start, opens, (before, band.printed))
        if band.high is None:
            return
        if band.high > reached or (band.high == reached and until and not band.high_open):
            reached, until, before = band.high, band.high_open, band.printed
    if last is None:
        end = f"≥{spelled(reached)}" if until else f">{spelled(reached)}"
        yield Defect(Fault.GAP, end, (before,) if before else ())
    elif reached < last or (reached == last and until):
        rows = (before,) if before else ()
        if whole:
            yield _hole_of_wholes(reached, until, last + 1, rows)
        else:
            yield _hole(reached, until, last, True, rows)


def _hole(low: Fraction, until: bool, high: Fraction, opens: bool, rows: tuple[str, ...]) -> Defect:
    """Name what lies between two values, either of which may itself be left out."""
    told = tuple(row for row in rows if row)
    if low == high:
        return Defect(Fault.GAP, spelled(low), told)
    left = "" if until else ">"
    right = "" if opens else "<"
    return Defect(Fault.GAP, f"{left}{spelled(low)} … {right}{spelled(high)}", told)


def _hole_of_wholes(low: Fraction, until: bool, high: Fraction, rows: tuple[str, ...]) -> Defect:
    """Name the whole numbers that lie between what is covered and what is covered again."""
    least, most = (low if until else low + 1), high - 1
    return Defect(Fault.GAP, _span(least, most), tuple(row for row in rows if row))


def _closed(band: Band) -> Band:
    """Write a band of whole numbers without open ends."""
    low = band.low + 1 if band.low is not None and band.low_open else band.low
    high = band.high - 1 if band.high is not None and band.high_open else band.high
    return Band(band.printed, low, high)


def _is_empty(band: Band) -> bool:
    if band.low is None or band.high is None:
        return False
    return band.low > band.high or (band.low == band.high and (band.low_open or band.high_open))


def _start(band: Band) -> tuple[bool, Fraction, bool]:
    return (band.low is not None, band.low or Fraction(0), band.low_open)


def _least(*bounds: Fraction | None) -> Fraction | None:
    return min((bound for bound in bounds if bound is not None), default=None)


def _span(low: Fraction | None, high: Fraction | None) -> str:
    if low == high and low is not None:
        return spelled(low)
    least = "…" if low is None else spelled(low)
    return f"{least}–{spelled(high)}" if high is not None else f"{least}+"


def _step(row: tuple[Fraction, Fraction]) -> str:
    return f"{spelled(row[0])}: {spelled(row[1])}"


def _value(text: str) -> Fraction:
    return exact(text.replace(",", "."))


def read_steps(rows: Iterable[Sequence[object]]) -> tuple[tuple[Fraction, Fraction], ...]:
    """Read rows of threshold and value; raise UnreadableBand."""
    try:
        return tuple((exact(str(low)), exact(str(value))) for low, value in rows)
    except ValueError:
        raise UnreadableBand(str(rows)) from None
