"""HTML: parse, one service call, render."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from app.web import (
    board,
    cases,
    dialects,
    dice,
    docs,
    entries,
    forum_dice,
    gm,
    home,
    links,
    luck,
    opening,
    options,
    orders,
    own_sheet,
    pattern,
    precedents,
    rules,
    scenes,
    seals,
    several,
    sheets,
    tags,
    turns,
    verify,
    wordings,
)
from app.web.problems import problem_page

__all__ = ["problem_page", "router"]

router: Final = APIRouter(include_in_schema=False)
# `opening` comes before `scenes`: /scenes/new is no scene.
for part in (
    home,
    links,
    board,
    dialects,
    pattern,
    sheets,
    opening,
    scenes,
    own_sheet,
    orders,
    turns,
):
    router.include_router(part.router)
for part in (
    entries,
    forum_dice,
    wordings,
    gm,
    seals,
    several,
    luck,
    dice,
    tags,
    rules,
    options,
    precedents,
    cases,
):
    router.include_router(part.router)
for part in (docs, verify):
    router.include_router(part.router)
