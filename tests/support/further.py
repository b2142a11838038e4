"""A further game for the length of a test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from app.catalogue import forget
from app.games import REGISTRIES, GamePackage, register


@contextmanager
def registered(*games: GamePackage) -> Iterator[None]:
    """Register games, and leave the registries afterwards as they were."""
    before = [dict(one) for one in REGISTRIES]
    try:
        for game in games:
            register(game)
        yield
    finally:
        for registry, kept in zip(REGISTRIES, before, strict=True):
            registry.clear()
            registry.update(kept)
        forget()
