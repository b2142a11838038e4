"""What the scenes of a board take: any sheet, or only what its book has approved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection

from app.engine.ruleset import GM
from app.persistence import queries_books as queries
from app.rulesets.guida.sheet import Sheet
from app.services.book_pieces import content, parts_of, read_piece_data
from app.services.book_shapes import SheetPiece, Takes
from app.services.errors import Malformed, Mistake


@dataclass(frozen=True, slots=True)
class _Approved:
    """What a book has in use: the contents of pieces, and those of whole sheets."""

    parts: frozenset[str]
    sheets: frozenset[str]


def unapproved(
    connection: Connection, board: str, setup: Any, at: str = "setup"
) -> tuple[Mistake, ...]:
    """List what of the entrants' sheets the board does not take; the Master's own are not asked."""
    entrants = [
        (f"{at}.entrants[{index}]", entrant) for index, entrant in enumerate(setup.entrants)
    ]
    asked = [
        (where, entrant.sheet)
        for where, entrant in entrants
        if isinstance(getattr(entrant, "sheet", None), Sheet) and not entrant.npc
    ]
    check = _check_of(connection, board) if asked else None
    return () if check is None else tuple(_ for where, sheet in asked for _ in check(where, sheet))


def check_order(connection: Connection, board: str, order: Any, at: str = "order") -> None:
    """Raise Malformed for an order that brings a sheet which the board does not take.

    What the Master puts in for a combatant is a public ruling, and the Master's own need none.
    """
    entrant = getattr(order, "entrant", None)
    sheet = getattr(order if entrant is None else entrant, "sheet", None)
    if not isinstance(sheet, Sheet) or (order.by == GM if entrant is None else entrant.npc):
        return
    check = _check_of(connection, board)
    where = at if entrant is None else f"{at}.entrant"
    if check is not None and (mistakes := tuple(check(where, sheet))):
        raise Malformed(*mistakes)


def _check_of(
    connection: Connection, board: str
) -> Callable[[str, Sheet], Iterator[Mistake]] | None:
    takes = queries.takes(connection, board) or Takes.ANYTHING
    if takes == Takes.ANYTHING:
        return None
    found = queries.current_versions(connection, board, approved=True)
    pieces = [read_piece_data(one.data) for one in found]
    approved = _Approved(
        frozenset(content(one.data) for one in pieces if not isinstance(one, SheetPiece)),
        frozenset(_unnamed(one.data) for one in pieces if isinstance(one, SheetPiece)),
    )
    if takes == Takes.SHEETS:
        return lambda where, sheet: _whole(where, sheet, approved)
    return lambda where, sheet: _by_parts(where, sheet, approved)


def _whole(where: str, sheet: Sheet, approved: _Approved) -> Iterator[Mistake]:
    if _unnamed(sheet) not in approved.sheets:
        yield Mistake(f"{where}.sheet", "sheet_not_approved", {"name": sheet.name})


def _by_parts(where: str, sheet: Sheet, approved: _Approved) -> Iterator[Mistake]:
    for _, field, part in parts_of(sheet):
        if content(part) not in approved.parts:
            yield Mistake(f"{where}.sheet.{field}", "piece_not_approved", {"name": part.name})


def _unnamed(sheet: Sheet) -> str:
    """Write a sheet without its name: each of several copies has a name of its own."""
    return content(replace(sheet, name="-"))
