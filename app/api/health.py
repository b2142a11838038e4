"""Whether the service can serve, for whoever watches over it."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from app.http.context import shared
from app.persistence.tables import FIRST_BOARD
from app.services.boards import read_board
from app.services.run import run

router: Final = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def tell_health(request: Request) -> Response:
    """Answer 200 if the database answers, 503 if it does not."""
    await run(shared(request).database, read_board, FIRST_BOARD)
    return JSONResponse({"status": "ok"})
