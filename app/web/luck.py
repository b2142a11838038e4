"""How lucky the dice of a scene were, in percent of all such throws, with a chart of the faces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

from app.engine.luck import FaceCounts
from app.http.language import Language
from app.services.called import name_in
from app.services.luck import (
    ActorLuck,
    DiceLuck,
    LuckPoint,
    SceneLuck,
    ThrownLuck,
    scene_luck,
)
from app.services.run import run
from app.services.scenes import read_scene
from app.services.shapes import SceneRead
from app.web.games import PAGES
from app.web.numbers import shown
from app.web.odds import percent
from app.web.pages import page
from app.web.plot import Plot, Series, plot_of
from app.web.texts import marked, translated
from app.web.visit import Here, Id

router = APIRouter()

# Units of the drawing, which is as wide as its column.
WIDTH: Final = 320
TOP: Final = 14  # above the bars, for how often
TALLEST: Final = 60
BASE: Final = TOP + TALLEST
HEIGHT: Final = BASE + 16  # below the bars, for the faces
LABEL: Final = 21  # as wide as "100"
COUNT: Final = 9  # as wide as a figure
MOST_BARS: Final = 100
STEPS: Final = (1, 2, 5, 10, 20)


@dataclass(frozen=True, slots=True)
class Bar:
    """How often a face fell, drawn; ``label`` says whether there is room for the face."""

    face: int
    times: int
    x: float
    y: float
    width: float
    label: bool

    @property
    def height(self) -> float:
        """Give how high it is, standing on the base."""
        return BASE - self.y

    @property
    def middle(self) -> float:
        """Give where what belongs to it is written."""
        return self.x + self.width / 2


@dataclass(frozen=True, slots=True)
class Chart:
    """The faces of the dice of one size; at ``even`` all bars would end if they were equal.

    ``fell`` lists each face that fell with how often; there are no bars where nobody could tell
    them apart, and ``counted`` says whether there is room for how often.
    """

    sides: int
    count: int
    fell: tuple[tuple[int, int], ...]
    bars: tuple[Bar, ...]
    counted: bool
    even: float


@dataclass(frozen=True, slots=True)
class Shares:
    """How many of all throws are worse, better and the same, in words of percent."""

    worse: str
    better: str
    same: str


@dataclass(frozen=True, slots=True)
class Told:
    """The luck of somebody, or of the whole scene where there is no name."""

    name: str
    thrown: ThrownLuck
    counting: Shares
    fallen: Shares
    charts: tuple[Chart, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """How far everybody was above or below what their dice promised, entry by entry.

    A row has an entry, and for each of ``names`` what they had by then; None before the first die.
    """

    plot: Plot
    names: tuple[str, ...]
    rows: tuple[tuple[int, tuple[LuckPoint | None, ...]], ...]
    said: tuple[str, ...]


@router.get("/scenes/{scene_id}/luck")
async def show(here: Here, scene_id: Id) -> Response:
    """Show how lucky everybody was, to whoever has the address of the scene."""
    scene = await run(here.db, read_scene, here.principal, scene_id)
    found = await run(here.db, scene_luck, here.principal, scene_id)
    found = replace(found, actors=tuple(_called(scene, one) for one in found.actors))
    told = tuple(_told(found, here.language))
    box = {"width": WIDTH, "height": HEIGHT, "base": BASE}
    course = _course(found, here.language)
    return page(here, "scenes/luck.html", scene=scene, told=told, box=box, course=course)


def by_seat(scene: SceneRead) -> bool:
    """Say whether dice of a game say whose they are by the seat, not by the name of its label."""
    return scene.ruleset in PAGES


def _called(scene: SceneRead, one: ActorLuck) -> ActorLuck:
    if scene.view is None or not by_seat(scene):
        return one
    return replace(one, actor=name_in(scene.view, one.actor))


def _course(found: SceneLuck, language: Language) -> Course:
    """Draw the sum of everybody's dice less the one to be expected of them."""
    numbers = sorted({point.entry for one in found.actors for point in one.course})
    columns = []
    for one in found.actors:
        by_entry = {point.entry: point for point in one.course}
        last: LuckPoint | None = None
        column = []
        for number in numbers:
            last = by_entry.get(number, last)
            column.append(last)
        columns.append(column)
    series = [
        Series(one.actor, tuple(None if at is None else at.sum - at.expected for at in column))
        for one, column in zip(found.actors, columns, strict=True)
    ]
    text = translated(language, marked("%(name)s: in the end %(gap)s against what was expected."))
    return Course(
        plot=plot_of(numbers, series),
        names=tuple(one.actor for one in found.actors),
        rows=tuple(
            (number, tuple(column[place] for column in columns))
            for place, number in enumerate(numbers)
        ),
        said=tuple(
            text % {"name": one.name, "gap": shown(language, one.values[-1], sign=True)}
            for one in series
            if one.values and one.values[-1] is not None
        ),
    )


def _told(found: SceneLuck, language: Language) -> Iterator[Told]:
    for one in found.actors:
        yield _of(one.actor, one.thrown, language)
    if len(found.actors) > 1:
        yield _of("", found.whole, language)


def _of(name: str, thrown: ThrownLuck, language: Language) -> Told:
    return Told(
        name=name,
        thrown=thrown,
        counting=_shares(thrown.counting, language),
        fallen=_shares(thrown.fallen, language),
        charts=tuple(chart_of(faces) for faces in thrown.counting.faces),
    )


def _shares(dice: DiceLuck, language: Language) -> Shares:
    shares = (dice.worse, dice.better, dice.same)
    return Shares(*(percent(share, language) for share in shares))


def chart_of(faces: FaceCounts) -> Chart:
    """Draw how often each face of the dice of one size fell."""
    slot = WIDTH / faces.sides
    unit = TALLEST / max(faces.fell)
    step = next((one for one in STEPS if one * slot >= LABEL), faces.sides)
    bars = tuple(
        Bar(
            face=face,
            times=times,
            x=(face - 1) * slot + slot / 10,
            y=BASE - times * unit,
            width=slot * 8 / 10,
            label=face % step == 0,
        )
        for face, times in enumerate(faces.fell, 1)
    )
    count = sum(faces.fell)
    return Chart(
        sides=faces.sides,
        count=count,
        fell=tuple((bar.face, bar.times) for bar in bars if bar.times),
        bars=bars if faces.sides <= MOST_BARS else (),
        counted=slot >= COUNT * len(str(max(faces.fell))),
        even=BASE - count / faces.sides * unit,
    )
