"""Lifting the veils from what players had sealed, once it has come to light (CD-69c)."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from app.engine.ruleset import never_lifted
from app.persistence import queries, queries_ledger
from app.services.cup import Cup
from app.services.games import Game
from app.services.log import read_stored_order


def unveil(
    connection: Connection, cup: Cup | None, ruleset: Game, scene_id: str, state: Any
) -> None:
    """Tell everybody the orders that a state no longer seals, in the history and in the ledger.

    What takes such an order back, or puts its story into other words, is told with it.
    """
    if ruleset.lifts is never_lifted:
        return
    lifted: set[int] = set()
    for entry in queries.veiled(connection, scene_id):
        if entry.order is None:
            told = not lifted.isdisjoint((entry.voids, entry.corrects))
        else:
            told = ruleset.lifts(state, read_stored_order(ruleset, entry.order))
        if told:
            lifted.add(entry.number)
    if lifted:
        queries.lift_veils(connection, scene_id, lifted)
    if cup is not None:
        for line in queries_ledger.sealed_in_vain(connection, scene_id):
            cup.ledger.open(line)
