"""Work that takes a while, done beside the event loop: one piece after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, ParamSpec, TypeVar

from app.services.errors import Busy

P = ParamSpec("P")
T = TypeVar("T")

# One thread of its own: whoever asks for the same thing meanwhile waits, and finds it done.
_ONE: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="aside")
# Another for what may take many seconds, so that nothing short ever waits behind it.
_SLOW: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="at-length")
MOST_WAITING: Final = 12
_waiting = 0


async def aside(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do a piece of work while other requests are answered."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_ONE, partial(work, *args, **kwargs))


async def at_length(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do a piece of work that may take many seconds; raise Busy where too many wait for theirs."""
    global _waiting  # all of it happens on the event loop
    if _waiting >= MOST_WAITING:
        raise Busy
    _waiting += 1
    try:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(_SLOW, partial(work, *args, **kwargs))
    finally:
        _waiting -= 1
