"""Time, ids and chance come from one object, so that tests and replays can fix them."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Protocol


class World(Protocol):
    """What a use case may ask of the world outside."""

    def now(self) -> datetime:
        """Give the time, aware and in UTC."""

    def token(self) -> str:
        """Make an unguessable text of 256 bits that fits in an address."""

    def scene_id(self) -> str:
        """Make an unguessable id of 128 bits that fits in an address."""

    def randbelow(self, bound: int) -> int:
        """Draw a number from 0 to ``bound`` - 1, all equally likely."""


class SystemWorld:
    """The real world: the system's clock and its secure source of chance."""

    def now(self) -> datetime:
        """Give the system's time in UTC."""
        return datetime.now(UTC)

    def token(self) -> str:
        """Make a token from the system's secure source."""
        return secrets.token_urlsafe(32)

    def scene_id(self) -> str:
        """Make an id from the system's secure source."""
        return secrets.token_urlsafe(16)

    def randbelow(self, bound: int) -> int:
        """Draw from the system's secure source."""
        return secrets.randbelow(bound)
