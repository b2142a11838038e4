"""Jobs: planned with what they follow from, taken by lease, finished with the work itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection

from app.persistence import queries_jobs as queries
from app.persistence.codec import read_json, write_json
from app.persistence.database import Database
from app.persistence.errors import ArbitroError
from app.persistence.queries_jobs import JobNow
from app.services.world import World

LEASE: Final = timedelta(minutes=2)
"""How long whoever takes a job may take for it; then somebody else may."""
MOST_ATTEMPTS: Final = 8
FIRST_PAUSE: Final = timedelta(minutes=1)
LONGEST_PAUSE: Final = timedelta(hours=6)
KEPT: Final = timedelta(days=30)
_LONGEST_ERROR: Final = 500


class Kind(StrEnum):
    """What a job does."""

    REMIND = "remind"
    OVERDUE = "overdue"
    DEFAULT = "default"
    MAIL = "mail"
    CONFIRM = "confirm"
    HOOK = "hook"


OF_CLOCKS: Final = (Kind.REMIND, Kind.OVERDUE, Kind.DEFAULT)
SENT: Final = (Kind.MAIL, Kind.CONFIRM, Kind.HOOK)


class LeaseLost(ArbitroError):
    """Somebody else has taken the job meanwhile: what this one did is undone."""

    code = "lease_lost"


class NotYet(Exception):
    """The job cannot be done now, which is nobody's fault; it is tried again after ``pause``."""

    def __init__(self, pause: timedelta) -> None:
        super().__init__("not yet")
        self.pause = pause


@dataclass(frozen=True, slots=True)
class Job:
    """A job that was taken, and how often it was tried, this time included."""

    row: JobNow

    @property
    def kind(self) -> Kind:
        """Say what it does."""
        return Kind(self.row.kind)

    @property
    def subject(self) -> str:
        """Name what it is about: a scene, a notice, a mailbox."""
        return self.row.subject

    @property
    def payload(self) -> Mapping[str, Any]:
        """Read what was noted when it was planned."""
        found = read_json(self.row.payload.encode())
        assert isinstance(found, dict)
        return found


Work: TypeAlias = Callable[[Connection, World, Job], None]


def plan(
    connection: Connection, kind: Kind, subject: str, due_at: datetime, **payload: str | int
) -> None:
    """Plan a job in the transaction of what it follows from; the same one is planned once."""
    queries.plan(connection, kind.value, subject, due_at, write_json(payload))


def take(
    db: Database, world: World, worker: str, kinds: Collection[Kind] = tuple(Kind), most: int = 10
) -> tuple[Job, ...]:
    """Lease jobs that are due; nobody else gets them while the lease holds."""
    now = world.now()
    with db.write() as connection:
        rows = queries.take(connection, kinds, now, now + LEASE, worker, most)
    return tuple(map(Job, rows))


def do(db: Database, world: World, job: Job, work: Work) -> None:
    """Do a job and note that it is done, both or neither."""
    with db.write() as connection:
        work(connection, world, job)
        done(connection, job, world.now())


def done(connection: Connection, job: Job, now: datetime) -> None:
    """Note that a job is done; raise LeaseLost where it is somebody else's by now."""
    if not queries.change_leased(connection, job.row, done_at=now, last_error=None):
        raise LeaseLost


def put_off(db: Database, world: World, job: Job, pause: timedelta) -> None:
    """Give back a job that cannot be done yet; that it was tried does not count."""
    with db.write() as connection:
        queries.change_leased(connection, job.row, run_at=world.now() + pause, attempts=0)


def failed(db: Database, world: World, job: Job, error: str) -> bool:
    """Let a job wait for its next attempt, or give it up after the last; say whether it is over."""
    now = world.now()
    over = job.row.attempts >= MOST_ATTEMPTS
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (job.row.attempts - 1))
    values: dict[str, Any] = {"dead_at": now} if over else {"run_at": now + pause}
    with db.write() as connection:
        queries.change_leased(connection, job.row, last_error=error[:_LONGEST_ERROR], **values)
    return over


def list_jobs(db: Database, *, done: bool = False, limit: int = 200) -> tuple[JobNow, ...]:
    """List what is planned, waits for another attempt, or was given up."""
    with db.read() as connection:
        return queries.jobs(connection, done=done, limit=limit)


def sweep(db: Database, world: World) -> None:
    """Forget jobs that were done long ago."""
    with db.write() as connection:
        queries.forget_done(connection, world.now() - KEPT)
