"""What a client names instead of sending it: stored sheets by ids, a precedent by its number."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from app.persistence import queries_access as queries
from app.persistence.codec import read_stored
from app.services.access import Principal
from app.services.citing import filled_in
from app.services.errors import Malformed, Mistake
from app.services.games import Game, read_order


def stored_sheet(
    connection: Connection, principal: Principal, board: str, ruleset: Game, sheet_id: str
) -> Any | None:
    """Give the data of a board's stored sheet to those who keep them; None if there is none."""
    found = queries.sheet_now(connection, sheet_id) if principal.is_any_gm(board) else None
    if found is None or (found.board, found.ruleset) != (board, ruleset.key):
        return None
    return read_stored(found.data)


def read_given(
    connection: Connection,
    principal: Principal,
    board: str,
    ruleset: Game,
    order: object,
    at: str = "order",
) -> Any:
    """Read an order, in which a sheet may be the id of a stored one, its own or its entrant's."""
    if not isinstance(order, dict):
        return read_order(ruleset, order, at)
    given = _filled(connection, principal, board, ruleset, order, at)
    entrant = given.get("entrant")
    if isinstance(entrant, dict):
        given["entrant"] = _filled(connection, principal, board, ruleset, entrant, f"{at}.entrant")
    given = filled_in(connection, principal, board, ruleset, given, at)
    return read_order(ruleset, given, at)


def _filled(
    connection: Connection,
    principal: Principal,
    board: str,
    ruleset: Game,
    given: dict[str, Any],
    at: str,
) -> dict[str, Any]:
    sheet_id = given.get("sheet")
    if not isinstance(sheet_id, str):
        return dict(given)
    sheet = stored_sheet(connection, principal, board, ruleset, sheet_id)
    if sheet is None:
        raise Malformed(Mistake(f"{at}.sheet", "missing"))
    return {**given, "sheet": sheet}
