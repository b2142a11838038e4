"""The first version of the API: everything the pages do."""

from __future__ import annotations

from typing import Final

from starlette.routing import BaseRoute

from app.api.v1 import (
    adjudicate,
    beings,
    board,
    book,
    cases,
    clock,
    deadlines,
    dice,
    duels,
    entries,
    forum_dice,
    links,
    members,
    notices,
    odds,
    people,
    posts,
    precedents,
    reference,
    reviews,
    scenes,
    seeing,
    sheets,
    threads,
    turns,
)

__all__ = ["ROUTES"]

PARTS: Final = (
    *(people, members),
    *(
        board,
        sheets,
        book,
        beings,
        scenes,
        turns,
        reviews,
        deadlines,
        clock,
        notices,
        forum_dice,
        entries,
        dice,
        links,
        seeing,
    ),
    *(precedents, adjudicate, odds, posts, threads, duels, reference, cases),
)
ROUTES: Final[tuple[BaseRoute, ...]] = tuple(
    route for part in PARTS for route in part.router.routes
)
