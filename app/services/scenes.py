"""Scenes: opened from a set-up, and read as the reader may see them."""

from __future__ import annotations

from typing import Any

from app.engine.ruleset import Seat
from app.persistence.database import Database
from app.services.access import Principal
from app.services.shapes import EntryRead, OpenedScene, OpenScene, SceneLine, SceneRead
from app.services.world import World


def open_scene(
    db: Database, world: World, principal: Principal, opening: OpenScene, key: str
) -> OpenedScene:
    """Open a scene, if the board lets this principal; the same key gives the same scene again."""
    raise NotImplementedError


def list_scenes(
    db: Database, principal: Principal, *, after: str | None = None, limit: int = 50
) -> tuple[SceneLine, ...]:
    """List the scenes a principal has to do with, newest first; the owner sees all.

    ``after`` is the id of the last scene of the page before.
    """
    raise NotImplementedError


def read_scene(
    db: Database, principal: Principal, scene_id: str, seat: Seat | None = None
) -> SceneRead:
    """Read a scene as the principal sees it, or as one of the seats it may act as."""
    raise NotImplementedError


def read_entry(db: Database, principal: Principal, scene_id: str, number: int) -> EntryRead:
    """Read one entry in full."""
    raise NotImplementedError


def read_entries(
    db: Database, principal: Principal, scene_id: str, *, after: int = 0, limit: int = 50
) -> tuple[EntryRead, ...]:
    """Read entries in full, in their order, from the one after ``after``."""
    raise NotImplementedError


def choices(db: Database, principal: Principal, scene_id: str, seat: Seat) -> Any:
    """List what a seat may decide now, as its ruleset describes it."""
    raise NotImplementedError
