"""Migrations: up, down and up again with rows in the tables, on both databases."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, select, text

from app.persistence import queries_notices, queries_people, queries_time
from app.persistence.database import Database
from app.persistence.revision import WrongRevision, check_revision, revision_of
from app.persistence.schema import config, downgrade, upgrade
from app.persistence.tables import FIRST_BOARD, REVISION, Base
from app.rulesets.guida.rulings import Answer
from app.rulesets.guida.terms import Claim
from app.services import (
    beings,
    boards,
    books,
    clock,
    desk,
    desk_shapes,
    invitations,
    jobs,
    links,
    members,
    people,
    replay,
    reviews,
    scenes,
    sheets,
    summaries,
    turns,
)
from app.services.access import ANONYMOUS, Role
from app.services.book_shapes import SheetPiece, SourceOfPart, Takes, ToolPiece
from app.services.clock_shapes import ClockSettings, NewVacation
from app.services.people_shapes import NewAccount, NewInvitation
from app.services.shapes import BoardChanges
from app.services.thread_shapes import OldPost
from tests.support.fights import HOLLOW, attack
from tests.support.table import Table, set_table
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
    summaries.share(db, world, table.gm, table.id, table.key())
    links.open_link(db, world, table.opened.gm_secret)
    now = boards.read_board(db, FIRST_BOARD).options["guida"].riders_on_tie
    turned = BoardChanges(options={"guida": {"riders_on_tie": not now}})
    boards.change_board(db, world, table.owner, FIRST_BOARD, turned)
    other = set_table(db, world, owner=table.owner)
    other.decide("hollow", attack(claims=(Claim.SURPRISE,)))
    answer = Answer(question=other.state().questions[0].id, choice="deny", reason="No.")
    turns.decide(db, world, other.gm, other.id, replace(other.submission(answer), keep=True))
    fill_book(db, world, table)
    printed = {"kind": "printed", "warrior": "jasmine"}
    being = beings.add_being(db, world, table.owner, FIRST_BOARD, printed, table.key())
    called = {"id": "a", "sheet": {"being": being.being_id}}
    setup = {"entrants": [called, {"id": "b", "sheet": printed}]}
    set_table(db, world, owner=table.owner, ruleset="warrior_dice", setup=setup)
    keep_time(db, world, table)
    fill_desk(db, world, other)
    fill_people(db, world, table)
    return table.id


def fill_book(db: Database, world: FixedWorld, table: Table) -> None:
    """Put a piece and a whole sheet into the book of the board."""
    books.change_book(db, table.owner, FIRST_BOARD, Takes.ANYTHING)
    claws = ToolPiece(data=HOLLOW.tools[0])
    books.propose_piece(db, world, table.gm, FIRST_BOARD, claws, table.key(), approve=True)
    source = SourceOfPart(place="tools.claws", piece="claws", version=1)
    whole = SheetPiece(id="hollow", data=HOLLOW, sources=(source,))
    books.propose_piece(db, world, table.gm, FIRST_BOARD, whole, table.key(), approve=True)


def fill_desk(db: Database, world: FixedWorld, table: Table) -> None:
    """Put rows into every table of the Master's desk."""
    place = desk_shapes.TurnPlace(scene_id=table.id, number=1)
    approved = desk_shapes.Reviewing(
        verdict=desk_shapes.Verdict.APPROVED, version=0, key=table.key()
    )
    reviews.review(db, world, table.gm, table.id, 1, approved)
    desk.look(db, world, table.gm, FIRST_BOARD)
    desk.see(db, world, table.gm, place)
    desk.write_note(db, world, table.gm, FIRST_BOARD, table.id, "Chi ha la spada?")
    links.reissue(db, world, table.gm, table.id, Role.SEAT, "hollow")


