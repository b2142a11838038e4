"""Migrations: up, down and up again with rows in the tables, on both databases."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, select, text

from app.integrations.oidc import Vouched
from app.persistence.database import Database
from app.persistence.revision import WrongRevision, check_revision, revision_of
from app.persistence.schema import config, downgrade, upgrade
from app.persistence.tables import FIRST_BOARD, REVISION, Base
from app.rulesets.guida.rulings import Answer
from app.rulesets.guida.terms import Claim
from app.services import (
    beings,
    boards,
    identities,
    invitations,
    people,
    replay,
    scenes,
    sheets,
    turns,
)
from app.services.access import ANONYMOUS
from app.services.people_shapes import NewInvitation
from app.services.shapes import BoardChanges
from app.services.thread_shapes import OldPost
from tests.support.fights import HOLLOW, attack
from tests.support.people import signed_up
from tests.support.table import owner_of, set_table
from tests.support.world import FixedWorld


@pytest.fixture
def postgres_url(postgres_server: Any) -> Iterator[str]:
    """Create a PostgreSQL database in which nothing has been made yet."""
    name = f"empty_{secrets.token_hex(8)}"
    postgres_server.psql(f"CREATE DATABASE {name};")
    yield postgres_server.get_uri(database=name, driver="psycopg")
    postgres_server.psql(f"DROP DATABASE {name} WITH (FORCE);")


@pytest.fixture
def empty(database_url: str) -> Iterator[Database]:
    """Give a database in which nothing has been made yet."""
    database = Database(database_url)
    yield database
    database.close()


def fill(db: Database) -> str:
    """Put rows into every table; give the id of the scene."""
    world = FixedWorld()
    table = set_table(db, world, thread=(OldPost(text="PV: 3/4"),))
    table.decide("hollow", attack())
    table.dodge()
    table.void()
    sheets.add_sheet(db, world, table.gm, FIRST_BOARD, HOLLOW, table.key())
    from app.services import links

    links.open_link(db, world, table.opened.gm_secret)
    now = boards.read_board(db, FIRST_BOARD).options["guida"].riders_on_tie
    turned = BoardChanges(options={"guida": {"riders_on_tie": not now}})
    boards.change_board(db, world, table.owner, FIRST_BOARD, turned)
    other = set_table(db, world, owner=table.owner)
    other.decide("hollow", attack(claims=(Claim.SURPRISE,)))
    answer = Answer(question=other.state().questions[0].id, choice="deny", reason="No.")
    turns.decide(db, world, other.gm, other.id, replace(other.submission(answer), keep=True))
    printed = {"kind": "printed", "warrior": "jasmine"}
    being = beings.add_being(db, world, table.owner, FIRST_BOARD, printed, table.key())
    called = {"id": "a", "sheet": {"being": being.being_id}}
    setup = {"entrants": [called, {"id": "b", "sheet": printed}]}
    set_table(db, world, owner=table.owner, ruleset="warrior_dice", setup=setup)
    return table.id


def fill_with_people(db: Database) -> str:
    """Put rows into the tables of people too, which no version before knows."""
    scene, world = fill(db), FixedWorld(seed="people")
    rin, owner = signed_up(db, world, "Rin"), owner_of(db, world)
    identities.log_in_by(db, world, rin.now, Vouched("https://id.example", "1", "Rin"))
    people.reset_link(db, world, "Rin")
    invitations.invite(db, world, owner, FIRST_BOARD, NewInvitation())
    return scene


BEINGS = ("beings", "being_versions", "scene_beings")
LEDGER = ("ledger", "scene_dice", "salts", "sealed_lines")


def rows_of(db: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Read all rows of all tables."""
    with db.read() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in Base.metadata.sorted_tables
        }


def test_down_and_up_again_with_rows_in_every_table(empty: Database) -> None:
    upgrade(empty)
    fill_with_people(empty)
    assert all(rows_of(empty).values())
    downgrade(empty, "base")
    with empty.read() as connection:
        assert set(inspect(connection).get_table_names()) == {"alembic_version"}
    upgrade(empty)
    boards.ensure_board(empty)
    scene = fill_with_people(empty)  # the first write into every table works
    assert all(rows_of(empty).values())
    assert scene in replay.check_scenes(empty).equal
    assert len(scenes.read_entries(empty, ANONYMOUS, scene)) == 3


def test_each_step_keeps_the_rows_that_both_sides_know(empty: Database) -> None:
    upgrade(empty)
    fill(empty)
    before = rows_of(empty)
    script = ScriptDirectory.from_config(config())
    for revision in script.walk_revisions():
        if isinstance(revision.down_revision, str):
            downgrade(empty, revision.down_revision)
            upgrade(empty, revision.revision)
            upgrade(empty)
    # What a step back does not know is gone for good; dice without a ledger are those of before.
    gone: dict[str, Any] = {
        key: [] for key in (*LEDGER, *BEINGS, "precedents", "option_changes", "imported_posts")
    }
    before["secrets"] = [row for row in before["secrets"] if "being" not in row]
    before["scenes"] = [
        tuple("system" if x == "pbf1" else x for x in row) for row in before["scenes"]
    ]
    # A story from before could have no places for its dice.
    before["entries"] = [tuple(False if x is True else x for x in row) for row in before["entries"]]
    assert rows_of(empty) == {**before, **gone}


def test_the_tables_are_those_of_the_migrations(empty: Database) -> None:
    upgrade(empty)
    with empty.read() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        assert compare_metadata(context, Base.metadata) == []


def test_every_constraint_has_the_name_that_the_tables_say(empty: Database) -> None:
    upgrade(empty)
    with empty.read() as connection:
        looking = inspect(connection)
        for table in Base.metadata.sorted_tables:
            found = {
                looking.get_pk_constraint(table.name)["name"],
                *(one["name"] for one in looking.get_foreign_keys(table.name)),
                *(one["name"] for one in looking.get_unique_constraints(table.name)),
                *(one["name"] for one in looking.get_check_constraints(table.name)),
            }
            assert found == {str(one.name) for one in table.constraints}, table.name


def test_the_code_names_the_newest_revision() -> None:
    assert ScriptDirectory.from_config(config()).get_heads() == [REVISION]


def test_a_database_of_another_revision_is_refused(empty: Database) -> None:
    assert revision_of(empty) is None
    with pytest.raises(WrongRevision, match="arbitro migrate"):
        boards.ensure_board(empty)
    upgrade(empty)
    check_revision(empty)
    with empty.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(WrongRevision, match="9999"):
        check_revision(empty)


def test_a_migration_that_fails_leaves_nothing_behind(
    empty: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    from alembic.operations import Operations

    def fail(*_args: object, **_more: object) -> None:
        raise RuntimeError("in the middle of it")

    monkeypatch.setattr(Operations, "bulk_insert", fail)
    with pytest.raises(RuntimeError, match="in the middle"):
        upgrade(empty)
    with empty.read() as connection:
        assert inspect(connection).get_table_names() == []


def test_migrating_twice_changes_nothing(empty: Database) -> None:
    upgrade(empty)
    fill(empty)
    before = rows_of(empty)
    upgrade(empty)
    assert rows_of(empty) == before
