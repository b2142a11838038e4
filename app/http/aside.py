"""Work that takes a while, done beside the event loop: one piece after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

# One thread of its own: whoever asks for the same thing meanwhile waits, and finds it done.
_ONE: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="aside")


async def aside(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do a piece of work while other requests are answered."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_ONE, partial(work, *args, **kwargs))
