"""A world that tests hold in their hands: its clock, its ids and its dice."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from app.config import Settings
from app.engine.dice import Address
from app.engine.seal import SealedDice
from app.services.keyring import Keyring
from app.services.world import SystemWorld

START = datetime(2025, 3, 29, 14, 0, tzinfo=UTC)


KEYS = Keyring({"test": hashlib.sha256(b"a key of tests").digest()}, "test")
KEYS_TEXT = ",".join(f"{id}:{key.hex()}" for id, key in KEYS.keys.items())


class FixedWorld:
    """Gives the same tokens and ids in the same order each time, and the faces it was told.

    Without faces every die shows ``face``, or its highest side if it has not that many.
    """

    beacon: Any = None

    keys = KEYS

    def __init__(self, *faces: int, seed: str = "world", face: int = 7) -> None:
        self.seed = seed
        self.face = face
        self.time = START
        self.thrown: list[int] = []
        self._faces = list(faces)
        self._made = 0
        self._lock = threading.Lock()

    def now(self) -> datetime:
        """Give the time that was set."""
        return self.time

    def wait(self, span: timedelta) -> None:
        """Let time pass, or turn the clock back."""
        self.time += span

    def token(self) -> str:
        """Make the next token, of 43 characters like a real one."""
        return self._next()[:43]

    def scene_id(self) -> str:
        """Make the next id, of 22 characters like a real one."""
        return self._next()[:22]

    def randbelow(self, bound: int) -> int:
        """Throw the next die that was told."""
        with self._lock:
            face = self._faces.pop(0) if self._faces else min(self.face, bound)
            self.thrown.append(face)
        return face - 1

    def noise(self) -> bytes:
        """Make the next 32 bytes."""
        return bytes.fromhex(self._next())

    def dice(self, key: bytes) -> Any:  # production's dice need it
        """Give dice that show what they were told, whatever key they have."""
        return ToldDice(self)

    def throw(self, faces: Iterable[int]) -> None:
        """Tell what the next dice will show."""
        self._faces.extend(faces)

    def _next(self) -> str:
        with self._lock:
            self._made += 1
            return hashlib.sha256(f"{self.seed} {self._made}".encode()).hexdigest()


class ToldDice:
    """Dice of a world that tests hold in their hands."""

    def __init__(self, world: FixedWorld) -> None:
        self.world = world

    def face(self, _address: Address, sides: int) -> int:
        """Show the next face that was told."""
        return 1 + self.world.randbelow(sides)

    def tags(self) -> dict[Address, Any]:
        """Say that no die had another modifier than its label lists."""
        return {}


class SealedWorld(FixedWorld):
    """A world whose dice are those of production: fixed by the key, and by nothing else."""

    def dice(self, key: bytes) -> Any:
        """Give the dice that the key fixes."""
        return SealedDice(key)


def system_world() -> SystemWorld:
    """Make the real world, with the keys of tests."""
    return SystemWorld(Settings(master_keys=KEYS_TEXT))
