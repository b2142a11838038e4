"""Time, ids and chance come from one object, so that tests and replays can fix them."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from functools import cached_property
from typing import Protocol

from app.config import Settings
from app.engine.dice import Dice
from app.engine.seal import SealedDice
from app.integrations.beacon import Beacon, recorded_beacon
from app.services.keyring import Keyring, keyring_of


class World(Protocol):
    """What a use case may ask of the world outside."""

    @property
    def keys(self) -> Keyring:
        """Give the master keys, from which the seeds of all dice are made."""

    @property
    def beacon(self) -> Beacon | None:
        """Give the public beacon that scenes may wait for; None where there is none."""

    def noise(self) -> bytes:
        """Draw 32 unguessable bytes."""

    def dice(self, key: bytes) -> Dice:
        """Give the dice of one roll by its key."""

    def now(self) -> datetime:
        """Give the time, aware and in UTC."""

    def token(self) -> str:
        """Make an unguessable text of 256 bits that fits in an address."""

    def scene_id(self) -> str:
        """Make an unguessable id of 128 bits that fits in an address."""

    def randbelow(self, bound: int) -> int:
        """Draw a number from 0 to ``bound`` - 1, all equally likely."""


class SystemWorld:
    """The real world: the system's clock, its secure source of chance, and the master keys."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @cached_property
    def keys(self) -> Keyring:
        """Read the master keys; raise KeysUnusable."""
        return keyring_of(self._settings)

    @cached_property
    def beacon(self) -> Beacon | None:
        """Open the file of the beacon, if there is one; raise BeaconFault."""
        path = self._settings.beacon_file
        return None if path is None else recorded_beacon(path)

    def noise(self) -> bytes:
        """Draw from the system's secure source."""
        return secrets.token_bytes(32)

    def dice(self, key: bytes) -> Dice:
        """Give the dice that the key fixes."""
        return SealedDice(key)

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


def check_world(world: World) -> None:
    """Refuse to start where a key or a beacon cannot be read: later it would stop a turn."""
    world.keys.current_key()
    if world.beacon is not None:
        world.beacon.get(1)
