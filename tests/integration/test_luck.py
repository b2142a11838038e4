"""The luck of a scene: whose dice, which of them count, and what those who see less are told."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from app.engine.luck import FaceCounts
from app.persistence.codec import encode, write_json
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD, EntryRow
from app.rulesets.guida.orders import Attack, Turn
from app.rulesets.guida.places import Unseen
from app.rulesets.guida.rulings import Place
from app.services.access import ANONYMOUS, Principal
from app.services.boards import change_board
from app.services.errors import NotFound
from app.services.luck import DiceLuck, SceneLuck, ThrownLuck, scene_luck
from app.services.scenes import read_entries
from app.services.shapes import BoardChanges, Roller
from tests.support.fights import attack
from tests.support.table import Table, set_table
from tests.support.toy import Cup, Game, Give, Throw, Thrower, toy_setup
from tests.support.world import FixedWorld


def throwers(table: Table, *faces: int) -> Table:
    """Let a and b throw six-sided dice and c one of a hundred sides, up to 99."""
    change_board(
        table.db,
        table.world,
        table.owner,
        FIRST_BOARD,
        BoardChanges(options={"toy": {"target": 99}}),
    )
    large = Thrower(id="c", sheet=Cup(name="Urn", sides=100))
    setup = Game(entrants=(*toy_setup("a", "b").entrants, large))
    world = FixedWorld(*faces, seed="toy")
    return set_table(table.db, world, ruleset="toy", setup=setup, owner=table.owner)


@pytest.fixture
def toys(toy: None, table: Table) -> Table:
    """Let a throw 1 and 6, c 30, and b three times 5 of which two are taken back, then another."""
    toys = throwers(table, 1, 5, 30, 6, 5, 5, 5)
    for who in "abca":
        toys.decide(who, Throw())
    toys.decide("b", Throw(times=2))
    toys.void()
    toys.decide("b", Throw())
    return toys


def seen_by(table: Table, principal: Principal = ANONYMOUS) -> SceneLuck:
    """Read the luck of a scene."""
    return scene_luck(table.db, principal, table.id)


def by_actor(found: SceneLuck) -> dict[str, ThrownLuck]:
    """Give the luck of each combatant."""
    return {one.actor: one.thrown for one in found.actors}


def figures(dice: DiceLuck) -> tuple[Any, ...]:
    """Give what can be reckoned on paper."""
    return dice.count, dice.sum, dice.mean


def test_everybody_has_their_own_dice_and_the_scene_all_of_them(toys: Table) -> None:
    found = seen_by(toys)
    assert [one.actor for one in found.actors] == ["a", "b", "c"]
    actors = by_actor(found)
    assert figures(actors["a"].counting) == (2, 7, 7)
    assert figures(actors["b"].counting) == (2, 10, 7)
    assert figures(found.whole.counting) == (5, 47, Fraction(129, 2))
    assert actors["b"].counting.faces == (FaceCounts(6, (0, 0, 0, 0, 2, 0)),)


def test_shares_are_those_of_all_throws_of_such_dice(toys: Table) -> None:
    dice = by_actor(seen_by(toys))["b"].counting
    # Of the 36 throws of two dice 30 show less than 10, three show 10, three more.
    assert (dice.worse, dice.same, dice.better) == (
        Fraction(8333, 10_000),
        Fraction(833, 10_000),
        Fraction(833, 10_000),
    )
    assert dice.percentile == Fraction(8750, 10_000)
    assert dice.deviation == Fraction(242, 100)


def test_dice_that_were_taken_back_fell_and_do_not_count(toys: Table) -> None:
    found = seen_by(toys)
    thrown = by_actor(found)["b"]
    assert figures(thrown.fallen) == (4, 20, 14)
    assert figures(found.whole.fallen) == (7, 57, Fraction(143, 2))
    assert by_actor(found)["a"].fallen == by_actor(found)["a"].counting


def test_a_die_that_an_amended_turn_needs_no_more_fell_and_does_not_count(toys: Table) -> None:
    toys.decide("c", Throw())
    toys.decide("gm", Give(points=60, reason="Bonus."))
    turn = toys.decide("a", Throw())  # far ahead: two dice
    before = by_actor(seen_by(toys))["a"]
    toys.amend(turn.number, Give(points=-60, reason="Nessun bonus."))
    after = by_actor(seen_by(toys))["a"]
    assert (before.counting.count, after.counting.count) == (4, 3)
    assert after.fallen == before.fallen


def test_a_scene_without_dice_is_neither_lucky_nor_unlucky(table: Table) -> None:
    found = seen_by(table)
    assert found.actors == ()
    assert figures(found.whole.counting) == (0, 0, 0)
    assert found.whole.counting.percentile == Fraction(1, 2)


def test_it_is_said_who_rolled(table: Table, forum_table: Table) -> None:
    table.decide("hollow", attack())
    whole = seen_by(table).whole
    assert (whole.service, whole.forum) == (1, 0)
    declared = forum_table.decide("hollow", attack())
    assert seen_by(forum_table).whole.fallen.count == 0  # nothing has fallen yet
    forum_table.give("hollow", declared.number, 9)
    whole = seen_by(forum_table).whole
    assert (whole.service, whole.forum, whole.counting.sum) == (0, 1, 9)


def test_dice_that_neither_the_service_nor_the_forum_rolled_do_not_count(table: Table) -> None:
    table.decide("hollow", attack())
    table.dodge()
    with table.db.write() as connection:
        connection.execute(
            EntryRow.__table__.update().where(EntryRow.number == 1).values(provenance="somebody")
        )
    found = seen_by(table)
    assert [one.actor for one in found.actors] == ["Quincy"]
    assert found.whole.fallen.count == 1


def test_more_entries_than_a_page_holds_are_all_counted(
    toys: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = seen_by(toys)
    monkeypatch.setattr("app.services.luck.MOST_LISTED", 2)
    assert seen_by(toys) == whole


def test_what_is_certain_is_told_from_what_is_nearly_so(toy: None, table: Table) -> None:
    unlucky = throwers(table, *[1] * 6)
    for who in "abcabc":
        unlucky.decide(who, Throw())
    dice = seen_by(unlucky).whole.counting
    assert dice.worse == 0
    assert dice.same == Fraction(1, 10_000)  # it is far less, but not 0
    assert dice.better == Fraction(9_999, 10_000)


def test_dice_hidden_from_a_reader_are_none_to_them(table: Table) -> None:
    table.decide(
        "gm", Place(hidden=(Unseen(who="hollow", observer="quincy"),), reason="si è dileguato")
    )
    table.decide("hollow", Turn())
    nothing = seen_by(table)
    table.world.throw([12])
    table.decide("quincy", Turn(main=Attack(target="hollow", tool="bow", blind=True)))
    entries = read_entries(table.db, ANONYMOUS, table.id)
    assert [entry.rolls for entry in entries if entry.rolls] == []
    assert write_json(encode(seen_by(table))) == write_json(encode(nothing))
    for principal in (table.players["quincy"], table.gm, table.owner):
        assert by_actor(seen_by(table, principal))["Quincy"].counting.sum == 12


def test_a_scene_that_is_not_there_has_no_luck(db: Database, world: FixedWorld) -> None:
    table = set_table(db, world, dice=Roller.SERVICE)
    for id in ("nowhere", "../etc", ""):
        with pytest.raises(NotFound):
            scene_luck(db, table.gm, id)
