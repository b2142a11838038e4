"""No other site may act with the cookie of somebody who happens to visit it."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app.http.problem import answer_problem, problem
from app.http.session import presents_secret, session_cookie

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
OWN: Final = frozenset({"same-origin", "none"})


class SameOrigin:
    """Refuse a changing request that a browser sends from a page that is not ours.

    A request that presents a secret in a header needs no such care: no page can make a browser
    add that header without asking first, and we grant no other origin. Without a secret the
    browser's own word counts, ``Sec-Fetch-Site``, or ``Origin`` where that is missing; a request
    with neither is no browser's, and passes only if it has no cookie to act with.
    """

    def __init__(self, app: ASGIApp, *, origin: str) -> None:
        self.app = app
        self.origin = origin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 403."""
        if scope["type"] == "http" and not self._may_pass(Request(scope)):
            request = Request(scope)
            await answer_problem(request, problem("cross_site"))(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _may_pass(self, request: Request) -> bool:
        if request.method in SAFE or presents_secret(request):
            return True
        site = request.headers.get("sec-fetch-site")
        if site is not None:
            return site in OWN
        origin = request.headers.get("origin")
        if origin is not None:
            own = f"{request.scope['scheme']}://{request.headers.get('host', '')}"
            return origin.lower() in {self.origin, own.lower()}
        return session_cookie(request) is None
