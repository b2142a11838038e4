"""What goes into and comes out of the use cases about clocks: of a board, of a scene."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, TypeAlias

from app.engine.ruleset import Seat
from app.engine.text import Between, Length, Reason

Hours: TypeAlias = Annotated[int, Between(0, 24 * 14)]
Zone: TypeAlias = Annotated[str, Length(1, 60)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSettings:
    """When a clock reminds before a deadline, how long it waits after one, and what it does then.

    ``automatic``: the default is applied by itself once the grace is over; otherwise only on
    request.
    """

    remind_hours: Hours = 0
    grace_hours: Hours = 0
    automatic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardTime(ClockSettings):
    """How a board keeps time: what new scenes copy, and the zone in which its posts tell it."""

    zone: Zone = "UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVacation:
    """A time in which a seat is away, from one instant to another."""

    seat: Seat
    begins: datetime
    ends: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StopReason:
    """Why the Master stops the clock, for everybody to read."""

    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class VacationRead:
    """A vacation; ``over`` once its time has passed or the player came back earlier."""

    number: int
    seat: Seat
    begins: datetime
    ends: datetime
    over: bool
    mine: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockLineRead:
    """What was done to the clock of a scene; ``line`` is that of the ledger that says the same."""

    number: int
    what: str
    facts: dict[str, str | int]
    at: datetime
    line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockRead:
    """The clock of a scene: its deadline with what follows, its stops, who is away, its history.

    ``default_at`` is when the default may be applied, or is by itself; ``left_seconds`` is what the
    awaited will have once a stopped clock goes on.
    """

    settings: ClockSettings
    answer_within: int | None
    answer_by: datetime | None
    default_at: datetime | None
    paused_at: datetime | None
    left_seconds: int | None
    reason: str
    has_default: bool
    vacations: tuple[VacationRead, ...] = ()
    lines: tuple[ClockLineRead, ...] = field(default=())
