"""Help, topic by topic; from every page it opens at what that page is about."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app.services.boards import may_open, read_board
from app.services.run import run
from app.web.help_topics import topics
from app.web.pages import page
from app.web.visit import Here

router = APIRouter()


@router.get("/help")
async def show(here: Here) -> Response:
    """Show all topics; a page's link to its help names one of them."""
    board = await run(here.db, read_board, here.board)
    may = {
        "": True,
        "owner": here.principal.is_owner(board.id),
        "opener": may_open(board, here.principal),
    }
    return page(here, "help/index.html", topics=topics(), may=may)
