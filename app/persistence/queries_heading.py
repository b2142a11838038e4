"""What the head of every page tells its reader, in one statement."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, exists, func, select
from sqlmodel import col

from app.persistence.tables import BoardRow
from app.persistence.tables_notices import MuteRow, NoticeRow


def heading_of(
    connection: Connection, boards: Collection[str], keys: Collection[str], way: str
) -> tuple[dict[str, str], int]:
    """Read how boards are called, and how many notices of some keys are unread by a way."""
    muted = exists().where(
        col(MuteRow.addressee) == col(NoticeRow.key_id),
        col(MuteRow.channel) == way,
        col(MuteRow.kind) == col(NoticeRow.kind),
    )
    unread = select(func.count()).where(
        col(NoticeRow.key_id).in_(keys), col(NoticeRow.read_at).is_(None), ~muted
    )
    wanted = select(col(BoardRow.id), col(BoardRow.name), unread.scalar_subquery())
    rows = connection.execute(wanted.where(col(BoardRow.id).in_(boards))).all()
    return {row[0]: row[1] for row in rows}, rows[0][2] if rows else 0
