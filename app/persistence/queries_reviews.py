"""Every statement about what was decided on the turns of one scene, and how they stand now."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, insert, select, update
from sqlmodel import col

from app.persistence.tables import EntryRow, SecretRow
from app.persistence.tables_desk import ReviewRow
from app.persistence.tables_people import PersonRow


class ReviewNow(NamedTuple):
    """One decision about a turn, with the role and the account's name of whoever took it."""

    entry: int
    number: int
    state: str
    marks: str
    note: str
    cause: int | None
    at: datetime
    role: str | None
    who: str | None


def set_reviews(connection: Connection, scene: str, states: dict[int, str]) -> None:
    """Put turns of a scene onto the desk, or off it, and count the decision."""
    for state in dict.fromkeys(states.values()):
        numbers = [number for number, wanted in states.items() if wanted == state]
        connection.execute(
            update(EntryRow)
            .where(
                col(EntryRow.scene) == scene,
                col(EntryRow.number).in_(numbers),
                col(EntryRow.review).is_not(None),
            )
            .values(review=state, reviewed=col(EntryRow.reviewed) + 1)
        )


def review_states(connection: Connection, scene: str) -> dict[int, tuple[str, int]]:
    """Tell how the turns of a scene stand on the desk, and after how many decisions."""
    query = select(col(EntryRow.number), col(EntryRow.review), col(EntryRow.reviewed)).where(
        col(EntryRow.scene) == scene, col(EntryRow.review).is_not(None)
    )
    return {number: (str(state), count) for number, state, count in connection.execute(query)}


def authors(connection: Connection, scene: str, numbers: Collection[int]) -> dict[int, str]:
    """Tell whose some entries of a scene are."""
    if not numbers:
        return {}
    query = select(col(EntryRow.number), col(EntryRow.seat)).where(
        col(EntryRow.scene) == scene, col(EntryRow.number).in_(numbers)
    )
    return {number: str(seat) for number, seat in connection.execute(query)}


def returned_of(connection: Connection, scene: str, seats: Collection[str]) -> tuple[int, ...]:
    """List the turns of some seats that wait to be mended."""
    query = (
        select(col(EntryRow.number))
        .where(
            col(EntryRow.scene) == scene,
            col(EntryRow.review) == "returned",
            col(EntryRow.seat).in_(seats),
        )
        .order_by(col(EntryRow.number))
    )
    return tuple(connection.execute(query).scalars())


def add_reviews(connection: Connection, rows: Iterable[dict[str, object]]) -> None:
    """Insert decisions about turns."""
    if found := list(rows):
        connection.execute(insert(ReviewRow), found)


def reviews_of(
    connection: Connection, scene: str, entry: int | None = None
) -> tuple[ReviewNow, ...]:
    """List the decisions about the turns of a scene, or about one, from the first on."""
    query = (
        select(
            *(col(getattr(ReviewRow, name)) for name in ReviewNow._fields[:7]),
            col(SecretRow.role),
            col(PersonRow.name),
        )
        .select_from(ReviewRow)
        .outerjoin(SecretRow, col(SecretRow.id) == col(ReviewRow.key_id))
        .outerjoin(PersonRow, col(PersonRow.id) == col(SecretRow.person))
        .where(col(ReviewRow.scene) == scene)
        .order_by(col(ReviewRow.at), col(ReviewRow.entry), col(ReviewRow.number))
    )
    if entry is not None:
        query = query.where(col(ReviewRow.entry) == entry)
    return tuple(ReviewNow._make(row) for row in connection.execute(query))
