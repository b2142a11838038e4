"""The strip map: where everybody stands as seen from one of them, range by range.

Distances are all that the game knows, so the map is a strip: it starts at one combatant and each
range has a lane. Every number here is a length in the units of the drawing; what it shows is told
in words by the table beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Final

from app.rulesets.guida.terms import Standing
from app.rulesets.guida.view import AreaView, CombatantView, SceneView

LANE: Final = 30  # the least height of a range
LINE: Final = 18  # from one name to the next
AXIS: Final = 92  # where the strip runs, from the left
AREAS: Final = 252  # where the first area is drawn
COLUMN: Final = 22
LONGEST: Final = 18  # letters of a name that fit
SHAPES: Final = 4
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Lane:
    """One range: from above ``low`` up to ``high`` metres, without end where that is None."""

    low: int
    high: int | None
    top: float
    height: float

    @property
    def bottom(self) -> float:
        """Give where the next lane begins."""
        return self.top + self.height


@dataclass(frozen=True, slots=True)
class Marker:
    """Somebody on the strip: at ``y`` in truth, the name at ``line`` so that none covers another.

    ``shape`` is that of the team, ``inside`` are the letters of the areas that it is in.
    """

    id: str
    name: str
    short: str
    team: str
    shape: int
    metres: Fraction
    lane: Lane
    y: float
    line: float
    turn: bool
    out: bool
    inside: tuple[str, ...]
    behind: tuple[str, ...]
    before: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Patch:
    """An area on the strip, from ``top`` to ``bottom``; ``inside`` says whether the viewer is."""

    letter: str
    name: str
    area: AreaView
    metres: Fraction
    x: int
    top: float
    bottom: float
    inside: bool


@dataclass(frozen=True, slots=True)
class Strip:
    """The whole map, as seen from one of those who can be seen."""

    viewer: CombatantView
    seat: str
    people: tuple[CombatantView, ...]
    lanes: tuple[Lane, ...]
    own: Marker
    others: tuple[Marker, ...]
    patches: tuple[Patch, ...]
    height: float
    width: int


def strip_of(
    view: SceneView, seats: Iterable[str] = (), wanted: str = "", seat: str = ""
) -> Strip | None:
    """Draw a scene as seen from the one who is wanted, from an own seat, or from whose turn it is.

    ``seat`` is through whose eyes the scene was read, where that was asked for. Where nobody can be
    seen there is no map.
    """
    people = {one.id: one for one in view.combatants}
    if not people:
        return None
    viewer = next(id for id in (wanted, *seats, view.next, *people) if id in people)
    far = _distances(view, viewer)
    spans = {area.id: _span(area, far[area.id]) for area in view.areas}
    lanes = tuple(_lanes(view, far, people, spans))
    letters = {area.id: letter for area, letter in zip(view.areas, _letters(), strict=False)}
    teams = {team: place for place, team in enumerate(dict.fromkeys(_teams(view)))}
    markers = [
        _marker(view, one, viewer, far[one.id], lanes, teams[one.team] % SHAPES, letters)
        for one in view.combatants
        if one.id in far
    ]
    own = next(one for one in markers if one.id == viewer)
    return Strip(
        viewer=people[viewer],
        seat=seat,
        people=view.combatants,
        lanes=lanes,
        own=own,
        others=tuple(_apart([one for one in markers if one.id != viewer])),
        patches=tuple(
            Patch(
                letter=letters[area.id],
                name=area.name,
                area=area,
                metres=far[area.id],
                x=AREAS + COLUMN * place,
                top=_height(spans[area.id][0], lanes),
                bottom=_height(spans[area.id][1], lanes),
                inside=viewer in area.inside,
            )
            for place, area in enumerate(view.areas)
        ),
        height=lanes[-1].bottom,
        width=AREAS + max(COLUMN * len(view.areas), 2 * COLUMN) + 4,
    )


def _teams(view: SceneView) -> Iterator[str]:
    return (one.team for one in sorted(view.combatants, key=lambda one: one.id))


def _letters() -> Iterator[str]:
    yield from LETTERS
    number = 1
    while True:
        yield from (f"{letter}{number}" for letter in LETTERS)
        number += 1


def _distances(view: SceneView, viewer: str) -> Mapping[str, Fraction]:
    """Give how far everybody and every centre is from one place."""
    far = {viewer: Fraction(0)}
    rows = (*view.distances, *(one for area in view.areas for one in area.distances))
    for one in rows:
        if viewer in (one.a, one.b):
            far[one.b if one.a == viewer else one.a] = one.metres
    return far


def _span(area: AreaView, metres: Fraction) -> tuple[Fraction, Fraction]:
    """Give from where to where an area reaches along the strip."""
    return max(Fraction(0), metres - area.radius_m), metres + area.radius_m


def _lanes(
    view: SceneView,
    far: Mapping[str, Fraction],
    people: Mapping[str, CombatantView],
    spans: Mapping[str, tuple[Fraction, Fraction]],
) -> Iterator[Lane]:
    """Make a lane for each range up to the farthest of all; one with more names in it is higher."""
    bounds = (0, *view.range_ladder_m)
    ends = [*far.values(), *(end for _, end in spans.values())]
    farthest = max(ends, default=Fraction(0))
    ranges: list[tuple[int, int | None]] = [*pairwise(bounds), (bounds[-1], None)]
    top = 0.0
    for low, high in ranges:
        within = [
            id
            for id, metres in far.items()
            if id in people and (metres > low or low == 0) and (high is None or metres <= high)
        ]
        height = float(max(LANE, LINE * len(within) + LINE / 2))
        yield Lane(low, high, top, height)
        top += height
        if high is None or farthest <= high:
            return


def _height(metres: Fraction, lanes: tuple[Lane, ...]) -> float:
    """Give how far down the strip a distance is; within a range evenly, at last ever closer."""
    for lane in lanes:
        if lane.high is None:
            beyond = float((metres - lane.low) / (metres - lane.low + max(lane.low, 1)))
            return lane.top + lane.height * beyond
        if metres <= lane.high:
            return lane.top + lane.height * float((metres - lane.low) / (lane.high - lane.low))
    return lanes[-1].bottom


def _lane(metres: Fraction, lanes: tuple[Lane, ...]) -> Lane:
    return next((lane for lane in lanes if lane.high is None or metres <= lane.high), lanes[-1])


def _marker(
    view: SceneView,
    one: CombatantView,
    viewer: str,
    metres: Fraction,
    lanes: tuple[Lane, ...],
    shape: int,
    letters: Mapping[str, str],
) -> Marker:
    y = _height(metres, lanes)
    return Marker(
        id=one.id,
        name=one.name,
        short=one.name if len(one.name) <= LONGEST else f"{one.name[: LONGEST - 1]}…",
        team=one.team,
        shape=shape,
        metres=metres,
        lane=_lane(metres, lanes),
        y=y,
        line=0.0 if one.id == viewer else y,
        turn=one.id == view.next,
        out=one.standing is not Standing.ACTIVE,
        inside=tuple(letters[area.id] for area in view.areas if one.id in area.inside),
        behind=tuple(place.whom for place in view.behind if place.who == one.id),
        before=tuple(place.who for place in view.behind if place.whom == one.id),
    )


def _apart(markers: list[Marker]) -> Iterator[Marker]:
    """Put the names below one another, each in its own range and in the order of the distances."""
    by_lane: dict[float, list[Marker]] = {}
    for one in sorted(markers, key=lambda one: one.metres):
        by_lane.setdefault(one.lane.top, []).append(one)
    for lane in by_lane.values():
        first, bottom = lane[0].lane.top + LINE / 2, lane[0].lane.bottom - LINE / 2
        lines = [max(first, min(one.y, bottom)) for one in lane]
        if lane[0].lane.top == 0:  # the viewer has the first line
            lines = [max(line, 1.5 * LINE) for line in lines]
        for place in range(1, len(lines)):
            lines[place] = max(lines[place], lines[place - 1] + LINE)
        for place in reversed(range(len(lines))):
            lines[place] = min(lines[place], bottom)
            bottom = lines[place] - LINE
        yield from (replace(one, line=line) for one, line in zip(lane, lines, strict=True))
