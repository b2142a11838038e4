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
from app.services.links import principal_of_cookie, principal_of_secret, renew
from app.services.run import run

CHALLENGE: Final = {"WWW-Authenticate": "Bearer"}


async def principal_of(request: HTTPConnection) -> Principal:
    """Find out who sends a request, and let the log know by their ids.

    A secret in a header comes before the cookie. One that does not hold is refused at once, so
    that its owner notices; a cookie that does not is nobody's.
    """
    found = await _found(request)
    note_who(request, found)
    return found


async def _found(request: HTTPConnection) -> Principal:
    here = shared(request)
    if presents_secret(request):
        secret = presented_secret(request)
        if secret is not None:
            holder = await run(here.database, principal_of_secret, here.world, secret)
            if holder is not None:
                return holder
        raise Refusal(problem("secret_unknown", headers=CHALLENGE))
    cookie = session_cookie(request)
    if cookie is None:
        return ANONYMOUS
    return await run(here.database, principal_of_cookie, here.world, cookie) or ANONYMOUS


async def with_new_cookie(request: HTTPConnection, answer: Response) -> Response:
    """Give the browser another cookie, since what its owner may do has changed."""
    here, cookie = shared(request), session_cookie(request)
    if cookie is not None:
        fresh = await run(here.database, renew, here.world, cookie)
        if fresh is not None:
            keep_session(request, answer, fresh)
    return answer
