"""The database itself: what it refuses, what it survives, and how little a turn costs."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.exc import IntegrityError, StatementError

from app.persistence import database as database_module
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD, BoardRow, EntryRow, SessionRow
from app.services import replay, scenes, turns
from app.services.access import ANONYMOUS
from app.services.entry_shapes import (
    GivenDice,
    Narration,
)
from app.services.errors import Busy
from app.services.shapes import (
    Roller,
)
from tests.support.counting import Count, counted
from tests.support.fights import attack, defend
from tests.support.table import Table, set_table
from tests.support.world import FixedWorld

# ------------------------------------------------------------------------------ what a turn costs


def cost(table: Table, act: Callable[[], object]) -> Count:
    """Count what one use case sends to the database."""
    with counted(table.db) as count:
        act()
    return count


def statements(count: Count) -> list[str]:
    """List the statements, without those that only begin a transaction."""
    return [one for one in count.statements if not one.startswith("BEGIN")]


def test_a_turn_is_one_commit_and_few_statements(table: Table) -> None:
    table.decide("hollow", attack())
    coming = [one.id for one in table.state().incoming]
    submission = table.submission(defend(*coming), narration=Narration(initial="Eccolo."))
    player = table.players["quincy"]
    first = cost(table, lambda: turns.decide(table.db, table.world, player, table.id, submission))
    again = cost(table, lambda: turns.decide(table.db, table.world, player, table.id, submission))
    assert first.commits == 1
    # Three of them for dice that can be checked, two to tell whose turn it is.
    assert len(statements(first)) == 10
    assert len(statements(again)) == 2


def test_dice_and_corrections_are_one_commit_each_too(forum_table: Table) -> None:
    table = forum_table
    player = table.players["hollow"]
    submission = table.submission(attack())
    declared = cost(
        table, lambda: turns.decide(table.db, table.world, player, table.id, submission)
    )
    given = GivenDice(faces=(3,), version=2, key=table.key())
    told = cost(table, lambda: turns.give_dice(table.db, table.world, player, table.id, 1, given))
    version = table.version
    taken_back = cost(table, lambda: table.void())
    assert table.version == version + 1
    assert [count.commits for count in (declared, told, taken_back)] == [1, 1, 1]
    assert all(len(statements(count)) <= 18 for count in (declared, told, taken_back))


@pytest.mark.parametrize("turns_before", [1, 6])
def test_a_page_costs_the_same_however_long_the_scene_is(table: Table, turns_before: int) -> None:
    change = {"kind": "manual", "combatant": "hollow", "change": "hp", "amount": -1, "reason": "x"}
    for _ in range(turns_before):
        table.decide("gm", change)
    shown = cost(table, lambda: scenes.read_scene(table.db, table.gm, table.id))
    entry = cost(table, lambda: scenes.read_entry(table.db, table.gm, table.id, 1))
    page = cost(table, lambda: scenes.read_entries(table.db, table.gm, table.id))
    listed = cost(table, lambda: scenes.list_scenes(table.db, table.owner, FIRST_BOARD))
    counts = [len(statements(count)) for count in (shown, entry, page, listed)]
    assert counts == [3, 4, 4, 1]
    assert [count.commits for count in (shown, entry, page, listed)] == [0, 0, 0, 0]


# --------------------------------------------------------------------------- what it never keeps


def test_half_a_turn_is_never_kept(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    state = table.state()

    def fail(*_args: object, **_more: object) -> None:
        raise RuntimeError("after the entry was written")

    monkeypatch.setattr(turns, "remember", fail)
    with pytest.raises(RuntimeError, match="after the entry"):
        table.decide("hollow", attack())
    monkeypatch.undo()
    scene = scenes.read_scene(table.db, ANONYMOUS, table.id)
    assert (scene.version, scene.entries, table.state()) == (1, (), state)
    assert table.decide("hollow", attack()).number == 1


def entry(table: Table, **changes: object) -> dict[str, object]:
    """Give the values of a sound entry, with some changed."""
    return {
        "scene": table.id,
        "number": 1,
        "kind": "order",
        "act": "turn",
        "seat": "hollow",
        "order": "{}",
        "narration": None,
        "asked": "[]",
        "rolls": "[]",
        "provenance": "",
        "findings": "[]",
        "status": "resolved",
        "reason": "",
        "edition": "1",
        "at": datetime.now(UTC),
        **changes,
    }


@pytest.mark.parametrize(
    "wrong",
    [
        {"scene": "nowhere"},
        {"number": 0},
        {"kind": "guess"},
        {"status": "perhaps"},
        {"voids": 7},
        {"before": 7},
        {"key_id": "nobody"},
    ],
    ids=str,
)
def test_a_row_that_makes_no_sense_is_refused(table: Table, wrong: dict[str, object]) -> None:
    with pytest.raises(IntegrityError), table.db.write() as connection:
        connection.execute(insert(EntryRow), [entry(table, **wrong)])


def test_no_two_entries_have_one_number_and_none_is_voided_twice(table: Table) -> None:
    with table.db.write() as connection:
        connection.execute(insert(EntryRow), [entry(table)])
        connection.execute(insert(EntryRow), [entry(table, number=2, voids=1)])
    for wrong in ({"number": 2}, {"number": 3, "voids": 1}):
        with pytest.raises(IntegrityError), table.db.write() as connection:
            connection.execute(insert(EntryRow), [entry(table, **wrong)])


def test_a_scene_that_has_entries_cannot_be_deleted(table: Table) -> None:
    table.decide("hollow", attack())
    with pytest.raises(IntegrityError), table.db.write() as connection:
        connection.execute(text("DELETE FROM scenes"))


def test_a_reader_cannot_write_by_accident_on_postgresql(
    postgres_url: str, world: FixedWorld
) -> None:
    db = Database(postgres_url)
    with pytest.raises(Exception, match="read-only"), db.read() as connection:
        connection.execute(text("DELETE FROM grants"))
    db.close()


# ----------------------------------------------------------------------------------------- times


def test_a_time_is_the_same_instant_after_it_was_stored(db: Database) -> None:
    pacific = timezone(timedelta(hours=-8))
    at = datetime(2025, 3, 29, 13, 0, 0, 123456, tzinfo=pacific)
    with db.write() as connection:
        connection.execute(insert(SessionRow), [{"digest": "d", "created_at": at, "seen_at": at}])
    with db.read() as connection:
        stored = connection.execute(select(SessionRow.created_at)).scalar_one()
    assert stored == at
    assert stored.utcoffset() == timedelta(0)


def test_a_time_without_a_zone_is_refused(db: Database) -> None:
    naive = datetime(2025, 3, 29)  # noqa: DTZ001  # that is the point
    values = {"digest": "d", "created_at": naive, "seen_at": naive}
    with pytest.raises(StatementError, match="zone"), db.write() as connection:
        connection.execute(insert(SessionRow), [values])


# ------------------------------------------------------------------------- SQLite in trouble


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait for a lock longer than a moment."""
    settings = ("PRAGMA busy_timeout = 50", *database_module.SQLITE_SETTINGS[1:])
    monkeypatch.setattr(database_module, "SQLITE_SETTINGS", settings)


