"""Until when the awaited may answer in a scene."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; no scene had a deadline so far."""
    op.add_column("scenes", sa.Column("answer_within", sa.Integer(), nullable=True))
    op.add_column("scenes", sa.Column("answer_by", sa.DateTime(timezone=True), nullable=True))
    op.add_column("scenes", sa.Column("answer_for", sa.Text(), nullable=True))


def downgrade() -> None:
    """Take the columns away with what is in them."""
    for column in ("answer_for", "answer_by", "answer_within"):
        op.execute(f"ALTER TABLE scenes DROP COLUMN {column}")
