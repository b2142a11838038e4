"""One call of the API: who calls, what was sent, and how a value is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Concatenate, Final, ParamSpec, TypeAlias, TypeVar

from fastapi import Depends, Request
from starlette.responses import Response

from app.http.context import Shared, shared
from app.http.language import Language, language_of
from app.http.principal import principal_of
from app.http.problem import Refusal, problem
from app.http.refusals import flaws_of
from app.http.session import presents_secret
from app.persistence.codec import decode, encode, read_json, write_json
from app.persistence.database import Database
from app.services.access import Principal
from app.services.errors import Refused
from app.services.run import run
from app.services.world import World

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """What every route needs to know about the request it answers."""

    request: Request
    shared: Shared
    principal: Principal
    language: Language

    @property
    def world(self) -> World:
        """Give the clock and the chance of this application."""
        return self.shared.world

    @property
    def has_key(self) -> bool:
        """Say whether a program calls, with a secret in a header, and no browser by its cookie."""
        return presents_secret(self.request)

    async def run(
        self, use_case: Callable[Concatenate[Database, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run one use case."""
        return await run(self.shared.database, use_case, *args, **kwargs)

    async def json(self) -> object:
        """Read the body as JSON data, from its very bytes; raise Refusal or Malformed."""
        if not says_json(self.request.headers.get("content-type", "")):
            raise Refusal(problem("media_type_unsupported"))
        return read_json(await self.request.body())

    async def read(self, wanted: type[T]) -> T:
        """Read the body as a value of a type; raise Refusal or Malformed."""
        return decode(wanted, await self.json())

    def link(self, secret: str) -> str:
        """Spell the address at which a secret is opened in a browser."""
        return f"{self.shared.settings.base_url}/k/{secret}"


def says_json(content_type: str) -> bool:
    """Say whether a Content-Type announces JSON in UTF-8."""
    kind, *parameters = content_type.lower().split(";", 4)
    named = dict(part.strip().partition("=")[::2] for part in parameters)
    charset = named.get("charset", "utf-8").strip('"')
    return kind.strip() == "application/json" and charset in {"utf-8", "utf8"}


async def call(request: Request) -> Call:
    """Find out what every route needs to know."""
    return Call(request, shared(request), await principal_of(request), language_of(request))


Here: TypeAlias = Annotated[Call, Depends(call)]
# For routes that anybody may read: a secret that does not hold is refused there too.
CHECKED: Final = Depends(call)


def answer(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Answer a value; equal values give equal bytes.

    A use case that gave its first answer again says so in ``replayed``, which becomes a header:
    the body is the first one, byte for byte.
    """
    data = encode(value)
    sent = dict(headers or {})
    if isinstance(data, dict) and data.pop("replayed", False):
        sent["Idempotency-Replayed"] = "true"
    return Response(write_json(data), status, sent, media_type="application/json")


def tag(version: int) -> Mapping[str, str]:
    """Name the version of what is answered; ``If-Match`` sends it back."""
    return {"ETag": f'"{version}"'}


@contextmanager
def about(field: str) -> Iterator[None]:
    """Let what the rules refuse name its fields as they stand in the body, under ``field``."""
    try:
        yield
    except Refused as refused:
        # What stands in the way of an earlier decision is in no body.
        at = field if refused.entry is None else f"entries.{refused.entry}"
        flaws = flaws_of(refused.obstacles, at)
        raise Refusal(problem("refused", flaws=flaws)) from refused
