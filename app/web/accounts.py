"""Signing up, logging in, and a new password by a link."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app.http.context import shared
from app.http.security_log import note_person
from app.http.session import keep_session, session_cookie
from app.persistence.codec import decode
from app.services.errors import Malformed
from app.services.people import log_in, reset_password, sign_up
from app.services.people_shapes import LoggedIn, LogIn, NewAccount
from app.services.run import run
from app.web.back import own_path
from app.web.forms import Nested, text_at
from app.web.pages import page, see
from app.web.troubles import troubles_of
from app.web.visit import Here, Visit

router = APIRouter()
ACCOUNT = ("name", "password", "email")


@router.get("/signup")
async def new(here: Here) -> Response:
    """Show the form that makes an account, or why there is none."""
    return _sign_up_page(here, own_path(here.request.query_params.get("next", "")))


@router.post("/signup")
async def add(here: Here) -> Response:
    """Make an account and log in to it."""
    form = await here.form()
    back = own_path(text_at(form, "next"))
    try:
        done = await signed_up(here, form)
    except Malformed as error:
        return _sign_up_page(here, back, 422, data=form, troubles=troubles_of(error, here.request))
    return entered(here, done, back)


@router.get("/login")
async def enter(here: Here) -> Response:
    """Show the form of the log-in."""
    return log_in_page(here, own_path(here.request.query_params.get("next", "")))


@router.post("/login")
async def log_in_here(here: Here) -> Response:
    """Log in and go on to where one was."""
    form = await here.form()
    back = own_path(text_at(form, "next"))
    try:
        done = await logged_in(here, form)
    except Malformed as error:
        return log_in_page(here, back, 422, data=form, troubles=troubles_of(error, here.request))
    return entered(here, done, back)


@router.get("/reset/{token}")
async def forgotten(here: Here) -> Response:
    """Show the form that sets a new password; whether the link holds is told when it is sent."""
    return page(here, "people/reset.html")


@router.post("/reset/{token}")
async def reset(here: Here, token: str) -> Response:
    """Set a new password by a link that works once, and log in."""
    form = await here.form()
    shared(here.request).attempts.note(here.request, "reset")
    try:
        done = await run(
            here.db,
            reset_password,
            here.world,
            token,
            text_at(form, "new"),
            cookie=session_cookie(here.request),
        )
    except Malformed as error:
        troubles = troubles_of(error, here.request)
        return page(here, "people/reset.html", 422, troubles=troubles)
    return entered(here, done, "/me")


# ---------------------------------------------------------- for whoever else lets people in


async def signed_up(here: Visit, form: Nested, invitation: str | None = None) -> LoggedIn:
    """Make the account that a form describes; raise Malformed."""
    new = decode(NewAccount, {name: text_at(form, name) for name in ACCOUNT})
    shared(here.request).attempts.note(here.request, "sign_up")
    return await run(
        here.db,
        sign_up,
        here.world,
        new,
        cookie=session_cookie(here.request),
        invitation=invitation,
        is_open=here.settings.sign_up == "open",
    )


async def logged_in(here: Visit, form: Nested) -> LoggedIn:
    """Log in whom a form names; raise Malformed, and TooMany for one who guesses."""
    given = decode(LogIn, {name: text_at(form, name) for name in ("name", "password")})
    attempts = shared(here.request).attempts
    attempts.note(here.request, "log_in", given.name)
    cookie = session_cookie(here.request)
    done = await run(here.db, log_in, here.world, given, cookie=cookie)
    attempts.forgive("log_in", given.name)
    return done


def entered(here: Visit, done: LoggedIn, address: str) -> Response:
    """Let the browser keep the session of whoever has just come in, and send them on."""
    answer = see(address)
    note_person(here.request, done.person)
    keep_session(here.request, answer, done.cookie)
    return answer


def _sign_up_page(here: Visit, back: str, status: int = 200, **context: object) -> Response:
    is_open = here.settings.sign_up == "open"
    return page(here, "people/signup.html", status, back=back, is_open=is_open, **context)


def log_in_page(here: Visit, back: str, status: int = 200, **context: object) -> Response:
    """Fill the page of the log-in."""
    settings = here.settings
    oidc_name = settings.oidc_name if settings.oidc_issuer else ""
    return page(here, "people/login.html", status, back=back, oidc_name=oidc_name, **context)
