"""The board's settings, which every new scene copies."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import Here, answer
from app.api.operations import operation
from app.api.parameters import KEYED, BoardId
from app.api.parts import part
from app.services import boards, patterns
from app.services.patterns import PatternRead, Sample
from app.services.shapes import (
    BoardChanges,
    BoardRead,
)

router: Final = part("board")


@router.get("/boards/{board_id}")
@operation(BoardRead, refuses=("not_found",))
async def read_board(here: Here, board_id: BoardId) -> Response:
    """Read the settings."""
    return answer(await here.run(boards.read_board, board_id))


@router.patch("/boards/{board_id}", dependencies=[KEYED])
@operation(BoardRead, body=BoardChanges, refuses=("not_found",))
async def change_board(here: Here, board_id: BoardId) -> Response:
    """Change settings, as the owner."""
    changes = await here.read(BoardChanges)
    changed = await here.run(boards.change_board, here.world, here.principal, board_id, changes)
    return answer(changed)


@router.get("/boards/{board_id}/pattern")
@operation(PatternRead, refuses=("not_found",))
async def read_pattern(here: Here, board_id: BoardId) -> Response:
    """Read what was learnt of how the forum shows a roll, as the owner."""
    return answer(await here.run(patterns.read_pattern, here.principal, board_id))


@router.put("/boards/{board_id}/pattern", dependencies=[KEYED])
@operation(PatternRead, body=Sample, refuses=("not_found",))
async def learn_pattern(here: Here, board_id: BoardId) -> Response:
    """Learn from one sample how the forum shows a roll, as the owner."""
    sample = await here.read(Sample)
    return answer(await here.run(patterns.learn_pattern, here.principal, board_id, sample))


@router.delete("/boards/{board_id}/pattern", dependencies=[KEYED])
@operation(PatternRead, refuses=("not_found",))
async def forget_pattern(here: Here, board_id: BoardId) -> Response:
    """Forget what was learnt, as the owner."""
    return answer(await here.run(patterns.forget_pattern, here.principal, board_id))
