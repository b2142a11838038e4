"""The clock of a scene: set, stopped and let go on by the Master, held up by whoever is away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from app.engine.ruleset import GM, Seat
from app.engine.text import Reason
from app.persistence import queries
from app.persistence import queries_time as times
from app.persistence.codec import checked, load
from app.persistence.database import Database
from app.persistence.queries_time import ClockNow, VacationNow
from app.services.access import Principal
from app.services.board_time import zone_of_board
from app.services.called import names_in
from app.services.clock_shapes import (
    ClockLineRead,
    ClockRead,
    ClockSettings,
    NewVacation,
    VacationRead,
)
from app.services.deeds import ARROW, DeedKind, note_deed
from app.services.errors import Conflict, Malformed, Mistake, NotFound
from app.services.notices import Telling
from app.services.scenes import read_scene
from app.services.shapes import SceneRead
from app.services.stage import Stage, check_edition
from app.services.ticking import (
    clock_of,
    counted,
    grace_of,
    later,
    note_line,
    plan_alarms,
    spans,
)
from app.services.told import said_at
from app.services.world import World

LONGEST_VACATION: Final = timedelta(days=60)
MOST_VACATIONS: Final = 20
"""How many vacations of one seat a scene keeps; beyond that somebody plays with the clock."""


def read_clock(db: Database, world: World, principal: Principal, scene_id: str) -> ClockRead:
    """Read the clock of a scene as far as the principal may know whom it is running for."""
    return clock_of_scene(db, world, read_scene(db, principal, scene_id))


def clock_of_scene(db: Database, world: World, scene: SceneRead) -> ClockRead:
    """Read the clock of a scene that was read, for its reader."""
    with db.read() as connection:
        clock = clock_of(connection, scene.id)
        away = times.vacations(connection, scene.id)
        lines = times.clock_lines(connection, scene.id)
    return _clock_read(scene, clock, away, lines, world.now())


def set_clock(
    db: Database, world: World, principal: Principal, scene_id: str, settings: ClockSettings
) -> ClockRead:
    """Change what the clock of a scene does, as its Master; a running deadline follows at once."""
    wanted: ClockSettings = checked(ClockSettings, settings)
    with db.write() as connection:
        stage = _master(connection, world, principal, scene_id)
        before = clock_of(connection, scene_id)
        clock = before._replace(**asdict(wanted))
        if clock != before:
            times.keep_clock(connection, scene_id, **clock._asdict())
            plan_alarms(connection, scene_id, clock, stage.scene.answer_by, stage.now)
            note_line(
                connection,
                stage.scene,
                "automatic" if clock.automatic else "on_request",
                stage.now,
                remind_hours=clock.remind_hours,
                grace_hours=clock.grace_hours,
            )
    return read_clock(db, world, principal, scene_id)


def stop_clock(
    db: Database, world: World, principal: Principal, scene_id: str, reason: str
) -> ClockRead:
    """Stop the clock of a scene, as its Master; what is left of its deadline is kept."""
    why: str = checked(Reason, reason, "reason")
    with db.write() as connection:
        stage = _master(connection, world, principal, scene_id)
        clock, scene = clock_of(connection, scene_id), stage.scene
        if clock.paused_at is not None:
            raise Conflict("clock_stopped")
        left = None
        if scene.answer_by is not None:
            away = _away(connection, stage)
            left = max(0, int(counted(stage.now, scene.answer_by, away).total_seconds()))
        stopped = clock._replace(paused_at=stage.now, left_seconds=left, reason=why)
        times.keep_clock(connection, scene_id, **stopped._asdict())
        queries.set_deadline(connection, scene_id, answer_by=None)
        note_line(connection, scene, "stopped", stage.now, reason=why)
        _tell(stage, "stopped", reason=why)
        _note(stage, world, DeedKind.CLOCK_STOPPED, change=why)
    return read_clock(db, world, principal, scene_id)


def go_on(db: Database, world: World, principal: Principal, scene_id: str) -> ClockRead:
    """Let the clock of a scene go on, as its Master, with the time that was left."""
    with db.write() as connection:
        stage = _master(connection, world, principal, scene_id)
        clock, now = clock_of(connection, scene_id), stage.now
        if clock.paused_at is None:
            raise Conflict("clock_runs")
        at = None
        if clock.left_seconds is not None:
            at = later(now, timedelta(seconds=clock.left_seconds), _away(connection, stage))
        clock = clock._replace(paused_at=None, left_seconds=None, reason="")
        times.keep_clock(connection, scene_id, **clock._asdict())
        _move(stage, clock, at)
        # No instant here: not everybody may know that somebody is awaited.
        note_line(connection, stage.scene, "went_on", now)
        _tell(stage, "went_on")
        _note(stage, world, DeedKind.CLOCK_WENT_ON)
    return read_clock(db, world, principal, scene_id)


def say_away(
    db: Database, world: World, principal: Principal, scene_id: str, new: NewVacation
) -> ClockRead:
    """Say that a seat is away for a time, as its player or the Master; its deadline waits."""
    with db.write() as connection:
        stage = _actor(connection, world, principal, scene_id, new.seat)
        known = times.vacations(connection, scene_id)
        begins = max(new.begins, stage.now)
        _check_vacation(stage, known, new, begins)
        number = times.add_vacation(
            connection,
            scene_id,
            seat=new.seat,
            begins=begins,
            ends=new.ends,
            said_at=stage.now,
            key_id=stage.secret_id,
        )
        _extend(stage, known)
        facts = {"seat": new.seat, "begins": begins.isoformat(), "ends": new.ends.isoformat()}
        note_line(connection, stage.scene, "away", stage.now, number=number, **facts)
        zone = zone_of_board(connection, stage.scene.board)
        begin, end = (said_at(at, zone) for at in (begins, new.ends))
        _tell_masters(stage, new.seat, number, what="away", begins=begin, ends=end)
        if new.seat not in stage.principal.seats(scene_id):
            _note(stage, world, DeedKind.AWAY, about=new.seat, change=f"{begin}{ARROW}{end}")
    return read_clock(db, world, principal, scene_id)


def come_back(
    db: Database, world: World, principal: Principal, scene_id: str, number: int
) -> ClockRead:
    """Say that a seat is back before its vacation was over, or will not be away at all."""
    with db.write() as connection:
        known = times.vacations(connection, scene_id)
        this = next((one for one in known if one.number == number), None)
        if this is None:
            raise NotFound
        stage = _actor(connection, world, principal, scene_id, this.seat)
        if _is_over(this, stage.now):
            raise Conflict("vacation_over")
        times.end_vacation(connection, scene_id, number, stage.now)
        _extend(stage, known)
        note_line(connection, stage.scene, "back", stage.now, number=number, seat=this.seat)
        _tell_masters(stage, this.seat, number, what="back")
        if this.seat not in stage.principal.seats(scene_id):
            _note(stage, world, DeedKind.BACK, about=this.seat)
    return read_clock(db, world, principal, scene_id)


def _check_vacation(
    stage: Stage, known: Sequence[VacationNow], new: NewVacation, begins: datetime
) -> None:
    if all(one.seat != new.seat for one in stage.ruleset.roster(stage.state())):
        raise NotFound
    if new.ends <= begins:
        raise Malformed(Mistake("ends", "vacation_ends_first"))
    days = LONGEST_VACATION.days
    if new.ends - begins > LONGEST_VACATION or begins - stage.now > LONGEST_VACATION:
        raise Malformed(Mistake("ends", "vacation_too_long", {"most": days}))
    if sum(one.seat == new.seat for one in known) >= MOST_VACATIONS:
        raise Conflict("vacations_used_up", {"most": MOST_VACATIONS})


def _extend(stage: Stage, before: Sequence[VacationNow]) -> None:
    """Let a running deadline end when it does with the vacations that there are now."""
    scene, now = stage.scene, stage.now
    if scene.answer_by is None or scene.answer_by <= now:
        return
    seats = stage.ruleset.awaits(stage.state()).seats
    left = counted(now, scene.answer_by, spans(before, seats))
    at = later(now, left, _away(stage.connection, stage))
    if at != scene.answer_by:
        _move(stage, clock_of(stage.connection, scene.id), at)


def _move(stage: Stage, clock: ClockNow, at: datetime | None) -> None:
    queries.set_deadline(stage.connection, stage.scene.id, answer_by=at)
    stage.scene = stage.scene._replace(answer_by=at)
    plan_alarms(stage.connection, stage.scene.id, clock, at, stage.now)


def _away(connection: Connection, stage: Stage) -> tuple[tuple[datetime, datetime], ...]:
    seats = stage.ruleset.awaits(stage.state()).seats
    return spans(times.vacations(connection, stage.scene.id), seats)


def _tell(stage: Stage, what: str, **facts: str) -> None:
    teller = stage.teller(stage.state(), f"clock {stage.now.isoformat()}")
    teller.tell_all(Telling.CLOCK, what=what, **facts)
    teller.write()


def _tell_masters(stage: Stage, seat: Seat, number: int, **facts: str) -> None:
    """Tell the Masters that a seat is away or back, unless they have said so themselves."""
    state = stage.state()
    (who,) = names_in(stage.ruleset, state, (seat,))
    teller = stage.teller(state, f"away {number}")
    teller.tell(Telling.AWAY, (GM,), unless=stage.principal.secrets(), who=who, **facts)
    teller.write()


def _note(stage: Stage, world: World, kind: DeedKind, **facts: str) -> None:
    """Note what a Master did to the clock, or said of somebody else's absence."""
    scene = stage.scene
    note_deed(stage.connection, world, stage.principal, scene.board, kind, scene=scene.id, **facts)


