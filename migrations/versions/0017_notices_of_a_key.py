"""Notices by whom they are for: every page counts those that its reader has not read."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

UNREAD = sa.text("read_at IS NULL")


def upgrade() -> None:
    """Make the indexes."""
    op.create_index(op.f("ix_notices_key_id_id"), "notices", ["key_id", "id"])
    op.create_index(
        "ix_notices_unread",
        "notices",
        ["key_id"],
        sqlite_where=UNREAD,
        postgresql_where=UNREAD,
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_notices_unread", "notices")
    op.drop_index(op.f("ix_notices_key_id_id"), "notices")
