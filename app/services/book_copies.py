"""Copies of pieces in stored sheets: where each part came from, and which version is newer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection

from app.persistence import queries_books as queries
from app.persistence.codec import checked
from app.persistence.database import Database
from app.rulesets.guida.sheet import Sheet
from app.services.access import Principal
from app.services.book_access import check_of_board, decides, is_own
from app.services.book_pieces import part_at, read_piece_data
from app.services.book_shapes import Piece, SheetPiece, SourceOfPart, Sources
from app.services.errors import Malformed, Mistake, NotFound


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The piece that a part was copied from: its name, and the version in use now, if any is."""

    piece: str
    version: int
    name: str
    in_use: int | None

    @property
    def is_older(self) -> bool:
        """Say whether another version is in use by now."""
        return self.in_use is not None and self.in_use != self.version


def check_sources(
    connection: Connection, board: str, sheet: object, sources: tuple[SourceOfPart, ...]
) -> tuple[SourceOfPart, ...]:
    """Raise Malformed for sources that lead nowhere; only sheets with parts have any."""
    given: tuple[SourceOfPart, ...] = checked(Sources, sources, "sources")
    wrong: list[Mistake] = []
    seen: set[str] = set()
    rows = {row.id: row for row in queries.pieces(connection, board)} if given else {}
    for index, source in enumerate(given):
        at = f"sources[{index}]"
        if not isinstance(sheet, Sheet) or part_at(sheet, source.place) is None:
            wrong.append(Mistake(f"{at}.place", "part_unknown"))
        if source.place in seen:
            wrong.append(Mistake(f"{at}.place", "duplicate"))
        seen.add(source.place)
        row = rows.get(source.piece)
        if row is None or row.kind == SheetPiece.kind or row.last < source.version:
            wrong.append(Mistake(f"{at}.piece", "piece_unknown"))
    if wrong:
        raise Malformed(*wrong)
    return given


def keep_sources(
    connection: Connection,
    board: str,
    sheet_id: str,
    sheet: object,
    sources: tuple[SourceOfPart, ...] | None,
) -> None:
    """Keep where the parts of a stored sheet came from; None keeps what is known of its parts."""
    if sources is None:
        known = sources_of(connection, sheet_id)
        given = tuple(
            one
            for one in known
            if isinstance(sheet, Sheet) and part_at(sheet, one.place) is not None
        )
    else:
        given = check_sources(connection, board, sheet, sources)
    rows = ((one.place, one.piece, one.version) for one in given)
    queries.set_sources(connection, board, sheet_id, rows)


def sources_of(connection: Connection, sheet_id: str) -> tuple[SourceOfPart, ...]:
    """Tell where the parts of a stored sheet came from."""
    return tuple(
        SourceOfPart(place=one.place, piece=one.piece, version=one.version)
        for one in queries.sources(connection, sheet_id)
    )


def origins(
    db: Database, principal: Principal, board: str, pairs: Iterable[tuple[str, int]]
) -> dict[tuple[str, int], Origin]:
    """Tell of pieces in some versions how they are called, and which version is in use."""
    check_of_board(principal, board)
    wanted = set(pairs)
    if not wanted:
        return {}
    with db.read() as connection:
        rows = {row.id: row for row in queries.pieces(connection, board)}
    return {
        (id, version): Origin(
            piece=id, version=version, name=rows[id].name, in_use=rows[id].approved
        )
        for id, version in wanted
        if id in rows and version <= rows[id].last
    }


def piece_in_use(
    db: Database, principal: Principal, board: str, piece_id: str
) -> tuple[Piece, int]:
    """Give the version of a piece that is to be copied, and its number; raise NotFound without."""
    check_of_board(principal, board)
    with db.read() as connection:
        row = queries.piece_now(connection, board, piece_id)
        if row is None or row.approved is None:
            raise NotFound
        found = queries.current_versions(connection, board, approved=True, among=[piece_id])
    piece = read_piece_data(found[0].data)
    if isinstance(piece, SheetPiece) and not (
        decides(principal, board) or is_own(principal, found[0].key_id)
    ):
        raise NotFound
    return piece, row.approved
