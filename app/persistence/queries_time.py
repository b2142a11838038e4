"""Every statement about clocks, vacations and outages."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, func, insert, select, update
from sqlmodel import col

from app.persistence.queries_jobs import put
from app.persistence.tables import SceneRow
from app.persistence.tables_time import (
    BoardTimeRow,
    ClockLineRow,
    ClockRow,
    HeartbeatRow,
    OutageRow,
    VacationRow,
)

SERVICE: Final = "service"


class BoardTimeNow(NamedTuple):
    """How a board keeps time."""

    remind_hours: int
    grace_hours: int
    automatic: bool
    zone: str
    webhook: str | None


class ClockNow(NamedTuple):
    """The clock of a scene."""

    remind_hours: int
    grace_hours: int
    automatic: bool
    paused_at: datetime | None
    left_seconds: int | None
    reason: str


class ClockLine(NamedTuple):
    """What was done to a clock."""

    number: int
    what: str
    facts: str
    at: datetime
    line: int | None


class VacationNow(NamedTuple):
    """A time in which a seat is away; ``ended_at`` where it came back earlier."""

    number: int
    seat: str
    begins: datetime
    ends: datetime
    said_at: datetime
    ended_at: datetime | None


def _columns(table: type[Any], shape: type[Any]) -> list[Any]:
    return [col(getattr(table, name)) for name in shape._fields]


def board_time(connection: Connection, board: str) -> BoardTimeNow | None:
    """Read how a board keeps time; None where nothing was ever said."""
    wanted = select(*_columns(BoardTimeRow, BoardTimeNow)).where(col(BoardTimeRow.board) == board)
    row = connection.execute(wanted).first()
    return None if row is None else BoardTimeNow._make(row)


def keep_board_time(connection: Connection, board: str, **values: object) -> None:
    """Change how a board keeps time."""
    put(connection, BoardTimeRow, {"board": board}, values)


def clock_now(connection: Connection, scene: str) -> ClockNow | None:
    """Read the clock of a scene; None for one from before there were any."""
    wanted = select(*_columns(ClockRow, ClockNow)).where(col(ClockRow.scene) == scene)
    row = connection.execute(wanted).first()
    return None if row is None else ClockNow._make(row)


def keep_clock(connection: Connection, scene: str, **values: object) -> None:
    """Change the clock of a scene."""
    put(connection, ClockRow, {"scene": scene}, values)


def clock_lines(connection: Connection, scene: str) -> tuple[ClockLine, ...]:
    """List what was done to the clock of a scene, the newest first."""
    wanted = select(*_columns(ClockLineRow, ClockLine)).where(col(ClockLineRow.scene) == scene)
    rows = connection.execute(wanted.order_by(col(ClockLineRow.number).desc()))
    return tuple(ClockLine._make(row) for row in rows)


def add_clock_line(connection: Connection, scene: str, **values: object) -> None:
    """Add a line about the clock of a scene, which is locked."""
    number = _next(connection, ClockLineRow, scene)
    connection.execute(insert(ClockLineRow), [{"scene": scene, "number": number, **values}])


def vacations(connection: Connection, scene: str) -> tuple[VacationNow, ...]:
    """List the vacations of a scene's seats, in the order in which they were said."""
    wanted = select(*_columns(VacationRow, VacationNow)).where(col(VacationRow.scene) == scene)
    rows = connection.execute(wanted.order_by(col(VacationRow.number)))
    return tuple(VacationNow._make(row) for row in rows)


def add_vacation(connection: Connection, scene: str, **values: object) -> int:
    """Add a vacation of a seat of a scene, which is locked, and give its number."""
    number = _next(connection, VacationRow, scene)
    connection.execute(insert(VacationRow), [{"scene": scene, "number": number, **values}])
    return number


def end_vacation(connection: Connection, scene: str, number: int, at: datetime) -> None:
    """Note that a seat is back."""
    connection.execute(
        update(VacationRow)
        .where(col(VacationRow.scene) == scene, col(VacationRow.number) == number)
        .values(ended_at=at)
    )


def _next(connection: Connection, table: type[Any], scene: str) -> int:
    last = select(func.max(col(table.number))).where(col(table.scene) == scene)
    return (connection.execute(last).scalar() or 0) + 1


# ---------------------------------------------------------------------------------- outages


def last_beat(connection: Connection, *, lock: bool = False) -> datetime | None:
    """Tell when the service last said that it is there."""
    wanted = select(col(HeartbeatRow.at)).where(col(HeartbeatRow.name) == SERVICE)
    found: datetime | None = connection.execute(
        wanted.with_for_update() if lock else wanted
    ).scalar()
    return found


def beat(connection: Connection, at: datetime) -> None:
    """Say that the service is there."""
    put(connection, HeartbeatRow, {"name": SERVICE}, {"at": at})


def add_outage(connection: Connection, began: datetime, ended: datetime) -> None:
    """Note a time in which the service was not there."""
    connection.execute(insert(OutageRow), [{"began": began, "ended": ended}])


def scenes_with_deadlines(connection: Connection) -> tuple[str, ...]:
    """List the scenes that are not over and whose players have a deadline, always in one order."""
    wanted = (
        select(col(SceneRow.id))
        .where(col(SceneRow.answer_within).is_not(None), col(SceneRow.ended_at).is_(None))
        .order_by(col(SceneRow.id))
    )
    return tuple(connection.execute(wanted).scalars())
