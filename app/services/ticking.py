"""How the clock of a scene goes: it may be stopped, and hours of a vacation do not count."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from app.engine.ruleset import Seat
from app.engine.seal import SCHEME
from app.persistence import queries_time as queries
from app.persistence.codec import write_json
from app.persistence.queries import SceneNow
from app.persistence.queries_time import ClockNow, VacationNow
from app.services.jobs import Kind, plan
from app.services.ledger import Ledger
from app.services.until import NEVER, Until

AS_BEFORE: Final = ClockNow(0, 0, False, None, None, "")
"""The clock of a scene that was opened before there were any: it only shows its deadline."""


def clock_of(connection: Connection, scene_id: str) -> ClockNow:
    """Read the clock of a scene."""
    return queries.clock_now(connection, scene_id) or AS_BEFORE


def begin_clock(
    connection: Connection, scene_id: str, at: datetime | None, now: datetime, board: str
) -> None:
    """Give a new scene its clock, as its board keeps time."""
    kept = queries.board_time(connection, board)
    clock = AS_BEFORE
    if kept is not None:
        clock = clock._replace(
            remind_hours=kept.remind_hours, grace_hours=kept.grace_hours, automatic=kept.automatic
        )
    queries.keep_clock(connection, scene_id, **clock._asdict())
    plan_alarms(connection, scene_id, clock, at, now)


def wind(
    connection: Connection, scene: SceneNow, before: Until, answer: Until, awaited: Iterable[Seat]
) -> Until:
    """Put the clock of a scene to a new deadline and plan what follows; give when it really ends.

    A deadline that is not new stays as it is. Where the clock stands, what is left of it is kept.
    """
    if answer == before and answer.answer_by is not None:
        return answer
    if scene.answer_within is None and before == NEVER:
        return answer
    clock = clock_of(connection, scene.id)
    if clock.paused_at is not None:
        return _stand(connection, scene, clock, answer)
    if answer.answer_by is None:
        return answer
    now = answer.answer_by - timedelta(hours=scene.answer_within or 0)
    away = spans(queries.vacations(connection, scene.id), awaited)
    new = answer._replace(answer_by=later(now, answer.answer_by - now, away))
    plan_alarms(connection, scene.id, clock, new.answer_by, now)
    return new


def _stand(connection: Connection, scene: SceneNow, clock: ClockNow, answer: Until) -> Until:
    """Keep how much time there will be once the clock goes on."""
    if answer.answer_by is None:
        left = None
    elif answer.answer_for == scene.answer_for and clock.left_seconds is not None:
        left = clock.left_seconds
    else:
        left = (scene.answer_within or 0) * 3600
    if left != clock.left_seconds:
        queries.keep_clock(connection, scene.id, **clock._replace(left_seconds=left)._asdict())
    return Until(None, answer.answer_for)


def plan_alarms(
    connection: Connection, scene_id: str, clock: ClockNow, at: datetime | None, now: datetime
) -> None:
    """Plan the reminder before a deadline, what is told when it passes, and the default after."""
    if at is None:
        return
    for kind, due_at in alarms_of(clock, at).items():
        if kind is not Kind.REMIND or due_at > now:
            plan(connection, kind, scene_id, due_at, answer_by=at.isoformat())


def alarms_of(clock: ClockNow, at: datetime) -> dict[Kind, datetime]:
    """Say when a clock does what about a deadline."""
    alarms = {Kind.OVERDUE: at}
    if clock.remind_hours:
        alarms[Kind.REMIND] = at - timedelta(hours=clock.remind_hours)
    if clock.automatic:
        alarms[Kind.DEFAULT] = at + grace_of(clock)
    return alarms


def grace_of(clock: ClockNow) -> timedelta:
    """Tell how long after a deadline its default waits."""
    return timedelta(hours=clock.grace_hours)


def note_line(
    connection: Connection, scene: SceneNow, what: str, at: datetime, **facts: str | int
) -> None:
    """Say for everybody what was done to a clock, in the ledger too where the scene has one."""
    line = None
    if scene.scheme == SCHEME:
        line = Ledger.of(connection, scene.id, at).add("clock", None, what=what, **facts)
    queries.add_clock_line(
        connection, scene.id, what=what, facts=write_json(facts), at=at, line=line
    )


# ------------------------------------------------------------------------------ vacations

Span = tuple[datetime, datetime]


def spans(vacations: Iterable[VacationNow], seats: Iterable[Seat]) -> tuple[Span, ...]:
    """Give the times in which any of these seats is away, joined where they overlap."""
    wanted: Collection[Seat] = tuple(seats)
    found = sorted(
        (one.begins, min(one.ends, one.ended_at or one.ends))
        for one in vacations
        if one.seat in wanted and (one.ended_at is None or one.ended_at > one.begins)
    )
    joined: list[Span] = []
    for begins, ends in found:
        if joined and begins <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(ends, joined[-1][1]))
        else:
            joined.append((begins, ends))
    return tuple(joined)


def later(start: datetime, span: timedelta, away: tuple[Span, ...]) -> datetime:
    """Give the moment a time after another, where hours away do not count."""
    at = start + span
    for begins, ends in away:
        if ends <= start:
            continue
        if begins >= at:
            break
        at += ends - max(begins, start)
    return at


def counted(start: datetime, end: datetime, away: tuple[Span, ...]) -> timedelta:
    """Give the time from one moment to another, without the hours away."""
    lost = timedelta()
    for begins, ends in away:
        lost += max(timedelta(), min(ends, end) - max(begins, start))
    return end - start - lost
