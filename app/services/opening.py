"""What a scene starts from: a client's set-up, the board's options, and stored sheets."""

from __future__ import annotations

import dataclasses
from typing import Any

from sqlalchemy import Connection

from app.persistence.codec import checked, decode
from app.services.access import Principal
from app.services.book_rule import unapproved
from app.services.copies import copied
from app.services.errors import Malformed, Mistake, Refused
from app.services.games import Game, board_types
from app.services.naming import check_names, names_taken
from app.services.shapes import (
    BoardRead,
)
from app.services.stored import stored_sheet


def read_setup(
    connection: Connection, principal: Principal, board: BoardRead, ruleset: Game, setup: object
) -> Any:
    """Complete a set-up with what the board gives; raise Malformed or Refused for a bad one."""
    given = {name: getattr(board, name)[ruleset.key] for name in board_types(ruleset.key)}
    if isinstance(setup, ruleset.setup):
        value = dataclasses.replace(checked(ruleset.setup, setup, "setup"), **given)
        check_names(value)
        if mistakes := unapproved(connection, board.id, value):
            raise Malformed(*mistakes)
        if obstacles := ruleset.check_setup(value):
            raise Refused(obstacles)
        return value
    return _decoded(connection, principal, board.id, ruleset, setup, given)


def _decoded(
    connection: Connection,
    principal: Principal,
    board: str,
    ruleset: Game,
    setup: object,
    given: dict[str, Any],
) -> Any:
    if not isinstance(setup, dict):
        return decode(ruleset.setup, setup, "setup")
    # The board's settings are the owner's; whoever opens a scene cannot choose others.
    mistakes = [Mistake(f"setup.{name}", "unknown_field") for name in given if name in setup]
    complete = {name: value for name, value in setup.items() if name not in given}
    if isinstance(setup.get("entrants"), list):
        entrants, wrong = _with_sheets(connection, principal, board, ruleset, setup["entrants"])
        complete["entrants"] = entrants
        mistakes += wrong
    made = copied(complete)
    mistakes += made.mistakes
    try:
        value = decode(ruleset.setup, made.setup, "setup")
    except Malformed as error:
        named = {mistake.field for mistake in mistakes}
        found = made.of_client(error.mistakes)
        more = (mistake for mistake in found if mistake.field not in named)
        raise Malformed(*mistakes, *more) from None
    mistakes += made.of_client(names_taken(value))
    mistakes += made.of_client(unapproved(connection, board, value))
    if mistakes:
        raise Malformed(*mistakes)
    value = dataclasses.replace(value, **given)
    if obstacles := ruleset.check_setup(value):
        raise Refused(made.in_the_way(obstacles))
    return value


def _with_sheets(
    connection: Connection,
    principal: Principal,
    board: str,
    ruleset: Game,
    entrants: list[Any],
) -> tuple[list[Any], list[Mistake]]:
    """Put stored sheets where entrants name them."""
    complete: list[Any] = []
    mistakes: list[Mistake] = []
    for index, entrant in enumerate(entrants):
        if not isinstance(entrant, dict) or not isinstance(entrant.get("sheet"), str):
            complete.append(entrant)
            continue
        sheet = stored_sheet(connection, principal, board, ruleset, entrant["sheet"])
        if sheet is None:
            mistakes.append(Mistake(f"setup.entrants[{index}].sheet", "missing"))
            complete.append({name: one for name, one in entrant.items() if name != "sheet"})
        else:
            complete.append({**entrant, "sheet": sheet})
    return complete, mistakes
