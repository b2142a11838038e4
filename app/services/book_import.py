"""Packs into the book of a board and out of it: looked at first, then taken whole or not at all."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from app.persistence import queries_books as queries
from app.persistence.codec import load, write_json
from app.persistence.database import Database
from app.rulesets.guida.sheet import Sheet
from app.services.access import Principal
from app.services.answers import call, remember, remembered
from app.services.book_access import OPERATOR, Actor, actor_of, check_decides, check_of_board
from app.services.book_access import decides as may_decide
from app.services.book_csv import column_of, write_table
from app.services.book_packs import CSV, Brought, lined, read_pack, write_pack
from app.services.book_pieces import (
    differences,
    id_for,
    id_of,
    kept,
    kind_of_piece,
    read_piece_data,
)
from app.services.book_shapes import (
    PackAction,
    PackLine,
    PackResult,
    Piece,
    SheetPiece,
    SourceOfPart,
)
from app.services.book_shelf import RULESET, Shelf, sources_here
from app.services.errors import Malformed, Mistake
from app.services.world import World

BY_OPERATOR = Actor(OPERATOR, "", None, decides=True)


def export_pack(db: Database, principal: Principal, board: str, *, sheets: bool) -> dict[str, Any]:
    """Give the pieces in use as a document; ``sheets`` adds every stored sheet, to Masters."""
    return write_pack(_exported(db, principal, board, sheets=sheets))


def export_table(db: Database, principal: Principal, board: str, language: str) -> str:
    """Give the pieces in use as a table; whole sheets do not fit into one."""
    return write_table(_exported(db, principal, board, sheets=False), language)


def export_all(db: Database, board: str, *, sheets: bool) -> tuple[Piece, ...]:
    """Give the pieces in use to whoever runs the service."""
    with db.read() as connection:
        return _pieces(connection, board, sheets=sheets)


def import_pack(
    db: Database,
    world: World,
    principal: Principal,
    board: str,
    pack: bytes,
    kind: str,
    key: str,
    *,
    approve: bool = True,
    skip: bool = False,
) -> PackResult:
    """Take a pack into the book, as a Master: all of it, or with ``skip`` whatever is sound of it.

    Its pieces are in use at once, or proposed where ``approve`` says no. Raise Malformed with
    every mistake by its line.
    """
    check_decides(principal, board)
    actor = actor_of(principal, board)
    digest = hashlib.sha256(pack).hexdigest()
    whose = principal.callers(board)
    this = call(whose, key, "import_pack", board, digest, kind, approve, skip)
    with db.write() as connection:
        shelf = Shelf.take(connection, board, actor, world)
        done = remembered(connection, this)
        if done is not None:
            return replace(load(PackResult, done), replayed=True)
        result, mistakes = _taken(shelf, read_pack(pack, kind), approve=approve)
        if mistakes and not skip:
            raise Malformed(*mistakes)
        remember(connection, this, result, shelf.now)
        return result


def try_pack(
    db: Database, world: World, principal: Principal, board: str, pack: bytes, kind: str
) -> tuple[PackResult, tuple[Mistake, ...]]:
    """Say what a pack would do, and everything that is wrong with it, without keeping any of it."""
    check_decides(principal, board)
    return _tried(db, world, actor_of(principal, board), board, pack, kind)


def operate(
    db: Database, world: World, board: str, pack: bytes, kind: str, *, dry: bool, approve: bool
) -> tuple[PackResult, tuple[Mistake, ...]]:
    """Try or take a pack for whoever runs the service; nothing is kept of one with a mistake."""
    if dry:
        return _tried(db, world, BY_OPERATOR, board, pack, kind)
    with db.write() as connection:
        shelf = Shelf.take(connection, board, BY_OPERATOR, world)
        result, mistakes = _taken(shelf, read_pack(pack, kind), approve=approve)
        if mistakes:
            raise Malformed(*mistakes)
        return result, ()


class _Untaken(Exception):
    """Ends a transaction of which nothing is to stay."""


def _tried(
    db: Database, world: World, actor: Actor, board: str, pack: bytes, kind: str
) -> tuple[PackResult, tuple[Mistake, ...]]:
    """Take a pack and undo it again: what is told is what would have been done."""
    found: list[tuple[PackResult, tuple[Mistake, ...]]] = []
    try:
        with db.write() as connection:
            shelf = Shelf.take(connection, board, actor, world)
            found.append(_taken(shelf, read_pack(pack, kind), approve=True))
            raise _Untaken
    except _Untaken:
        result, mistakes = found[0]
        return replace(result, kept=False), mistakes


def _taken(
    shelf: Shelf, brought: tuple[Brought, ...], *, approve: bool
) -> tuple[PackResult, tuple[Mistake, ...]]:
    """Propose and approve what can be; sheets last, since they name other pieces."""
    lines: dict[int, PackLine] = {}
    wrong: dict[int, tuple[Mistake, ...]] = {}
    ordered = sorted(enumerate(brought), key=lambda one: isinstance(one[1].piece, SheetPiece))
    for place, one in ordered:
        line, mistakes = _put(shelf, one, approve=approve)
        lines[place] = line
        wrong[place] = mistakes
    told = tuple(lines[place] for place in sorted(lines))
    return PackResult(kept=True, lines=told), tuple(
        mistake for place in sorted(wrong) for mistake in wrong[place]
    )


def _put(shelf: Shelf, brought: Brought, *, approve: bool) -> tuple[PackLine, tuple[Mistake, ...]]:
    piece = brought.piece
    if piece is None:
        return _line(brought, "", PackAction.REFUSED, None), brought.mistakes
    if isinstance(piece, SheetPiece):
        piece = sources_here(shelf, piece)
    id = id_of(piece)
    at = brought.at or "row"
    if wrong := shelf.check(piece, at):
        told = tuple(_where(one, brought) for one in wrong)
        return _line(brought, id, PackAction.REFUSED, None), told
    row = shelf.rows.get(id)
    current = None if row is None else row.proposed or row.approved
    before = None if row is None or current is None else shelf.piece(id, current)
    if row is not None and before is not None and kept(before) == kept(piece):
        if not approve or row.proposed is None:
            return _line(brought, id, PackAction.UNCHANGED, current), ()
    else:
        row = shelf.propose(piece, "", at)
    if approve:
        row = shelf.approve(id, "")
    number = row.approved if approve else row.proposed
    if before is None:
        return _line(brought, id, PackAction.ADDED, number), ()
    line = _line(brought, id, PackAction.CHANGED, number)
    return replace(line, changes=differences(before, piece)), ()


def _line(brought: Brought, id: str, action: PackAction, version: int | None) -> PackLine:
    piece = brought.piece
    return PackLine(
        line=brought.line,
        id=id,
        kind="" if piece is None else kind_of_piece(piece).value,
        name="" if piece is None else piece.data.name,
        action=action,
        version=version,
    )


def _where(mistake: Mistake, brought: Brought) -> Mistake:
    """Name the column of a table, or the path in a document, that a mistake is about."""
    if not brought.at:
        field = column_of(mistake.field.removeprefix("row").removeprefix("."))
        mistake = replace(mistake, field=field)
    return lined(mistake, brought.line)


# ------------------------------------------------------------------------------------ bringing out


def _exported(db: Database, principal: Principal, board: str, *, sheets: bool) -> tuple[Piece, ...]:
    check_of_board(principal, board)
    with db.read() as connection:
        return _pieces(connection, board, sheets=sheets and may_decide(principal, board))


def _pieces(connection: Connection, board: str, *, sheets: bool) -> tuple[Piece, ...]:
    stored = queries.current_versions(connection, board, approved=True)
    found = [read_piece_data(one.data) for one in stored]
    pieces = [one for one in found if sheets or not isinstance(one, SheetPiece)]
    if sheets:
        taken = {row.id for row in queries.pieces(connection, board)}
        for id, name, data in queries.sheets_outside(connection, board, RULESET):
            own = id_for(name, taken)
            taken.add(own)
            sources = tuple(
                SourceOfPart(place=one.place, piece=one.piece, version=one.version)
                for one in queries.sources(connection, id)
            )
            pieces.append(SheetPiece(id=own, data=load(Sheet, data), sources=sources))
    return tuple(pieces)


def pack_text(document: dict[str, Any]) -> str:
    """Write a document as text that people can read, too: one line a piece."""
    pieces = ",\n".join(f"  {write_json(piece)}" for piece in document["pieces"])
    inner = f"[\n{pieces}\n ]" if pieces else "[]"
    return f'{{\n "format": {write_json(document["format"])},\n "pieces": {inner}\n}}\n'


def content_type(kind: str) -> str:
    """Tell the media type of a pack."""
    return "text/csv; charset=utf-8" if kind == CSV else "application/json"
