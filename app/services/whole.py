"""A scene from its first entry on, as far as a reader may know it, read at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

from app.engine.ruleset import Seat
from app.persistence import queries
from app.persistence.queries import EntryFull, SceneNow
from app.services.access import Principal
from app.services.casting import as_cast
from app.services.dice_shapes import Proof
from app.services.entries import Around, entry_read
from app.services.entry_shapes import EntryRead
from app.services.games import Game, game
from app.services.proofs import proofs_of
from app.services.scene_found import found
from app.services.sight import eyes_of

AT_A_TIME: Final = 100


@dataclass(frozen=True, slots=True)
class Whole:
    """A scene, those of its entries that were asked for, and through which seats it is read."""

    scene: SceneNow
    ruleset: Game
    eyes: tuple[Seat, ...]
    rows: tuple[EntryFull, ...]
    around: Around
    proofs: Mapping[int, Proof]

    @classmethod
    def of(
        cls,
        connection: Connection,
        principal: Principal,
        scene_id: str,
        *,
        after: int = 0,
        most: int | None = None,
        proofs: bool = False,
    ) -> Whole:
        """Read a scene with its entries from the one after ``after``, ``most`` of them or all.

        With ``proofs`` also by what each of them can be checked.
        """
        scene = found(queries.scene_now(connection, scene_id))
        rows: list[EntryFull] = []
        while most is None or len(rows) < most:
            limit = AT_A_TIME if most is None else min(AT_A_TIME, most - len(rows))
            last = rows[-1].number if rows else after
            page = queries.entries_full(connection, scene_id, last, limit)
            rows += page
            if len(page) < limit:
                break
        return cls(
            scene=scene,
            ruleset=game(scene.ruleset),
            eyes=eyes_of(as_cast(principal, scene), scene),
            rows=tuple(rows),
            around=Around.of(connection, scene_id, rows),
            proofs=proofs_of(connection, scene, (r.number for r in rows)) if proofs else {},
        )

    def entries(self) -> tuple[EntryRead, ...]:
        """Give the entries as these eyes see them."""
        return tuple(
            entry_read(
                self.ruleset, self.scene, row, self.around, self.eyes, self.proofs.get(row.number)
            )
            for row in self.rows
        )
