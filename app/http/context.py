"""What every request of one application shares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from app.config import Settings
from app.http.flaws import Problem
from app.http.rate import Attempts
from app.integrations.oidc import Provider
from app.persistence.database import Database
from app.services.world import World


@dataclass(frozen=True, slots=True)
class Shared:
    """Settings, database and world, put together once by the composition root.

    ``problem_page`` shows a refusal to somebody who reads pages; the API never uses it.
    """

    settings: Settings
    database: Database
    world: World
    problem_page: Callable[[Request, Problem], Response] | None = None
    oidc: Provider | None = None
    attempts: Attempts = field(default_factory=Attempts)


def shared(request: HTTPConnection) -> Shared:
    """Find what the application of this request shares."""
    found: Shared = request.app.state.shared
    return found
