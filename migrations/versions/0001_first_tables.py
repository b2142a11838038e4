"""The first tables, and the one board."""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    """Describe a column of text of any length."""
    return sa.Column(name, sa.Text(), nullable=nullable)


def number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    """Describe a column of whole numbers that are given, not counted by the database."""
    return sa.Column(name, sa.Integer(), nullable=nullable, autoincrement=False)


def moment(name: str, *, nullable: bool = False) -> sa.Column[datetime]:
    """Describe a column of times in UTC."""
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def upgrade() -> None:
    """Make the tables and insert the board."""
    boards = op.create_table(
        "boards",
        text("id"),
        text("name"),
        text("language"),
        text("dialect"),
        text("dice"),
        text("openers"),
        text("options"),
        text("regulation"),
        moment("created_at"),
        sa.CheckConstraint("dice IN ('service', 'forum')", name=op.f("ck_boards_dice")),
        sa.CheckConstraint("openers IN ('owner', 'gms', 'anyone')", name=op.f("ck_boards_openers")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_boards")),
    )
    op.create_table(
        "sheets",
        text("id"),
        text("board"),
        text("ruleset"),
        text("name"),
        text("data"),
        number("version"),
        moment("updated_at"),
        sa.ForeignKeyConstraint(["board"], ["boards.id"], name=op.f("fk_sheets_board")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sheets")),
    )
    op.create_index(op.f("ix_sheets_board_name"), "sheets", ["board", "name"])
    op.create_table(
        "scenes",
        text("id"),
        text("board"),
        text("title"),
        text("ruleset"),
        text("edition"),
        text("language"),
        text("dialect"),
        text("dice"),
        text("setup"),
        text("state"),
        text("awaited"),
        number("version"),
        number("last"),
        number("waiting", nullable=True),
        moment("created_at"),
        moment("ended_at", nullable=True),
        sa.CheckConstraint("dice IN ('service', 'forum')", name=op.f("ck_scenes_dice")),
        sa.CheckConstraint("waiting IS NULL OR waiting = last", name=op.f("ck_scenes_waiting")),
        sa.ForeignKeyConstraint(["board"], ["boards.id"], name=op.f("fk_scenes_board")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scenes")),
    )
    op.create_index(op.f("ix_scenes_board_created_at_id"), "scenes", ["board", "created_at", "id"])
    op.create_table(
        "secrets",
        text("id"),
        text("role"),
        text("scene", nullable=True),
        text("seat", nullable=True),
        text("digest"),
        text("prefix"),
        moment("created_at"),
        moment("used_at", nullable=True),
        moment("revoked_at", nullable=True),
        sa.CheckConstraint("role IN ('owner', 'gm', 'seat')", name=op.f("ck_secrets_role")),
        sa.ForeignKeyConstraint(["scene"], ["scenes.id"], name=op.f("fk_secrets_scene")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_secrets")),
        sa.UniqueConstraint("digest", name=op.f("uq_secrets_digest")),
    )
    op.create_index(op.f("ix_secrets_scene"), "secrets", ["scene"])
    op.create_table(
        "entries",
        text("scene"),
        number("number"),
        text("kind"),
        text("act"),
        text("seat"),
        text("order", nullable=True),
        text("narration", nullable=True),
        text("asked"),
        text("rolls", nullable=True),
        text("provenance"),
        text("dice_by", nullable=True),
        moment("dice_at", nullable=True),
        text("findings"),
        text("restated", nullable=True),
        number("voids", nullable=True),
        number("before", nullable=True),
        text("status"),
        text("reason"),
        text("edition"),
        moment("at"),
        text("key_id", nullable=True),
        sa.CheckConstraint("kind IN ('order', 'void')", name=op.f("ck_entries_kind")),
        sa.CheckConstraint("status IN ('declared', 'resolved')", name=op.f("ck_entries_status")),
        sa.CheckConstraint("number > 0", name=op.f("ck_entries_number")),
        sa.ForeignKeyConstraint(["scene"], ["scenes.id"], name=op.f("fk_entries_scene")),
        sa.ForeignKeyConstraint(
            ["scene", "voids"],
            ["entries.scene", "entries.number"],
            name=op.f("fk_entries_scene_voids"),
        ),
        sa.ForeignKeyConstraint(
            ["scene", "before"],
            ["entries.scene", "entries.number"],
            name=op.f("fk_entries_scene_before"),
        ),
        sa.ForeignKeyConstraint(["key_id"], ["secrets.id"], name=op.f("fk_entries_key_id")),
        sa.PrimaryKeyConstraint("scene", "number", name=op.f("pk_entries")),
        # A decision is taken back once at most.
        sa.UniqueConstraint("scene", "voids", name=op.f("uq_entries_scene_voids")),
    )
    op.create_table(
        "sessions",
        text("digest"),
        moment("created_at"),
        moment("seen_at"),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_seen_at"), "sessions", ["seen_at"])
    op.create_table(
        "grants",
        text("session"),
        text("secret"),
        sa.ForeignKeyConstraint(
            ["session"], ["sessions.digest"], name=op.f("fk_grants_session"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["secret"], ["secrets.id"], name=op.f("fk_grants_secret")),
        sa.PrimaryKeyConstraint("session", "secret", name=op.f("pk_grants")),
    )
    op.create_index(op.f("ix_grants_secret"), "grants", ["secret"])
    op.create_table(
        "idempotency",
        text("principal"),
        text("key"),
        text("fingerprint"),
        text("result"),
        moment("at"),
        sa.PrimaryKeyConstraint("principal", "key", name=op.f("pk_idempotency")),
    )
    board = {
        "id": "board",
        "name": "Arbitro",
        "language": "it",
        "dialect": "guida",
        "dice": "service",
        "openers": "owner",
        "options": "{}",
        "regulation": "{}",
        "created_at": datetime.now(UTC),
    }
    op.bulk_insert(boards, [board])


def downgrade() -> None:
    """Drop the tables, those that refer to others first."""
    for table in (
        "idempotency",
        "grants",
        "sessions",
        "entries",
        "secrets",
        "scenes",
        "sheets",
        "boards",
    ):
        op.drop_table(table)
