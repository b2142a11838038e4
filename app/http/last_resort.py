"""Whatever nobody foresaw is noted, and answered like any other refusal."""

from __future__ import annotations

import logging
from typing import Final

from sqlalchemy.exc import StatementError
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.access_log import pattern
from app.http.problem import answer_problem, problem

LOG: Final = logging.getLogger("arbitro")


class LastResort:
    """Answer 500 where the application fails.

    This stands inside the security headers, which the framework's own handler does not; it
    logs where the failure came from and nothing of what the request said.
    """

    def __init__(self, app: ASGIApp, *, debug: bool) -> None:
        self.app = app
        self.debug = debug

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and answer for the application if it cannot."""
        if scope["type"] != "http" or self.debug:
            await self.app(scope, receive, send)
            return
        begun = False

        async def send_and_note(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        except Exception as error:
            _keep_back(error)
            LOG.exception("%s %s failed", scope["method"], pattern(scope))
            if begun:
                raise  # half an answer is out: only breaking the connection tells the client
            request = Request(scope)
            await answer_problem(request, problem("internal_error"))(scope, receive, send)


def _keep_back(error: BaseException) -> None:
    """Let no error show the values of a statement: digests of secrets, and what players wrote."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, StatementError):
            seen.hide_parameters = True
        seen = seen.__cause__ or seen.__context__
