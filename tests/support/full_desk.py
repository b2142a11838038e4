"""A desk with many turns on it, written straight into the tables: only its lists are read."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import insert, select, text

from app.persistence.database import Database
from app.persistence.tables import EntryRow, SceneRow
from tests.support.fights import attack
from tests.support.table import Table
from tests.support.world import START

IN_A_SCENE = 50
AT_ONCE = 5_000


def fill_desk(db: Database, table: Table, turns: int) -> None:
    """Put turns onto the desk: copies of one that was decided, in scenes that are copies too."""
    table.decide("hollow", attack())
    with db.write() as connection:
        scene = connection.execute(select(SceneRow.__table__)).mappings().one()
        entry = connection.execute(select(EntryRow.__table__)).mappings().one()
        scenes = range(1, (turns - 1) // IN_A_SCENE + 2)
        connection.execute(
            insert(SceneRow),
            [{**scene, "id": f"scene-{n:06}", "title": f"Scena {n}"} for n in scenes],
        )
        rows: list[dict[str, Any]] = []
        for number in range(turns - 1):
            rows.append(
                {
                    **entry,
                    "scene": f"scene-{number // IN_A_SCENE + 1:06}",
                    "number": number % IN_A_SCENE + 1,
                    "at": START + timedelta(minutes=number + 1),
                }
            )
            if len(rows) == AT_ONCE:
                connection.execute(insert(EntryRow), rows)
                rows = []
        if rows:
            connection.execute(insert(EntryRow), rows)
    with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE" if db.is_sqlite else "VACUUM ANALYZE"))
