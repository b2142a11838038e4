"""Jobs, clocks of scenes, vacations, outages; notices and the ways they take."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

SQLITE = [
    f"""CREATE TRIGGER clock_lines_no_{change.lower()} BEFORE {change} ON clock_lines
    BEGIN SELECT RAISE(ABORT, 'what was done to a clock is only added to'); END"""
    for change in ("UPDATE", "DELETE")
]
POSTGRES = [
    """CREATE FUNCTION clock_line_is_kept() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'what was done to a clock is only added to'; END $$""",
    """CREATE TRIGGER clock_lines_no_change BEFORE UPDATE OR DELETE ON clock_lines
    FOR EACH ROW EXECUTE FUNCTION clock_line_is_kept()""",
]
TABLES = (
    *("mailboxes", "feeds", "mutes", "notices"),
    *("vacations", "clock_lines", "clocks", "board_times", "outages", "heartbeats", "jobs"),
)


def text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    """Make a column of text."""
    return sa.Column(name, sa.Text(), nullable=nullable)


def number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    """Make a column of whole numbers."""
    return sa.Column(name, sa.Integer(), autoincrement=False, nullable=nullable)


def counted() -> sa.Column[int]:
    """Make the column of a number that the database gives."""
    return sa.Column("id", sa.Integer(), autoincrement=True, nullable=False)


def moment(name: str, *, nullable: bool = False) -> sa.Column[object]:
    """Make a column of moments."""
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def yes_or_no(name: str) -> sa.Column[bool]:
    """Make a column of yes or no."""
    return sa.Column(name, sa.Boolean(), nullable=False)


def primary(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    """Name the primary key of a table."""
    return sa.PrimaryKeyConstraint(*columns, name=op.f(f"pk_{table}"))


def foreign(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    """Name a column's reference to the id of another table."""
    name = op.f(f"fk_{table}_{column}")
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=name)


def check(table: str, name: str, rule: str) -> sa.CheckConstraint:
    """Name what the rows of a table have to fit."""
    return sa.CheckConstraint(rule, name=op.f(f"ck_{table}_{name}"))


def upgrade() -> None:
    """Make the tables; the clocks of the scenes that there are stay as they were."""
    _time()
    _notices()
    for statement in SQLITE if _is_sqlite() else POSTGRES:
        op.execute(statement)


def _time() -> None:
    op.create_table(
        "jobs",
        *(counted(), text("kind"), text("subject"), moment("due_at"), moment("run_at")),
        *(text("payload"), number("attempts"), moment("leased_until", nullable=True)),
        *(text("leased_by", nullable=True), text("last_error", nullable=True)),
        *(moment("done_at", nullable=True), moment("dead_at", nullable=True)),
        primary("jobs", "id"),
        check("jobs", "attempts", "attempts >= 0"),
        sa.UniqueConstraint("kind", "subject", "due_at", name=op.f("uq_jobs_kind_subject_due_at")),
    )
    op.create_index(op.f("ix_jobs_done_at_run_at"), "jobs", ["done_at", "run_at"])
    op.create_table("heartbeats", text("name"), moment("at"), primary("heartbeats", "name"))
    op.create_table(
        "outages",
        *(moment("began"), moment("ended")),
        primary("outages", "began"),
        check("outages", "order", "began < ended"),
    )
    for table, of in (("board_times", "board"), ("clocks", "scene")):
        op.create_table(
            table,
            *(text(of), number("remind_hours"), number("grace_hours"), yes_or_no("automatic")),
            *(
                (text("zone"), text("webhook", nullable=True))
                if of == "board"
                else (
                    moment("paused_at", nullable=True),
                    number("left_seconds", nullable=True),
                    text("reason"),
                )
            ),
            *(primary(table, of), foreign(table, of, f"{of}s")),
            check(table, "remind_hours", "remind_hours >= 0"),
            check(table, "grace_hours", "grace_hours >= 0"),
        )
    op.create_table(
        "clock_lines",
        *(text("scene"), number("number"), text("what"), text("facts"), moment("at")),
        number("line", nullable=True),
        *(primary("clock_lines", "scene", "number"), foreign("clock_lines", "scene", "scenes")),
        check("clock_lines", "number", "number > 0"),
    )
    op.create_table(
        "vacations",
        *(text("scene"), number("number"), text("seat"), moment("begins"), moment("ends")),
        *(moment("said_at"), moment("ended_at", nullable=True), text("key_id", nullable=True)),
        *(primary("vacations", "scene", "number"), foreign("vacations", "scene", "scenes")),
        foreign("vacations", "key_id", "secrets"),
        check("vacations", "order", "begins < ends"),
        check("vacations", "number", "number > 0"),
    )


def _notices() -> None:
    op.create_table(
        "notices",
        *(counted(), text("uid"), text("board"), text("key_id", nullable=True)),
        *(text("scene", nullable=True), text("seat", nullable=True), text("kind")),
        *(text("facts"), moment("at"), moment("read_at", nullable=True)),
        *(primary("notices", "id"), foreign("notices", "board", "boards")),
        *(foreign("notices", "key_id", "secrets"), foreign("notices", "scene", "scenes")),
        sa.UniqueConstraint("uid", name=op.f("uq_notices_uid")),
    )
    op.create_index(op.f("ix_notices_board_key_id_id"), "notices", ["board", "key_id", "id"])
    op.create_table(
        "mutes",
        *(text("addressee"), text("channel"), text("kind")),
        primary("mutes", "addressee", "channel", "kind"),
        check("mutes", "channel", "channel IN ('inbox', 'feed', 'mail', 'hook')"),
    )
    op.create_table(
        "feeds",
        *(counted(), text("board"), text("key_id", nullable=True), text("digest")),
        *(text("prefix"), moment("created_at"), moment("revoked_at", nullable=True)),
        *(primary("feeds", "id"), foreign("feeds", "board", "boards")),
        foreign("feeds", "key_id", "secrets"),
        sa.UniqueConstraint("digest", "key_id", name=op.f("uq_feeds_digest_key_id")),
    )
    op.create_index(op.f("ix_feeds_key_id"), "feeds", ["key_id"])
    op.create_table(
        "mailboxes",
        *(text("key_id"), text("address"), text("language"), text("token"), moment("asked_at")),
        moment("confirmed_at", nullable=True),
        *(primary("mailboxes", "key_id"), foreign("mailboxes", "key_id", "secrets")),
    )
    op.create_index(op.f("ix_mailboxes_token"), "mailboxes", ["token"])


def downgrade() -> None:
    """Take it all away again."""
    for table in TABLES:
        op.drop_table(table)
    if not _is_sqlite():
        op.execute("DROP FUNCTION clock_line_is_kept()")


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"
