"""The ways by which a notice reaches somebody, and the kinds that they do not want by one."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from app.services.errors import Malformed, Mistake
from app.services.notices import Telling


class Channel(StrEnum):
    """By which way a notice is told."""

    INBOX = "inbox"
    FEED = "feed"
    MAIL = "mail"
    HOOK = "hook"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mute:
    """A kind of notice that is not wanted by one way."""

    channel: Channel
    kind: Telling

    @classmethod
    def of(cls, channel: str, kind: str) -> Mute:
        """Read a stored one."""
        return cls(channel=Channel(channel), kind=Telling(kind))


def check_mutes(muted: Iterable[Mute], ways: Collection[Channel]) -> None:
    """Raise Malformed for a way that is not theirs, and for one that is named twice."""
    found = tuple(muted)
    for at, one in enumerate(found):
        if one.channel not in ways:
            raise Malformed(
                Mistake(f"muted[{at}].channel", "unknown_choice", {"choices": tuple(ways)})
            )
    if len(set(found)) < len(found):
        raise Malformed(Mistake("muted", "duplicate"))
