"""Picking pieces of the book in a sheet's form: searched, copied, brought to a newer version."""

from __future__ import annotations

from typing import Any, Final

from app.persistence.codec import encode
from app.services.book_access import is_of_board
from app.services.book_copies import origins, piece_in_use
from app.services.book_pieces import id_of
from app.services.book_reading import list_pieces
from app.services.book_shapes import (
    ArmourPiece,
    BonusPiece,
    PieceLine,
    PieceState,
    SheetPiece,
    ToolPiece,
)
from app.services.errors import NotFound
from app.services.lookup import LONGEST_QUERY
from app.services.run import run
from app.web.book_form import FROM, places_in, source_at
from app.web.forms import Nested, at, is_token, shown, text_at
from app.web.rows import unused_id
from app.web.visit import Visit

FIND: Final = "~find"
MOST_FOUND: Final = 20
VERBS: Final = ("find", "take", "renew")


async def pick(here: Visit, tree: dict[str, Nested], what: str, root: str = "") -> str:
    """Do what a button of the picker says to a sheet's form; give the path of a new part."""
    verb, _, about = what.partition(":")
    if verb == "take" and is_token(about):
        return root + await _take(here, tree, about)
    if verb == "renew":
        paths = list(places_in(tree)) if not about else [about.removeprefix(root)]
        for path in paths:
            await _renew(here, tree, path)
    return ""


async def picker(
    here: Visit, tree: Nested, what: str = "", root: str = "", *, shut: bool = False
) -> dict[str, Any]:
    """Tell a sheet's form what was found in the book, and where its parts came from."""
    if shut or not is_of_board(here.principal, here.board):
        return {}
    found: tuple[PieceLine, ...] | None = None
    if what.partition(":")[0] in ("find", "take"):
        lines = await run(
            here.db,
            list_pieces,
            here.principal,
            here.board,
            query=text_at(tree, FIND)[:LONGEST_QUERY],
            state=PieceState.APPROVED,
        )
        found = tuple(one for one in lines if one.kind != SheetPiece.kind)[:MOST_FOUND]
    pairs = {path: source for path in places_in(tree) if (source := source_at(tree, path))}
    known = await run(here.db, origins, here.principal, here.board, pairs.values())
    return {
        "picked": found,
        "origins": {root + path: known[pair] for path, pair in pairs.items() if pair in known},
    }


async def _take(here: Visit, tree: dict[str, Nested], piece_id: str) -> str:
    """Copy a piece into the form: a row more, or the armour that is worn."""
    try:
        piece, version = await run(here.db, piece_in_use, here.principal, here.board, piece_id)
    except NotFound:  # retired since the page was made: the search is shown anew without it
        return ""
    texts: Any = shown(encode(piece.data))
    texts[FROM] = f"{id_of(piece)}@{version}"
    if isinstance(piece, ArmourPiece):
        tree["armour"] = texts
        return "armour"
    name = "tools" if isinstance(piece, ToolPiece) else "modifiers"
    if not isinstance(piece, ToolPiece | BonusPiece) or len(_rows(tree, name)) >= _most(name):
        return ""
    rows = _rows(tree, name)
    if isinstance(piece, ToolPiece) and any(text_at(row, "id") == texts["id"] for row in rows):
        texts["id"] = unused_id(rows, "t")
    rows.append(texts)
    return f"{name}.{len(rows) - 1}"


async def _renew(here: Visit, tree: dict[str, Nested], path: str) -> None:
    """Let a part be as the version in use is, under the id that it has in the sheet."""
    source, part = source_at(tree, path), at(tree, path)
    if source is None or not isinstance(part, dict):
        return
    try:
        piece, version = await run(here.db, piece_in_use, here.principal, here.board, source[0])
    except NotFound:
        return
    fresh: Any = shown(encode(piece.data))
    own = {"id": part["id"]} if "id" in part and isinstance(piece, ToolPiece) else {}
    part.clear()
    part.update(fresh | own | {FROM: f"{source[0]}@{version}"})


def _rows(tree: dict[str, Nested], name: str) -> list[Nested]:
    rows = tree.setdefault(name, [])
    if not isinstance(rows, list):
        rows = tree[name] = []
    return rows


def _most(name: str) -> int:
    return {"tools": 60, "modifiers": 20}[name]
