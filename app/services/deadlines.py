"""Deadlines: set by the Master, and what is awaited decided by default once they have passed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection

from app.engine.ruleset import GM
from app.persistence import queries
from app.persistence.codec import checked, load
from app.persistence.database import Database
from app.posts.phrases import SERVICE, say
from app.services.access import ANONYMOUS, Principal
from app.services.answers import remember, remembered
from app.services.board_time import zone_of_board
from app.services.called import names_in
from app.services.deeds import DeedKind, note_deed
from app.services.entry_shapes import DecidedSeries, EntryMade, Narration
from app.services.errors import Conflict
from app.services.play import play
from app.services.shapes import AnswerWithin, DeadlineRead
from app.services.stage import Stage, check_edition
from app.services.ticking import clock_of, grace_of, note_line, wind
from app.services.told import said_at
from app.services.until import before_of, running, until
from app.services.world import World

MOST_AT_ONCE: Final = 10
"""How many defaults one call may apply: at either end of a duel both may be late."""


def set_deadline(
    db: Database, world: World, principal: Principal, scene_id: str, hours: int | None
) -> DeadlineRead:
    """Give the awaited so many hours from now on, as the Master; None takes the deadline away."""
    within: int | None = checked(AnswerWithin | None, hours, "answer_within")
    with db.write() as connection:
        stage = Stage.locked(connection, world, principal, scene_id, as_gm=True)
        check_edition(stage.ruleset, stage.scene)
        state = stage.state()
        awaited = stage.ruleset.awaits(state)
        new = until(stage.ruleset, state, awaited, within, stage.now)
        # No name: what a stopped clock had left of another number of hours is not kept.
        set_anew = stage.scene._replace(answer_within=within, answer_for=None)
        new = wind(connection, set_anew, before_of(stage.scene), new, awaited.seats)
        queries.set_deadline(
            connection,
            scene_id,
            answer_within=within,
            answer_by=new.answer_by,
            answer_for=new.answer_for,
        )
        note_deed(
            connection,
            world,
            principal,
            stage.scene.board,
            DeedKind.DEADLINE,
            scene=scene_id,
            change="" if within is None else str(within),
        )
        stage.scene = stage.scene._replace(answer_within=within, **new._asdict())
        note_line(connection, stage.scene, "deadline", stage.now, hours=within or 0)
        lapses = stage.ruleset.lapse(state, "") is not None
        return DeadlineRead(
            answer_within=within, answer_by=running(stage.scene), has_default=lapses
        )


def lapse(
    db: Database, world: World, principal: Principal, scene_id: str, version: int, key: str
) -> DecidedSeries:
    """Let what is awaited be decided by default, as anybody who acts in the scene.

    Raises Conflict before the deadline has passed. Whoever shared it is decided for as well.
    """
    with db.write() as connection:
        stage = Stage.locked(connection, world, principal, scene_id)
        this = stage.call(key, "lapse")
        if (done := remembered(connection, this)) is not None:
            return replace(load(DecidedSeries, done), replayed=True)
        stage.check_free(version)
        check_overdue(stage)
        decided = DecidedSeries(entries=_lapse(stage), version=stage.scene.version)
        remember(connection, this, decided, stage.now)
    return decided


def lapse_in(connection: Connection, world: World, scene_id: str) -> int:
    """Apply the defaults of a scene whose deadline has passed, for a job; count the entries.

    What is decided is only what the scene itself holds: no draft of anybody is ever looked at.
    """
    scene = queries.scene_now(connection, scene_id, lock=True)
    if scene is None or scene.waiting is not None:
        return 0
    stage = Stage.of(connection, world, scene, ANONYMOUS, "")
    if scene.edition != stage.ruleset.edition or not _is_overdue(stage):
        return 0
    return len(_lapse(stage))


def check_overdue(stage: Stage) -> None:
    """Raise Conflict unless a deadline has passed after which a default holds."""
    deadline = running(stage.scene)
    if deadline is None:
        raise Conflict("no_deadline")
    if stage.ruleset.lapse(stage.state(), "") is None:
        raise Conflict("no_default")
    deadline += _grace(stage)
    if stage.now < deadline:
        raise Conflict("deadline_not_passed", {"until": deadline.isoformat()})


def _is_overdue(stage: Stage) -> bool:
    deadline = running(stage.scene)
    return deadline is not None and stage.now >= deadline + _grace(stage)


def _grace(stage: Stage) -> timedelta:
    return grace_of(clock_of(stage.connection, stage.scene.id))


def _lapse(stage: Stage) -> tuple[EntryMade, ...]:
    """Decide by default, one after another, whatever shared the deadline that has passed."""
    made: list[EntryMade] = []
    deadline = stage.scene.answer_by
    while len(made) < MOST_AT_ONCE and deadline is not None and _is_overdue(stage):
        zone = zone_of_board(stage.connection, stage.scene.board)
        facts = {"until": said_at(deadline, zone), "by": _by(stage)}
        reason = say(stage.scene.language, SERVICE, "deadline", "passed", facts)
        order = stage.ruleset.lapse(stage.state(), reason)
        if order is None:
            break
        decided = play(stage, order, Narration())
        made.append(EntryMade(number=decided.number, status=decided.status, precedent=None))
    return tuple(made)


def _by(stage: Stage) -> str:
    """Name who let the default be applied: a player, the Master, or the service itself."""
    if stage.principal.is_gm(stage.scene):
        return say(stage.scene.language, SERVICE, "words", GM)
    seats = stage.principal.seats(stage.scene.id)[:1]
    return "".join(names_in(stage.ruleset, stage.state(), seats)) or "Arbitro"
