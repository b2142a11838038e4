"""Teaching how the board's forum shows a roll, from one that its owner pastes."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from app.persistence.codec import decode
from app.services.errors import Malformed
from app.services.patterns import Sample, forget_pattern, learn_pattern, read_pattern
from app.services.run import run
from app.web.forms import lift, text_at
from app.web.pages import page, see
from app.web.troubles import troubles_of
from app.web.visit import Here, Visit

router = APIRouter()


@router.get("/boards/{board_id}/pattern")
async def show(here: Here) -> Response:
    """Show the owner what was learnt, and the form to teach it."""
    return await _page(here, saved="saved" in here.request.query_params)


@router.post("/boards/{board_id}/pattern")
async def learn(here: Here) -> Response:
    """Learn from the sample that was pasted."""
    form = await here.form()
    texts: Any = {name: text_at(form, name) for name in Sample.__slots__}
    try:
        sample = decode(Sample, lift(Sample, texts))
        await run(here.db, learn_pattern, here.principal, here.board, sample)
    except Malformed as error:
        return await _page(here, 422, data=form, troubles=troubles_of(error, here.request))
    return see(f"{here.at_board}/pattern?saved")


@router.post("/boards/{board_id}/pattern/forget")
async def forget(here: Here) -> Response:
    """Forget what was learnt."""
    await run(here.db, forget_pattern, here.principal, here.board)
    return see(f"{here.at_board}/pattern")


async def _page(here: Visit, status: int = 200, **context: Any) -> Response:
    read = await run(here.db, read_pattern, here.principal, here.board)
    return page(
        here, "board/pattern.html", status, **{"learnt": read.learnt, "saved": False, **context}
    )
