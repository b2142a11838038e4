"""The Master's desk: turns to review, what was decided of them, looks, notes, and other deeds."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

TABLES = ("deeds", "desk_notes", "desk_seen", "desk_looks", "reviews")
ENTRIES = ("differs", "who", "reviewed", "review", "desk")


def text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    """Make a column of text."""
    return sa.Column(name, sa.Text(), nullable=nullable)


def number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    """Make a column of whole numbers."""
    return sa.Column(name, sa.Integer(), autoincrement=False, nullable=nullable)


def moment() -> sa.Column[object]:
    """Make a column of moments."""
    return sa.Column("at", sa.DateTime(timezone=True), nullable=False)


def key_of(table: str) -> sa.ForeignKeyConstraint:
    """Point to the key of whoever did it."""
    return sa.ForeignKeyConstraint(["key_id"], ["secrets.id"], name=op.f(f"fk_{table}_key_id"))


def board_of(table: str) -> sa.ForeignKeyConstraint:
    """Point to the board that it is about."""
    return sa.ForeignKeyConstraint(["board"], ["boards.id"], name=op.f(f"fk_{table}_board"))


def entry_of(table: str, column: str = "entry") -> sa.ForeignKeyConstraint:
    """Point to the entry that it is about."""
    return sa.ForeignKeyConstraint(
        ["scene", column],
        ["entries.scene", "entries.number"],
        name=op.f(f"fk_{table}_scene_{column}"),
    )


def upgrade() -> None:
    """Add what the desk shows; turns from before it were looked over elsewhere."""
    op.add_column("scenes", sa.Column("asks", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("scenes", sa.Column("since", sa.DateTime(timezone=True), nullable=True))
    op.create_index(op.f("ix_scenes_board_asks"), "scenes", ["board", "asks"])
    op.add_column("entries", text("desk", nullable=True))
    op.add_column("entries", text("review", nullable=True))
    op.add_column(
        "entries", sa.Column("reviewed", sa.Integer(), nullable=False, server_default="0")
    )
    op.add_column("entries", text("who", nullable=True))
    # As a text in quotes SQLite would take the default for true.
    op.execute("ALTER TABLE entries ADD COLUMN differs BOOLEAN NOT NULL DEFAULT false")
    op.create_index(
        op.f("ix_entries_desk_review_at_scene_number"),
        "entries",
        ["desk", "review", "at", "scene", "number"],
    )
    op.create_index(
        op.f("ix_entries_scene_review_at_number"), "entries", ["scene", "review", "at", "number"]
    )
    _fill()
    op.create_table(
        "reviews",
        *(text("scene"), number("entry"), number("number"), text("state"), text("marks")),
        *(text("note"), number("cause", nullable=True), moment(), text("key_id", nullable=True)),
        *(entry_of("reviews"), entry_of("reviews", "cause"), key_of("reviews")),
        sa.CheckConstraint("number > 0", name=op.f("ck_reviews_number")),
        sa.CheckConstraint(
            "state IN ('approved', 'returned', 'open')", name=op.f("ck_reviews_state")
        ),
        sa.PrimaryKeyConstraint("scene", "entry", "number", name=op.f("pk_reviews")),
    )
    op.create_table(
        "desk_looks",
        *(text("key_id"), text("board"), moment()),
        *(key_of("desk_looks"), board_of("desk_looks")),
        sa.PrimaryKeyConstraint("key_id", "board", name=op.f("pk_desk_looks")),
    )
    op.create_table(
        "desk_seen",
        *(text("key_id"), text("scene"), number("entry"), moment()),
        *(key_of("desk_seen"), entry_of("desk_seen")),
        sa.PrimaryKeyConstraint("key_id", "scene", "entry", name=op.f("pk_desk_seen")),
    )
    op.create_table(
        "desk_notes",
        *(text("key_id"), text("board"), text("scene"), text("text"), moment()),
        *(key_of("desk_notes"), board_of("desk_notes")),
        sa.PrimaryKeyConstraint("key_id", "board", "scene", name=op.f("pk_desk_notes")),
    )
    op.create_table(
        "deeds",
        *(text("id"), text("board"), text("scene", nullable=True), text("kind"), text("about")),
        *(text("change"), moment(), text("key_id", nullable=True)),
        *(board_of("deeds"), key_of("deeds")),
        sa.ForeignKeyConstraint(["scene"], ["scenes.id"], name=op.f("fk_deeds_scene")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deeds")),
    )
    op.create_index(op.f("ix_deeds_scene_at_id"), "deeds", ["scene", "at", "id"])
    op.create_index(op.f("ix_deeds_board_at_id"), "deeds", ["board", "at", "id"])


def downgrade() -> None:
    """Take everything of the desk away; entries and scenes stay as they are."""
    for table in TABLES:
        op.drop_table(table)
    op.drop_index(op.f("ix_entries_scene_review_at_number"), "entries")
    op.drop_index(op.f("ix_entries_desk_review_at_scene_number"), "entries")
    for column in ENTRIES:
        op.execute(f"ALTER TABLE entries DROP COLUMN {column}")
    op.drop_index(op.f("ix_scenes_board_asks"), "scenes")
    for column in ("since", "asks"):
        op.execute(f"ALTER TABLE scenes DROP COLUMN {column}")


def _fill() -> None:
    """Count what every scene asks of its Master, and since when it stands as it does."""
    op.execute(
        "UPDATE scenes SET since = COALESCE((SELECT entries.at FROM entries"
        " WHERE entries.scene = scenes.id AND entries.number = scenes.last), created_at)"
    )
    bind = op.get_bind()
    for id, awaited in bind.execute(sa.text("SELECT id, awaited FROM scenes")).all():
        if asks := len(json.loads(awaited).get("questions", ())):
            change = sa.text("UPDATE scenes SET asks = :asks WHERE id = :id")
            bind.execute(change, {"asks": asks, "id": id})
