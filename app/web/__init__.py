"""HTML: parse, one service call, render."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from app.web import (
    accounts,
    beings,
    board,
    board_games,
    cases,
    comparing,
    deadlines,
    dialects,
    dice,
    docs,
    entries,
    forum_dice,
    game_odds,
    gm,
    home,
    importing,
    invited,
    links,
    luck,
    me,
    members,
    oidc,
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
    template,
    turns,
    verify,
    warriors,
    wordings,
)
from app.web.games import opening as game_opening
from app.web.problems import problem_page

__all__ = ["problem_page", "router"]

router: Final = APIRouter(include_in_schema=False)
# `opening` and `importing` come before `scenes`: /scenes/new is no scene.
PARTS: Final = (
    *(
        members,  # /boards/new is no board
        home,
        links,
        accounts,
        oidc,
        me,
        invited,
        board,
        board_games,
        dialects,
        pattern,
        template,
        sheets,
        beings,
        opening,
        game_opening,
    ),
    *(
        importing,
        scenes,
        own_sheet,
        orders,
        deadlines,
        turns,
        entries,
        forum_dice,
        wordings,
        gm,
        seals,
        several,
        luck,
        dice,
        tags,
    ),
    *(warriors, rules, options, precedents, cases, comparing, docs, game_odds, verify),
)
for part in PARTS:
    router.include_router(part.router)
