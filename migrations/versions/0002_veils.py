"""What of an entry which seats may not know, since somebody is hidden from them (GC-9.1)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; of the entries so far everybody may know everything."""
    op.add_column("entries", sa.Column("veils", sa.Text(), nullable=True))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("entries", "veils")
