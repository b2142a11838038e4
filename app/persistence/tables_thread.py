"""The table of posts from before a scene: kept as they were pasted, and never decided."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, ForeignKeyConstraint
from sqlmodel import Field

from app.persistence.tables import Base, text_column


class ImportedPostRow(Base, table=True):
    """A post of the old thread that a scene goes on from, in its order.

    ``who`` is the character's name, empty where nobody could tell. It is no entry: its dice are
    in no ledger, and nobody has verified them.
    """

    __tablename__ = "imported_posts"
    __table_args__ = (
        ForeignKeyConstraint(["scene"], ["scenes.id"]),
        CheckConstraint("number > 0", name="number"),
    )
    scene: str = text_column(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    who: str = text_column()
    text: str = text_column()
