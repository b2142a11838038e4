"""The figures of a scene over its entries: a drawing for each figure, and a table of them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fastapi import APIRouter
from starlette.responses import Response

from app.engine.ruleset import GM
from app.http.language import Language
from app.posts.phrases import say
from app.services.cells import inert
from app.services.run import run
from app.services.scenes import read_scene
from app.services.timeline import Timeline, TimelineStep, scene_timeline
from app.web.pages import page, word_of
from app.web.plot import Plot, Series, plot_of
from app.web.texts import marked, translated
from app.web.visit import Here, Id

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Chart:
    """One figure of everybody who has it, drawn, and told in a sentence for each."""

    key: str
    name: str
    plot: Plot
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A value in the table, and by how much it changed; None where it was not to be seen."""

    value: int | None
    change: int


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: an entry, who decided what in it, and the values after it."""

    step: TimelineStep
    who: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A timeline as a page shows it; ``text`` is the table to paste into a sheet."""

    readable: bool
    charts: tuple[Chart, ...]
    heads: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]
    text: str


@router.get("/scenes/{scene_id}/timeline")
async def show(here: Here, scene_id: Id) -> Response:
    """Show how everybody's figures went, to whoever has the address of the scene."""
    scene = await run(here.db, read_scene, here.principal, scene_id)
    found = await run(here.db, scene_timeline, here.principal, scene_id)
    drawn = drawn_of(found, scene.ruleset, here.language)
    return page(here, "scenes/timeline.html", scene=scene, drawn=drawn)


def drawn_of(timeline: Timeline, ruleset: str, language: Language) -> Drawn:
    """Draw a timeline, and write its table."""
    names = {one.id: one.name for one in timeline.people}
    keys = tuple(dict.fromkeys(f.key for one in timeline.people for f in one.figures))
    figures = {key: say(language, ruleset, "figures", key, {}) for key in keys}
    heads = tuple(
        (one.name, figures[f.key])
        for key in keys
        for one in timeline.people
        for f in one.figures
        if f.key == key
    )
    rows = tuple(_rows(timeline, keys, names, ruleset, language))
    return Drawn(
        readable=timeline.readable,
        charts=tuple(_chart(timeline, key, figures[key], language) for key in keys),
        heads=heads,
        rows=rows,
        text=_text(heads, rows, language),
    )


def _chart(timeline: Timeline, key: str, name: str, language: Language) -> Chart:
    series = [
        (one.name, figure) for one in timeline.people for figure in one.figures if figure.key == key
    ]
    said = []
    for who, figure in series:
        seen = [value for value in figure.values if value is not None]
        facts = {"name": who, "first": seen[0], "last": seen[-1], "least": min(seen)}
        text = translated(
            language, marked("%(name)s: from %(first)s to %(last)s, at least %(least)s.")
        )
        said.append(text % facts)
    return Chart(
        key=key,
        name=name,
        plot=plot_of(
            [step.entry for step in timeline.steps],
            [Series(who, figure.values) for who, figure in series],
        ),
        said=tuple(said),
    )


def _rows(
    timeline: Timeline,
    keys: tuple[str, ...],
    names: Mapping[str, str],
    ruleset: str,
    language: Language,
) -> Iterator[Row]:
    columns = [
        figure.values
        for key in keys
        for one in timeline.people
        for figure in one.figures
        if figure.key == key
    ]
    for place, step in enumerate(timeline.steps):
        who = names.get(step.seat, step.seat)
        if step.seat == GM:
            who = word_of(language, ruleset, GM)
        yield Row(
            step=step,
            who=who,
            cells=tuple(_cell(values, place) for values in columns),
        )


def _cell(values: tuple[int | None, ...], place: int) -> Cell:
    value = values[place]
    before = values[place - 1] if place else None
    change = 0 if value is None or before is None else value - before
    return Cell(value, change)


def _text(heads: tuple[tuple[str, str], ...], rows: tuple[Row, ...], language: Language) -> str:
    """Write the table with tabs, as a spreadsheet takes it from the clipboard."""
    entry, who = (translated(language, text) for text in (marked("Entry"), marked("Who")))
    lines = [[entry, who, *(f"{name} {figure}" for name, figure in heads)]]
    lines += [
        [
            str(row.step.entry),
            row.who,
            *("" if c.value is None else str(c.value) for c in row.cells),
        ]
        for row in rows
    ]
    return "\n".join("\t".join(inert(" ".join(cell.split())) for cell in line) for line in lines)
