"""Everybody's main figures, decision by decision, as the reader could see them at the time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from app.engine.dice import RecordedDice
from app.engine.glance import Glance, Shown
from app.engine.history import standing
from app.engine.ruleset import Seat
from app.persistence import queries
from app.persistence.codec import load
from app.persistence.database import Database
from app.persistence.queries import SceneNow
from app.services.access import Principal
from app.services.casting import as_cast
from app.services.entries import entry_lines
from app.services.games import Game, game
from app.services.log import decisions_of
from app.services.run import takes_long
from app.services.scene_found import found
from app.services.sight import eyes_of


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineStep:
    """A decision in effect; entry 0 is the beginning. Who decided is empty where that is hidden.

    An amendment stands before the entry in front of which it takes effect.
    """

    entry: int
    seat: Seat = ""
    act: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineFigure:
    """A figure by its word in the game, with a value for each step; None is not to be seen then."""

    key: str
    most: int
    values: tuple[int | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelinePerson:
    """Somebody with their figures, whether they are out by now, and at which entries they fell."""

    id: str
    name: str
    out: bool
    fell: tuple[int, ...]
    figures: tuple[TimelineFigure, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """The figures of a scene over its decisions.

    ``readable`` is False where the scene was played under other rules than today's, so that it
    cannot be played again; ``winners`` are ids, none where the game names nobody.
    """

    readable: bool = True
    steps: tuple[TimelineStep, ...] = ()
    people: tuple[TimelinePerson, ...] = ()
    winners: tuple[str, ...] = ()


@takes_long
def scene_timeline(db: Database, principal: Principal, scene_id: str) -> Timeline:
    """Draw up the figures of a scene, of which those hidden from the reader are none."""
    with db.read() as connection:
        scene = found(queries.scene_now(connection, scene_id))
        return timeline_of(connection, scene, eyes_of(as_cast(principal, scene), scene))


def timeline_of(connection: Connection, scene: SceneNow, eyes: tuple[Seat, ...]) -> Timeline:
    """Play a scene again and look at each of its states through these eyes.

    A state is seen as its own moment allowed, so whoever was hidden then stays so in hindsight.
    """
    ruleset = game(scene.ruleset)
    if scene.edition != ruleset.edition:
        return Timeline(readable=False)
    lines = {
        line.number: line for line in entry_lines(queries.entry_heads(connection, scene.id), eyes)
    }
    steps: list[TimelineStep] = []
    seen: list[Mapping[str, Shown]] = []
    winners: tuple[str, ...] = ()
    for number, state in _states(connection, ruleset, scene):
        line = lines.get(number)
        seat, act = ("", "") if line is None else (line.seat, line.act)
        steps.append(TimelineStep(entry=number, seat=seat, act=act))
        glances = [ruleset.glance(ruleset.view(state, seat)) for seat in eyes]
        seen.append(_together(glances))
        winners = glances[0].winners
    return Timeline(steps=tuple(steps), people=tuple(_people(steps, seen)), winners=winners)


def _states(connection: Connection, ruleset: Game, scene: SceneNow) -> Iterator[tuple[int, Any]]:
    """Go through the states of a scene, each by the entry that led to it."""
    log = queries.logged_orders(connection, scene.id)
    state = ruleset.start(load(ruleset.setup, scene.setup))
    yield 0, state
    for decision in standing(decisions_of(ruleset, log)):
        state = ruleset.resolve(state, decision.order, RecordedDice(decision.rolls)).state
        yield decision.number, state


def _together(glances: Sequence[Glance]) -> Mapping[str, Shown]:
    """Put together what several eyes see: somebody is seen where any of them does."""
    return {one.id: one for glance in reversed(glances) for one in glance.people}


def _people(
    steps: Sequence[TimelineStep], seen: Sequence[Mapping[str, Shown]]
) -> Iterator[TimelinePerson]:
    for id in dict.fromkeys(id for at in seen for id in at):
        shown = [at.get(id) for at in seen]
        last = next(one for one in reversed(shown) if one is not None)
        yield TimelinePerson(
            id=id,
            name=last.name,
            out=last.out,
            fell=tuple(_falls(steps, shown)),
            figures=tuple(_figures(shown)),
        )


def _figures(shown: Sequence[Shown | None]) -> Iterator[TimelineFigure]:
    """Go through the figures that somebody has had; one that is not there yet has no value."""
    by_key = [{} if one is None else {f.key: f for f in one.figures} for one in shown]
    for key in dict.fromkeys(key for at in by_key for key in at):
        found = [at.get(key) for at in by_key]
        yield TimelineFigure(
            key=key,
            most=max(one.most for one in found if one is not None),
            values=tuple(None if one is None else one.value for one in found),
        )


def _falls(steps: Sequence[TimelineStep], shown: Sequence[Shown | None]) -> Iterator[int]:
    """Go through the entries at which somebody who was still in was seen to be out."""
    was_in = False
    for step, one in zip(steps, shown, strict=True):
        if one is not None:
            if one.out and was_in:
                yield step.entry
            was_in = not one.out
