"""A scene that was looked for."""

from __future__ import annotations

from app.persistence.queries import SceneNow
from app.services.errors import NotFound


def found(scene: SceneNow | None) -> SceneNow:
    """Give the scene that was found; raise NotFound where there is none."""
    if scene is None:
        raise NotFound
    return scene