def fill_people(db: Database, world: FixedWorld, table: Table) -> None:
    """Let somebody sign up, own a board, invite and forget the password."""
    name = f"Anna {secrets.token_hex(4)}"
    me = people.sign_up(db, world, NewAccount(name=name, password="una parola lunga")).person
    with db.write() as connection:
        members.give_role(connection, world, FIRST_BOARD, me, Role.PLAYER)
        issuer = "https://id.example"
        row = {"issuer": issuer, "subject": me, "person": me, "created_at": world.now()}
        queries_people.add_identity(connection, **row)
    invitations.invite(db, world, table.owner, FIRST_BOARD, NewInvitation())
    people.reset_link(db, world, name)


PEOPLE = ("people", "identities", "one_time_links", "invitations")


def keep_time(db: Database, world: FixedWorld, table: Table) -> None:
    """Put rows into the tables of time and of notices."""
    key = table.players["quincy"].any_secret(FIRST_BOARD)
    assert key is not None
    clock.set_clock(db, world, table.gm, table.id, ClockSettings(remind_hours=2, automatic=True))
    ends = world.now() + timedelta(hours=3)
    away = NewVacation(seat="quincy", begins=world.now(), ends=ends)
    clock.say_away(db, world, table.players["quincy"], table.id, away)
    settings = {"remind_hours": 2, "grace_hours": 1, "automatic": True, "zone": "UTC"}
    with db.write() as connection:
        jobs.plan(connection, jobs.Kind.OVERDUE, table.id, ends)
        queries_time.keep_board_time(connection, FIRST_BOARD, **settings, webhook=None)
        queries_time.beat(connection, world.now())
        queries_time.add_outage(connection, world.now(), ends)
        queries_notices.set_mutes(connection, key, [("mail", "ended")])
        new = {"board": FIRST_BOARD, "key_id": key, "digest": world.token(), "prefix": "arb_"}
        queries_notices.add_feed(connection, **new, created_at=world.now())
        box = {"address": "anna@example.org", "language": "it", "token": world.token()}
        queries_notices.keep_mailbox(connection, key, **box, asked_at=world.now())


TIME = (
    *("jobs", "heartbeats", "outages", "board_times", "clocks", "clock_lines", "vacations"),
    *("notices", "mutes", "feeds", "mailboxes"),
)
DESK = ("reviews", "desk_looks", "desk_seen", "desk_notes", "deeds")
ON_DESK = ("desk", "review", "reviewed", "who", "differs")
BOOKS = ("books", "pieces", "piece_versions", "piece_events", "sheet_sources")
BEINGS = ("beings", "being_versions", "scene_beings")
LATER = ("precedents", "option_changes", "imported_posts", "summary_links")
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
    fill(empty)
    assert all(rows_of(empty).values())
    downgrade(empty, "base")
    with empty.read() as connection:
        assert set(inspect(connection).get_table_names()) == {"alembic_version"}
    upgrade(empty)
    boards.ensure_board(empty)
    scene = fill(empty)  # the first write into every table works
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
        key: [] for key in (*LEDGER, *BEINGS, *BOOKS, *PEOPLE, *DESK, *TIME, *LATER)
    }
    roles = {row[0] for row in before["secrets"] if "player" in row}
    before["secrets"] = [
        row for row in before["secrets"] if "being" not in row and row[0] not in roles
    ]
    before["sessions"] = [row for row in before["sessions"] if row[1] is None]
    # Nobody knew how those are called who are awaited: a scene that does not move calls them by
    # their seats.
    before["scenes"] = [
        (*("system" if x == "pbf1" else x for x in row[:-1]), None) for row in before["scenes"]
    ]
    # A story from before could have no places for its dice, and a turn from before the desk lies
    # on none.
    kept = len(before["entries"][0]) - len(ON_DESK)
    before["entries"] = [
        (*(False if x is True else x for x in row[:kept]), None, None, 0, None, False)
        for row in before["entries"]
    ]
    after = rows_of(empty)
    # What stood for somebody's role is kept revoked, since what they did by it is.
    after["secrets"] = [row for row in after["secrets"] if row[0] not in roles]
    assert after == {**before, **gone}


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
