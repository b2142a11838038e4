"""What the players of a scene that has just been opened should know beforehand (CD-A13)."""

from __future__ import annotations

from typing import Any

from app.persistence import queries
from app.persistence.codec import load
from app.persistence.database import Database
from app.services.games import game
from app.services.odds import Notice, warn_of
from app.services.scene_found import found


def foreseen(db: Database, scene_id: str) -> list[Notice]:
    """List the warnings for a scene in which nothing was decided yet; later ones come too late."""
    with db.read() as connection:
        scene = found(queries.scene_now(connection, scene_id))
    ruleset = game(scene.ruleset)
    if scene.last or scene.edition != ruleset.edition or ruleset.autoplay is None:
        return []
    setup: Any = load(ruleset.setup, scene.setup)
    return warn_of(ruleset, setup)
