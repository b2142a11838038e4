"""The posts of an old thread that a scene goes on from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table; no scene had any so far."""
    op.create_table(
        "imported_posts",
        sa.Column("scene", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.CheckConstraint("number > 0", name=op.f("ck_imported_posts_number")),
        sa.ForeignKeyConstraint(["scene"], ["scenes.id"], name=op.f("fk_imported_posts_scene")),
        sa.PrimaryKeyConstraint("scene", "number", name=op.f("pk_imported_posts")),
    )


def downgrade() -> None:
    """Drop the table with what is in it."""
    op.drop_table("imported_posts")
