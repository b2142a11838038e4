"""In which time zone to show the times of an answer: the one that the reader chose."""

from __future__ import annotations

from typing import Final
from zoneinfo import ZoneInfo

from starlette.requests import HTTPConnection

from app.services.board_time import zones

COOKIE: Final = "zone"
UTC: Final = "UTC"


def zone_of(request: HTTPConnection) -> str:
    """Name the zone in the reader's cookie, which a form or a script put there; UTC without one."""
    wanted = request.cookies.get(COOKIE, "").replace("%2F", "/").replace("%2f", "/")
    return wanted if wanted in zones() else UTC


def zone_info(name: str) -> ZoneInfo:
    """Give the rules of a zone, right across every change of its clocks."""
    return ZoneInfo(name)
