"""Invitations: looking at one tells to what it invites, accepting is a form that one sends."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from app.http.principal import with_new_cookie
from app.services.errors import Malformed, NotFound
from app.services.invitations import accept_invitation, look_at_invitation
from app.services.links import principal_of_cookie
from app.services.people_shapes import Invited
from app.services.run import run
from app.web.accounts import entered, logged_in, signed_up
from app.web.forms import text_at
from app.web.pages import page, see
from app.web.troubles import troubles_of
from app.web.visit import Here, Visit

router = APIRouter()


@router.get("/i/{secret}")
async def look(here: Here, secret: str) -> Response:
    """Show to what one is invited, and the forms that accept."""
    return await _page(here, secret)


@router.post("/i/{secret}")
async def accept(here: Here, secret: str) -> Response:
    """Accept, as who one is, by logging in, or by signing up."""
    form = await here.form()
    do = text_at(form, "do")
    invited = await run(here.db, look_at_invitation, here.world, secret)
    where = _where(invited)
    try:
        if do == "signup":
            return entered(here, await signed_up(here, form, secret), where)
        if do == "login":
            done = await logged_in(here, form)
            me = await run(here.db, principal_of_cookie, here.world, done.cookie)
            try:
                if me is not None:
                    await run(here.db, accept_invitation, here.world, me, secret)
            except NotFound:  # the last use went meanwhile: the log-in holds, and the page says so
                where = f"/i/{secret}"
            return entered(here, done, where)
    except Malformed as error:
        context = {"data": form, "troubles": troubles_of(error, here.request)}
        return await _page(here, secret, 422, failing=f"{do}-", **context)
    await run(here.db, accept_invitation, here.world, here.principal, secret)
    return await with_new_cookie(here.request, see(where))


def _where(invited: Invited) -> str:
    return "/" if invited.board is None else f"/boards/{invited.board}"


async def _page(here: Visit, secret: str, status: int = 200, **context: Any) -> Response:
    invited = await run(here.db, look_at_invitation, here.world, secret)
    return page(here, "people/invited.html", status, invited=invited, **context)
