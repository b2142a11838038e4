"""People with accounts, roles on boards, and more than one board."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

ROLES = (
    "role IN ('owner', 'gm', 'seat', 'being')",
    "role IN ('owner', 'gm', 'player', 'spectator', 'seat', 'being')",
)
OF_BOARDS = "role IN ('owner', 'gm', 'player', 'spectator')"
NEEDED = ("board TEXT", "board TEXT NOT NULL")
JOINING = "joining IN ('invited', 'open')"
OWNED = "CONSTRAINT pk_secrets PRIMARY KEY"
BOARD = "CONSTRAINT fk_secrets_board FOREIGN KEY(board) REFERENCES boards (id), "
PERSON = "CONSTRAINT fk_secrets_person FOREIGN KEY(person) REFERENCES people (id), "
SEEN = "CONSTRAINT pk_sessions PRIMARY KEY"
VISITOR = (
    "CONSTRAINT fk_sessions_person FOREIGN KEY(person) REFERENCES people (id) ON DELETE CASCADE, "
)


def text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    """Make a column of text."""
    return sa.Column(name, sa.Text(), nullable=nullable)


def moment(name: str, *, nullable: bool = False) -> sa.Column[object]:
    """Make a column of moments."""
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def upgrade() -> None:
    """Make the tables; every link so far is one of the first board's."""
    op.create_table(
        "people",
        *(text("id"), text("name"), text("name_key"), text("name_drawn")),
        *(text(name, nullable=True) for name in ("email", "email_key", "password")),
        sa.Column("is_admin", sa.Boolean(), nullable=False),
        moment("created_at"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people")),
        sa.UniqueConstraint("name_key", name=op.f("uq_people_name_key")),
        sa.UniqueConstraint("name_drawn", name=op.f("uq_people_name_drawn")),
        sa.UniqueConstraint("email_key", name=op.f("uq_people_email_key")),
    )
    op.create_table(
        "identities",
        *(text("issuer"), text("subject"), text("person"), moment("created_at")),
        sa.ForeignKeyConstraint(
            ["person"], ["people.id"], name=op.f("fk_identities_person"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("issuer", "subject", name=op.f("pk_identities")),
    )
    op.create_index(op.f("ix_identities_person"), "identities", ["person"])
    op.create_table(
        "one_time_links",
        *(text("digest"), text("person"), text("purpose"), moment("created_at")),
        *(moment("expires_at"), moment("used_at", nullable=True)),
        sa.CheckConstraint("purpose IN ('reset')", name=op.f("ck_one_time_links_purpose")),
        sa.ForeignKeyConstraint(
            ["person"], ["people.id"], name=op.f("fk_one_time_links_person"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_one_time_links")),
    )
    op.create_index(op.f("ix_one_time_links_person"), "one_time_links", ["person"])
    op.create_table(
        "invitations",
        *(text("id"), text("board", nullable=True), text("role"), text("digest"), text("prefix")),
        sa.Column("uses", sa.Integer(), autoincrement=False, nullable=False),
        *(text("made_by", nullable=True), moment("created_at"), moment("expires_at")),
        moment("revoked_at", nullable=True),
        sa.CheckConstraint(OF_BOARDS, name=op.f("ck_invitations_role")),
        sa.CheckConstraint("uses >= 0", name=op.f("ck_invitations_uses")),
        sa.ForeignKeyConstraint(["board"], ["boards.id"], name=op.f("fk_invitations_board")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint("digest", name=op.f("uq_invitations_digest")),
    )
    op.create_index(op.f("ix_invitations_board"), "invitations", ["board"])
    op.add_column(
        "boards", sa.Column("joining", sa.Text(), server_default="invited", nullable=False)
    )
    for table, columns in (("secrets", ("board", "person")), ("sessions", ("person",))):
        for column in columns:
            op.add_column(table, sa.Column(column, sa.Text(), nullable=True))
    op.execute("UPDATE secrets SET board = 'board'")
    if _is_sqlite():
        _rewrite("boards", ("CONSTRAINT pk_boards", f"{_joining()}, CONSTRAINT pk_boards"))
        _rewrite(
            "secrets", ROLES, ("board TEXT", "board TEXT NOT NULL"), (OWNED, BOARD + PERSON + OWNED)
        )
        _rewrite("sessions", (SEEN, VISITOR + SEEN))
    else:
        op.create_check_constraint(
            op.f("ck_boards_joining"), "boards", "joining IN ('invited', 'open')"
        )
        op.alter_column("secrets", "board", nullable=False)
        op.drop_constraint(op.f("ck_secrets_role"), "secrets", type_="check")
        op.create_check_constraint(op.f("ck_secrets_role"), "secrets", ROLES[1])
        op.create_foreign_key(op.f("fk_secrets_board"), "secrets", "boards", ["board"], ["id"])
        op.create_foreign_key(op.f("fk_secrets_person"), "secrets", "people", ["person"], ["id"])
        op.create_foreign_key(
            op.f("fk_sessions_person"), "sessions", "people", ["person"], ["id"], ondelete="CASCADE"
        )
    op.create_index(op.f("ix_secrets_person"), "secrets", ["person"])
    op.create_index(op.f("ix_secrets_board_role"), "secrets", ["board", "role"])
    op.create_index(op.f("ix_sessions_person"), "sessions", ["person"])


def downgrade() -> None:
    """Take the accounts away; refused where there is more than one board to lose."""
    bind = op.get_bind()
    if bind.execute(sa.text("SELECT count(*) FROM boards WHERE id <> 'board'")).scalar():
        raise RuntimeError("the version before knows one board only, and here are more")
    for index in ("ix_secrets_person", "ix_secrets_board_role"):
        op.drop_index(op.f(index), "secrets")
    op.drop_index(op.f("ix_sessions_person"), "sessions")
    # What somebody did by a membership stays in the log; only the key that stands for it is needed.
    op.execute(
        "UPDATE secrets SET role = 'gm', revoked_at = created_at "
        "WHERE role IN ('player', 'spectator')"
    )
    op.execute(
        "UPDATE secrets SET revoked_at = created_at WHERE person IS NOT NULL AND revoked_at IS NULL"
    )
    op.execute("DELETE FROM sessions WHERE person IS NOT NULL")
    if _is_sqlite():
        _rewrite("boards", (f"{_joining()}, CONSTRAINT pk_boards", "CONSTRAINT pk_boards"))
        _rewrite(
            "secrets",
            ROLES[::-1],
            ("board TEXT NOT NULL", "board TEXT"),
            (BOARD + PERSON + OWNED, OWNED),
        )
        _rewrite("sessions", (VISITOR + SEEN, SEEN))
    else:
        op.drop_constraint(op.f("ck_boards_joining"), "boards", type_="check")
        op.drop_constraint(op.f("fk_secrets_board"), "secrets", type_="foreignkey")
        op.drop_constraint(op.f("fk_secrets_person"), "secrets", type_="foreignkey")
        op.drop_constraint(op.f("fk_sessions_person"), "sessions", type_="foreignkey")
        op.drop_constraint(op.f("ck_secrets_role"), "secrets", type_="check")
        op.create_check_constraint(op.f("ck_secrets_role"), "secrets", ROLES[0])
    for table, column in (
        *(("secrets", "board"), ("secrets", "person"), ("sessions", "person")),
        ("boards", "joining"),
    ):
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    for table in ("invitations", "one_time_links", "identities", "people"):
        op.drop_table(table)


def _joining() -> str:
    return f"CONSTRAINT ck_boards_joining CHECK ({JOINING})"


def _rewrite(table: str, *changes: tuple[str, str]) -> None:
    """Change what a table of SQLite is held to, where it stands, as 0007 explains."""
    bind = op.get_bind()
    found = sa.text("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = :name")
    made = str(bind.execute(found, {"name": table}).scalar())
    for before, after in changes:
        if made.count(before) != 1:
            raise RuntimeError(f"{table} is not as the migrations before made it: {before}")
        made = made.replace(before, after)
    op.execute("PRAGMA writable_schema = ON")
    change = sa.text("UPDATE sqlite_schema SET sql = :made WHERE type = 'table' AND name = :name")
    bind.execute(change, {"made": made, "name": table})
    op.execute("PRAGMA writable_schema = RESET")


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"
