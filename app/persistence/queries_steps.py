"""What of its first steps a board has made, in one statement."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, exists, select
from sqlmodel import col

from app.persistence.tables import EntryRow, SceneRow, SecretRow, SheetRow
from app.persistence.tables_books import PieceRow


class Steps(NamedTuple):
    """Whether a piece of the book, a sheet, a turn and a guest are there; and the newest scene."""

    has_piece: bool
    has_sheet: bool
    has_turn: bool
    has_guests: bool
    scene: str | None


def steps_of(connection: Connection, board: str) -> Steps:
    """Read what a board has."""
    scenes = select(col(SceneRow.id)).where(col(SceneRow.board) == board)
    newest = scenes.order_by(col(SceneRow.created_at).desc(), col(SceneRow.id)).limit(1)
    opened = exists().where(
        col(SecretRow.board) == board,
        col(SecretRow.role) == "seat",
        col(SecretRow.used_at).is_not(None),
    )
    row = connection.execute(
        select(
            exists().where(col(PieceRow.board) == board),
            exists().where(col(SheetRow.board) == board),
            exists().where(
                col(EntryRow.scene).in_(scenes),
                col(EntryRow.status) == "resolved",
                col(EntryRow.kind) == "order",
            ),
            opened,
            newest.scalar_subquery(),
        )
    ).one()
    return Steps(bool(row[0]), bool(row[1]), bool(row[2]), bool(row[3]), row[4])
