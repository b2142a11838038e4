"""Secret links: looking at one changes nothing, entering is a form that one sends."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app.http.session import drop_session, keep_session, session_cookie
from app.services.access import Role
from app.services.claims import claim
from app.services.links import forget, open_link
from app.services.run import run
from app.services.shapes import (
    Opened,
)
from app.web.forms import text_at
from app.web.pages import page, see
from app.web.visit import Here

router = APIRouter()


@router.get("/k/{secret}")
async def look(here: Here) -> Response:
    """Show the buttons that enter; whether the secret is known is told to nobody who only looks."""
    return page(here, "links/enter.html")


@router.post("/k/{secret}")
async def enter(here: Here, secret: str) -> Response:
    """Open the secret in this browser and go on to an address that may be shared.

    Somebody who is logged in may keep what it gives in their account as well.
    """
    if text_at(await here.form(), "do") == "keep":
        await run(here.db, claim, here.world, here.principal, secret)
    cookie = session_cookie(here.request)
    opened = await run(here.db, open_link, here.world, secret, cookie)
    answer = see(_where(opened))
    keep_session(here.request, answer, opened.cookie)
    return answer


@router.post("/logout")
async def leave(here: Here) -> Response:
    """Let the browser and the service forget each other."""
    cookie = session_cookie(here.request)
    if cookie is not None:
        await run(here.db, forget, cookie)
    answer = see("/")
    drop_session(here.request, answer)
    return answer


def _where(opened: Opened) -> str:
    """Give the clean address that a secret leads to."""
    if opened.role is Role.BEING:
        return f"/beings/{opened.seat}"
    if opened.scene_id is None:
        return f"/boards/{opened.board}"
    return f"/scenes/{opened.scene_id}" + ("/gm" if opened.role is Role.GM else "")
