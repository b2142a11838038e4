"""JSON: parse, one service call, render."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from app.api import docs, health, v1

__all__ = ["router"]

router: Final = APIRouter()
router.include_router(health.router)
router.include_router(docs.router)
router.include_router(v1.router)