def _master(connection: Connection, world: World, principal: Principal, scene_id: str) -> Stage:
    return _usable(Stage.locked(connection, world, principal, scene_id, as_gm=True))


def _actor(
    connection: Connection, world: World, principal: Principal, scene_id: str, seat: Seat
) -> Stage:
    stage = Stage.locked(connection, world, principal, scene_id)
    if not stage.principal.may_act(stage.scene, seat):
        raise NotFound
    return _usable(stage)


def _usable(stage: Stage) -> Stage:
    check_edition(stage.ruleset, stage.scene)
    if stage.scene.ended_at is not None:
        raise Conflict("scene_over")
    return stage


def _is_over(one: VacationNow, now: datetime) -> bool:
    return one.ended_at is not None or one.ends <= now


def _clock_read(
    scene: SceneRead,
    clock: ClockNow,
    away: Sequence[VacationNow],
    lines: Sequence[times.ClockLine],
    now: datetime,
) -> ClockRead:
    by = scene.deadline.answer_by
    shown = bool(scene.awaited.seats)
    return ClockRead(
        settings=ClockSettings(
            remind_hours=clock.remind_hours,
            grace_hours=clock.grace_hours,
            automatic=clock.automatic,
        ),
        answer_within=scene.deadline.answer_within,
        answer_by=by,
        default_at=by + grace_of(clock) if by and scene.deadline.has_default else None,
        paused_at=clock.paused_at,
        left_seconds=clock.left_seconds if shown else None,
        reason=clock.reason,
        has_default=scene.deadline.has_default,
        vacations=tuple(
            VacationRead(
                number=one.number,
                seat=one.seat,
                begins=one.begins,
                ends=one.ended_at or one.ends,
                over=_is_over(one, now),
                mine=scene.is_gm or one.seat in scene.mine,
            )
            for one in away
        ),
        lines=tuple(
            ClockLineRead(
                number=one.number,
                what=one.what,
                facts=load(dict[str, str | int], one.facts),
                at=one.at,
                line=one.line,
            )
            for one in lines
        ),
    )
