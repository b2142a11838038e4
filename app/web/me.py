"""One's own account: name and password, where one is logged in, and what one holds."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from app.http.context import shared
from app.http.principal import with_new_cookie
from app.http.session import drop_session, session_cookie
from app.services.claims import claim_opened, give_up, is_role, not_yet_mine
from app.services.errors import Malformed
from app.services.people import change_account, change_password, log_out_everywhere, read_me
from app.services.run import run
from app.web.accounts import entered
from app.web.back import to_log_in
from app.web.forms import text_at
from app.web.pages import page, see
from app.web.troubles import troubles_of
from app.web.visit import Here, Visit, id_in

router = APIRouter()


@router.get("/me")
async def show(here: Here) -> Response:
    """Show the account of whoever is logged in."""
    if here.principal.person is None:
        return to_log_in(here.request)
    return await _page(here, done=here.request.query_params.get("done", ""))


@router.post("/me")
async def change(here: Here) -> Response:
    """Change name and address."""
    form = await here.form()
    name, email = text_at(form, "name"), text_at(form, "email")
    if here.principal.person is not None:  # by their id: it is the name that may change
        shared(here.request).attempts.note(here.request, "account", here.principal.person.id)
    try:
        await run(here.db, change_account, here.principal, name, email)
    except Malformed as error:
        troubles = troubles_of(error, here.request)
        return await _page(here, 422, data=form, troubles=troubles, failing="account-")
    return see("/me?done=account")


@router.post("/me/password")
async def password(here: Here) -> Response:
    """Change the password, which logs every other browser out."""
    form = await here.form()
    if here.principal.person is not None:
        shared(here.request).attempts.note(here.request, "log_in", here.principal.person.name)
    try:
        done = await run(
            here.db,
            change_password,
            here.world,
            here.principal,
            text_at(form, "old"),
            text_at(form, "new"),
            cookie=session_cookie(here.request),
        )
    except Malformed as error:
        troubles = troubles_of(error, here.request)
        return await _page(here, 422, troubles=troubles, failing="password-")
    if here.principal.person is not None:
        shared(here.request).attempts.forgive("log_in", here.principal.person.name)
    return entered(here, done, "/me?done=password")


@router.post("/me/log-out")
async def log_out(here: Here) -> Response:
    """Log out of every browser."""
    await run(here.db, log_out_everywhere, here.principal)
    answer = see("/")
    drop_session(here.request, answer)
    return answer


@router.post("/me/keys")
async def keep(here: Here) -> Response:
    """Keep in the account what the links give that this browser has opened."""
    cookie = session_cookie(here.request) or ""
    await run(here.db, claim_opened, here.world, here.principal, cookie)
    return await with_new_cookie(here.request, see("/me?done=kept#keys-title"))


@router.post("/me/keys/give-up")
async def leave_seat(here: Here) -> Response:
    """Give up a seat, a scene or a being that the account holds."""
    key = id_in(await here.form(), "key")
    await run(here.db, give_up, here.world, here.principal, key)
    return await with_new_cookie(here.request, see("/me?done=given_up#keys-title"))


async def _page(here: Visit, status: int = 200, **context: Any) -> Response:
    cookie = session_cookie(here.request)
    me = await run(here.db, read_me, here.principal, cookie)
    return page(
        here,
        "people/me.html",
        status,
        me=me,
        is_role=is_role,
        unkept=not_yet_mine(here.principal, me.keys),
        **{"done": "", **context},
    )
