"""Templates of posts; a story from before has no places for dice, whatever stands in it."""

from __future__ import annotations

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

COLUMNS = (("boards", "template"), ("sheets", "template"), ("scenes", "templates"))


def upgrade() -> None:
    """Nobody has a template so far; nothing has to be copied to add such columns."""
    for table, column in COLUMNS:
        op.execute(f"ALTER TABLE {table} ADD COLUMN {column} TEXT")
    op.execute("ALTER TABLE entries ADD COLUMN places BOOLEAN NOT NULL DEFAULT false")


def downgrade() -> None:
    """Take the templates away; what was written with them is written without again."""
    op.execute("ALTER TABLE entries DROP COLUMN places")
    for table, column in COLUMNS:
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
