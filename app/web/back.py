"""Where to go on after a log-in: to a page of ours, whatever an address says."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match

FIRST: Final = "/"
# Plain segments that none of ours goes beyond; anything else may lead a browser elsewhere.
_OWN: Final = re.compile(r"(?:/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)+(?:\?[A-Za-z0-9_.~=&-]*)?")
# Their addresses hold a secret, or are no place to come back to.
_NOT_BACK: Final = ("/k/", "/i/", "/reset/", "/login", "/signup", "/logout")


def own_path(text: str) -> str:
    """Give a path of ours that somebody may be sent to; the first page for anything else."""
    fits = len(text) <= 300 and _OWN.fullmatch(text) is not None
    return text if fits and not text.startswith(_NOT_BACK) else FIRST


def to_log_in(request: Request) -> Response:
    """Send somebody to log in, and afterwards back to where they are."""
    return RedirectResponse(log_in_address(request), 303)


def answers_form(request: Request) -> bool:
    """Say whether a page answers a form: at its address it cannot be asked for again."""
    return request.method not in ("GET", "HEAD")


def log_in_address(request: Request) -> str:
    """Spell where one logs in to come back to this page, or above what answers a form."""
    path = _page_above(request) if answers_form(request) else request.url.path
    back = own_path(path)
    return "/login" if back == FIRST else f"/login?{urlencode({'next': back})}"


def steps_up(request: Request) -> int:
    """Count how many parts of an address lead to no page of ours, from its end.

    A page that refuses says no address, which may hold a secret: its browser knows where it is.
    """
    path = request.url.path
    return path.count("/") - _page_above(request).rstrip("/").count("/")


def _page_above(request: Request) -> str:
    path = request.url.path
    while path.strip("/"):
        asked = {"type": "http", "method": "GET", "path": path, "root_path": "", "headers": []}
        if any(route.matches(asked)[0] is Match.FULL for route in request.app.routes):
            return path
        path = path.rpartition("/")[0]
    return FIRST
