"""HTML: parse, one service call, render."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from app.web import docs, home, links, rules, sheets, tags
from app.web.problems import problem_page

__all__ = ["problem_page", "router"]

router: Final = APIRouter(include_in_schema=False)
for part in (home, links, sheets, tags, rules, docs):
    router.include_router(part.router)
