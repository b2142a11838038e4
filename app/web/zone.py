"""The time zone in which a reader wants to see times."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app.http.zone import COOKIE
from app.services.board_time import zones
from app.services.errors import Malformed, Mistake
from app.web.forms import text_at
from app.web.pages import A_YEAR, page, see
from app.web.troubles import troubles_of
from app.web.visit import Here, Visit

router = APIRouter()


@router.get("/zone")
async def show(here: Here) -> Response:
    """Show in which zone times are shown, and the others."""
    return _page(here, saved="saved" in here.request.query_params)


@router.post("/zone")
async def change(here: Here) -> Response:
    """Keep a zone in the browser."""
    form = await here.form()
    wanted = text_at(form, "zone")
    if wanted not in zones():
        wrong = Malformed(Mistake("zone", "zone_unknown"))
        return _page(here, status=422, troubles=troubles_of(wrong, here.request), data=form)
    answer = see("/zone?saved")
    answer.set_cookie(COOKIE, wanted, max_age=A_YEAR, secure=here.settings.secure, samesite="lax")
    return answer


def _page(here: Visit, status: int = 200, **context: object) -> Response:
    return page(
        here,
        "zone.html",
        status,
        zones=zones(),
        **{"saved": False, **context},
    )
