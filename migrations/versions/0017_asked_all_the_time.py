"""Notices by whom they are for, and scenes that wait for dice: both are asked for all the time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

UNREAD = sa.text("read_at IS NULL")
WAITS = sa.text("waiting IS NOT NULL")


def upgrade() -> None:
    """Make the indexes, and a place for the names of those who are awaited."""
    op.add_column("scenes", sa.Column("awaited_names", sa.Text(), nullable=True))
    op.create_index(op.f("ix_notices_key_id_id"), "notices", ["key_id", "id"])
    op.create_index(
        "ix_notices_unread",
        "notices",
        ["key_id"],
        sqlite_where=UNREAD,
        postgresql_where=UNREAD,
    )
    op.create_index(
        "ix_scenes_waiting", "scenes", ["dice"], sqlite_where=WAITS, postgresql_where=WAITS
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_scenes_waiting", "scenes")
    op.drop_index("ix_notices_unread", "notices")
    op.drop_index(op.f("ix_notices_key_id_id"), "notices")
    op.drop_column("scenes", "awaited_names")
