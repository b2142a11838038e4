"""One line for each answered request, without anything that a request may keep secret."""

from __future__ import annotations

import logging
import re
import time
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.security_log import note_event

LOG: Final = logging.getLogger("arbitro.access")
_SECRET_IN_PATH: Final = re.compile(
    r"/(?P<of>k|i|reset|feeds|mail|s|api/v1/summaries)/[^\s\"?#]+"
    r"|(?P<callback>/login/oidc/callback)\?[^\s\"#]+"
)


class AccessLog:
    """Log method, pattern of the address, status and milliseconds.

    The pattern (``/scenes/{scene_id}``) and never the address itself, which may hold a secret or
    somebody's words; an address that no page has is logged as ``-``.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and log what came of it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status = 0
        began = time.perf_counter()

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        finally:
            method, place = scope["method"] if scope["method"].isalpha() else "-", pattern(scope)
            took = (time.perf_counter() - began) * 1000
            LOG.info("%s %s %s %.1f ms", method, place, status or "unanswered", took)
            note_event(scope, method, place, status)


def pattern(scope: Scope) -> str:
    """Give the pattern of the address that answered; ``-`` where none did.

    A route knows its own part of the pattern; what stands before it is the same in every address.
    """
    route, path = scope.get("route"), str(scope["path"])
    shape, own = getattr(route, "path_regex", None), getattr(route, "path_format", None)
    if shape is None or own is None:
        return "-"
    cuts = (one.start() for one in re.finditer("/", path))
    head = next((path[:cut] for cut in cuts if shape.match(path[cut:])), None)
    return "-" if head is None else f"{head}{own}"


class WithoutSecrets(logging.Filter):
    """Take the secret of a link out of the lines of a server that logs whole addresses."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep every line, with the secrets struck out."""
        if isinstance(record.args, tuple):
            record.args = tuple(_struck(one) for one in record.args)
        record.msg = _struck(record.msg)
        return True


def _struck(value: object) -> object:
    return _SECRET_IN_PATH.sub(_without, value) if isinstance(value, str) else value


def _without(found: re.Match[str]) -> str:
    return f"{found['callback']}?…" if found["callback"] else f"/{found['of']}/…"


def speak() -> None:
    """Let our lines be seen, unless whoever runs the service has set up logging already."""
    ours = logging.getLogger("arbitro")
    if ours.hasHandlers():
        return
    handler = logging.StreamHandler()
    shape = "%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s %(message)s"
    formatter = logging.Formatter(shape, "%Y-%m-%dT%H:%M:%S")
    formatter.converter = time.gmtime  # lines of two machines are put in one order
    handler.setFormatter(formatter)
    ours.addHandler(handler)
    ours.setLevel(logging.INFO)


def quiet_the_server() -> None:
    """Let no secret through uvicorn's own access log, whoever started it."""
    log = logging.getLogger("uvicorn.access")
    if not any(isinstance(one, WithoutSecrets) for one in log.filters):
        log.addFilter(WithoutSecrets())
