"""Instants as texts: a date, a time and its distance from UTC, as RFC 3339 writes them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

YEARS: Final = range(2000, 2201)
_INSTANT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?"
    r"([Zz]|[+-][0-9]{2}:[0-9]{2})\Z",
    re.ASCII,
)


def read_moment(text: object) -> datetime | None:
    """Read an instant; None for what is none, or for a year that nobody plays in."""
    if not isinstance(text, str) or not _INSTANT.match(text):
        return None
    try:
        found = datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return found if found.year in YEARS else None
