"""The first page: what this is, and the scenes one has to do with."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app.services.access import Principal
from app.services.boards import read_board
from app.services.inbox import count_unread
from app.services.run import run
from app.services.scenes import list_scenes
from app.services.shapes import (
    BoardRead,
    Openers,
)
from app.web.forms import is_token
from app.web.pages import page
from app.web.visit import Here

router = APIRouter()
A_PAGE = 50


@router.get("/")
async def index(here: Here) -> Response:
    """Show the scenes of the visitor, newest first."""
    board = await run(here.db, read_board)
    asked = here.request.query_params.get("after", "")
    after = asked if is_token(asked) else None
    scenes = await run(here.db, list_scenes, here.principal, after=after, limit=A_PAGE)
    return page(
        here,
        "home.html",
        board_name=board.name,
        scenes=scenes,
        unread=await run(here.db, count_unread, here.principal),
        more=scenes[-1].id if len(scenes) == A_PAGE else "",
        may_open=may_open(board, here.principal),
    )


def may_open(board: BoardRead, principal: Principal) -> bool:
    """Say whether the board lets somebody open scenes; the service has the last word."""
    if board.openers is Openers.ANYONE or principal.is_owner:
        return True
    return board.openers is Openers.GMS and principal.is_any_gm
