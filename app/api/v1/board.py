"""The board's settings, which every new scene copies."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

from app.api.call import Here, answer
from app.api.operations import operation
from app.api.parameters import KEYED
from app.services import boards, patterns
from app.services.patterns import PatternRead, Sample
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


@router.get("/board/pattern")
@operation(PatternRead, refuses=("not_found",))
async def read_pattern(here: Here) -> Response:
    """Read what was learnt of how the forum shows a roll, as the owner."""
    return answer(await here.run(patterns.read_pattern, here.principal))


@router.put("/board/pattern", dependencies=[KEYED])
@operation(PatternRead, body=Sample, refuses=("not_found",))
async def learn_pattern(here: Here) -> Response:
    """Learn from one sample how the forum shows a roll, as the owner."""
    sample = await here.read(Sample)
    return answer(await here.run(patterns.learn_pattern, here.principal, sample))


@router.delete("/board/pattern", dependencies=[KEYED])
@operation(PatternRead, refuses=("not_found",))
async def forget_pattern(here: Here) -> Response:
    """Forget what was learnt, as the owner."""
    return answer(await here.run(patterns.forget_pattern, here.principal))
