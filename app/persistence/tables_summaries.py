"""The table of links to the summaries of fights, which anybody may follow."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKeyConstraint, Index, UniqueConstraint

from app.persistence.tables import Base, text_column, time_column


class SummaryLinkRow(Base, table=True):
    """A link to the summary of a scene, in force until it is revoked.

    The token itself is kept, and no digest as of a secret: it gives nobody more than the address
    of the scene does, and whoever shares it wants to copy it again.
    """

    __tablename__ = "summary_links"
    __table_args__ = (
        ForeignKeyConstraint(["scene"], ["scenes.id"]),
        ForeignKeyConstraint(["key_id"], ["secrets.id"]),
        ForeignKeyConstraint(["revoked_by"], ["secrets.id"]),
        UniqueConstraint("token"),
        Index(None, "scene"),
    )
    id: str = text_column(primary_key=True)
    scene: str = text_column()
    token: str = text_column()
    made_at: datetime = time_column()
    key_id: str = text_column()
    revoked_at: datetime | None = time_column(nullable=True)
    revoked_by: str | None = text_column(nullable=True)
