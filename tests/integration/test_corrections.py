"""The Master sets a value of a game of dice: played again, taken back, put in front of a turn."""

from __future__ import annotations

from typing import Any

import pytest

from app.persistence.database import Database
from app.rulesets.battle_dice.terms import Kind
from app.services import replay, scenes
from app.services.access import ANONYMOUS
from app.services.errors import Refused
from app.services.timeline import scene_timeline
from tests.support.checked import give_salts, set_sealed_table, verified
from tests.support.table import Table

SEATS = ("ann", "ben")
TURN = {"kind": "turn"}
UNITS = {"units": {"d6": 8, "d8": 4}}
SETUPS: dict[str, Any] = {
    "warrior_dice": {
        "entrants": [
            {"id": seat, "sheet": {"kind": "printed", "warrior": "guerriero"}} for seat in SEATS
        ],
        "first": "ann",
    },
    "combat_dice": {"entrants": [{"id": seat, "sheet": {"name": seat}} for seat in SEATS]},
    "battle_dice": {"entrants": [{"id": seat, "army": UNITS} for seat in SEATS], "turns": 0},
}
CHANGES = {"warrior_dice": ("hits", 60), "combat_dice": ("hp", 6), "battle_dice": ("d6", 5)}


@pytest.fixture(params=SETUPS)
def table(sqlite: Database, request: pytest.FixtureRequest) -> Table:
    """Set a table of each game, with sealed dice."""
    game = request.param
    table = set_sealed_table(sqlite, ruleset=game, setup=SETUPS[game])
    give_salts(table)
    return table


def game_of(table: Table) -> str:
    """Name the game of a table."""
    return scenes.read_scene(table.db, table.gm, table.id).ruleset


def setting(table: Table, value: int | None = None, who: str = "ben") -> dict[str, Any]:
    """Give the order of the Master."""
    change, usual = CHANGES[game_of(table)]
    given = {"kind": "set_value", "combatant": who, "change": change}
    return {**given, "value": usual if value is None else value, "reason": "Contato male."}


def value_of(table: Table, who: int = 1) -> int:
    """Read what is set."""
    state = table.state()
    match game_of(table):
        case "warrior_dice":
            return int(state.fighters[who].hits)
        case "combat_dice":
            return int(state.fighters[who].hp)
        case _:
            return int(state.sides[who].count(Kind.D6))


def orders_of(table: Table) -> list[tuple[str, dict[str, Any]]]:
    """List the orders that play one turn."""
    match game_of(table):
        case "warrior_dice":
            return [(scenes.read_scene(table.db, table.gm, table.id).awaited.seats[0], TURN)]
        case "combat_dice":
            return [(seat, {"kind": "orders", "rethrow": "never"}) for seat in SEATS]
        case _:
            return [(seat, TURN) for seat in SEATS]


def play(table: Table) -> None:
    """Play a turn."""
    for who, order in orders_of(table):
        table.decide(who, order)


def test_the_record_is_played_again_and_its_dice_verify(table: Table) -> None:
    first, *others = orders_of(table)
    if others:  # a sealed order lies there while the Master decides
        table.decide(*first)
    made = table.decide("gm", setting(table))
    assert made.number is not None
    assert value_of(table) == CHANGES[game_of(table)][1]
    told = scenes.read_entry(table.db, ANONYMOUS, table.id, made.number)
    assert [one.key for one in told.findings] == ["value_set"]
    assert told.findings[0].facts["reason"] == "Contato male."
    for who, order in others or [first]:
        table.decide(who, order)
    assert replay.check_scenes(table.db).equal == (table.id,)
    verified(table)


def test_it_is_taken_back(table: Table) -> None:
    before = table.state()
    table.decide("gm", setting(table))
    assert table.state() != before
    table.void()
    assert table.state() == before
    assert replay.check_scenes(table.db).equal == (table.id,)


def test_it_is_put_in_front_of_a_turn_that_is_then_played_anew(table: Table) -> None:
    start = value_of(table)
    play(table)
    lost, fewer = start - value_of(table), start - 1
    table.amend(1, setting(table, fewer))
    assert value_of(table) == fewer - lost
    assert replay.check_scenes(table.db).equal == (table.id,)


def test_no_player_sets_a_value(table: Table) -> None:
    with pytest.raises(Refused):
        table.decide("ann", setting(table))


def test_the_chart_shows_it(table: Table) -> None:
    table.decide("gm", setting(table))
    (ben,) = (
        one for one in scene_timeline(table.db, ANONYMOUS, table.id).people if one.id == "ben"
    )
    (figure,) = ben.figures
    moved = [value for value in figure.values if value is not None]
    change, value = CHANGES[game_of(table)]
    assert moved[-1] == (value if change != "d6" else value + UNITS["units"]["d8"])
    assert moved[-1] < moved[0]
