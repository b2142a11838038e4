"""The tables of a board's book: its pieces, every version of each, and who did what with them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index
from sqlmodel import Field

from app.persistence.tables import Base, text_column, time_column


class BookRow(Base, table=True):
    """What a board asks of its book; a board without a row asks nothing.

    ``takes`` is what its scenes take: any sheet, sheets of approved pieces, or approved sheets.
    """

    __tablename__ = "books"
    __table_args__ = (
        ForeignKeyConstraint(["board"], ["boards.id"]),
        CheckConstraint("takes IN ('anything', 'pieces', 'sheets')", name="takes"),
    )
    board: str = text_column(primary_key=True)
    takes: str = text_column()


class PieceRow(Base, table=True):
    """A piece of a book as it stands: a technique, a weapon, an armour, a bonus, a whole sheet.

    ``last`` is the number of its newest version, ``approved`` of the one in use and ``proposed`` of
    the one that waits for a decision, called ``proposed_name``. ``version`` counts everything that
    was done with it. ``sheet`` is the stored sheet that an approved one became.
    """

    __tablename__ = "pieces"
    __table_args__ = (
        ForeignKeyConstraint(["board"], ["boards.id"]),
        ForeignKeyConstraint(["sheet"], ["sheets.id"]),
        CheckConstraint("kind IN ('technique', 'weapon', 'armour', 'bonus', 'sheet')", name="kind"),
        Index(None, "board", "place"),
    )
    board: str = text_column(primary_key=True)
    id: str = text_column(primary_key=True)
    kind: str = text_column()
    name: str = text_column()
    place: int
    last: int
    approved: int | None
    proposed: int | None
    proposed_name: str | None = text_column(nullable=True)
    version: int
    sheet: str | None = text_column(nullable=True)
    retired_at: datetime | None = time_column(nullable=True)
    created_at: datetime = time_column()


class PieceVersionRow(Base, table=True):
    """A piece as somebody proposed it; the table refuses to change or delete a row.

    ``by_role`` and ``by_name`` tell who that was, without the secret that they came with.
    """

    __tablename__ = "piece_versions"
    __table_args__ = (
        ForeignKeyConstraint(["board", "piece"], ["pieces.board", "pieces.id"]),
        ForeignKeyConstraint(["key_id"], ["secrets.id"]),
        CheckConstraint("number > 0", name="number"),
    )
    board: str = text_column(primary_key=True)
    piece: str = text_column(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    name: str = text_column()
    data: str = text_column()
    note: str = text_column()
    by_role: str = text_column()
    by_name: str = text_column()
    key_id: str | None = text_column(nullable=True)
    at: datetime = time_column()


class PieceEventRow(Base, table=True):
    """A line of the book's trail: who did what with which version; it is only added to.

    ``marks`` are the fields that a Master who returns a proposal points at.
    """

    __tablename__ = "piece_events"
    __table_args__ = (
        ForeignKeyConstraint(
            ["board", "piece", "version"],
            ["piece_versions.board", "piece_versions.piece", "piece_versions.number"],
        ),
        ForeignKeyConstraint(["key_id"], ["secrets.id"]),
        CheckConstraint("number > 0", name="number"),
        CheckConstraint("act IN ('proposed', 'approved', 'returned', 'retired')", name="act"),
        Index(None, "board", "piece"),
    )
    board: str = text_column(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    piece: str = text_column()
    version: int
    act: str = text_column()
    reason: str = text_column()
    marks: str = text_column()
    by_role: str = text_column()
    by_name: str = text_column()
    key_id: str | None = text_column(nullable=True)
    at: datetime = time_column()


class SheetSourceRow(Base, table=True):
    """Which version of which piece a part of a stored sheet was copied from.

    ``place`` is the part: ``tools.`` and its id, ``armour``, or ``modifiers.`` and its name.
    """

    __tablename__ = "sheet_sources"
    __table_args__ = (
        ForeignKeyConstraint(["sheet"], ["sheets.id"]),
        ForeignKeyConstraint(
            ["board", "piece", "version"],
            ["piece_versions.board", "piece_versions.piece", "piece_versions.number"],
        ),
    )
    sheet: str = text_column(primary_key=True)
    place: str = text_column(primary_key=True)
    board: str = text_column()
    piece: str = text_column()
    version: int
