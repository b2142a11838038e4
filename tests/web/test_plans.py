"""No page reads a table from end to end: what it costs does not grow with what others have stored.

Every statement that the pages of the town make is asked how it would be answered: on SQLite, and
on a PostgreSQL that reads a whole table only where there is no other way.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import CompoundSelect, Delete, Select, Update, event
from sqlalchemy.dialects import sqlite

from app.jobs.work import Worker
from app.persistence.database import Database
from app.persistence.schema import upgrade
from app.persistence.tables import Base
from app.services import jobs, outages
from app.services.sealing import go_on_everywhere
from app.services.sending import couriers_of
from tests.web.pages_asked import FORMS, ROUTES, address
from tests.web.town import Town

TABLES = frozenset(Base.metadata.tables)
SQLITE_SCAN = re.compile(r"SCAN (\w+)")


@pytest.fixture(scope="module")
def asked(town: Town, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, Any, Any]]:
    """Collect each statement of every page, with the page that made it and what was bound."""
    found: dict[str, tuple[str, Any, Any]] = {}
    route = ""

    def note(
        conn: Any, clauseelement: Any, multiparams: Any, params: Any, execution_options: Any
    ) -> None:
        # An insert reads nothing, and how it meets a row that is there each database says itself.
        if isinstance(clauseelement, Select | Update | Delete | CompoundSelect):
            bound = multiparams[0] if multiparams else params
            found.setdefault(str(clauseelement.compile()), (route, clauseelement, bound))

    # What is only read changes nothing; after all else nobody may be who they were.
    reading = [one for one in ROUTES if one.startswith("GET")]
    for routes in (reading, *([one] for one in ROUTES if one not in reading)):
        with town.copy(tmp_path_factory.mktemp("plans")) as client:
            event.listen(client.app.state.shared.database.engine, "before_execute", note)
            for route in routes:
                form = FORMS.get(route, lambda _: {})(town)
                for role in ("owner", "player"):
                    town.ask(client, role, route.split()[0], address(town, route), form)
    with town.copy(tmp_path_factory.mktemp("plans")) as client:
        common = client.app.state.shared
        event.listen(common.database.engine, "before_execute", note)
        route = "what is done again and again"
        go_on_everywhere(common.database, common.world)
        worker = Worker(common.database, common.world, couriers_of(common.settings), "worker")
        outages.beat(common.database, common.world)
        asyncio.run(worker.look())
        jobs.sweep(common.database, common.world)
    assert len(found) > 80
    return found


def spelled(statement: Any, bound: Any, dialect: Any) -> tuple[str, Any]:
    """Spell a statement and what is bound as a driver takes them."""
    compiled = statement.compile(dialect=dialect, column_keys=list(bound) or None)
    state = compiled.construct_expanded_state(bound, escape_names=False)
    values = dict(state.parameters)
    for name, process in compiled._bind_processors.items():
        if name in values and values[name] is not None:
            values[name] = process(values[name])
    if compiled.positional:
        return state.statement, tuple(values[name] for name in state.positiontup)
    return state.statement, values


def test_sqlite_reads_no_table_from_end_to_end(
    town: Town, asked: dict[str, tuple[str, Any, Any]]
) -> None:
    faults = []
    with closing(sqlite3.connect(town.path)) as connection:
        for route, statement, bound in asked.values():
            text, values = spelled(statement, bound, sqlite.dialect())
            for row in connection.execute(f"EXPLAIN QUERY PLAN {text}", values):
                scanned = SQLITE_SCAN.match(row[3])
                if scanned and scanned[1] in TABLES:
                    faults.append(f"{route}: {row[3]}: {text}")
    assert not faults, "\n".join(faults)


def test_postgresql_reads_no_table_from_end_to_end(
    postgres_url: str, asked: dict[str, tuple[str, Any, Any]]
) -> None:
    db, faults = Database(postgres_url), []
    upgrade(db)
    with db.read() as connection, connection.connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        for route, statement, bound in asked.values():
            text, values = spelled(statement, bound, db.engine.dialect)
            cursor.execute(f"EXPLAIN (FORMAT JSON) {text}", values)
            (told,) = cursor.fetchone()
            plan = (told if isinstance(told, list) else json.loads(told))[0]["Plan"]
            read = (node["Relation Name"] for node in nodes(plan) if reads_all(node))
            faults.extend(f"{route}: {name}: {text}" for name in read)
    db.close()
    assert not faults, "\n".join(faults)


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Walk a plan."""
    yield plan
    for one in plan.get("Plans", ()):
        yield from nodes(one)


def reads_all(node: dict[str, Any]) -> bool:
    """Say whether a step reads a whole table, in its own order or in that of an index."""
    if node["Node Type"] == "Seq Scan":
        return True
    return (
        node["Node Type"].startswith("Index")
        and "Relation Name" in node
        and ("Index Cond" not in node)
    )
