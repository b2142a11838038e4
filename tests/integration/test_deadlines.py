"""Deadlines: set anew whenever something else is awaited, and the default once one has passed."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from app.engine.ruleset import GM
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.services import deadlines, replay, scenes
from app.services.access import ANONYMOUS, Principal
from app.services.entry_shapes import DecidedSeries
from app.services.errors import Conflict, Malformed, NotFound, Stale
from app.services.shapes import Roller
from app.services.world import World
from tests.integration.test_battle_dice import ARMIES
from tests.integration.test_combat_dice import KITS
from tests.support.fights import attack
from tests.support.table import Table, set_table
from tests.support.world import START, SealedWorld

DAY = timedelta(hours=24)


@pytest.fixture
def world() -> SealedWorld:
    """Give a world with real dice: where all show the same, a tie is never broken."""
    return SealedWorld()


def duel(db: Database, world: SealedWorld, hours: int | None = 24, **more: Any) -> Table:
    """Set a table for two warriors."""
    entrants = [
        {"id": seat, "sheet": {"kind": "printed", "warrior": warrior}}
        for seat, warrior in (("anna", "guerriero"), ("bruno", "ladro"))
    ]
    setup = {"entrants": entrants, "first": "anna", **more}
    return set_table(db, world, ruleset="warrior_dice", setup=setup, answer_within=hours)


def until(table: Table, who: Principal = ANONYMOUS) -> datetime | None:
    """Read until when whoever is awaited may answer."""
    return scenes.read_scene(table.db, who, table.id).deadline.answer_by


def lapse(table: Table, who: str, **more: Any) -> DecidedSeries:
    """Apply the default, as a player or as the Master."""
    principal = table.gm if who == "gm" else table.players[who]
    version = more.get("version", table.version)
    key = more.get("key") or table.key()
    return deadlines.lapse(table.db, table.world, principal, table.id, version, key)


def test_a_deadline_is_set_anew_when_something_else_is_awaited(
    db: Database, world: SealedWorld
) -> None:
    table = duel(db, world)
    assert until(table) == START + DAY
    (line,) = scenes.list_scenes(db, table.gm, FIRST_BOARD)
    assert line.answer_by == START + DAY
    world.wait(timedelta(hours=3))
    table.decide("anna", {"kind": "standing", "standing": {"doubler": "first"}})
    table.decide("anna", {"kind": "draw"})
    assert until(table) == START + DAY  # nothing of this is what is awaited
    table.decide("anna", {"kind": "turn"})
    assert until(table) == START + timedelta(hours=27)
    table.void()
    assert until(table) == START + timedelta(hours=27)


def test_a_scene_without_a_deadline_has_none_and_refuses_the_default(sqlite: Database) -> None:
    table = duel(sqlite, SealedWorld(), None)
    assert scenes.read_scene(sqlite, table.gm, table.id).deadline.answer_within is None
    with pytest.raises(Conflict) as caught:
        lapse(table, "bruno")
    assert caught.value.code == "no_deadline"


def test_the_default_waits_for_the_deadline_and_then_is_anybodys(
    db: Database, world: SealedWorld
) -> None:
    table = duel(db, world)
    with pytest.raises(Conflict) as caught:
        lapse(table, "bruno")
    assert caught.value.code == "deadline_not_passed"
    assert caught.value.facts == {"until": (START + DAY).isoformat()}
    world.wait(DAY)
    version, key = table.version, table.key()
    made = lapse(table, "bruno", version=version, key=key)
    assert lapse(table, "bruno", version=version, key=key) == made
    (number,) = (one.number for one in made.entries)
    entry = scenes.read_entry(db, ANONYMOUS, table.id, number)
    assert (entry.seat, entry.act) == (GM, "lapse")
    assert entry.reason == (
        "Scadenza passata il 2025-03-30 14:00 UTC: vale ciò che è previsto. Applicata da Ladro."
    )
    assert entry.findings[0].key == "deadline_passed"
    assert table.state().turn == 1
    assert until(table) == START + 2 * DAY
    assert replay.check_scenes(db).equal == (table.id,)


def test_whoever_shared_the_deadline_is_decided_for_in_one_go(sqlite: Database) -> None:
    world = SealedWorld()
    table = duel(sqlite, world, first=None)
    world.wait(timedelta(hours=5))
    table.decide("anna", {"kind": "ready"})
    assert until(table) == START + DAY  # both share it
    table.void()
    world.wait(DAY)
    assert len(lapse(table, "anna").entries) == 2
    assert table.state().stage == "fight"


def test_the_default_is_refused_to_whoever_plays_no_part_or_is_late(sqlite: Database) -> None:
    world = SealedWorld()
    table, other = duel(sqlite, world), None
    other = set_table(sqlite, world, owner=table.owner)
    world.wait(DAY)
    for who in (ANONYMOUS, other.gm, other.players["hollow"]):
        with pytest.raises(NotFound):
            deadlines.lapse(sqlite, world, who, table.id, table.version, table.key())
    with pytest.raises(Stale):
        lapse(table, "bruno", version=7)


def test_a_pause_stops_the_deadline_and_it_starts_again_after_it(sqlite: Database) -> None:
    world = SealedWorld()
    table = duel(sqlite, world)
    table.decide("gm", {"kind": "pause", "reason": "Ferie."})
    assert until(table) is None
    world.wait(5 * DAY)
    with pytest.raises(Conflict) as caught:
        lapse(table, "bruno")
    assert caught.value.code == "no_deadline"
    table.decide("gm", {"kind": "resume", "reason": "Si riprende."})
    assert until(table) == START + 6 * DAY


def test_the_master_changes_it_and_nobody_else(db: Database, world: SealedWorld) -> None:
    table = duel(db, world, None)
    for who in (ANONYMOUS, table.players["anna"]):
        with pytest.raises(NotFound):
            deadlines.set_deadline(db, world, who, table.id, 2)
    for hours in (0, 24 * 60 + 1):
        with pytest.raises(Malformed):
            deadlines.set_deadline(db, world, table.gm, table.id, hours)
    found = deadlines.set_deadline(db, world, table.gm, table.id, 2)
    assert (found.answer_within, found.has_default) == (2, True)
    assert found.answer_by == until(table) == START + timedelta(hours=2)
    assert deadlines.set_deadline(db, world, table.gm, table.id, None).answer_by is None
    assert until(table) is None


def overdue(db: Database, world: World, scene_id: str) -> int:
    """Apply the defaults of a scene as a job does; count the entries."""
    with db.write() as connection:
        return deadlines.lapse_in(connection, world, scene_id)


def test_a_job_applies_what_is_overdue_and_nothing_else(db: Database, world: SealedWorld) -> None:
    table = duel(db, world)
    assert overdue(db, world, table.id) == 0
    assert overdue(db, world, "nothing") == 0
    world.wait(DAY)
    assert overdue(db, world, table.id) == 1
    entry = scenes.read_entry(db, ANONYMOUS, table.id, 1)
    assert entry.reason.endswith("Applicata da Arbitro.")
    assert overdue(db, world, table.id) == 0  # a new deadline runs


def test_a_duel_that_nobody_plays_on_comes_to_its_end_by_defaults(sqlite: Database) -> None:
    world = SealedWorld()
    table = duel(sqlite, world, shadow=True, pace="to_the_end")
    for _ in range(300):
        world.wait(DAY)
        if not overdue(sqlite, world, table.id):
            break
    assert table.state().stage == "over"
    assert until(table) is None


def test_while_dice_are_awaited_no_deadline_runs(sqlite: Database) -> None:
    world = SealedWorld()
    table = set_table(sqlite, world, dice=Roller.FORUM, answer_within=24)
    assert until(table) == START + DAY
    table.decide("hollow", attack())
    assert until(table) is None
    world.wait(DAY)
    with pytest.raises(Conflict) as caught:
        lapse(table, "hollow")
    assert caught.value.code == "dice_awaited"


def test_the_guida_only_shows_its_deadline(sqlite: Database) -> None:
    world = SealedWorld()
    table = set_table(sqlite, world, answer_within=24)
    world.wait(DAY)
    assert scenes.read_scene(sqlite, ANONYMOUS, table.id).deadline.has_default is False
    with pytest.raises(Conflict) as caught:
        lapse(table, "quincy")
    assert caught.value.code == "no_default"
    table.decide("hollow", attack())
    assert until(table) == START + 2 * DAY


def test_sealed_orders_of_a_combat_share_one_deadline(sqlite: Database) -> None:
    world = SealedWorld()
    kits = {**KITS, "ann": {"name": "Ann", "forgone": 1, "spells": ["curse"]}}
    setup = {"entrants": [{"id": seat, "sheet": kits[seat]} for seat in KITS]}
    table = set_table(sqlite, world, ruleset="combat_dice", setup=setup, answer_within=24)
    first, _ = table.players
    table.decide(first, {"kind": "open"})
    world.wait(timedelta(hours=20))
    table.decide(first, {"kind": "orders"})
    assert until(table) == START + DAY
    world.wait(timedelta(hours=4))
    lapse(table, first)
    assert table.state().turn == 2
    assert until(table) == START + 2 * DAY


def test_sealed_orders_of_a_battle_share_one_deadline(sqlite: Database) -> None:
    world = SealedWorld()
    setup = {"entrants": [{"id": seat} for seat in ARMIES]}
    table = set_table(sqlite, world, ruleset="battle_dice", setup=setup, answer_within=24)
    first, _ = table.players
    world.wait(DAY)
    with pytest.raises(Conflict) as caught:
        lapse(table, first)  # there is no default army
    assert caught.value.code == "no_default"
    for seat, army in ARMIES.items():
        table.decide(seat, {"kind": "muster", "army": army})
    world.wait(timedelta(hours=20))
    table.decide(first, {"kind": "turn"})
    assert until(table) == START + 2 * DAY
    world.wait(timedelta(hours=4))
    lapse(table, first)
    assert table.state().turn == 2
    assert until(table) == START + 3 * DAY
