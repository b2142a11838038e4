"""Other words for the story of an entry, as an entry of their own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

KIND = ("kind IN ('order', 'void')", "kind IN ('order', 'void', 'correction')")
WAITING = ("waiting IS NULL OR waiting = last", "waiting IS NULL OR waiting <= last")
KEY = "fk_entries_scene_corrects"
FIRST_KEY = "CONSTRAINT fk_entries_scene FOREIGN KEY"
OURS = f"CONSTRAINT {KEY} FOREIGN KEY(scene, corrects) REFERENCES entries (scene, number), "


def upgrade() -> None:
    """Let an entry correct another, also while one waits for its dice."""
    op.add_column("entries", sa.Column("corrects", sa.Integer(), nullable=True))
    if _is_sqlite():
        _rewrite("entries", KIND, (FIRST_KEY, OURS + FIRST_KEY))
        _rewrite("scenes", WAITING)
        return
    _check("entries", "kind", KIND[1])
    _check("scenes", "waiting", WAITING[1])
    columns = (["scene", "corrects"], ["scene", "number"])
    op.create_foreign_key(op.f(KEY), "entries", "entries", *columns)


def downgrade() -> None:
    """Take the column away; refused where it is used, since entries are counted without gaps."""
    found = op.get_bind().execute(sa.text("SELECT count(*) FROM entries WHERE kind = 'correction'"))
    if found.scalar():
        raise RuntimeError("stories were corrected: the version before could not read these scenes")
    if _is_sqlite():
        _rewrite("entries", KIND[::-1], (OURS, ""))
        _rewrite("scenes", WAITING[::-1])
    else:
        op.drop_constraint(op.f(KEY), "entries", type_="foreignkey")
        _check("entries", "kind", KIND[0])
        _check("scenes", "waiting", WAITING[0])
    op.execute("ALTER TABLE entries DROP COLUMN corrects")


def _check(table: str, name: str, condition: str) -> None:
    op.drop_constraint(op.f(f"ck_{table}_{name}"), table, type_="check")
    op.create_check_constraint(op.f(f"ck_{table}_{name}"), table, condition)


def _rewrite(table: str, *changes: tuple[str, str]) -> None:
    """Change what a table of SQLite is held to, where it stands.

    A copy of it would have to be put in its place, and others refer to it while keys are enforced.
    What is stored stays the same, so the text of the table may be changed alone
    (https://sqlite.org/lang_altertable.html, "other kinds of table schema changes").
    """
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
