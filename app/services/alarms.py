"""What a clock does when its time comes: it reminds, says that time is up, decides by default."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from sqlalchemy import Connection

from app.engine.ruleset import GM, SPECTATOR
from app.persistence import queries
from app.services.access import ANONYMOUS
from app.services.called import name_in
from app.services.deadlines import lapse_in
from app.services.jobs import Job, Kind, NotYet
from app.services.notices import Telling, decision_of
from app.services.stage import Stage
from app.services.ticking import alarms_of, clock_of
from app.services.world import World

AGAIN: Final = timedelta(minutes=10)
"""How long an alarm waits for a scene whose dice are awaited."""


def ring(connection: Connection, world: World, job: Job) -> None:
    """Do what a clock's job is for, unless its deadline is no longer the scene's."""
    scene = queries.scene_now(connection, job.subject, lock=True)
    if scene is None or scene.ended_at is not None or scene.answer_by is None:
        return
    if scene.answer_by.isoformat() != job.payload["answer_by"]:
        return
    if scene.waiting is not None:  # no deadline runs now, but this one may again
        raise NotYet(AGAIN)
    stage = Stage.of(connection, world, scene, ANONYMOUS, "")
    if scene.edition != stage.ruleset.edition:
        return
    clock = clock_of(connection, scene.id)
    if job.row.due_at != alarms_of(clock, scene.answer_by).get(job.kind):
        return  # the clock was set otherwise since
    if job.kind is Kind.DEFAULT:
        lapse_in(connection, world, scene.id)
        return
    _tell(stage, Telling.DEADLINE_NEAR if job.kind is Kind.REMIND else Telling.DEADLINE_PASSED)


def _tell(stage: Stage, kind: Telling) -> None:
    state, ruleset = stage.state(), stage.ruleset
    until = "" if stage.scene.answer_by is None else stage.scene.answer_by.isoformat()
    teller = stage.teller(state, until)
    seats = ruleset.awaits(state).seats
    for seat in seats:
        teller.tell(kind, (seat,), until=until, **decision_of(ruleset, state, seat))
    if kind is Telling.DEADLINE_PASSED:
        for seat in seats:
            teller.tell(kind, (GM,), until=until, **decision_of(ruleset, state, seat))
        seen, view = ruleset.awaits_for(state, SPECTATOR).seats, ruleset.view(state, SPECTATOR)
        for seat in seats:
            if seat in seen:
                teller.tell_board(kind, (seat,), until=until, who=name_in(view, seat))
    teller.write()
