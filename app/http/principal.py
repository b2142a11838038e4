"""Who sends a request: the holder of a secret, or a browser with what it has opened."""

from __future__ import annotations

from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from app.http.context import shared
from app.http.problem import Refusal, problem
from app.http.security_log import note_who
from app.http.session import keep_session, presented_secret, presents_secret, session_cookie
from app.services.access import ANONYMOUS, Principal
from app.services.heading import Heading, read_heading, read_visitor
from app.services.links import principal_of_cookie, principal_of_secret, renew
from app.services.run import run

CHALLENGE: Final = {"WWW-Authenticate": "Bearer"}


async def principal_of(request: HTTPConnection) -> Principal:
    """Find out who sends a request, and let the log know by their ids.

    A secret in a header comes before the cookie. One that does not hold is refused at once, so
    that its owner notices; a cookie that does not is nobody's.
    """
    found = await _holder(request)
    if found is None:
        here, cookie = shared(request), session_cookie(request)
        if cookie is not None:
            found = await run(here.database, principal_of_cookie, here.world, cookie)
    return _noted(request, found)


async def visitor_of(request: HTTPConnection) -> tuple[Principal, Heading]:
    """Find out who asks for a page, as ``principal_of`` does, and what its head tells them."""
    here, cookie = shared(request), session_cookie(request)
    holder = await _holder(request)
    if holder is not None:
        return _noted(request, holder), await run(here.database, read_heading, holder)
    found = None
    if cookie is not None:
        found = await run(here.database, read_visitor, here.world, cookie)
    principal, heading = found or (None, Heading())
    return _noted(request, principal), heading


def _noted(request: HTTPConnection, found: Principal | None) -> Principal:
    principal = found or ANONYMOUS
    note_who(request, principal)
    return principal


async def _holder(request: HTTPConnection) -> Principal | None:
    """Find out who presents a secret; None where none is presented."""
    if not presents_secret(request):
        return None
    here, secret = shared(request), presented_secret(request)
    if secret is not None:
        holder = await run(here.database, principal_of_secret, here.world, secret)
        if holder is not None:
            return holder
    raise Refusal(problem("secret_unknown", headers=CHALLENGE))


async def with_new_cookie(request: HTTPConnection, answer: Response) -> Response:
    """Give the browser another cookie, since what its owner may do has changed."""
    here, cookie = shared(request), session_cookie(request)
    if cookie is not None:
        fresh = await run(here.database, renew, here.world, cookie)
        if fresh is not None:
            keep_session(request, answer, fresh)
    return answer
