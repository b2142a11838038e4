"""How much of a request is read before anybody looks at it."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.problem import answer_problem, problem

_BODILESS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


class BodyLimit:
    """Read the whole body of a request first, and refuse it as soon as it proves too long.

    Bodies are small here, so that holding one in memory is simpler than stopping a parser half
    way; a body without a declared length is counted as it comes.
    """

    def __init__(self, app: ASGIApp, *, most: int) -> None:
        self.app = app
        self.most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request whose body is short enough, and answer 413 or 415 to others."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        if request.headers.get("content-encoding", "identity").lower() != "identity":
            # We would have to inflate it to know its length.
            await self._refuse("encoding_unsupported", scope, receive, send)
            return
        declared = request.headers.get("content-length", "")
        if declared.isascii() and declared.isdigit() and int(declared[:20]) > self.most:
            await self._refuse("body_too_long", scope, receive, send)
            return
        if request.method in _BODILESS and not declared:
            await self.app(scope, receive, send)
            return
        body = b""
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return  # half a form can look like a whole one: it must not be acted on
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self.most:
                await self._refuse("body_too_long", scope, receive, send)
                return
        await self.app(scope, _replayed(body, receive), send)

    async def _refuse(self, code: str, scope: Scope, receive: Receive, send: Send) -> None:
        # What was not read must not be taken for the next request of this connection.
        facts = {"most": self.most // 1024}
        refusal = problem(code, facts=facts, headers={"Connection": "close"})
        await answer_problem(Request(scope), refusal)(scope, receive, send)


def _replayed(body: bytes, receive: Receive) -> Receive:
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return pending.pop() if pending else await receive()

    return again
