"""By what each entry can be checked, and the ledger as it is handed out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace

from sqlalchemy import Connection

from app.engine.ruleset import Seat
from app.persistence import queries
from app.persistence import queries_ledger as ledgers
from app.persistence.database import Database
from app.persistence.queries import SceneNow
from app.services.called import names_in
from app.services.dice_shapes import LedgerRead, Proof
from app.services.games import game, read_kept
from app.services.scene_found import found


def read_ledger(db: Database, scene_id: str) -> LedgerRead:
    """Read the lines of a scene's ledger as they were hashed; anybody may."""
    with db.read() as connection:
        found(queries.scene_now(connection, scene_id))
        lines = ledgers.ledger(connection, scene_id)
    return LedgerRead(
        lines=tuple(line.line.decode() for line in lines), head=lines[-1].head if lines else ""
    )


def ledger_file(ledger: LedgerRead) -> bytes:
    """Write a ledger as the file that is downloaded: each line, and a line feed after it."""
    return "".join(f"{line}\n" for line in ledger.lines).encode()


def proofs_of(
    connection: Connection, scene: SceneNow, entries: Iterable[int]
) -> Mapping[int, Proof]:
    """Give by what entries can be checked: the newest line about each, and its roll."""
    proofs: dict[int, Proof] = {}
    for line in ledgers.lines_about(connection, scene.id, entries):
        if line.entry is not None:
            data = json.loads(line.line)
            is_roll = data["kind"] == "roll"
            proofs[line.entry] = Proof(
                scheme=scene.scheme,
                line=line.number,
                head=line.head,
                kind=data["kind"],
                roll=data["r"] if is_roll else None,
                seed=data["seed"] if is_roll else None,
            )
            if is_roll and data["r"] == 1:
                proofs[line.entry] = _of_the_first(connection, scene, proofs[line.entry])
    return proofs


def _of_the_first(connection: Connection, scene: SceneNow, proof: Proof) -> Proof:
    """Add to the proof of the first roll who gave no salt, and the anchor that counts now."""
    _, dice, salts = ledgers.standing(connection, scene.id)
    without = tuple(row.seat for row in salts if row.missing)
    anchor = dice.anchor if dice is not None and dice.redone else None
    return replace(proof, without=without, names=_names(scene, without), anchor=anchor)


def _names(scene: SceneNow, seats: tuple[Seat, ...]) -> tuple[str, ...]:
    """Name seats as they were called when the scene began, so that a post stays as it was made.

    Salts are asked of those who were there then, and who takes part is no secret. Of a scene of
    another edition there are perhaps only seats.
    """
    if not seats:
        return ()
    ruleset = game(scene.ruleset)
    setup = read_kept(ruleset, ruleset.setup, scene.setup, scene.edition)
    return () if setup is None else names_in(ruleset, ruleset.start(setup), seats)
