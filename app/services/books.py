"""The book of a board as it is written: pieces are proposed by players and decided by Masters."""

from __future__ import annotations

from dataclasses import replace

from app.engine.text import Reason
from app.persistence import queries_books as queries
from app.persistence.codec import checked, load
from app.persistence.database import Database
from app.persistence.queries_access import board_now
from app.persistence.queries_books import PieceNow
from app.services.access import Principal
from app.services.answers import call, remember, remembered
from app.services.book_access import actor_of, check_decides, decides, is_own, rules
from app.services.book_pieces import NEW, id_for, id_of, id_path, kept, named
from app.services.book_reading import read_book, whole_piece
from app.services.book_shapes import BookRead, Marks, Note, Piece, PieceRead, Takes
from app.services.book_shelf import Shelf
from app.services.errors import Conflict, Malformed, Mistake, NotFound, Stale
from app.services.world import World


def change_book(db: Database, principal: Principal, board: str, takes: str) -> BookRead:
    """Decide, as the owner, what the scenes of a board take from now on: one of ``Takes``."""
    if not rules(principal, board):
        raise NotFound
    wanted: Takes = checked(Takes, takes, "takes")
    with db.write() as connection:
        board_now(connection, board, lock=True)
        queries.set_takes(connection, board, wanted.value)
    return read_book(db, principal, board)


def propose_piece(
    db: Database,
    world: World,
    principal: Principal,
    board: str,
    piece: Piece,
    key: str,
    *,
    note: str = "",
    approve: bool = False,
) -> PieceRead:
    """Propose a new piece; the same key gives the same one again.

    A piece without an id gets one that is made of its name. With ``approve`` a Master decides at
    once.
    """
    actor = actor_of(principal, board)
    if approve:
        check_decides(principal, board)
    value, why = _checked(piece, note)
    this = call(principal.callers(board), key, "propose_piece", board, value, why, approve)
    with db.write() as connection:
        shelf = Shelf.take(connection, board, actor, world)
        done = remembered(connection, this)
        if done is not None:
            return replace(
                whole_piece(connection, principal, board, load(str, done)), replayed=True
            )
        if id_of(value) == NEW:
            value = named(value, id_for(value.data.name, shelf.rows))
        if (old := shelf.rows.get(id_of(value))) is not None:
            facts = {"other": old.name}
            raise Malformed(Mistake(f"piece.{id_path(value)}", "piece_id_taken", facts))
        row = shelf.propose(value, why)
        if approve:
            shelf.approve(row.id, "")
        else:
            shelf.tell_proposed(row, why)
        remember(connection, this, row.id, shelf.now)
        return whole_piece(connection, principal, board, row.id)


def propose_version(
    db: Database,
    world: World,
    principal: Principal,
    board: str,
    piece_id: str,
    piece: Piece,
    version: int,
    *,
    note: str = "",
    approve: bool = False,
) -> PieceRead:
    """Propose another version of a piece, beside the one in use.

    An open proposal gives way to it, if it is the same player's, or if a Master proposes.
    """
    actor = actor_of(principal, board)
    if approve:
        check_decides(principal, board)
    value, why = _checked(piece, note)
    with db.write() as connection:
        shelf = Shelf.take(connection, board, actor, world)
        row = _seen(shelf, piece_id, version)
        value = named(value, piece_id)
        found = {one.number: one for one in queries.versions(connection, board, piece_id)}
        if row.proposed is not None and not (
            decides(principal, board) or is_own(principal, found[row.proposed].key_id)
        ):
            raise Conflict("proposal_open")
        current = row.proposed or row.approved
        same = current is not None and found[current].data == kept(value)
        if same and not (approve and row.proposed is not None):
            raise Conflict("piece_unchanged")
        if not same:
            row = shelf.propose(value, why)
        if approve:
            shelf.approve(piece_id, why)
        else:
            shelf.tell_proposed(row, why)
        return whole_piece(connection, principal, board, piece_id)


# ------------------------------------------------------------------------------------ deciding


def approve_piece(
    db: Database,
    world: World,
    principal: Principal,
    board: str,
    piece_id: str,
    version: int,
    *,
    reason: str = "",
) -> PieceRead:
    """Let the open proposal of a piece be the version in use, as a Master."""
    check_decides(principal, board)
    why: str = checked(Note, reason, "reason")
    with db.write() as connection:
        shelf = Shelf.take(connection, board, actor_of(principal, board), world)
        _seen(shelf, piece_id, version)
        shelf.approve(piece_id, why)
        return whole_piece(connection, principal, board, piece_id)


def return_piece(
    db: Database,
    world: World,
    principal: Principal,
    board: str,
    piece_id: str,
    version: int,
    *,
    reason: str,
    marks: tuple[str, ...] = (),
) -> PieceRead:
    """Send the open proposal of a piece back, as a Master: with a reason, and marks on fields."""
    check_decides(principal, board)
    why: str = checked(Reason, reason, "reason")
    pointed: tuple[str, ...] = checked(Marks, tuple(marks), "marks")
    with db.write() as connection:
        shelf = Shelf.take(connection, board, actor_of(principal, board), world)
        _seen(shelf, piece_id, version)
        shelf.send_back(piece_id, why, pointed)
        return whole_piece(connection, principal, board, piece_id)


def retire_piece(
    db: Database,
    world: World,
    principal: Principal,
    board: str,
    piece_id: str,
    version: int,
    *,
    reason: str,
) -> PieceRead:
    """Let a piece be used no more, as a Master; what was copied from it stays as it is."""
    check_decides(principal, board)
    why: str = checked(Reason, reason, "reason")
    with db.write() as connection:
        shelf = Shelf.take(connection, board, actor_of(principal, board), world)
        _seen(shelf, piece_id, version)
        shelf.retire(piece_id, why)
        return whole_piece(connection, principal, board, piece_id)


def _checked(piece: Piece, note: str) -> tuple[Piece, str]:
    return checked(Piece, piece, "piece"), checked(Note, note, "note")


def _seen(shelf: Shelf, piece_id: str, version: int) -> PieceNow:
    row = shelf.row(piece_id)
    if row.version != version:
        raise Stale(row.version)
    return row
