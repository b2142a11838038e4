"""One database, two kinds of transaction; a write is committed when its block ends, not later."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.persistence.errors import Busy

CONNECTIONS: Final = 10
PATIENCE_MS: Final = 5_000
"""How long a writer waits for another one before it gives up."""

SQLITE_SETTINGS: Final = (
    f"PRAGMA busy_timeout = {PATIENCE_MS}",
    "PRAGMA journal_mode = WAL",
    # NORMAL would lose acknowledged turns when the power fails.
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
)
READS: Final = "arbitro_reads"


class Database:
    """An SQLite file or a PostgreSQL database, by its URL."""

    def __init__(self, url: str) -> None:
        self.url = _with_driver(make_url(url))
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = _sqlite(self.url) if self.is_sqlite else _postgres(self.url)
        # As many as there are connections, so that no thread waits for one. SQLite needs none.
        self.threads = None if self.is_sqlite else ThreadPoolExecutor(CONNECTIONS, "database")
        reads: dict[str, Any] = {READS: True}
        if not self.is_sqlite:
            reads |= {"postgresql_readonly": True, "isolation_level": "REPEATABLE READ"}
        self._readers = self.engine.execution_options(**reads)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a transaction that sees one committed state and changes nothing."""
        with _translated(), self._readers.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a transaction that is committed when the block ends, and undone if it fails."""
        with _translated(), self.engine.begin() as connection:
            yield connection

    def close(self) -> None:
        """Give back connections and threads."""
        if self.threads is not None:
            self.threads.shutdown()
        self.engine.dispose()


def _sqlite(url: URL) -> Engine:
    engine = create_engine(
        url,
        connect_args={"isolation_level": None, "check_same_thread": False},
        pool_size=CONNECTIONS,
        pool_timeout=PATIENCE_MS / 1000,
    )
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _postgres(url: URL) -> Engine:
    return create_engine(
        url,
        connect_args={
            "connect_timeout": 5,
            "options": f"-c lock_timeout={PATIENCE_MS} -c statement_timeout={6 * PATIENCE_MS}",
        },
        pool_size=CONNECTIONS,
        max_overflow=0,
        pool_timeout=PATIENCE_MS / 1000,
        pool_pre_ping=True,
    )


def _with_driver(url: URL) -> URL:
    if url.drivername in ("postgres", "postgresql"):
        return url.set(drivername="postgresql+psycopg")
    return url


def _set_up_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    for setting in SQLITE_SETTINGS:
        connection.execute(setting)


def _begin_sqlite(connection: Connection) -> None:
    # A writer that began as a reader would fail at once when it finds another one ahead of it.
    reads = connection.get_execution_options().get(READS, False)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


@contextmanager
def _translated() -> Iterator[None]:
    """Tell a database that cannot serve now from a defect of ours."""
    try:
        yield
    except PoolTimeout as error:
        raise Busy(str(error)) from error
    except DBAPIError as error:
        if isinstance(error, OperationalError) or error.connection_invalidated:
            raise Busy(str(error.orig)) from error
        raise
