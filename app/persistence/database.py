"""One database, two kinds of transaction; a write is committed when its block ends, not later."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlmodel import Session

from app.persistence.errors import Busy

CONNECTIONS: Final = 10
WAIT_MS: Final = 5_000  # how long a writer waits for another one before it gives up

SQLITE_SETTINGS: Final = (
    f"PRAGMA busy_timeout = {WAIT_MS}",
    "PRAGMA journal_mode = WAL",
    # NORMAL would lose acknowledged turns when the power fails.
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
)


class Database:
    """An SQLite file or a PostgreSQL database, by its URL."""

    def __init__(self, url: str) -> None:
        self.url = _with_driver(make_url(url))
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        if self.is_sqlite:
            self.engine = create_engine(
                self.url,
                connect_args={"isolation_level": None, "check_same_thread": False},
                pool_size=CONNECTIONS,
                pool_timeout=WAIT_MS / 1000,
            )
            event.listen(self.engine, "connect", _set_up_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)
            self.threads: ThreadPoolExecutor | None = None
        else:
            self.engine = create_engine(
                self.url,
                connect_args={
                    "connect_timeout": 5,
                    "options": f"-c lock_timeout={WAIT_MS} -c statement_timeout=30000",
                },
                pool_size=CONNECTIONS,
                max_overflow=0,
                pool_timeout=WAIT_MS / 1000,
                pool_pre_ping=True,
            )
            self.threads = ThreadPoolExecutor(CONNECTIONS, "database")
        self._readers = self.engine.execution_options(arbitro_reads=True, **self._read_only())
        self._writers = self.engine.execution_options(arbitro_reads=False)

    def _read_only(self) -> dict[str, Any]:
        return {} if self.is_sqlite else {"postgresql_readonly": True}

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Open a transaction that sees one committed state and changes nothing."""
        with _translated(), Session(self._readers, autoflush=False) as session:
            yield session
            session.rollback()

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Open a transaction that is committed when the block ends, and undone if it fails."""
        with _translated(), Session(self._writers, expire_on_commit=False) as session:
            yield session
            session.commit()

    def close(self) -> None:
        """Give back connections and threads."""
        if self.threads is not None:
            self.threads.shutdown()
        self.engine.dispose()


@contextmanager
def _translated() -> Iterator[None]:
    """Tell a database that cannot serve now from a defect of ours."""
    try:
        yield
    except PoolTimeout as error:
        raise Busy(str(error)) from error
    except OperationalError as error:
        raise Busy(str(error.orig)) from error
    except DBAPIError as error:
        if error.connection_invalidated:
            raise Busy(str(error.orig)) from error
        raise


def _with_driver(url: URL) -> URL:
    if url.drivername in ("postgres", "postgresql"):
        return url.set(drivername="postgresql+psycopg")
    return url


def _set_up_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    for setting in SQLITE_SETTINGS:
        connection.execute(setting)


def _begin_sqlite(connection: Connection) -> None:
    # A writer that began as a reader would fail at once when it finds another one ahead of it.
    reads = connection.get_execution_options().get("arbitro_reads", False)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")
