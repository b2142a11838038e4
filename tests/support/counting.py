"""How many statements and commits something takes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import event

from app.persistence.database import Database


@dataclass
class Count:
    """What reached the database."""

    statements: list[str] = field(default_factory=list)
    commits: int = 0
    rollbacks: int = 0


@contextmanager
def counted(db: Database) -> Iterator[Count]:
    """Count what reaches the database while the block runs."""
    count = Count()

    def execute(_c: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        count.statements.append(statement)

    def commit(_connection: Any) -> None:
        count.commits += 1

    def rollback(_connection: Any) -> None:
        count.rollbacks += 1

    listeners = (("before_cursor_execute", execute), ("commit", commit), ("rollback", rollback))
    for name, listener in listeners:
        event.listen(db.engine, name, listener)
    try:
        yield count
    finally:
        for name, listener in listeners:
            event.remove(db.engine, name, listener)
