"""Beings that live on between duels: each with every version of itself, and links of their own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

ROLE = ("role IN ('owner', 'gm', 'seat')", "role IN ('owner', 'gm', 'seat', 'being')")
SQLITE = [
    f"""CREATE TRIGGER being_versions_no_{change.lower()} BEFORE {change} ON being_versions
    BEGIN SELECT RAISE(ABORT, 'what a being was is only added to'); END"""
    for change in ("UPDATE", "DELETE")
]
POSTGRES = [
    """CREATE FUNCTION being_is_kept() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'what a being was is only added to'; END $$""",
    """CREATE TRIGGER being_versions_no_change BEFORE UPDATE OR DELETE ON being_versions
    FOR EACH ROW EXECUTE FUNCTION being_is_kept()""",
    """CREATE TRIGGER being_versions_no_truncate BEFORE TRUNCATE ON being_versions
    FOR EACH STATEMENT EXECUTE FUNCTION being_is_kept()""",
]


def text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    """Make a column of text."""
    return sa.Column(name, sa.Text(), nullable=nullable)


def number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    """Make a column of whole numbers."""
    return sa.Column(name, sa.Integer(), autoincrement=False, nullable=nullable)


def upgrade() -> None:
    """Make the tables, and let a link be that of a being."""
    op.create_table(
        "beings",
        *(text("id"), text("board"), text("ruleset"), text("name"), text("state")),
        *(number("version"), text("follows", nullable=True)),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "state IN ('active', 'banished', 'retired')", name=op.f("ck_beings_state")
        ),
        sa.ForeignKeyConstraint(["board"], ["boards.id"], name=op.f("fk_beings_board")),
        sa.ForeignKeyConstraint(["follows"], ["beings.id"], name=op.f("fk_beings_follows")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_beings")),
        sa.UniqueConstraint("follows", name=op.f("uq_beings_follows")),
    )
    op.create_index(op.f("ix_beings_board_name"), "beings", ["board", "name"])
    op.create_table(
        "being_versions",
        *(text("being"), number("number"), text("cause"), text("state"), text("data")),
        *(number("points"), number("xp"), text("outcome", nullable=True)),
        *(text("scene", nullable=True), number("entry", nullable=True)),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        text("key_id", nullable=True),
        sa.CheckConstraint("number > 0", name=op.f("ck_being_versions_number")),
        sa.CheckConstraint(
            "cause IN ('entered', 'duel', 'taken_back', 'retired')",
            name=op.f("ck_being_versions_cause"),
        ),
        sa.ForeignKeyConstraint(["being"], ["beings.id"], name=op.f("fk_being_versions_being")),
        sa.ForeignKeyConstraint(["key_id"], ["secrets.id"], name=op.f("fk_being_versions_key_id")),
        sa.ForeignKeyConstraint(
            ["scene", "entry"],
            ["entries.scene", "entries.number"],
            name=op.f("fk_being_versions_scene_entry"),
        ),
        sa.PrimaryKeyConstraint("being", "number", name=op.f("pk_being_versions")),
    )
    op.create_table(
        "scene_beings",
        *(text("scene"), text("seat"), text("being"), number("version")),
        sa.ForeignKeyConstraint(["scene"], ["scenes.id"], name=op.f("fk_scene_beings_scene")),
        sa.ForeignKeyConstraint(
            ["being", "version"],
            ["being_versions.being", "being_versions.number"],
            name=op.f("fk_scene_beings_being_version"),
        ),
        sa.PrimaryKeyConstraint("scene", "seat", name=op.f("pk_scene_beings")),
        sa.UniqueConstraint("scene", "being", name=op.f("uq_scene_beings_scene_being")),
    )
    op.create_index(op.f("ix_scene_beings_being"), "scene_beings", ["being"])
    for statement in SQLITE if _is_sqlite() else POSTGRES:
        op.execute(statement)
    _roles(*ROLE)


def downgrade() -> None:
    """Drop the tables, and the links of beings with them."""
    for table in ("scene_beings", "being_versions", "beings"):
        op.drop_table(table)
    if not _is_sqlite():
        op.execute("DROP FUNCTION being_is_kept()")
    op.execute("DELETE FROM grants WHERE secret IN (SELECT id FROM secrets WHERE role = 'being')")
    op.execute("DELETE FROM secrets WHERE role = 'being'")
    _roles(*ROLE[::-1])


def _roles(before: str, after: str) -> None:
    """Change which roles a link may have; on SQLite where it stands, as 0007 explains."""
    if not _is_sqlite():
        op.drop_constraint(op.f("ck_secrets_role"), "secrets", type_="check")
        op.create_check_constraint(op.f("ck_secrets_role"), "secrets", after)
        return
    bind = op.get_bind()
    found = sa.text("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = 'secrets'")
    made = str(bind.execute(found).scalar())
    if made.count(before) != 1:
        raise RuntimeError(f"secrets is not as the migrations before made it: {before}")
    op.execute("PRAGMA writable_schema = ON")
    change = sa.text("UPDATE sqlite_schema SET sql = :made WHERE type = 'table' AND name = :name")
    bind.execute(change, {"made": made.replace(before, after), "name": "secrets"})
    op.execute("PRAGMA writable_schema = RESET")


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"
