"""The clock of a scene: reminder, grace and default by themselves; stops, vacations, outages."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from app.engine.ruleset import GM
from app.persistence import queries_time
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.services import clock, deadlines, links, outages, replay, scenes, turns
from app.services.access import ANONYMOUS, Principal, Role
from app.services.clock_shapes import ClockRead, ClockSettings, NewVacation
from app.services.errors import Conflict, Malformed, NotFound
from app.services.ledger_check import check_ledger
from app.services.proofs import ledger_file, read_ledger
from app.services.shapes import Roller
from app.services.ticking import counted, later
from tests.integration.test_deadlines import DAY, duel, until
from tests.integration.test_jobs import worker
from tests.support.fights import attack
from tests.support.table import Table, set_table
from tests.support.world import START, FixedWorld, SealedWorld

HOUR = timedelta(hours=1)
AUTOMATIC = ClockSettings(remind_hours=6, grace_hours=3, automatic=True)


@pytest.fixture
def world() -> SealedWorld:
    """Give a world with real dice: where all show the same, a tie is never broken."""
    return SealedWorld()


def wind(table: Table, **settings: Any) -> ClockRead:
    """Change what the clock of a scene does."""
    wanted = ClockSettings(**settings)
    return clock.set_clock(table.db, table.world, table.gm, table.id, wanted)


def read(table: Table, who: Principal = ANONYMOUS) -> ClockRead:
    """Read the clock of a scene."""
    return clock.read_clock(table.db, table.world, who, table.id)


def look(table: Table) -> int:
    """Let the service do what is due."""
    return asyncio.run(worker(table.db, table.world).look())


def told(table: Table, kind: str) -> list[tuple[str | None, str | None]]:
    """List whom the notices of a kind went to, by their seat; a dash is the whole board."""
    with table.db.read() as connection:
        rows = connection.exec_driver_sql(
            "SELECT seat, key_id FROM notices WHERE kind = '" + kind + "' ORDER BY id"  # ours
        ).all()
    keys = {
        one.any_secret(FIRST_BOARD): seat for seat, one in {**table.players, GM: table.gm}.items()
    }
    return [(row[0], keys.get(row[1], "-")) for row in rows]


def test_reminder_then_grace_then_the_default_all_by_themselves(
    db: Database, world: SealedWorld
) -> None:
    table = duel(db, world)
    wind(table, remind_hours=6, grace_hours=3, automatic=True)
    world.wait(18 * HOUR - timedelta(seconds=1))
    assert look(table) == 0
    world.wait(timedelta(seconds=1))
    look(table)
    assert told(table, "deadline_near") == [("anna", "anna")]
    world.wait(6 * HOUR)
    look(table)
    assert told(table, "deadline_passed") == [("anna", "anna"), (GM, GM), ("anna", "-")]
    assert table.state().turn == 0 or not scenes.read_entries(db, ANONYMOUS, table.id)
    with pytest.raises(Conflict) as caught:
        deadlines.lapse(db, world, table.players["bruno"], table.id, table.version, table.key())
    assert caught.value.code == "deadline_not_passed"  # the grace still runs
    world.wait(3 * HOUR)
    look(table)
    (entry,) = scenes.read_entries(db, ANONYMOUS, table.id)
    assert (entry.seat, entry.act) == (GM, "lapse")
    assert entry.reason.endswith("Applicata da Arbitro.")
    assert until(table) == world.now() + DAY  # the next one runs, and its alarms are set
    assert replay.check_scenes(db).equal == (table.id,)


def test_who_answers_in_the_grace_is_in_time(sqlite: Database) -> None:
    world = SealedWorld()
    table = duel(sqlite, world)
    wind(table, grace_hours=3, automatic=True)
    world.wait(DAY + 2 * HOUR)
    look(table)
    table.decide("anna", {"kind": "turn"})
    world.wait(HOUR)
    look(table)
    assert [one.act for one in scenes.read_entries(sqlite, ANONYMOUS, table.id)] == ["turn"]


def test_without_the_setting_nothing_is_decided_by_itself(sqlite: Database) -> None:
    world = SealedWorld()
    table = duel(sqlite, world)
    world.wait(10 * DAY)
    look(table)
    assert scenes.read_entries(sqlite, ANONYMOUS, table.id) == ()
    assert told(table, "deadline_passed")
    wind(table, automatic=True)  # a deadline that has passed follows at once
    look(table)
    assert len(scenes.read_entries(sqlite, ANONYMOUS, table.id)) == 1


def test_what_was_set_otherwise_meanwhile_does_not_ring(sqlite: Database) -> None:
    world = SealedWorld()
    table = duel(sqlite, world)
    wind(table, remind_hours=6, automatic=True)
    wind(table, remind_hours=2)
    world.wait(18 * HOUR)
    look(table)
    assert told(table, "deadline_near") == []
    world.wait(4 * HOUR)
    look(table)
    assert told(table, "deadline_near") == [("anna", "anna")]
    world.wait(DAY)
    look(table)
    assert scenes.read_entries(sqlite, ANONYMOUS, table.id) == ()


def test_a_deadline_set_anew_on_a_stopped_clock_has_its_own_hours(sqlite: Database) -> None:
    world = SealedWorld()
    table = duel(sqlite, world)
    world.wait(20 * HOUR)
    clock.stop_clock(sqlite, world, table.gm, table.id, "Ferie.")
    assert deadlines.set_deadline(sqlite, world, table.gm, table.id, 48).answer_by is None
    assert read(table).left_seconds == 48 * 3600
    deadlines.set_deadline(sqlite, world, table.gm, table.id, None)
    assert clock.go_on(sqlite, world, table.gm, table.id).answer_by is None


def test_a_new_scene_copies_how_its_board_keeps_time(db: Database, world: SealedWorld) -> None:
    kept = {"remind_hours": 5, "grace_hours": 2, "automatic": True, "zone": "UTC"}
    with db.write() as connection:
        queries_time.keep_board_time(connection, FIRST_BOARD, **kept, webhook=None)
    settings = read(duel(db, world)).settings
    assert settings == ClockSettings(remind_hours=5, grace_hours=2, automatic=True)


def test_a_deadline_of_before_rings_no_more(sqlite: Database) -> None:
    world = SealedWorld()
    table = duel(sqlite, world)
    wind(table, automatic=True)
    world.wait(23 * HOUR)
    table.decide("anna", {"kind": "turn"})
    world.wait(2 * HOUR)
    look(table)
    assert len(scenes.read_entries(sqlite, ANONYMOUS, table.id)) == 1
    assert told(table, "deadline_passed") == []


def test_an_alarm_waits_while_dice_are_awaited(sqlite: Database) -> None:
    world = FixedWorld()
    table = set_table(sqlite, world, dice=Roller.FORUM, answer_within=24)
    table.decide("hollow", attack())
    world.wait(DAY)
    look(table)
    assert told(table, "deadline_passed") == []
    table.give("hollow", 1, 5)
    world.wait(DAY)
    look(table)
    assert told(table, "deadline_passed")[0] == ("quincy", "quincy")


# ------------------------------------------------------------------------------------- stops


def test_a_stopped_clock_goes_on_with_what_was_left(db: Database, world: SealedWorld) -> None:
    table = duel(db, world)
    wind(table, automatic=True)
    world.wait(20 * HOUR)
    stopped = clock.stop_clock(db, world, table.gm, table.id, "Ferragosto.")
    assert (stopped.answer_by, stopped.left_seconds) == (None, 4 * 3600)
    assert stopped.reason == "Ferragosto."
    world.wait(9 * DAY)
    look(table)
    assert scenes.read_entries(db, ANONYMOUS, table.id) == ()
    with pytest.raises(Conflict) as caught:
        clock.stop_clock(db, world, table.gm, table.id, "Ancora.")
    assert caught.value.code == "clock_stopped"
    went_on = clock.go_on(db, world, table.gm, table.id)
    assert went_on.answer_by == world.now() + 4 * HOUR
    with pytest.raises(Conflict) as caught:
        clock.go_on(db, world, table.gm, table.id)
    assert caught.value.code == "clock_runs"
    world.wait(4 * HOUR)
    look(table)
    assert len(scenes.read_entries(db, ANONYMOUS, table.id)) == 1


def test_who_is_awaited_meanwhile_has_all_of_their_hours_later(sqlite: Database) -> None:
    world = SealedWorld()
    table = duel(sqlite, world)
    world.wait(20 * HOUR)
    clock.stop_clock(sqlite, world, table.gm, table.id, "Ferie.")
    table.decide("anna", {"kind": "turn"})
    assert until(table) is None
    assert read(table).left_seconds == 24 * 3600
    world.wait(DAY)
    assert clock.go_on(sqlite, world, table.gm, table.id).answer_by == world.now() + DAY


def test_only_the_master_sets_stops_and_lets_go_on(sqlite: Database) -> None:
    table = duel(sqlite, SealedWorld())
    for who in (ANONYMOUS, table.players["anna"]):
        for act in (
            lambda who: clock.stop_clock(sqlite, table.world, who, table.id, "Ferie."),
            lambda who: clock.go_on(sqlite, table.world, who, table.id),
            lambda who: clock.set_clock(sqlite, table.world, who, table.id, AUTOMATIC),
        ):
            with pytest.raises(NotFound):
                act(who)
    for reason in ("", "x" * 501):
        with pytest.raises(Malformed):
            clock.stop_clock(sqlite, table.world, table.gm, table.id, reason)
    with pytest.raises(Malformed):
        wind(table, grace_hours=24 * 14 + 1)


# --------------------------------------------------------------------------------- vacations


def away(table: Table, seat: str, begins: datetime, ends: datetime, who: str = "") -> ClockRead:
    """Say that a seat is away."""
    new = NewVacation(seat=seat, begins=begins, ends=ends)
    principal = table.players[who or seat]
    return clock.say_away(table.db, table.world, principal, table.id, new)


def test_hours_of_a_vacation_do_not_count_for_who_is_away(db: Database, world: SealedWorld) -> None:
    table = duel(db, world)
    away(table, "bruno", START, START + 9 * DAY)
    assert until(table) == START + DAY  # anna is awaited
    told = away(table, "anna", START + 12 * HOUR, START + 60 * HOUR)
    assert told.answer_by == START + 72 * HOUR
    away(table, "anna", START + 48 * HOUR, START + 80 * HOUR)  # they overlap, and count once
    assert until(table) == START + 92 * HOUR
    world.wait(20 * HOUR)
    back = clock.come_back(db, world, table.players["anna"], table.id, 2)
    assert back.answer_by == START + 32 * HOUR  # twelve of the hours were left, from now on
    with pytest.raises(Conflict) as caught:
        clock.come_back(db, world, table.players["anna"], table.id, 2)
    assert caught.value.code == "vacation_over"
    table.decide("anna", {"kind": "turn"})
    assert until(table) == START + 9 * DAY + 24 * HOUR  # bruno answers when he is back


def test_a_vacation_is_said_for_ones_own_seat_and_within_bounds(sqlite: Database) -> None:
    table = duel(sqlite, SealedWorld())
    with pytest.raises(NotFound):
        away(table, "anna", START, START + DAY, who="bruno")
    with pytest.raises(NotFound):
        clock.come_back(sqlite, table.world, table.players["anna"], table.id, 7)
    for begins, ends, code in (
        (START, START - HOUR, "vacation_ends_first"),
        (START, START + 61 * DAY, "vacation_too_long"),
        (START + 61 * DAY, START + 62 * DAY, "vacation_too_long"),
    ):
        with pytest.raises(Malformed) as caught:
            away(table, "anna", begins, ends)
        assert [one.code for one in caught.value.mistakes] == [code]
    for _ in range(clock.MOST_VACATIONS):
        away(table, "anna", START, START + HOUR)
    with pytest.raises(Conflict) as refused:
        away(table, "anna", START, START + HOUR)
    assert refused.value.code == "vacations_used_up"


def test_time_is_counted_without_the_hours_away() -> None:
    spans = ((START + HOUR, START + 3 * HOUR), (START + 4 * HOUR, START + 5 * HOUR))
    for hours, end in ((0, 0), (1, 1), (2, 4), (3, 6)):
        at = later(START, hours * HOUR, spans)
        assert at == START + end * HOUR
        assert counted(START, at, spans) == hours * HOUR
    assert later(START + 2 * HOUR, HOUR, spans) == START + 4 * HOUR


# ----------------------------------------------------------------------------------- outages


def test_nobody_is_timed_out_by_our_own_downtime(db: Database, world: SealedWorld) -> None:
    table = duel(db, world)
    wind(table, automatic=True)
    world.wait(23 * HOUR)
    assert outages.beat(db, world) == 0
    world.wait(2 * HOUR)  # down from 23 to 25 hours; the deadline fell into it
    assert outages.beat(db, world) == 1
    look(table)
    assert scenes.read_entries(db, ANONYMOUS, table.id) == ()
    assert until(table) == START + 26 * HOUR
    (line, *_) = read(table).lines
    assert line.what == "outage"
    assert line.facts["began"] == (START + 23 * HOUR).isoformat()
    assert line.facts["ended"] == (START + 25 * HOUR).isoformat()
    world.wait(HOUR)
    outages.beat(db, world)
    look(table)
    assert until(table) == START + 27 * HOUR  # the hour without a beat counts as away too


def test_a_deadline_far_from_an_outage_stays_and_so_does_one_that_had_passed(
    sqlite: Database,
) -> None:
    world = SealedWorld()
    far, passed = duel(sqlite, world, 72), None
    passed = duel_beside(far, 10)
    world.wait(11 * HOUR)
    outages.beat(sqlite, world)
    world.wait(2 * HOUR)
    assert outages.beat(sqlite, world) == 0
    assert until(far) == START + 72 * HOUR
    assert until(passed) == START + 10 * HOUR


def duel_beside(table: Table, hours: int) -> Table:
    """Open another scene on the same board."""
    return set_table(table.db, table.world, owner=table.owner, answer_within=hours)


def test_a_restart_and_a_clock_that_goes_back_are_no_outage(sqlite: Database) -> None:
    world = SealedWorld()
    table = duel(sqlite, world)
    for span in (timedelta(), timedelta(minutes=4), -3 * HOUR, timedelta(minutes=1)):
        world.wait(span)
        assert outages.beat(sqlite, world) == 0
    assert until(table) == START + DAY


# ------------------------------------------------------------------------------ what is left


def test_whatever_is_done_to_a_clock_can_be_read_and_stands_in_the_ledger(
    db: Database, world: SealedWorld
) -> None:
    table = duel(db, world)
    deadlines.set_deadline(db, world, table.gm, table.id, 48)
    wind(table, automatic=True)
    clock.stop_clock(db, world, table.gm, table.id, "Ferie.")
    clock.go_on(db, world, table.gm, table.id)
    away(table, "anna", START, START + HOUR)
    clock.come_back(db, world, table.players["anna"], table.id, 1)
    outages.beat(db, world)
    world.wait(HOUR * 40)
    outages.beat(db, world)
    lines = read(table).lines
    whats = ["outage", "back", "away", "went_on", "stopped", "automatic", "deadline"]
    assert [one.what for one in lines] == whats
    found = read_ledger(db, table.id)
    data = ledger_file(found)
    report = check_ledger(data, found.head)
    assert report.ok, report.faults
    kept = [json.loads(raw) for raw in data.splitlines()]
    assert [one["what"] for one in kept if one["kind"] == "clock"] == whats[::-1]
    assert [kept[one.line or 0]["what"] for one in lines] == whats


def test_no_line_about_a_clock_can_be_changed_or_taken_away(db: Database) -> None:
    table = duel(db, SealedWorld())
    wind(table, automatic=True)
    for change in ("UPDATE clock_lines SET what = 'x'", "DELETE FROM clock_lines"):
        with pytest.raises(Exception, match="only added to"), db.write() as connection:
            connection.exec_driver_sql(change)


def test_a_scene_that_is_over_has_no_clock_to_set(sqlite: Database) -> None:
    table = duel(sqlite, SealedWorld())
    table.decide("anna", {"kind": "resign"})
    assert table.state().stage in ("over", "aftermath")
    if table.state().stage == "over":
        with pytest.raises(Conflict) as caught:
            clock.stop_clock(sqlite, table.world, table.gm, table.id, "Ferie.")
        assert caught.value.code == "scene_over"


def test_48_hours_are_48_hours_across_the_change_of_the_clocks(db: Database) -> None:
    rome = ZoneInfo("Europe/Rome")
    opened = datetime(2025, 3, 29, 14, 0, tzinfo=rome)
    world = SealedWorld()
    world.time = opened.astimezone(UTC)
    table = duel(db, world, 48)
    at = until(table)
    assert at == datetime(2025, 3, 31, 13, 0, tzinfo=UTC)
    assert at.astimezone(rome) == datetime(2025, 3, 31, 15, 0, tzinfo=rome)


def test_no_draft_of_anybody_is_ever_used(db: Database, world: SealedWorld) -> None:
    """What somebody tried out is kept nowhere: the default is what the scene itself holds."""
    table = duel(db, world)
    wind(table, automatic=True)
    draft = {"kind": "resign"}
    turns.preview(db, table.players["anna"], table.id, draft)
    links.reissue(db, world, table.gm, table.id, Role.SEAT, "anna")  # somebody else plays on
    world.wait(DAY)
    look(table)
    (entry,) = scenes.read_entries(db, ANONYMOUS, table.id)
    assert entry.act == "lapse"
    assert table.state().stage == "fight"
