"""One form that a browser sends twice: both get one answer, and with it the newer cookie."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.csrf import SAFE
from app.http.session import presents_secret, session_cookie, session_set

KEPT_FOR: Final = 120.0  # seconds
MOST_KEPT: Final = 200
LARGEST_KEPT: Final = 128 * 1024
_NAMED: Final = ("content-type", "idempotency-key", "if-match", "hx-request")


@dataclass(slots=True)
class _Form:
    """A form that is being answered, and how many wait for its answer."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0


class SameForm:
    """Answer the same form from the same browser as before, where that changed its cookie.

    A cookie that became another opens nothing from then on. So a double click, or an answer that
    got lost on the way, would leave the browser with the old one and log it out. Whoever sends
    every byte of the form again with the very cookie it was sent with gets the very answer again,
    for a short while; the old cookie opens nothing else, and no other form. What is kept is in the
    memory of this process; a new start forgets it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._forms: dict[str, _Form] = {}
        self._kept: OrderedDict[str, tuple[float, tuple[Message, ...]]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a form anew, or as it was answered just before."""
        if scope["type"] != "http" or scope["method"] in SAFE:
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        cookie = None if presents_secret(request) else session_cookie(request)
        if cookie is None:
            await self.app(scope, receive, send)
            return
        body = await request.body()
        name = _name_of(request, cookie, body)
        form = self._forms.setdefault(name, _Form())
        form.users += 1
        try:
            async with form.lock:  # a second click waits for what the first one came to
                await self._answer(request, name, _again(body, receive), send)
        finally:
            form.users -= 1
            if not form.users:
                del self._forms[name]

    async def _answer(self, request: Request, name: str, receive: Receive, send: Send) -> None:
        kept = self._remembered(name)
        if kept is not None:
            start, *rest = kept
            # Others put headers of their own on what is sent.
            await send({**start, "headers": list(start["headers"])})
            for message in rest:
                await send(dict(message))
            return
        told: list[Message] = []

        async def note(message: Message) -> None:
            if message["type"] == "http.response.start":
                if session_set(request, message["headers"]):
                    told.append({**message, "headers": list(message["headers"])})
            elif told:
                told.append(dict(message))
            await send(message)

        try:
            await self.app(request.scope, receive, note)
        finally:
            # The sender may be gone before the answer is: then above all it was lost.
            self._remember(name, told)

    def _remembered(self, name: str) -> tuple[Message, ...] | None:
        since, told = self._kept.get(name, (0.0, ()))
        return told if told and time.monotonic() - since <= KEPT_FOR else None

    def _remember(self, name: str, told: list[Message]) -> None:
        now = time.monotonic()
        while self._kept and now - next(iter(self._kept.values()))[0] > KEPT_FOR:
            self._kept.popitem(last=False)
        size = sum(len(one.get("body", b"")) for one in told)
        whole = bool(told) and not told[-1].get("more_body", False) and len(told) > 1
        if whole and size <= LARGEST_KEPT:
            self._kept[name] = (now, tuple(told))
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)


def _name_of(request: Request, cookie: str, body: bytes) -> str:
    """Name a form by a digest of everything that it is, and of whose."""
    query = request.scope["query_string"]
    parts = [cookie.encode(), request.method.encode(), request.scope["path"].encode(), query]
    parts += [request.headers.get(one, "").encode() for one in _NAMED]
    made = hashlib.sha256()
    for part in (*parts, body):
        made.update(len(part).to_bytes(8) + part)
    return made.hexdigest()


def _again(body: bytes, receive: Receive) -> Receive:
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return pending.pop() if pending else await receive()

    return again
