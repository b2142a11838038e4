"""Help, topic by topic; from every page it opens at what that page is about."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app.web.help_topics import topics
from app.web.pages import page
from app.web.visit import Here

router = APIRouter()


@router.get("/help")
async def show(here: Here) -> Response:
    """Show all topics; a page's link to its help names one of them."""
    return page(here, "help/index.html", topics=topics())
