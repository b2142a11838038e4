"""Every statement about the books of boards, by name; none of them decides anything."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, and_, delete, func, insert, or_, select, update
from sqlmodel import col

from app.persistence.queries import is_id
from app.persistence.queries_jobs import put
from app.persistence.tables import SecretRow, SheetRow
from app.persistence.tables_books import (
    BookRow,
    PieceEventRow,
    PieceRow,
    PieceVersionRow,
    SheetSourceRow,
)


class PieceNow(NamedTuple):
    """A piece as it stands."""

    id: str
    kind: str
    name: str
    place: int
    last: int
    approved: int | None
    proposed: int | None
    proposed_name: str | None
    version: int
    sheet: str | None
    retired_at: datetime | None
    created_at: datetime


class PieceVersion(NamedTuple):
    """One version of a piece."""

    piece: str
    number: int
    name: str
    data: str
    note: str
    by_role: str
    by_name: str
    key_id: str | None
    at: datetime


class PieceEvent(NamedTuple):
    """A line of the trail, with what the version is called."""

    number: int
    piece: str
    version: int
    act: str
    reason: str
    marks: str
    by_role: str
    by_name: str
    at: datetime
    name: str
    kind: str


class SheetSource(NamedTuple):
    """Where a part of a stored sheet was copied from."""

    place: str
    piece: str
    version: int


def _columns(table: type[Any], shape: type[Any], *left_out: str) -> list[Any]:
    return [col(getattr(table, name)) for name in shape._fields if name not in left_out]


_PIECE: Final[Select[Any]] = select(*_columns(PieceRow, PieceNow))
_VERSION: Final[Select[Any]] = select(*_columns(PieceVersionRow, PieceVersion))
_EVENT: Final[Select[Any]] = (
    select(
        *_columns(PieceEventRow, PieceEvent, "name", "kind"),
        col(PieceVersionRow.name),
        col(PieceRow.kind),
    )
    .join(
        PieceVersionRow,
        and_(
            col(PieceVersionRow.board) == col(PieceEventRow.board),
            col(PieceVersionRow.piece) == col(PieceEventRow.piece),
            col(PieceVersionRow.number) == col(PieceEventRow.version),
        ),
    )
    .join(
        PieceRow,
        and_(
            col(PieceRow.board) == col(PieceEventRow.board),
            col(PieceRow.id) == col(PieceEventRow.piece),
        ),
    )
)


def takes(connection: Connection, board: str) -> str | None:
    """Say what the scenes of a board take; None where nobody ever said."""
    found: str | None = connection.execute(
        select(col(BookRow.takes)).where(col(BookRow.board) == board)
    ).scalar()
    return found


def set_takes(connection: Connection, board: str, value: str) -> None:
    """Keep what the scenes of a board take from now on."""
    put(connection, BookRow, {"board": board}, {"takes": value})


# ------------------------------------------------------------------------------------- pieces


def pieces(connection: Connection, board: str) -> tuple[PieceNow, ...]:
    """List the pieces of a book in their order."""
    wanted = _PIECE.where(col(PieceRow.board) == board)
    rows = connection.execute(wanted.order_by(col(PieceRow.place), col(PieceRow.id)))
    return tuple(PieceNow._make(row) for row in rows)


def piece_now(connection: Connection, board: str, piece: str) -> PieceNow | None:
    """Read a piece."""
    if not is_id(piece):
        return None
    wanted = _PIECE.where(col(PieceRow.board) == board, col(PieceRow.id) == piece)
    row = connection.execute(wanted).first()
    return None if row is None else PieceNow._make(row)


def add_piece(connection: Connection, **values: object) -> None:
    """Insert a piece."""
    connection.execute(insert(PieceRow), [values])


def change_piece(connection: Connection, board: str, piece: str, values: dict[str, object]) -> None:
    """Let a piece stand otherwise."""
    connection.execute(
        update(PieceRow)
        .where(col(PieceRow.board) == board, col(PieceRow.id) == piece)
        .values(version=col(PieceRow.version) + 1, **values)
    )


def add_version(connection: Connection, **values: object) -> None:
    """Insert a version of a piece."""
    connection.execute(insert(PieceVersionRow), [values])


def proposed_by(connection: Connection, board: str, keys: Collection[str], *, but: str) -> int:
    """Count the pieces, all but one, of which a proposal of a person waits: by whichever key."""
    people = select(col(SecretRow.person)).where(
        col(SecretRow.id).in_(keys), col(SecretRow.person).is_not(None)
    )
    theirs = select(col(SecretRow.id)).where(col(SecretRow.person).in_(people))
    by = col(PieceVersionRow.key_id)
    wanted = (
        select(func.count())
        .select_from(PieceRow)
        .join(
            PieceVersionRow,
            and_(
                col(PieceVersionRow.board) == col(PieceRow.board),
                col(PieceVersionRow.piece) == col(PieceRow.id),
                col(PieceVersionRow.number) == col(PieceRow.proposed),
            ),
        )
        .where(col(PieceRow.board) == board, col(PieceRow.id) != but)
        .where(or_(by.in_(keys), by.in_(theirs)))
    )
    return connection.execute(wanted).scalar() or 0


def versions(connection: Connection, board: str, piece: str) -> tuple[PieceVersion, ...]:
    """List every version of a piece, from the first on."""
    wanted = _VERSION.where(
        col(PieceVersionRow.board) == board, col(PieceVersionRow.piece) == piece
    )
    rows = connection.execute(wanted.order_by(col(PieceVersionRow.number)))
    return tuple(PieceVersion._make(row) for row in rows)


def current_versions(
    connection: Connection, board: str, *, approved: bool, among: Collection[str] | None = None
) -> tuple[PieceVersion, ...]:
    """List of each piece the version in use, or the newest one of all, in the book's order."""
    which = col(PieceRow.approved) if approved else col(PieceRow.last)
    wanted = (
        _VERSION.join(
            PieceRow,
            and_(
                col(PieceRow.board) == col(PieceVersionRow.board),
                col(PieceRow.id) == col(PieceVersionRow.piece),
                which == col(PieceVersionRow.number),
            ),
        )
        .where(col(PieceRow.board) == board)
        .order_by(col(PieceRow.place), col(PieceRow.id))
    )
    if among is not None:
        wanted = wanted.where(col(PieceRow.id).in_(among))
    return tuple(PieceVersion._make(row) for row in connection.execute(wanted))


