"""How a part of the API begins: under the version's address, open to every kind of secret."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from fastapi import APIRouter, Security
from fastapi.security import APIKeyCookie, APIKeyHeader, HTTPBearer

from app.http.session import SECURE_COOKIE

VERSION: Final = "/api/v1"

# They read nothing themselves (app.http.principal does): they say in the document how to present
# a secret. Neither may refuse, since a spectator presents none.
BEARER: Final = HTTPBearer(scheme_name="bearer", auto_error=False)
ALIAS: Final = APIKeyHeader(name="X-API-Key", scheme_name="key", auto_error=False)
SESSION: Final = APIKeyCookie(name=SECURE_COOKIE, scheme_name="session", auto_error=False)
SECRETS: Final = (Security(BEARER), Security(ALIAS), Security(SESSION))


def part(*tags: str, dependencies: Sequence[Any] = ()) -> APIRouter:
    """Make the router of a part, whose routes have their whole address from the start.

    A router put into another asks all its routes again for every request that passes it.
    """
    return APIRouter(prefix=VERSION, tags=list(tags), dependencies=[*SECRETS, *dependencies])
