"""How the forum's dice came here, and what was learnt of how a board's forum shows them."""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; until now each of the forum's faces was typed by hand, and is so told."""
    op.execute("ALTER TABLE boards ADD COLUMN pattern TEXT")
    op.execute("ALTER TABLE entries ADD COLUMN dice_remarks TEXT")
    op.execute("UPDATE entries SET provenance = 'typed' WHERE provenance = 'forum'")


def downgrade() -> None:
    """Take them away; whoever does not tell the ways apart knows the forum alone."""
    op.execute("UPDATE entries SET provenance = 'forum' WHERE provenance IN ('typed', 'plugin')")
    op.execute("ALTER TABLE entries DROP COLUMN dice_remarks")
    op.execute("ALTER TABLE boards DROP COLUMN pattern")
