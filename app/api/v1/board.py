"""The board's settings, which every new scene copies."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

from app.api.call import Here, answer
from app.api.operations import operation
from app.api.parameters import KEYED
from app.services import boards
from app.services.shapes import (
    BoardChanges,
    BoardRead,
)

router: Final = APIRouter(tags=["board"])


@router.get("/board")
@operation(BoardRead)
async def read_board(here: Here) -> Response:
    """Read the settings."""
    return answer(await here.run(boards.read_board))


@router.patch("/board", dependencies=[KEYED])
@operation(BoardRead, body=BoardChanges, refuses=("not_found",))
async def change_board(here: Here) -> Response:
    """Change settings, as the owner."""
    changes = await here.read(BoardChanges)
    return answer(await here.run(boards.change_board, here.world, here.principal, changes))
