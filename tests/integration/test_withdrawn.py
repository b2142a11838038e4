"""A declared turn is taken back by its own player as long as nobody could know its dice."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from app.integrations.beacon import recorded_beacon
from app.persistence.database import Database
from app.services import scenes, taking_back
from app.services.access import ANONYMOUS, Principal
from app.services.entry_shapes import Decided, TakeBack
from app.services.errors import Conflict, NotFound, Stale
from app.services.replay import check_scenes
from app.services.shapes import EntryKind, Roller, Status
from tests.integration.test_beacon import DUE, GENESIS, PERIOD, File, open_with_beacon
from tests.integration.test_hidden_rolls import CLOSE, GONE, STORY
from tests.support.checked import (
    give_salts,
    lines_of,
    of_kind,
    seal,
    set_sealed_table,
    show,
    verified,
)
from tests.support.fights import attack
from tests.support.table import Table
from tests.support.world import START, SealedWorld

UNSAID = "Ritirato da chi l'aveva dichiarato, prima del tiro."


def withdraw(
    table: Table,
    number: int = 1,
    who: Principal | None = None,
    reason: str = "",
    key: str = "",
    version: int | None = None,
) -> Decided:
    """Take a turn back, as its player."""
    take_back = TakeBack(
        reason=reason,
        version=table.version if version is None else version,
        key=key or table.key(),
    )
    by = who or table.players["hollow"]
    return taking_back.withdraw(table.db, table.world, by, table.id, number, take_back)


def test_a_turn_whose_dice_the_forum_has_not_rolled_is_withdrawn_by_its_player(
    forum_table: Table,
) -> None:
    before = forum_table.state()
    forum_table.decide("hollow", attack())
    done = withdraw(forum_table, reason="Ho sbagliato bersaglio.")
    scene = scenes.read_scene(forum_table.db, ANONYMOUS, forum_table.id)
    assert (done.number, done.status) == (2, Status.RESOLVED)
    assert (scene.waiting, scene.awaited.seats) == (None, ("hollow",))
    assert forum_table.state() == before
    declared, void = scene.entries
    assert (declared.voided_by, declared.status) == (2, Status.DECLARED)
    assert (void.kind, void.seat, void.voids) == (EntryKind.VOID, "hollow", 1)
    assert void.reason == "Ho sbagliato bersaglio."
    forum_table.decide("hollow", attack())
    forum_table.give("hollow", 3, 4)
    assert forum_table.id in check_scenes(forum_table.db).equal


def test_without_a_reason_a_sentence_says_what_happened(forum_table: Table) -> None:
    forum_table.decide("hollow", attack())
    withdraw(forum_table)
    entry = scenes.read_entry(forum_table.db, ANONYMOUS, forum_table.id, 2)
    assert entry.reason == UNSAID


def test_the_ledger_says_who_withdrew_and_every_checker_takes_it(sqlite: Database) -> None:
    table = set_sealed_table(sqlite, dice=Roller.FORUM)
    table.decide("hollow", attack())
    withdraw(table)
    (void,) = of_kind(table, "void")
    assert (void["seat"], void["voids"], void["reason"]) == ("hollow", 1, UNSAID)
    table.decide("hollow", attack())
    table.void()
    assert "seat" not in of_kind(table, "void")[1]
    verified(table)


def test_what_was_decided_or_withdrawn_is_withdrawn_no_more(forum_table: Table) -> None:
    forum_table.decide("hollow", attack())
    withdraw(forum_table)
    for number in (1, 2):
        with pytest.raises((Conflict, NotFound)):
            withdraw(forum_table, number)
    forum_table.decide("hollow", attack())
    forum_table.give("hollow", 3, 4)
    with pytest.raises(Conflict) as caught:
        withdraw(forum_table, 3)
    assert caught.value.code == "nothing_to_withdraw"


def test_nobody_else_withdraws_my_turn(forum_table: Table) -> None:
    forum_table.decide("hollow", attack())
    for who in (forum_table.players["quincy"], ANONYMOUS):
        with pytest.raises(NotFound):
            withdraw(forum_table, who=who)
    with pytest.raises(NotFound):
        withdraw(forum_table, 9)
    assert scenes.read_scene(forum_table.db, ANONYMOUS, forum_table.id).waiting == 1


def test_a_withdrawal_that_is_repeated_gives_the_first_answer(forum_table: Table) -> None:
    forum_table.decide("hollow", attack())
    first = withdraw(forum_table, key="one-and-only", version=2)
    again = withdraw(forum_table, key="one-and-only", version=2)
    assert (again, again.replayed) == (replace(first, replayed=True), True)
    with pytest.raises(Stale):
        withdraw(forum_table, version=2)


# ------------------------------------------------------------------------ where the service rolls


def test_while_salts_are_awaited_a_turn_can_be_withdrawn(sqlite: Database) -> None:
    table = set_sealed_table(sqlite)
    table.decide("hollow", attack())
    seal(table, "quincy")
    withdraw(table)
    assert scenes.read_scene(sqlite, ANONYMOUS, table.id).waiting is None
    give_salts(table)
    table.decide("hollow", attack())
    assert table.state().incoming
    verified(table)


def test_once_every_salt_is_there_the_dice_have_fallen_and_stay(sqlite: Database) -> None:
    table = set_sealed_table(sqlite)
    table.decide("hollow", attack())
    for seat in ("hollow", "quincy"):
        seal(table, seat)
    for seat in ("hollow", "quincy"):
        show(table, seat)
    before = lines_of(table)
    with pytest.raises(Conflict) as caught:
        withdraw(table)
    assert caught.value.code == "nothing_to_withdraw"
    assert lines_of(table)[: len(before)] == before
    assert not of_kind(table, "void")


def test_once_nobody_is_waited_for_any_longer_the_dice_are_settled(sqlite: Database) -> None:
    table = set_sealed_table(sqlite)
    table.decide("hollow", attack())
    table.world.wait(timedelta(days=2))
    with pytest.raises(Conflict) as caught:
        withdraw(table)
    assert caught.value.code == "dice_settled"
    assert scenes.read_scene(sqlite, ANONYMOUS, table.id).waiting == 1


@pytest.mark.parametrize(
    ("seconds", "fetched", "settled"), [(29, False, False), (30, False, True), (30, True, True)]
)
def test_a_turn_is_withdrawn_only_before_its_round_is_out(
    sqlite: Database, tmp_path: Path, seconds: int, fetched: bool, settled: bool
) -> None:
    file = File(tmp_path / "beacon.json")
    world = SealedWorld()
    world.beacon = recorded_beacon(file.path)
    table = open_with_beacon(sqlite, world, seal_hours=24)
    give_salts(table)
    table.decide("hollow", attack())
    assert START.timestamp() + 30 == GENESIS + (DUE - 1) * PERIOD
    world.wait(timedelta(seconds=seconds))
    if fetched:
        file.write(DUE)
    if settled:
        with pytest.raises(Conflict) as caught:
            withdraw(table)
        assert caught.value.code == "dice_settled"
        return
    withdraw(table)
    verified(table)
    file.write(DUE)
    assert scenes.read_scene(sqlite, ANONYMOUS, table.id).waiting is None


def test_a_withdrawal_of_somebody_hidden_tells_nobody_who_it_was(sqlite: Database) -> None:
    table = set_sealed_table(sqlite, dice=Roller.FORUM)
    table.decide("gm", GONE)
    table.decide("hollow", attack(), narration=STORY)
    withdraw(table, 2, reason="Mi hanno visto?")
    seen = scenes.read_entry(sqlite, table.players["quincy"], table.id, 3)
    mine = scenes.read_entry(sqlite, table.players["hollow"], table.id, 3)
    assert (mine.seat, mine.reason) == ("hollow", "Mi hanno visto?")
    assert (seen.seat, seen.reason) == ("", "")
    (void,) = of_kind(table, "void")
    assert {"seat", "reason"} & set(void) == set()
    table.decide("gm", CLOSE)
    assert verified(table).sealed == 0
