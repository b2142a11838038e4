"""Which stored sheets are models, to copy several combatants of the Master's from (GC-2.19)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; none of the sheets so far is a model."""
    with op.batch_alter_table("sheets") as table:
        table.add_column(
            sa.Column("model", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    with op.batch_alter_table("sheets") as table:
        table.alter_column("model", server_default=None)


def downgrade() -> None:
    """Drop the column."""
    with op.batch_alter_table("sheets") as table:
        table.drop_column("model")
