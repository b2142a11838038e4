"""Times that somebody types, in the zone in which they see all others."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from app.services.errors import Malformed, Mistake
from app.web.forms import Nested, text_at


def instant_in(form: Nested, name: str, zone: str) -> datetime:
    """Read what a field for date and time holds as an instant; raise Malformed for anything else.

    Where the clocks were put back and a time occurs twice, the first one is meant.
    """
    text = text_at(form, name).strip()
    if not text:
        raise Malformed(Mistake(name, "missing"))
    try:
        local = datetime.fromisoformat(text)
    except ValueError:
        raise Malformed(Mistake(name, "no_moment")) from None
    if local.tzinfo is None:
        local = local.replace(tzinfo=ZoneInfo(zone))
    if not 2000 <= local.year <= 2200:
        raise Malformed(Mistake(name, "no_moment"))
    return local.astimezone(UTC)


def typed(moment: datetime, zone: str) -> str:
    """Write an instant as a field for date and time holds it."""
    return f"{moment.astimezone(ZoneInfo(zone)):%Y-%m-%dT%H:%M}"
