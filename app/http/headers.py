"""What every answer tells the browser: nothing from elsewhere, nothing to elsewhere."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Only our own host, and no inline script or style; `data:` because the vendored style sheets draw
# their small icons that way.
CONTENT_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "object-src 'none'",  # as it follows from the first, but some checks look for it
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
# A document in a frame of ours: it may have styles of its own and nothing else. It runs nothing,
# not even when somebody opens it by itself, and whatever it tries to load stays away.
FRAMED_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        "frame-ancestors 'self'",
        "form-action 'none'",
        "base-uri 'none'",
        "sandbox",
    )
)
FRAMED: Final = "Content-Security-Policy"
ALWAYS: Final = {
    "Content-Security-Policy": CONTENT_POLICY,
    "Referrer-Policy": "no-referrer",  # an address may hold a secret
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
UNLESS_SAID: Final = {"Cache-Control": "no-store"}  # an answer may show a secret, once
ONE_YEAR: Final = "max-age=31536000"


class SecurityHeaders:
    """Put the headers on whatever is answered, refusals and failures included."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self.app = app
        self.always = {**ALWAYS, "Strict-Transport-Security": ONE_YEAR} if secure else ALWAYS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the application does, with the headers added."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                framed = headers.get(FRAMED) == FRAMED_POLICY
                headers.update(self.always)
                if framed:
                    headers[FRAMED] = FRAMED_POLICY
                for name, value in UNLESS_SAID.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)
