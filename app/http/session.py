"""Where a request carries what proves who sends it: a secret in a header, or a session cookie."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from app.http.context import shared

PLAIN_COOKIE: Final = "arbitro"
SECURE_COOKIE: Final = "__Host-arbitro"  # the browser itself holds it to TLS, our host and path /
HALF_A_YEAR: Final = 182 * 24 * 3600  # seconds
_TOKEN: Final = re.compile(r"[A-Za-z0-9_.~-]{16,200}")


def cookie_name(secure: bool) -> str:
    """Give the name of the session cookie, which says whether it travels by TLS only."""
    return SECURE_COOKIE if secure else PLAIN_COOKIE


def session_cookie(request: HTTPConnection) -> str | None:
    """Read the session's token from the cookie; None if there is none, or nothing like one."""
    value = request.cookies.get(cookie_name(shared(request).settings.secure), "")
    return value if _TOKEN.fullmatch(value) else None


def presents_secret(request: HTTPConnection) -> bool:
    """Say whether the request carries a header that is meant to prove who sends it."""
    return "authorization" in request.headers or "x-api-key" in request.headers


def presented_secret(request: HTTPConnection) -> str | None:
    """Read the secret from ``Authorization: Bearer`` or ``X-API-Key``; None if it cannot be one."""
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if not scheme:
        value = request.headers.get("x-api-key", "")
    elif scheme.lower() != "bearer":
        return None
    value = value.strip()
    return value if _TOKEN.fullmatch(value) else None


def keep_session(request: HTTPConnection, response: Response, token: str) -> None:
    """Let the browser keep a session, out of reach of scripts and of other sites."""
    secure = shared(request).settings.secure
    response.set_cookie(
        cookie_name(secure),
        token,
        max_age=HALF_A_YEAR,
        path="/",
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def session_set(request: HTTPConnection, headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Say whether an answer with these headers gives the browser a session."""
    start = f"{cookie_name(shared(request).settings.secure)}=".encode()
    cookies = (value for name, value in headers if name.lower() == b"set-cookie")
    return any(one.startswith(start) and b"max-age=0;" not in one.lower() for one in cookies)


def drop_session(request: HTTPConnection, response: Response) -> None:
    """Let the browser forget the session."""
    secure = shared(request).settings.secure
    response.delete_cookie(
        cookie_name(secure), path="/", secure=secure, httponly=True, samesite="lax"
    )
