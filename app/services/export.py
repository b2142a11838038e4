"""Everything that a reader may know of a scene, to be taken along in one piece."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.persistence.database import Database
from app.services.access import Principal
from app.services.entry_shapes import EntryRead
from app.services.run import takes_long
from app.services.scenes import scene_read
from app.services.shapes import SceneRead
from app.services.whole import Whole

FORMAT: Final = "arbitro-scene"
VERSION: Final = 1
"""Raised when what is there changes its meaning or goes away; new fields raise nothing."""
MOST_EXPORTED: Final = 1_000
"""Entries in one piece; a longer scene goes on after the last of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneExport:
    """A scene and its entries as the reader sees them; ``next`` is the last of them if more follow.

    ``format`` and ``version`` say how to read it.
    """

    format: str = FORMAT
    version: int = VERSION
    scene: SceneRead
    entries: tuple[EntryRead, ...]
    next: int | None = None


@takes_long
def export_scene(db: Database, principal: Principal, scene_id: str, after: int = 0) -> SceneExport:
    """Read a scene with its entries from the one after ``after``, as far as one may know them."""
    with db.read() as connection:
        whole = Whole.of(
            connection, principal, scene_id, after=after, most=MOST_EXPORTED + 1, proofs=True
        )
        scene = scene_read(connection, principal, scene_id)
    entries = whole.entries()
    more = len(entries) > MOST_EXPORTED
    kept = entries[:MOST_EXPORTED]
    return SceneExport(
        scene=scene,
        entries=kept,
        next=kept[-1].number if more else None,
    )
