"""The first page: what this is, and the scenes one has to do with."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from app.services.boards import may_open, read_board
from app.services.first_steps import first_steps
from app.services.inbox import count_unread
from app.services.members import list_boards
from app.services.run import run
from app.services.scenes import list_scenes
from app.services.shapes import (
    Joining,
)
from app.web.forms import is_token
from app.web.members import may_make_boards
from app.web.pages import page
from app.web.visit import Here, Visit

router = APIRouter()
A_PAGE = 50


@router.get("/")
async def index(here: Here) -> Response:
    """Show the boards and the scenes of the visitor, newest scenes first."""
    board = await run(here.db, read_board, here.board)
    boards = await run(here.db, list_boards, here.principal)
    return page(
        here,
        "home.html",
        board_name=board.name,
        boards=boards,
        may_make=may_make_boards(here),
        unread=await run(here.db, count_unread, here.principal),
        may_open=may_open(board, here.principal),
        **await _scenes(here, None),
    )


@router.get("/boards/{board_id}")
async def board(here: Here) -> Response:
    """Show a board: its scenes, as far as they are the visitor's, and where all else is."""
    found = await run(here.db, read_board, here.board)
    me = here.principal
    return page(
        here,
        "board/show.html",
        board=found,
        role=me.role_on(found.id),
        may_join=found.joining is Joining.OPEN and me.role_on(found.id) is None,
        may_open=may_open(found, me),
        steps=await run(here.db, first_steps, me, found.id) if me.oversees(found.id) else None,
        **await _scenes(here, found.id),
    )


async def _scenes(here: Visit, board: str | None) -> dict[str, Any]:
    asked = here.request.query_params.get("after", "")
    after = asked if is_token(asked) else None
    scenes = await run(here.db, list_scenes, here.principal, board, after=after, limit=A_PAGE)
    return {"scenes": scenes, "more": scenes[-1].id if len(scenes) == A_PAGE else ""}
