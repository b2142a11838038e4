"""The tables of the Master's desk: what was decided of turns, what was looked at, notes, deeds."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index
from sqlmodel import Field

from app.persistence.tables import Base, text_column, time_column


class ReviewRow(Base, table=True):
    """One decision about a turn on the desk; the newest of an entry holds, none is changed.

    ``marks`` names the numbers that were found wrong and why; ``cause`` is the entry that made a
    turn come back by itself.
    """

    __tablename__ = "reviews"
    __table_args__ = (
        ForeignKeyConstraint(["scene", "entry"], ["entries.scene", "entries.number"]),
        ForeignKeyConstraint(["scene", "cause"], ["entries.scene", "entries.number"]),
        ForeignKeyConstraint(["key_id"], ["secrets.id"]),
        CheckConstraint("number > 0", name="number"),
        CheckConstraint("state IN ('approved', 'returned', 'open')", name="state"),
    )
    scene: str = text_column(primary_key=True)
    entry: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    state: str = text_column()
    marks: str = text_column()
    note: str = text_column()
    cause: int | None
    at: datetime = time_column()
    key_id: str | None = text_column(nullable=True)


class DeskLookRow(Base, table=True):
    """When the holder of a key last said to have looked over the desk of a board."""

    __tablename__ = "desk_looks"
    __table_args__ = (
        ForeignKeyConstraint(["key_id"], ["secrets.id"]),
        ForeignKeyConstraint(["board"], ["boards.id"]),
    )
    key_id: str = text_column(primary_key=True)
    board: str = text_column(primary_key=True)
    at: datetime = time_column()


class DeskSeenRow(Base, table=True):
    """A turn that the holder of a key marked as viewed."""

    __tablename__ = "desk_seen"
    __table_args__ = (
        ForeignKeyConstraint(["key_id"], ["secrets.id"]),
        ForeignKeyConstraint(["scene", "entry"], ["entries.scene", "entries.number"]),
    )
    key_id: str = text_column(primary_key=True)
    scene: str = text_column(primary_key=True)
    entry: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: datetime = time_column()


class DeskNoteRow(Base, table=True):
    """What the holder of a key wrote down for themselves about a scene, or with "" the board."""

    __tablename__ = "desk_notes"
    __table_args__ = (
        ForeignKeyConstraint(["key_id"], ["secrets.id"]),
        ForeignKeyConstraint(["board"], ["boards.id"]),
    )
    key_id: str = text_column(primary_key=True)
    board: str = text_column(primary_key=True)
    scene: str = text_column(primary_key=True)
    text: str = text_column()
    at: datetime = time_column()


class DeedRow(Base, table=True):
    """What a Master did beside entries and reviews: a deadline, a link, an option of the board.

    Without a scene it is about the board; ``about`` is the seat or the option, ``change`` what it
    came to, in the words of its kind.
    """

    __tablename__ = "deeds"
    __table_args__ = (
        ForeignKeyConstraint(["board"], ["boards.id"]),
        ForeignKeyConstraint(["scene"], ["scenes.id"]),
        ForeignKeyConstraint(["key_id"], ["secrets.id"]),
        Index(None, "scene", "at", "id"),
        Index(None, "board", "at", "id"),
    )
    id: str = text_column(primary_key=True)
    board: str = text_column()
    scene: str | None = text_column(nullable=True)
    kind: str = text_column()
    about: str = text_column()
    change: str = text_column()
    at: datetime = time_column()
    key_id: str | None = text_column(nullable=True)
