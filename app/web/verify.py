"""The page on which a visitor's own browser checks a ledger; the service is sent nothing."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app.posts.phrases import SERVICE, sections
from app.web.pages import page
from app.web.visit import Here

router = APIRouter()


@router.get("/verify")
async def ask(here: Here) -> Response:
    """Show the form, the sentences that its script fills in, and what is promised."""
    said = sections(here.language, SERVICE)
    return page(here, "verify/index.html", faults=said["ledger_faults"], words=said["ledger"])
