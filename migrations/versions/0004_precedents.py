"""Precedents of a board, and since when it reads a doubtful point as it does."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables; nothing was kept so far, and no change of an option was noted."""
    op.create_table(
        "precedents",
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("situation", sa.Text(), nullable=False),
        sa.Column("choice", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("scene", sa.Text(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("key_id", sa.Text(), nullable=False),
        sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("retired_reason", sa.Text(), nullable=True),
        sa.Column("retired_by", sa.Text(), nullable=True),
        sa.CheckConstraint("number > 0", name=op.f("ck_precedents_number")),
        sa.ForeignKeyConstraint(["board"], ["boards.id"], name=op.f("fk_precedents_board")),
        sa.ForeignKeyConstraint(
            ["scene", "entry"],
            ["entries.scene", "entries.number"],
            name=op.f("fk_precedents_scene_entry"),
        ),
        sa.ForeignKeyConstraint(["key_id"], ["secrets.id"], name=op.f("fk_precedents_key_id")),
        sa.ForeignKeyConstraint(
            ["retired_by"], ["secrets.id"], name=op.f("fk_precedents_retired_by")
        ),
        sa.PrimaryKeyConstraint("board", "number", name=op.f("pk_precedents")),
        sa.UniqueConstraint("scene", "entry", name=op.f("uq_precedents_scene_entry")),
    )
    op.create_index(
        op.f("ix_precedents_board_ruleset_code"), "precedents", ["board", "ruleset", "code"]
    )
    op.create_table(
        "option_changes",
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("option", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["board"], ["boards.id"], name=op.f("fk_option_changes_board")),
        sa.PrimaryKeyConstraint(
            "board", "ruleset", "option", "number", name=op.f("pk_option_changes")
        ),
    )


def downgrade() -> None:
    """Drop the tables with what is in them."""
    op.drop_table("option_changes")
    op.drop_index(op.f("ix_precedents_board_ruleset_code"), table_name="precedents")
    op.drop_table("precedents")
