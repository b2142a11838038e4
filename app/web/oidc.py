"""Logging in by another service that vouches for people."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote, unquote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.http.context import shared
from app.http.session import session_cookie
from app.integrations.oidc import LOG, NotVouched, OutOfReach, Provider
from app.services.errors import Malformed, Mistake, NotFound
from app.services.identities import log_in_by
from app.services.run import run
from app.web.accounts import entered, log_in_page
from app.web.back import own_path
from app.web.troubles import troubles_of
from app.web.visit import Here, Visit

router = APIRouter()
COOKIE: Final = "arbitro-oidc"
MINUTES: Final = 15


@router.get("/login/oidc")
async def begin(here: Here) -> Response:
    """Send somebody to the provider, and remember in their browser that we did."""
    provider = _provider(here.request)
    shared(here.request).attempts.note(here.request, "oidc")
    seed, back = here.world.token(), own_path(here.request.query_params.get("next", ""))
    try:
        address = await provider.begin(seed)
    except OutOfReach as error:
        return _refused(here, "oidc_out_of_reach", error)
    answer = RedirectResponse(address, 303)
    answer.set_cookie(
        _cookie(here),
        f"{seed}.{quote(back, safe='')}",
        max_age=MINUTES * 60,
        path="/",
        secure=here.settings.secure,
        httponly=True,
        samesite="lax",
    )
    return answer


@router.get("/login/oidc/callback")
async def finish(here: Here) -> Response:
    """Log in for whom the provider vouches, if this browser was sent there."""
    provider = _provider(here.request)
    shared(here.request).attempts.note(here.request, "oidc")
    seed, _, back = here.request.cookies.get(_cookie(here), "").partition(".")
    try:
        if not seed:
            raise NotVouched("cookie")
        vouched = await provider.finish(seed, here.request.query_params)
        done = await run(
            here.db,
            log_in_by,
            here.world,
            here.principal,
            vouched,
            cookie=session_cookie(here.request),
            is_open=here.settings.sign_up == "open",
        )
        answer = entered(here, done, own_path(unquote(back)))
    except NotVouched as error:
        answer = _refused(here, "oidc_not_vouched", error)
    except OutOfReach as error:
        answer = _refused(here, "oidc_out_of_reach", error)
    except Malformed as error:
        answer = log_in_page(here, "/", 422, troubles=troubles_of(error, here.request))
    answer.delete_cookie(
        _cookie(here), path="/", secure=here.settings.secure, httponly=True, samesite="lax"
    )
    return answer


def _provider(request: Request) -> Provider:
    found = shared(request).oidc
    if found is None:
        raise NotFound
    return found


def _cookie(here: Visit) -> str:
    return f"__Host-{COOKIE}" if here.settings.secure else COOKIE


def _refused(here: Visit, code: str, error: Exception) -> Response:
    LOG.warning("%s: %s", code, error)
    wrong = Malformed(Mistake("", code))
    return log_in_page(here, "/", 422, troubles=troubles_of(wrong, here.request))
