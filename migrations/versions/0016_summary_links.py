"""Links to the summaries of fights, which anybody may follow until they are revoked."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "summary_links",
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("id", "scene", "token")),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("key_id", sa.Text(), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_by", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["scene"], ["scenes.id"], name=op.f("fk_summary_links_scene")),
        sa.ForeignKeyConstraint(["key_id"], ["secrets.id"], name=op.f("fk_summary_links_key_id")),
        sa.ForeignKeyConstraint(
            ["revoked_by"], ["secrets.id"], name=op.f("fk_summary_links_revoked_by")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_summary_links")),
        sa.UniqueConstraint("token", name=op.f("uq_summary_links_token")),
    )
    op.create_index(op.f("ix_summary_links_scene"), "summary_links", ["scene"])


def downgrade() -> None:
    """Drop the table with the links in it."""
    op.drop_table("summary_links")
