"""Where a use case runs: here on SQLite, in a thread on PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from app.persistence.database import Database

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])

LONG: Final[set[object]] = set()


def takes_long(function: F) -> F:
    """Mark a use case that calculates longer than others may wait for."""
    LONG.add(function)
    return function


async def run(
    db: Database, function: Callable[Concatenate[Database, P], R], *args: P.args, **kwargs: P.kwargs
) -> R:
    """Run ``function(db, *args)``: a short blocking call on SQLite, in a thread on PostgreSQL.

    A call on SQLite takes less time than handing it to a thread would; one on PostgreSQL waits
    for the network. There are as many threads as connections, so that none waits for the pool.
    """
    if db.threads is not None:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(db.threads, lambda: function(db, *args, **kwargs))
    if function in LONG:
        return await asyncio.to_thread(function, db, *args, **kwargs)
    return function(db, *args, **kwargs)