# -------------------------------------------------------------------------------------- trail


def add_event(connection: Connection, board: str, **values: object) -> None:
    """Insert the next line of a book's trail; the board is locked."""
    last = select(func.max(col(PieceEventRow.number))).where(col(PieceEventRow.board) == board)
    number = (connection.execute(last).scalar() or 0) + 1
    connection.execute(insert(PieceEventRow), [{"board": board, "number": number, **values}])


def events(
    connection: Connection,
    board: str,
    *,
    piece: str | None = None,
    before: int | None = None,
    limit: int | None = None,
) -> tuple[PieceEvent, ...]:
    """List the lines of a book's trail, the newest first."""
    wanted = _EVENT.where(col(PieceEventRow.board) == board)
    if piece is not None:
        wanted = wanted.where(col(PieceEventRow.piece) == piece)
    if before is not None:
        wanted = wanted.where(col(PieceEventRow.number) < before)
    wanted = wanted.order_by(col(PieceEventRow.number).desc()).limit(limit)
    return tuple(PieceEvent._make(row) for row in connection.execute(wanted))


# ------------------------------------------------------------------------------ copies of pieces


def sources(connection: Connection, sheet: str) -> tuple[SheetSource, ...]:
    """List where the parts of a stored sheet were copied from."""
    wanted = select(*_columns(SheetSourceRow, SheetSource)).where(
        col(SheetSourceRow.sheet) == sheet
    )
    rows = connection.execute(wanted.order_by(col(SheetSourceRow.place)))
    return tuple(SheetSource._make(row) for row in rows)


def set_sources(
    connection: Connection, board: str, sheet: str, rows: Iterable[tuple[str, str, int]]
) -> None:
    """Keep where the parts of a stored sheet were copied from, instead of what was kept before."""
    connection.execute(delete(SheetSourceRow).where(col(SheetSourceRow.sheet) == sheet))
    new = [
        {"sheet": sheet, "board": board, "place": place, "piece": piece, "version": version}
        for place, piece, version in rows
    ]
    if new:
        connection.execute(insert(SheetSourceRow), new)


def sheets_outside(connection: Connection, board: str, ruleset: str) -> tuple[Any, ...]:
    """List the stored sheets of a game that no piece of the book stands for."""
    wanted = (
        select(col(SheetRow.id), col(SheetRow.name), col(SheetRow.data))
        .outerjoin(
            PieceRow,
            and_(col(PieceRow.sheet) == col(SheetRow.id), col(PieceRow.approved).is_not(None)),
        )
        .where(
            col(SheetRow.board) == board,
            col(SheetRow.ruleset) == ruleset,
            col(PieceRow.id).is_(None),
        )
        .order_by(col(SheetRow.name), col(SheetRow.id))
    )
    return tuple(connection.execute(wanted))
