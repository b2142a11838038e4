"""Every statement about what Masters did: entries with the role of their key, and other deeds."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, and_, insert, or_, select
from sqlmodel import col

from app.persistence.tables import EntryRow, SecretRow
from app.persistence.tables_desk import DeedRow
from app.persistence.tables_people import PersonRow


class Deed(NamedTuple):
    """What a Master did beside entries and reviews, with the role of their key."""

    scene: str | None
    kind: str
    about: str
    change: str
    at: datetime
    role: str | None
    who: str | None


class Doer(NamedTuple):
    """Who did something: the role of their key, and their name if it is that of an account."""

    role: str
    who: str | None


def add_deed(connection: Connection, **values: object) -> None:
    """Insert a deed."""
    connection.execute(insert(DeedRow), [values])


def deeds_of(connection: Connection, board: str, scene: str, since: datetime) -> tuple[Deed, ...]:
    """List the deeds about a scene, and those about its board since it began, in their order."""
    query = (
        select(
            *(col(getattr(DeedRow, name)) for name in Deed._fields[:5]),
            col(SecretRow.role),
            col(PersonRow.name),
        )
        .select_from(DeedRow)
        .outerjoin(SecretRow, col(SecretRow.id) == col(DeedRow.key_id))
        .outerjoin(PersonRow, col(PersonRow.id) == col(SecretRow.person))
        .where(
            or_(
                col(DeedRow.scene) == scene,
                and_(
                    col(DeedRow.board) == board,
                    col(DeedRow.scene).is_(None),
                    col(DeedRow.at) >= since,
                ),
            )
        )
        .order_by(col(DeedRow.at), col(DeedRow.kind), col(DeedRow.about), col(DeedRow.id))
    )
    return tuple(Deed._make(row) for row in connection.execute(query))


def doers_of_entries(connection: Connection, scene: str) -> dict[int, Doer]:
    """Tell who made each entry of a scene; the service is nobody."""
    query = (
        select(col(EntryRow.number), col(SecretRow.role), col(PersonRow.name))
        .select_from(EntryRow)
        .join(SecretRow, col(SecretRow.id) == col(EntryRow.key_id))
        .outerjoin(PersonRow, col(PersonRow.id) == col(SecretRow.person))
        .where(col(EntryRow.scene) == scene)
    )
    return {number: Doer(role, who) for number, role, who in connection.execute(query)}
