"""The tables of beings: who there is, every version of each, and which fight in which scene."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, UniqueConstraint
from sqlmodel import Field

from app.persistence.tables import Base, text_column, time_column


class BeingRow(Base, table=True):
    """A being of a campaign as it stands: ``version`` is the newest of its versions.

    ``follows`` is the banished being of the same owner in whose place it entered (WD-A13).
    """

    __tablename__ = "beings"
    __table_args__ = (
        ForeignKeyConstraint(["board"], ["boards.id"]),
        ForeignKeyConstraint(["follows"], ["beings.id"]),
        UniqueConstraint("follows"),
        CheckConstraint("state IN ('active', 'banished', 'retired')", name="state"),
        Index(None, "board", "name"),
    )
    id: str = text_column(primary_key=True)
    board: str = text_column()
    ruleset: str = text_column()
    name: str = text_column()
    state: str = text_column()
    version: int
    follows: str | None = text_column(nullable=True)
    created_at: datetime = time_column()


class BeingVersionRow(Base, table=True):
    """A being as something left it; the table refuses to change or delete a row.

    ``cause`` is what did, with the scene and the entry that decided it; ``outcome`` how a duel
    ended for it.
    """

    __tablename__ = "being_versions"
    __table_args__ = (
        ForeignKeyConstraint(["being"], ["beings.id"]),
        ForeignKeyConstraint(["key_id"], ["secrets.id"]),
        ForeignKeyConstraint(["scene", "entry"], ["entries.scene", "entries.number"]),
        CheckConstraint("number > 0", name="number"),
        CheckConstraint("cause IN ('entered', 'duel', 'taken_back', 'retired')", name="cause"),
    )
    being: str = text_column(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    cause: str = text_column()
    state: str = text_column()
    data: str = text_column()
    points: int
    xp: int
    outcome: str | None = text_column(nullable=True)
    scene: str | None = text_column(nullable=True)
    entry: int | None
    at: datetime = time_column()
    key_id: str | None = text_column(nullable=True)


class SceneBeingRow(Base, table=True):
    """A seat of a scene that a being took, in the version that it entered with."""

    __tablename__ = "scene_beings"
    __table_args__ = (
        ForeignKeyConstraint(["scene"], ["scenes.id"]),
        ForeignKeyConstraint(
            ["being", "version"], ["being_versions.being", "being_versions.number"]
        ),
        UniqueConstraint("scene", "being"),
        Index(None, "being"),
    )
    scene: str = text_column(primary_key=True)
    seat: str = text_column(primary_key=True)
    being: str = text_column()
    version: int
