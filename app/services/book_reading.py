"""The book of a board as it is read: its pieces, their versions, and the trail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection

from app.persistence import queries_books as queries
from app.persistence.codec import load
from app.persistence.database import Database
from app.persistence.queries_books import PieceEvent, PieceNow, PieceVersion
from app.services.access import Principal
from app.services.book_access import check_of_board, decides, is_own
from app.services.book_pieces import differences, read_piece_data
from app.services.book_shapes import (
    BookRead,
    EventRead,
    Piece,
    PieceAct,
    PieceKind,
    PieceLine,
    PieceRead,
    PieceState,
    SheetPiece,
    Takes,
    VersionRead,
    VersionState,
    Who,
)
from app.services.errors import NotFound
from app.services.lookup import fold

MOST_LISTED: Final = 100


def read_book(db: Database, principal: Principal, board: str) -> BookRead:
    """Read what a board asks of its book, and how many pieces it has."""
    check_of_board(principal, board)
    with db.read() as connection:
        rows = queries.pieces(connection, board)
        counted = Counter(state_of(row).value for row in rows)
        return BookRead(
            takes=Takes(queries.takes(connection, board) or Takes.ANYTHING),
            states={state.value: counted[state.value] for state in PieceState},
            waiting=sum(row.proposed is not None for row in rows),
        )


def list_pieces(
    db: Database,
    principal: Principal,
    board: str,
    *,
    query: str = "",
    kind: PieceKind | None = None,
    state: PieceState | None = None,
    waiting: bool = False,
    after: str | None = None,
    limit: int = MOST_LISTED,
) -> tuple[PieceLine, ...]:
    """List the pieces that hold every word of a search, in the book's order.

    ``waiting`` are those with a proposal to decide; ``after`` is the last one of the page before.
    """
    check_of_board(principal, board)
    words = fold(query).split()
    with db.read() as connection:
        rows = [
            row
            for row in queries.pieces(connection, board)
            if (kind is None or row.kind == kind)
            and (state is None or state_of(row) is state)
            and (not waiting or row.proposed is not None)
            and _holds_words(row, words)
        ]
        start = next((place for place, row in enumerate(rows, 1) if row.id == after), 0)
        page = rows[start : start + max(1, min(limit, MOST_LISTED))]
        shown: dict[str, PieceVersion] = {}
        for approved in (False, True):  # the version in use, where there is one
            among = [row.id for row in page]
            found = queries.current_versions(connection, board, approved=approved, among=among)
            shown |= {one.piece: one for one in found}
    return tuple(_line(principal, board, row, shown[row.id]) for row in page)


def read_piece(db: Database, principal: Principal, board: str, piece_id: str) -> PieceRead:
    """Read a piece with all its versions."""
    check_of_board(principal, board)
    with db.read() as connection:
        return whole_piece(connection, principal, board, piece_id)


def read_trail(
    db: Database,
    principal: Principal,
    board: str,
    *,
    before: int | None = None,
    limit: int = MOST_LISTED,
) -> tuple[EventRead, ...]:
    """Read what was done with the book, the newest first."""
    check_of_board(principal, board)
    with db.read() as connection:
        most = max(1, min(limit, MOST_LISTED))
        return tuple(map(_told, queries.events(connection, board, before=before, limit=most)))


def state_of(row: PieceNow) -> PieceState:
    """Tell how far a piece has come."""
    if row.approved is not None:
        return PieceState.APPROVED
    if row.proposed is not None:
        return PieceState.PROPOSED
    return PieceState.RETURNED if row.retired_at is None else PieceState.RETIRED


def _holds_words(row: PieceNow, words: list[str]) -> bool:
    text = fold(f"{row.id} {row.name} {row.proposed_name or ''}")
    return all(f" {word}" in text for word in words)


def _may_see(principal: Principal, board: str, version: PieceVersion, piece: Piece) -> bool:
    """Say whether somebody may read a piece whole: a sheet is its player's and the Masters'."""
    if not isinstance(piece, SheetPiece):
        return True
    return decides(principal, board) or is_own(principal, version.key_id)


def _line(principal: Principal, board: str, row: PieceNow, shown: PieceVersion) -> PieceLine:
    piece = read_piece_data(shown.data)
    return PieceLine(
        id=row.id,
        kind=PieceKind(row.kind),
        name=row.name,
        state=state_of(row),
        version=row.version,
        approved=row.approved,
        proposed=row.proposed,
        piece=piece if _may_see(principal, board, shown, piece) else None,
    )


def whole_piece(
    connection: Connection, principal: Principal, board: str, piece_id: str
) -> PieceRead:
    """Read a piece inside a transaction; raise NotFound where there is none."""
    row = queries.piece_now(connection, board, piece_id)
    if row is None:
        raise NotFound
    events = queries.events(connection, board, piece=row.id)
    versions = queries.versions(connection, board, row.id)
    return PieceRead(
        id=row.id,
        kind=PieceKind(row.kind),
        name=row.name,
        state=state_of(row),
        version=row.version,
        approved=row.approved,
        proposed=row.proposed,
        sheet=row.sheet if decides(principal, board) else None,
        versions=tuple(
            _version(principal, board, row, one, versions[:place], events)
            for place, one in enumerate(versions)
        ),
        trail=tuple(map(_told, events)),
    )


def _version(
    principal: Principal,
    board: str,
    row: PieceNow,
    version: PieceVersion,
    earlier: Iterable[PieceVersion],
    events: Iterable[PieceEvent],
) -> VersionRead:
    piece = read_piece_data(version.data)
    approved = {one.version for one in events if one.act == PieceAct.APPROVED}
    before = [one for one in earlier if one.number in approved] or list(earlier)
    sees = _may_see(principal, board, version, piece)
    known = sees and before and _may_see(principal, board, before[-1], piece)
    return VersionRead(
        number=version.number,
        state=_state_of_version(row, version.number, events),
        name=version.name,
        piece=piece if sees else None,
        note=version.note,
        by=Who(role=version.by_role, name=version.by_name),
        mine=is_own(principal, version.key_id),
        at=version.at,
        compared_to=before[-1].number if before else None,
        changes=differences(read_piece_data(before[-1].data), piece) if known else (),
    )


def _state_of_version(row: PieceNow, number: int, events: Iterable[PieceEvent]) -> VersionState:
    if number == row.approved:
        return VersionState.APPROVED
    if number == row.proposed:
        return VersionState.PROPOSED
    acts = {one.act for one in events if one.version == number}
    if PieceAct.RETIRED in acts:
        return VersionState.RETIRED
    if PieceAct.APPROVED in acts:
        return VersionState.FORMER
    return VersionState.RETURNED if PieceAct.RETURNED in acts else VersionState.REPLACED


def _told(event: PieceEvent) -> EventRead:
    return EventRead(
        number=event.number,
        piece=event.piece,
        kind=PieceKind(event.kind),
        name=event.name,
        version=event.version,
        act=PieceAct(event.act),
        reason=event.reason,
        marks=load(tuple[str, ...], event.marks),
        by=Who(role=event.by_role, name=event.by_name),
        at=event.at,
    )
