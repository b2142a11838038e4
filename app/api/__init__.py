"""JSON: parse, one service call, render."""

from __future__ import annotations

from typing import Final

from starlette.routing import BaseRoute

from app.api import docs, health, v1

__all__ = ["ROUTES"]

ROUTES: Final[tuple[BaseRoute, ...]] = (*health.router.routes, *docs.router.routes, *v1.ROUTES)
