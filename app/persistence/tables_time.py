"""The tables of time: jobs, clocks of scenes, vacations, and when the service was down."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, UniqueConstraint
from sqlmodel import Field

from app.persistence.tables import Base, text_column, time_column


class JobRow(Base, table=True):
    """Something that the service does by itself at ``due_at`` or after it, once.

    Whoever does it holds a lease until ``leased_until``. One that failed waits until ``run_at``
    for its next attempt; one that failed too often is ``dead_at`` a time and keeps its error.
    """

    __tablename__ = "jobs"
    __table_args__ = (
        UniqueConstraint("kind", "subject", "due_at"),
        CheckConstraint("attempts >= 0", name="attempts"),
        Index(None, "done_at", "run_at"),
    )
    id: int | None = Field(default=None, primary_key=True)
    kind: str = text_column()
    subject: str = text_column()
    due_at: datetime = time_column()
    run_at: datetime = time_column()
    payload: str = text_column()
    attempts: int
    leased_until: datetime | None = time_column(nullable=True)
    leased_by: str | None = text_column(nullable=True)
    last_error: str | None = text_column(nullable=True)
    done_at: datetime | None = time_column(nullable=True)
    dead_at: datetime | None = time_column(nullable=True)


class HeartbeatRow(Base, table=True):
    """When the service last said that it is there; one row."""

    __tablename__ = "heartbeats"
    name: str = text_column(primary_key=True)
    at: datetime = time_column()


class OutageRow(Base, table=True):
    """A time in which the service was not there, noticed when it was again."""

    __tablename__ = "outages"
    __table_args__ = (CheckConstraint("began < ended", name="order"),)
    began: datetime = time_column(primary_key=True)
    ended: datetime = time_column()


class BoardTimeRow(Base, table=True):
    """How a board keeps time: what the clocks of its new scenes copy, its zone, its webhook."""

    __tablename__ = "board_times"
    __table_args__ = (
        ForeignKeyConstraint(["board"], ["boards.id"]),
        CheckConstraint("remind_hours >= 0", name="remind_hours"),
        CheckConstraint("grace_hours >= 0", name="grace_hours"),
    )
    board: str = text_column(primary_key=True)
    remind_hours: int
    grace_hours: int
    automatic: bool
    zone: str = text_column()
    webhook: str | None = text_column(nullable=True)


class ClockRow(Base, table=True):
    """The clock of a scene: when it reminds, how long its grace is, whether it decides by itself.

    While the Master has stopped it, ``left_seconds`` is what was left of the running deadline.
    """

    __tablename__ = "clocks"
    __table_args__ = (
        ForeignKeyConstraint(["scene"], ["scenes.id"]),
        CheckConstraint("remind_hours >= 0", name="remind_hours"),
        CheckConstraint("grace_hours >= 0", name="grace_hours"),
    )
    scene: str = text_column(primary_key=True)
    remind_hours: int
    grace_hours: int
    automatic: bool
    paused_at: datetime | None = time_column(nullable=True)
    left_seconds: int | None
    reason: str = text_column()


class ClockLineRow(Base, table=True):
    """What was done to the clock of a scene, for everybody to read; only ever added to.

    ``line`` is that of the ledger that says the same, where the scene has one.
    """

    __tablename__ = "clock_lines"
    __table_args__ = (
        ForeignKeyConstraint(["scene"], ["scenes.id"]),
        CheckConstraint("number > 0", name="number"),
    )
    scene: str = text_column(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    what: str = text_column()
    facts: str = text_column()
    at: datetime = time_column()
    line: int | None


class VacationRow(Base, table=True):
    """A time in which a seat is away: hours of it do not count for a deadline of the seat."""

    __tablename__ = "vacations"
    __table_args__ = (
        ForeignKeyConstraint(["scene"], ["scenes.id"]),
        ForeignKeyConstraint(["key_id"], ["secrets.id"]),
        CheckConstraint("begins < ends", name="order"),
        CheckConstraint("number > 0", name="number"),
    )
    scene: str = text_column(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seat: str = text_column()
    begins: datetime = time_column()
    ends: datetime = time_column()
    said_at: datetime = time_column()
    ended_at: datetime | None = time_column(nullable=True)
    key_id: str | None = text_column(nullable=True)
