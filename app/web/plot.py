"""Lines over the entries of a scene, drawn: every length is in the units of the drawing.

No line hangs on its colour: each has a dash and a mark of its own, and its name at its end. The
table beside a drawing says the same in figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

WIDTH: Final = 360
HEIGHT: Final = 220
LEFT: Final = 34
RIGHT: Final = 252  # the names stand beyond it
TOP: Final = 12
BOTTOM: Final = 190
NAME: Final = 14  # from one name to the next
ROOM: Final = 90  # from where a name begins to the edge of the drawing
NARROW: Final = frozenset("fijlrtI.,:;!|'’()[] ")
WIDE: Final = frozenset("mwMWQO@—…")
LATIN: Final = 0x24F  # beyond it a letter may be as wide as it is high
STYLES: Final = 4  # kinds of dash, and kinds of mark
MOST_MARKS: Final = 30
X_LABELS: Final = 6
Y_LABELS: Final = 4
NICE: Final = (1, 2, 5)
Number = int | Fraction


@dataclass(frozen=True, slots=True)
class Series:
    """Values to draw, None where there is nothing to see; ``plain`` is a line to compare with."""

    name: str
    values: tuple[Number | None, ...]
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Curve:
    """A line as it is drawn, with its marks, and its name at ``label``.

    ``dash`` and ``mark`` are kinds of them; a curve without any value has no ``path``.
    """

    name: str
    short: str
    path: str
    marks: tuple[tuple[float, float], ...]
    end: tuple[float, float]
    label: float
    dash: int
    mark: int
    plain: bool


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the grid, or a place on it, and what is written there."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Plot:
    """A whole drawing."""

    curves: tuple[Curve, ...]
    across: tuple[Tick, ...]
    along: tuple[Tick, ...]
    height: int = HEIGHT
    width: int = WIDTH
    left: int = LEFT
    right: int = RIGHT
    bottom: int = BOTTOM


def plot_of(numbers: Sequence[int], series: Sequence[Series], *, stepped: bool = True) -> Plot:
    """Draw values over entries by their numbers; ``stepped`` lines change at an entry only."""
    values = [value for one in series for value in one.values if value is not None]
    low, high = min([0, *values]), max([1, *values])
    step = _step(high - low)
    floor = step * (low // step)
    ceiling = -step * (-high // step)

    def x(place: int) -> float:
        return LEFT + (RIGHT - LEFT) * place / max(1, len(numbers) - 1)

    def y(value: Number) -> float:
        return float(BOTTOM - (BOTTOM - TOP) * Fraction(value - floor) / (ceiling - floor))

    curves = [
        _curve(
            one,
            place,
            [None if v is None else (x(at), y(v)) for at, v in enumerate(one.values)],
            stepped,
        )
        for place, one in enumerate(series)
    ]
    bottom = max(BOTTOM, TOP + NAME * len(curves))
    return Plot(
        curves=tuple(_apart([one for one in curves if one.path])),
        across=tuple(
            Tick(y(value), str(value)) for value in _range(int(floor), int(ceiling), int(step))
        ),
        along=tuple(Tick(x(place), str(numbers[place])) for place in _places(len(numbers))),
        height=bottom + HEIGHT - BOTTOM,
    )


def _step(span: Number) -> int:
    """Give the least round step by which a span has few enough lines."""
    power = 1
    while True:
        for nice in NICE:
            if span <= nice * power * Y_LABELS:
                return nice * power
        power *= 10


def _range(low: int, high: int, step: int) -> Iterator[int]:
    yield from range(low, high + 1, step)


def _places(count: int) -> Iterator[int]:
    every = max(1, -(-count // X_LABELS))
    yield from range(0, count, every)


def _curve(
    series: Series, place: int, points: Sequence[tuple[float, float] | None], stepped: bool
) -> Curve:
    path: list[str] = []
    marks: list[tuple[float, float]] = []
    before: tuple[float, float] | None = None
    for point in points:
        if point is not None:
            at, high = point
            if before is None:
                path.append(f"M{at:.1f} {high:.1f}")
            elif stepped:
                path.append(f"H{at:.1f}V{high:.1f}")
            else:
                path.append(f"L{at:.1f} {high:.1f}")
            if before is None or high != before[1]:
                marks.append(point)
        before = point
    seen = [point for point in points if point is not None]
    end = seen[-1] if seen else (float(LEFT), float(BOTTOM))
    every = max(1, -(-len(marks) // MOST_MARKS))
    return Curve(
        name=series.name,
        short=shortened(series.name),
        path="".join(path),
        marks=tuple(dict.fromkeys((*marks[::every], end))) if seen else (),
        end=end,
        label=end[1],
        dash=place % STYLES,
        mark=(place + place // STYLES) % STYLES,
        plain=series.plain,
    )


def shortened(name: str) -> str:
    """Cut a name to what fits beside a drawing, by how wide its letters are at most."""
    if sum(map(_wide, name)) <= ROOM:
        return name
    room, kept = ROOM - _wide("…"), ""
    for letter in name:
        room -= _wide(letter)
        if room < 0:
            break
        kept += letter
    return f"{kept.rstrip()}…"


def _wide(letter: str) -> float:
    """Say how wide a letter is at most, in the fonts of any system at the size of the drawing."""
    if ord(letter) > LATIN or letter in WIDE:
        return 12.0
    if letter in NARROW:
        return 5.0
    return 9.0 if letter.isupper() else 7.7


def _apart(curves: list[Curve]) -> Iterator[Curve]:
    """Put the names below one another, each as near to the end of its line as there is room."""
    placed = sorted(range(len(curves)), key=lambda at: (curves[at].end[1], at))
    lines = [max(TOP, curves[at].end[1]) for at in placed]
    for place in range(1, len(lines)):
        lines[place] = max(lines[place], lines[place - 1] + NAME)
    lowest = float(max(BOTTOM, TOP + NAME * len(curves)))
    for place in reversed(range(len(lines))):
        lines[place] = min(lines[place], lowest)
        lowest = lines[place] - NAME
    where = dict(zip(placed, lines, strict=True))
    yield from (replace(one, label=where[at]) for at, one in enumerate(curves))
