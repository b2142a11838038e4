"""Where a use case runs: here on SQLite, in a thread on PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from app.persistence.database import Database

P = ParamSpec("P")
R = TypeVar("R")


async def run(
    db: Database, function: Callable[Concatenate[Database, P], R], *args: P.args, **kwargs: P.kwargs
) -> R:
    """Run ``function(db, *args)``: a short blocking call on SQLite, in a thread on PostgreSQL.

    A call on SQLite takes less time than handing it to a thread would; one on PostgreSQL waits
    for the network. There are as many threads as connections, so that none waits for the pool.
    """
    if db.threads is None:
        return function(db, *args, **kwargs)
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(db.threads, lambda: function(db, *args, **kwargs))
