"""The ledger that makes dice checkable; what was rolled before keeps the dice it had."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

SQLITE = [
    f"""CREATE TRIGGER ledger_no_{change.lower()} BEFORE {change} ON ledger
    BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END"""
    for change in ("UPDATE", "DELETE")
] + [
    # INSERT OR REPLACE takes a row away without asking the trigger for DELETE.
    """CREATE TRIGGER ledger_no_replace BEFORE INSERT ON ledger
    WHEN EXISTS (SELECT 1 FROM ledger WHERE scene = NEW.scene
    AND (number = NEW.number OR head = NEW.head))
    BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END"""
]
POSTGRES = [
    """CREATE FUNCTION ledger_is_kept() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the ledger is only added to'; END $$""",
    """CREATE TRIGGER ledger_no_change BEFORE UPDATE OR DELETE ON ledger
    FOR EACH ROW EXECUTE FUNCTION ledger_is_kept()""",
    """CREATE TRIGGER ledger_no_truncate BEFORE TRUNCATE ON ledger
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_kept()""",
]


def upgrade() -> None:
    """Mark the scenes that there are as they were rolled, and make the tables."""
    # With the constraint in the column no table has to be copied, to which others refer.
    op.execute(
        "ALTER TABLE boards ADD COLUMN seal_hours INTEGER NOT NULL DEFAULT 24"
        " CONSTRAINT ck_boards_seal_hours CHECK (seal_hours >= 0)"
    )
    op.execute(
        "ALTER TABLE scenes ADD COLUMN scheme TEXT NOT NULL DEFAULT 'system'"
        " CONSTRAINT ck_scenes_scheme CHECK (scheme IN ('pbf1', 'system'))"
    )
    op.create_table(
        "ledger",
        sa.Column("scene", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("entry", sa.Integer(), nullable=True),
        sa.Column("line", sa.LargeBinary(), nullable=False),
        sa.Column("head", sa.Text(), nullable=False),
        sa.CheckConstraint("number >= 0", name=op.f("ck_ledger_number")),
        sa.ForeignKeyConstraint(["scene"], ["scenes.id"], name=op.f("fk_ledger_scene")),
        sa.PrimaryKeyConstraint("scene", "number", name=op.f("pk_ledger")),
        sa.UniqueConstraint("scene", "head", name=op.f("uq_ledger_scene_head")),
    )
    op.create_index(op.f("ix_ledger_scene_entry"), "ledger", ["scene", "entry"])
    op.create_table(
        "scene_dice",
        sa.Column("scene", sa.Text(), nullable=False),
        sa.Column("key_name", sa.Text(), nullable=False),
        sa.Column("key_print", sa.Text(), nullable=False),
        sa.Column("noise", sa.LargeBinary(), nullable=False),
        sa.Column("secret_noise", sa.LargeBinary(), nullable=False),
        sa.Column("anchor", sa.Text(), nullable=False),
        sa.Column("links", sa.Integer(), nullable=False),
        sa.Column("wait_hours", sa.Integer(), nullable=False),
        sa.Column("beacon", sa.Text(), nullable=True),
        sa.Column("rolls", sa.Integer(), nullable=False),
        sa.Column("hidden", sa.Integer(), nullable=False),
        sa.Column("committed", sa.Integer(), nullable=False),
        sa.Column("checks", sa.Integer(), nullable=False),
        sa.Column("frozen", sa.Boolean(), nullable=False),
        sa.Column("redone", sa.Boolean(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("beacon_round", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["scene"], ["scenes.id"], name=op.f("fk_scene_dice_scene")),
        sa.PrimaryKeyConstraint("scene", name=op.f("pk_scene_dice")),
    )
    op.create_table(
        "salts",
        sa.Column("scene", sa.Text(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("seal", sa.Text(), nullable=False),
        sa.Column("salt", sa.Text(), nullable=True),
        sa.Column("missing", sa.Text(), nullable=False),
        sa.CheckConstraint("missing IN ('', 'limit', 'waived')", name=op.f("ck_salts_missing")),
        sa.ForeignKeyConstraint(["scene"], ["scenes.id"], name=op.f("fk_salts_scene")),
        sa.PrimaryKeyConstraint("scene", "seat", name=op.f("pk_salts")),
    )
    op.create_table(
        "sealed_lines",
        sa.Column("scene", sa.Text(), nullable=False),
        sa.Column("line", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("nonce", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=True),
        sa.Column("opened", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["scene", "line"],
            ["ledger.scene", "ledger.number"],
            name=op.f("fk_sealed_lines_scene_line"),
        ),
        sa.ForeignKeyConstraint(
            ["scene", "opened"],
            ["ledger.scene", "ledger.number"],
            name=op.f("fk_sealed_lines_scene_opened"),
        ),
        sa.PrimaryKeyConstraint("scene", "line", name=op.f("pk_sealed_lines")),
    )
    for statement in SQLITE if _is_sqlite() else POSTGRES:
        op.execute(statement)


def downgrade() -> None:
    """Take it all away again."""
    op.drop_table("sealed_lines")
    op.drop_table("salts")
    op.drop_table("scene_dice")
    op.drop_table("ledger")
    if not _is_sqlite():
        op.execute("DROP FUNCTION ledger_is_kept()")
    op.execute("ALTER TABLE scenes DROP COLUMN scheme")
    op.execute("ALTER TABLE boards DROP COLUMN seal_hours")


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"