@pytest.fixture
def file_table(impatient: None, sqlite: Database, world: FixedWorld) -> Iterator[Table]:
    """Set a table on an SQLite file."""
    table = set_table(sqlite, world)
    sqlite.engine.dispose()
    yield table
    sqlite.engine.dispose()


def path_of(db: Database) -> Path:
    """Give the path of an SQLite database."""
    return Path(str(db.url.database))


def test_sqlite_is_set_up_to_keep_what_it_acknowledged(sqlite: Database) -> None:
    wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000}
    with sqlite.read() as connection:
        found = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in wanted}
    assert found == wanted


def test_a_lock_that_somebody_holds_is_told_and_overcome(file_table: Table) -> None:
    with closing(sqlite3.connect(path_of(file_table.db), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy):
            file_table.decide("hollow", attack(), version=1)
        assert scenes.read_scene(file_table.db, ANONYMOUS, file_table.id).version == 1
        other.execute("ROLLBACK")
    assert file_table.decide("hollow", attack(), version=1).number == 1


def test_a_full_disk_is_told_and_overcome(file_table: Table) -> None:
    story = Narration(initial="x" * 20_000, defensive="y" * 20_000, offensive="z" * 20_000)
    db = file_table.db
    state = file_table.state()
    pages = 0

    def no_room(connection: Any, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    from sqlalchemy import event

    with closing(sqlite3.connect(path_of(db))) as other:
        pages = other.execute("PRAGMA page_count").fetchone()[0]
    db.engine.dispose()
    event.listen(db.engine, "connect", no_room)
    with pytest.raises(Busy, match="full"):
        file_table.decide("hollow", attack(), version=1, narration=story)
    assert (file_table.version, file_table.state()) == (1, state)
    event.remove(db.engine, "connect", no_room)
    db.engine.dispose()
    assert file_table.decide("hollow", attack(), version=1, narration=story).number == 1
    assert replay.check_scenes(db).equal == (file_table.id,)


def test_a_database_that_cannot_be_written_is_told_and_overcome(file_table: Table) -> None:
    """Root may write everywhere, so the file is opened as one that nobody may write."""
    db = file_table.db
    locked = Database(f"sqlite:///file:{path_of(db)}?mode=ro&uri=true")
    with pytest.raises(Busy):
        turns.decide(
            locked,
            file_table.world,
            file_table.owner,
            file_table.id,
            file_table.submission(attack(by="hollow")),
        )
    locked.close()
    assert file_table.version == 1
    assert path_of(db).stat().st_mode & stat.S_IWUSR
    assert file_table.decide("hollow", attack(), version=1).number == 1


def test_a_database_that_is_not_there_is_told() -> None:
    for url in ("sqlite:////nowhere/at/all.sqlite3", "postgresql://nobody@127.0.0.1:1/none"):
        db = Database(url)
        with pytest.raises(Busy), db.read() as connection:
            connection.execute(select(BoardRow))
        db.close()


def test_a_connection_that_the_server_cut_is_replaced(
    postgres_url: str, postgres_server: Any, world: FixedWorld
) -> None:
    db = Database(postgres_url)
    table = set_table(db, world, dice=Roller.SERVICE)
    name = db.url.database
    postgres_server.psql(
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}';"
    )
    assert table.decide("hollow", attack(), version=1).number == 1
    db.close()


def test_a_connection_cut_in_the_middle_of_a_turn_is_told_and_leaves_nothing(
    postgres_url: str, postgres_server: Any, world: FixedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = Database(postgres_url)
    table = set_table(db, world)
    keep = turns.remember

    def cut(*args: Any, **more: Any) -> None:
        postgres_server.psql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            f"WHERE datname = '{db.url.database}';"
        )
        keep(*args, **more)

    monkeypatch.setattr(turns, "remember", cut)
    key = table.key()
    with pytest.raises(Busy):
        table.decide("hollow", attack(), version=1, key=key)
    monkeypatch.undo()
    assert table.version == 1
    assert table.decide("hollow", attack(), version=1, key=key).number == 1
    db.close()
