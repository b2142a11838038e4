"""What the head of every page tells its reader, in one statement."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from sqlalchemy import Connection, Select, bindparam, exists, func, select
from sqlmodel import col

from app.persistence.tables import BoardRow
from app.persistence.tables_notices import MuteRow, NoticeRow

_MUTED: Final = exists().where(
    col(MuteRow.addressee) == col(NoticeRow.key_id),
    col(MuteRow.channel) == bindparam("way"),
    col(MuteRow.kind) == col(NoticeRow.kind),
)
_UNREAD: Final = (
    select(func.count())
    .where(
        col(NoticeRow.key_id).in_(bindparam("keys", expanding=True)),
        col(NoticeRow.read_at).is_(None),
        ~_MUTED,
    )
    .scalar_subquery()
)
_HEADING: Final[Select[Any]] = select(col(BoardRow.id), col(BoardRow.name), _UNREAD).where(
    col(BoardRow.id).in_(bindparam("boards", expanding=True))
)


def heading_of(
    connection: Connection, boards: Collection[str], keys: Collection[str], way: str
) -> tuple[dict[str, str], int]:
    """Read how boards are called, and how many notices of some keys are unread by a way."""
    bound = {"boards": boards, "keys": keys, "way": way}
    rows = connection.execute(_HEADING, bound).all()
    return {row[0]: row[1] for row in rows}, rows[0][2] if rows else 0
