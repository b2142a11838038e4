"""Counting what went wrong at the tables of a desk."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Integer, and_, case, cast, func, select
from sqlalchemy.orm import aliased
from sqlmodel import col

from app.persistence.queries_desk import Mine
from app.persistence.tables import EntryRow, SceneRow
from app.persistence.tables_desk import ReviewRow

MOST_PLAYERS: Final = 100
MOST_MARKED: Final = 2_000
"""The newest returned turns whose marks are counted."""


class Troubled(NamedTuple):
    """A player of a scene, and how many of their turns went wrong in which way."""

    scene: str
    seat: str
    who: str | None
    title: str
    turns: int
    differing: int
    returned: int
    taken_back: int
    amended: int


def troubled(connection: Connection, mine: Mine) -> tuple[Troubled, ...]:
    """Count for each player of each scene, those first with whom most went wrong."""
    amendment = aliased(EntryRow)
    was_returned = (
        select(col(ReviewRow.scene))
        .where(
            col(ReviewRow.scene) == col(EntryRow.scene),
            col(ReviewRow.entry) == col(EntryRow.number),
            col(ReviewRow.state) == "returned",
        )
        .exists()
    )
    was_amended = (
        select(col(amendment.scene))
        .where(
            col(amendment.scene) == col(EntryRow.scene),
            col(amendment.before) == col(EntryRow.number),
        )
        .exists()
    )
    differing = func.sum(cast(col(EntryRow.differs), Integer))
    returned = _times(was_returned)
    taken_back = _times(col(EntryRow.review) == "dropped")
    amended = _times(was_amended)
    query = (
        select(
            *(col(EntryRow.scene), col(EntryRow.seat), func.max(col(EntryRow.who))),
            *(func.max(col(SceneRow.title)), func.count()),
            *(differing, returned, taken_back, amended),
        )
        .select_from(EntryRow)
        .join(SceneRow, col(SceneRow.id) == col(EntryRow.scene))
        .where(col(EntryRow.desk) == mine.board)
        .group_by(col(EntryRow.scene), col(EntryRow.seat))
        .order_by((differing + returned + taken_back + amended).desc(), col(EntryRow.scene))
        .limit(MOST_PLAYERS)
    )
    if mine.scenes is not None:
        query = query.where(col(EntryRow.scene).in_(mine.scenes))
    return tuple(Troubled._make(row) for row in connection.execute(query))


def marked(connection: Connection, mine: Mine) -> tuple[str, ...]:
    """List the marks of the newest returned turns."""
    query = (
        select(col(ReviewRow.marks))
        .join(
            EntryRow,
            and_(
                col(EntryRow.scene) == col(ReviewRow.scene),
                col(EntryRow.number) == col(ReviewRow.entry),
            ),
        )
        .where(col(ReviewRow.state) == "returned", col(EntryRow.desk) == mine.board)
        .order_by(col(ReviewRow.at).desc())
        .limit(MOST_MARKED)
    )
    if mine.scenes is not None:
        query = query.where(col(EntryRow.scene).in_(mine.scenes))
    return tuple(connection.execute(query).scalars())


def _times(condition: Any) -> Any:
    return func.sum(case((condition, 1), else_=0))
