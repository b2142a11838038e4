"""The book of a board: pieces proposed and approved in versions, and what was copied from them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

KEPT = ("piece_versions", "piece_events")
SQLITE = [
    f"""CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table}
    BEGIN SELECT RAISE(ABORT, 'what is in a book is only added to'); END"""
    for table in KEPT
    for change in ("UPDATE", "DELETE")
]
POSTGRES = [
    """CREATE FUNCTION book_is_kept() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'what is in a book is only added to'; END $$""",
    *(
        f"""CREATE TRIGGER {table}_{name} BEFORE {change} ON {table}
        FOR EACH {each} EXECUTE FUNCTION book_is_kept()"""
        for table in KEPT
        for name, change, each in (
            ("no_change", "UPDATE OR DELETE", "ROW"),
            ("no_truncate", "TRUNCATE", "STATEMENT"),
        )
    ),
]


def text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    """Make a column of text."""
    return sa.Column(name, sa.Text(), nullable=nullable)


def number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    """Make a column of whole numbers."""
    return sa.Column(name, sa.Integer(), autoincrement=False, nullable=nullable)


def moment(name: str, *, nullable: bool = False) -> sa.Column[sa.DateTime]:
    """Make a column of moments."""
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def refers(table: str, to: str, *columns: str) -> sa.ForeignKeyConstraint:
    """Refer to the rows of another table by its key, whose columns ``columns`` begin with ours."""
    own = [column.partition(":")[0] for column in columns]
    theirs = [f"{to}.{column.partition(':')[2]}" for column in columns]
    return sa.ForeignKeyConstraint(own, theirs, name=op.f(f"fk_{table}_{'_'.join(own)}"))


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "books",
        *(text("board"), text("takes")),
        sa.CheckConstraint(
            "takes IN ('anything', 'pieces', 'sheets')", name=op.f("ck_books_takes")
        ),
        refers("books", "boards", "board:id"),
        sa.PrimaryKeyConstraint("board", name=op.f("pk_books")),
    )
    op.create_table(
        "pieces",
        *(text("board"), text("id"), text("kind"), text("name"), number("place"), number("last")),
        *(number("approved", nullable=True), number("proposed", nullable=True)),
        *(text("proposed_name", nullable=True), number("version"), text("sheet", nullable=True)),
        *(moment("retired_at", nullable=True), moment("created_at")),
        sa.CheckConstraint(
            "kind IN ('technique', 'weapon', 'armour', 'bonus', 'sheet')",
            name=op.f("ck_pieces_kind"),
        ),
        refers("pieces", "boards", "board:id"),
        refers("pieces", "sheets", "sheet:id"),
        sa.PrimaryKeyConstraint("board", "id", name=op.f("pk_pieces")),
    )
    op.create_index(op.f("ix_pieces_board_place"), "pieces", ["board", "place"])
    op.create_table(
        "piece_versions",
        *(text("board"), text("piece"), number("number"), text("name"), text("data")),
        *(text("note"), text("by_role"), text("by_name"), text("key_id", nullable=True)),
        moment("at"),
        sa.CheckConstraint("number > 0", name=op.f("ck_piece_versions_number")),
        refers("piece_versions", "pieces", "board:board", "piece:id"),
        refers("piece_versions", "secrets", "key_id:id"),
        sa.PrimaryKeyConstraint("board", "piece", "number", name=op.f("pk_piece_versions")),
    )
    op.create_table(
        "piece_events",
        *(text("board"), number("number"), text("piece"), number("version"), text("act")),
        *(text("reason"), text("marks"), text("by_role"), text("by_name")),
        *(text("key_id", nullable=True), moment("at")),
        sa.CheckConstraint("number > 0", name=op.f("ck_piece_events_number")),
        sa.CheckConstraint(
            "act IN ('proposed', 'approved', 'returned', 'retired')",
            name=op.f("ck_piece_events_act"),
        ),
        refers("piece_events", "piece_versions", "board:board", "piece:piece", "version:number"),
        refers("piece_events", "secrets", "key_id:id"),
        sa.PrimaryKeyConstraint("board", "number", name=op.f("pk_piece_events")),
    )
    op.create_index(op.f("ix_piece_events_board_piece"), "piece_events", ["board", "piece"])
    op.create_table(
        "sheet_sources",
        *(text("sheet"), text("place"), text("board"), text("piece"), number("version")),
        refers("sheet_sources", "sheets", "sheet:id"),
        refers("sheet_sources", "piece_versions", "board:board", "piece:piece", "version:number"),
        sa.PrimaryKeyConstraint("sheet", "place", name=op.f("pk_sheet_sources")),
    )
    for statement in SQLITE if _is_sqlite() else POSTGRES:
        op.execute(statement)


def downgrade() -> None:
    """Drop the tables, and with them what guards their rows."""
    for table in ("sheet_sources", "piece_events", "piece_versions", "pieces", "books"):
        op.drop_table(table)
    if not _is_sqlite():
        op.execute("DROP FUNCTION book_is_kept()")


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"
