"""The first version of the API: everything the pages do."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Security
from fastapi.security import APIKeyCookie, APIKeyHeader, HTTPBearer

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
from app.http.session import SECURE_COOKIE

__all__ = ["router"]

# They read nothing themselves (app.http.principal does): they say in the document how to present
# a secret. Neither may refuse, since a spectator presents none.
BEARER: Final = HTTPBearer(scheme_name="bearer", auto_error=False)
ALIAS: Final = APIKeyHeader(name="X-API-Key", scheme_name="key", auto_error=False)

SESSION: Final = APIKeyCookie(name=SECURE_COOKIE, scheme_name="session", auto_error=False)

router: Final = APIRouter(
    prefix="/api/v1", dependencies=[Security(BEARER), Security(ALIAS), Security(SESSION)]
)
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
for part in PARTS:
    router.include_router(part.router)
