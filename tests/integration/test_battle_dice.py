"""A battle through the services: secret lists, sealed dice, asking, a ledger that verifies."""

from __future__ import annotations

import pytest

from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.services import boards, replay, scenes
from app.services.access import ANONYMOUS
from app.services.errors import Refused
from app.services.shapes import BoardChanges, Status
from tests.support.checked import give_salts, of_kind, set_sealed_table, verified
from tests.support.table import Table, set_table

ARMIES = {
    "ada": {
        "units": {"d4": 2, "d6": 4, "d8": 4, "d10": 4, "d12": 2, "d20": 4},
        "heroes": ["dragon"],
    },
    "bo": {"units": {"d4": 1, "d6": 5, "d8": 6, "d12": 6, "d20": 2}, "heroes": ["archmage"]},
}


def set_battle(db: Database) -> Table:
    """Set a table for two armies that are not mustered yet, with sealed dice."""
    setup = {"entrants": [{"id": seat} for seat in ARMIES]}
    table = set_sealed_table(db, ruleset="battle_dice", setup=setup)
    give_salts(table)
    return table


def muster(table: Table) -> None:
    """Let both players muster their armies."""
    for seat, army in ARMIES.items():
        table.decide(seat, {"kind": "muster", "army": army})


def test_lists_are_secret_until_both_are_in(sqlite: Database) -> None:
    table = set_battle(sqlite)
    made = table.decide("ada", {"kind": "muster", "army": ARMIES["ada"]})
    for principal in (table.players["bo"], table.gm, ANONYMOUS):
        view = scenes.read_scene(table.db, principal, table.id).view
        assert [side.total for side in view.sides] == [0, 0]
        assert view.sides[0].own is None
        assert scenes.read_entry(table.db, principal, table.id, made.number).order is None
    table.decide("bo", {"kind": "muster", "army": ARMIES["bo"]})
    view = scenes.read_scene(table.db, ANONYMOUS, table.id).view
    assert [side.total for side in view.sides] == [20, 20]


def test_a_whole_battle_verifies_and_is_played_again(sqlite: Database) -> None:
    table = set_battle(sqlite)
    muster(table)
    turns = 0
    while table.state().ended is None:
        for seat in ARMIES:
            table.decide(seat, {"kind": "turn"})
        turns += 1
    report = verified(table)
    assert report.rolls == turns == len(of_kind(table, "roll"))
    assert replay.check_scenes(table.db).equal == (table.id,)
    with pytest.raises(Refused) as caught:
        table.decide("ada", {"kind": "concede"})
    assert [one.code for one in caught.value.obstacles] == ["battle_over"]


def test_a_late_player_is_played_for(sqlite: Database) -> None:
    table = set_battle(sqlite)
    muster(table)
    table.decide("bo", {"kind": "turn", "policy": {"free_choice": "withdraw"}})
    table.decide("gm", {"kind": "deadline"})
    assert table.state().turn == 2
    verified(table)


def test_a_battle_that_asks_goes_on_with_the_next_seed(sqlite: Database) -> None:
    first = set_battle(sqlite)
    asking = BoardChanges(options={"battle_dice": {"casualty_choice": "ask"}})
    boards.change_board(first.db, first.world, first.owner, FIRST_BOARD, asking)
    setup = {"entrants": [{"id": seat} for seat in ARMIES]}
    table = set_table(
        first.db,
        first.world,
        ruleset="battle_dice",
        setup=setup,
        owner=first.owner,
        seal_hours=24,
    )
    give_salts(table)
    muster(table)
    for seat in ARMIES:
        table.decide(seat, {"kind": "turn"})
    asked = 0
    while (paused := table.state().paused) is not None:
        answered = {one.decision for one in paused.answers}
        due = next(one for one in paused.awaited if one.id not in answered)
        table.decide(
            due.seat, {"kind": "choose", "decision": due.id, "picks": list(due.default[::-1])}
        )
        asked += 1
    assert asked > 0
    verified(table)
    assert table.id in replay.check_scenes(table.db).equal


def test_orders_that_wait_for_the_other_player_do_not_wait_for_dice(sqlite: Database) -> None:
    setup = {"entrants": [{"id": seat, "army": army} for seat, army in ARMIES.items()]}
    table = set_sealed_table(sqlite, ruleset="battle_dice", setup=setup)
    made = table.decide("ada", {"kind": "turn", "policy": {"summon": "d12"}})
    assert made.status is Status.RESOLVED
    for principal in (table.players["bo"], table.gm, ANONYMOUS):
        assert scenes.read_entry(table.db, principal, table.id, made.number).order is None
    assert table.decide("bo", {"kind": "turn"}).status is Status.DECLARED
    give_salts(table)
    assert table.state().turn == 2
    verified(table)


def test_what_was_sealed_comes_to_light_once_it_is_played_and_standing_orders_never(
    sqlite: Database,
) -> None:
    first = set_battle(sqlite)
    asking = BoardChanges(options={"battle_dice": {"casualty_choice": "ask"}})
    boards.change_board(first.db, first.world, first.owner, FIRST_BOARD, asking)
    setup = {"entrants": [{"id": seat} for seat in ARMIES]}
    table = set_table(
        first.db, first.world, ruleset="battle_dice", setup=setup, owner=first.owner, seal_hours=24
    )
    give_salts(table)

    def told(number: int) -> bool:
        return scenes.read_entry(table.db, ANONYMOUS, table.id, number).order is not None

    lists = [
        table.decide(seat, {"kind": "muster", "army": army}).number for seat, army in ARMIES.items()
    ]
    assert all(map(told, lists))
    stood = table.decide("ada", {"kind": "stand", "policy": {"summon": "d8"}}).number
    kept = table.decide("bo", {"kind": "turn", "policy": {"summon": "d8"}, "keep": True}).number
    turn = table.decide("ada", {"kind": "turn", "policy": {"casualties": ["d12"]}}).number
    choices = []
    while (paused := table.state().paused) is not None:
        assert not told(turn), "a turn that waits keeps its orders sealed"
        due = paused.awaited[len(paused.answers)]
        order = {"kind": "choose", "decision": due.id, "picks": list(due.default)}
        choices.append(table.decide(due.seat, order).number)
    assert choices
    assert told(turn)
    assert all(map(told, choices))
    assert not told(stood)
    assert not told(kept)
    verified(table)
