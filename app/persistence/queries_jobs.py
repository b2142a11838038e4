"""Every statement about jobs: planned once, taken by lease, finished by whoever holds the lease."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, delete, or_, select, update
from sqlalchemy.dialects.postgresql import insert as postgres_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlmodel import col

from app.persistence.tables import Base
from app.persistence.tables_time import JobRow


class JobNow(NamedTuple):
    """A job as it stands."""

    id: int
    kind: str
    subject: str
    due_at: datetime
    run_at: datetime
    payload: str
    attempts: int
    leased_until: datetime | None
    leased_by: str | None
    last_error: str | None
    done_at: datetime | None
    dead_at: datetime | None


_COLUMNS: Final[list[Any]] = [col(getattr(JobRow, name)) for name in JobNow._fields]


def insert_new(connection: Connection, table: type[Base]) -> Any:
    """Give the INSERT of a table of a database: only its dialect knows what to do on a conflict."""
    sqlite = connection.dialect.name == "sqlite"
    return sqlite_insert(table) if sqlite else postgres_insert(table)


def put(
    connection: Connection, table: type[Base], key: dict[str, Any], values: dict[str, Any]
) -> None:
    """Keep a row in the place of the one with its key, if there is one, in one statement.

    To look first and then to insert is two: of those who send the same at once all look first.
    """
    statement = insert_new(connection, table).values(**key, **values)
    connection.execute(statement.on_conflict_do_update(index_elements=list(key), set_=values))


def plan(connection: Connection, kind: str, subject: str, due_at: datetime, payload: str) -> None:
    """Plan a job; the same one at the same time is planned once."""
    row = {
        "kind": kind,
        "subject": subject,
        "due_at": due_at,
        "run_at": due_at,
        "payload": payload,
        "attempts": 0,
    }
    statement = insert_new(connection, JobRow).values(row)
    connection.execute(
        statement.on_conflict_do_nothing(index_elements=["kind", "subject", "due_at"])
    )


def take(
    connection: Connection,
    kinds: Collection[str],
    now: datetime,
    until: datetime,
    worker: str,
    most: int,
) -> tuple[JobNow, ...]:
    """Lease jobs that are due, the longest due first; what somebody else is taking is skipped."""
    wanted = (
        select(col(JobRow.id))
        .where(
            col(JobRow.done_at).is_(None),
            col(JobRow.dead_at).is_(None),
            col(JobRow.run_at) <= now,
            col(JobRow.kind).in_(kinds),
            or_(col(JobRow.leased_until).is_(None), col(JobRow.leased_until) <= now),
        )
        .order_by(col(JobRow.run_at), col(JobRow.id))
        .limit(most)
        .with_for_update(skip_locked=True)  # SQLite leaves it out: there only one writes at a time
    )
    ids = tuple(connection.execute(wanted).scalars())
    if not ids:
        return ()
    connection.execute(
        update(JobRow)
        .where(col(JobRow.id).in_(ids))
        .values(leased_until=until, leased_by=worker, attempts=col(JobRow.attempts) + 1)
    )
    taken = select(*_COLUMNS).where(col(JobRow.id).in_(ids))
    return tuple(
        JobNow._make(row)
        for row in connection.execute(taken.order_by(col(JobRow.run_at), col(JobRow.id)))
    )


def change_leased(connection: Connection, job: JobNow, **values: object) -> bool:
    """Change a job that this lease still holds; say whether it did."""
    changed = connection.execute(
        update(JobRow)
        .where(
            col(JobRow.id) == job.id,
            col(JobRow.leased_by) == job.leased_by,
            col(JobRow.attempts) == job.attempts,
            col(JobRow.done_at).is_(None),
        )
        .values(leased_until=None, **values)
    )
    return changed.rowcount == 1


def jobs(connection: Connection, *, done: bool, limit: int) -> tuple[JobNow, ...]:
    """List jobs, those that come first at the top; with ``done`` what is behind us as well."""
    wanted = select(*_COLUMNS)
    if not done:
        wanted = wanted.where(col(JobRow.done_at).is_(None))
    rows = connection.execute(wanted.order_by(col(JobRow.run_at), col(JobRow.id)).limit(limit))
    return tuple(JobNow._make(row) for row in rows)


def forget_done(connection: Connection, before: datetime) -> None:
    """Delete jobs that were done long ago."""
    connection.execute(delete(JobRow).where(col(JobRow.done_at) < before))
