"""The example that a newcomer finds: one scene of two combatants, ready to be played."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.persistence.codec import decode
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.services.access import Principal, Role
from app.services.boards import owner_link
from app.services.errors import NotFound
from app.services.links import principal_of_secret, reissue
from app.services.scenes import list_scenes, open_scene, read_scene
from app.services.shapes import (
    OpenedScene,
    OpenScene,
    SceneRead,
)
from app.services.world import World

EXAMPLE: Final = Path(__file__).with_name("demo.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeded:
    """The example scene with every secret that opens something."""

    scene_id: str
    owner_secret: str
    gm_secret: str
    seat_secrets: Mapping[str, str]


def seed(db: Database, world: World) -> Seeded:
    """Open the example scene, unless it is there already; the links are new each time."""
    example = decode(OpenScene, tomllib.loads(EXAMPLE.read_text(encoding="utf-8")))
    owner_secret = owner_link(db, world, FIRST_BOARD)
    owner = principal_of_secret(db, world, owner_secret)
    if owner is None:
        raise NotFound
    old = _find(db, owner, example)
    if old is None:
        opened = open_scene(db, world, owner, FIRST_BOARD, example, world.token())
    else:
        opened = _reopened(db, world, owner, old)
    return Seeded(
        scene_id=opened.scene_id,
        owner_secret=owner_secret,
        gm_secret=opened.gm_secret,
        seat_secrets=opened.seat_secrets,
    )


def _find(db: Database, owner: Principal, example: OpenScene) -> SceneRead | None:
    """Find the example that an earlier start has opened, as long as it can go on."""
    for line in list_scenes(db, owner, FIRST_BOARD, limit=100):
        if line.title == example.title and line.ended_at is None:
            scene = read_scene(db, owner, line.id)
            if scene.current:
                return scene
    return None


def _reopened(db: Database, world: World, owner: Principal, scene: SceneRead) -> OpenedScene:
    return OpenedScene(
        scene_id=scene.id,
        gm_secret=reissue(db, world, owner, scene.id, Role.GM, None),
        seat_secrets={
            seat: reissue(db, world, owner, scene.id, Role.SEAT, seat) for seat in scene.seats
        },
    )
