"""The Master sets how many dice a side has left: what may be set, and how the battle goes on."""

from __future__ import annotations

import random
from typing import Any

import pytest

from app.engine.ruleset import GM
from app.persistence.codec import Malformed, decode, load, store, union_of
from app.posts.blocks import Line, Piece, Style, Title
from app.posts.layouts.battle_dice import LAYOUT
from app.rulesets.battle_dice.game import BATTLE_DICE
from app.rulesets.battle_dice.options import CasualtyChoice, Options
from app.rulesets.battle_dice.orders import ORDERS, Army, Concede, Counts, Order, SetTroop, Turn
from app.rulesets.battle_dice.state import Battle, Troop
from app.rulesets.battle_dice.terms import Hero, Kind
from tests.unit.battle_dice.games import battle_of, begin, play

UNITS = Army(units=Counts(d4=1, d6=3, d20=1), heroes=(Hero.GIANT,))


def begun() -> Battle:
    """Open a battle between two like armies."""
    return begin(Options(army_size=None), ada=UNITS, bo=UNITS)


def after(battle: Battle, *orders: Order) -> Battle:
    """Give the battle after orders that nothing stands in the way of."""
    for order in orders:
        battle = play(battle, order, random.Random(1)).after
    return battle


def setting(value: int = 1, **changed: Any) -> SetTroop:
    """Give the Master's order."""
    given = {"by": GM, "combatant": "bo", "change": Kind.D6, "value": value}
    return SetTroop(**{**given, "reason": "Miscounted.", **changed})


def codes(battle: Battle, order: Order) -> list[tuple[str, str]]:
    """List what stands in the way, with the field it is about."""
    return [(one.code, getattr(one, "field", "")) for one in BATTLE_DICE.check(battle, order)]


def test_what_is_taken_is_lost_and_what_comes_back_is_lost_no_more() -> None:
    battle = after(begun(), setting(1))
    side = battle.sides[1]
    hero = Troop(kind=Kind.D20, hero=Hero.GIANT, count=1)
    assert side.troops == (Troop(kind=Kind.D4, count=1), Troop(kind=Kind.D6, count=1), hero)
    assert side.lost == (Troop(kind=Kind.D6, count=2),)
    assert battle.sides[0] == begun().sides[0]
    assert BATTLE_DICE.awaiting(battle) == BATTLE_DICE.awaiting(begun())
    assert after(battle, setting(3)) == begun()
    more = after(battle, setting(5), setting(2, change=Kind.D8)).sides[1]
    assert [(one.kind, one.count) for one in more.troops] == [
        (Kind.D4, 1),
        (Kind.D6, 5),
        (Kind.D8, 2),
        (Kind.D20, 1),
    ]
    assert more.lost == ()
    none = after(begun(), setting(0)).sides[1]
    assert [one.kind for one in none.troops] == [Kind.D4, Kind.D20]


def test_the_turn_is_played_with_the_dice_that_were_set() -> None:
    posted = after(begun(), Turn(by="ada"), setting(1), setting(0, combatant="ada"))
    step = play(posted, Turn(by="bo"), random.Random(1))
    rolled = [(one.actor, one.sides) for one in step.asked if one.phase == "roll"]
    ada, bo = [("ada", 4), ("ada", 20)], [("bo", 4), ("bo", 6), ("bo", 20)]
    assert sorted(rolled) == sorted([*ada, *bo])


def test_it_is_a_line_of_its_own_with_its_reason() -> None:
    found = play(begun(), setting(1), random.Random(1)).findings
    assert LAYOUT.tell is not None
    title, line = LAYOUT.tell("it", found, (), None)
    assert isinstance(title, Title)
    assert line == Line(
        (
            Piece("Correzione del Master", Style.BOLD),
            Piece(
                ": Il Master corregge l’esercito di bo: Fanteria D6 da 3 a 1, in tutto 3 dadi."
                " Miscounted."
            ),
        ),
        rule="BD-9",
    )
    _, english = LAYOUT.tell("en", found, (), None)
    assert isinstance(english, Line)
    assert english.pieces[1].text == (
        ": The Master puts the army of bo right: infantry D6 from 3 to 1, 3 dice in all."
        " Miscounted."
    )


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"value": 3}, [("troop_is_so_already", "value")]),
        ({"value": 0, "change": Kind.D8}, [("troop_is_so_already", "value")]),
        ({"change": Kind.D20, "value": 2}, [("heroes_not_set", "change")]),
        ({"combatant": "cy"}, [("not_an_army", "combatant")]),
        ({"by": "ada"}, [("set_by_the_master", "by")]),
        ({"value": 0}, []),
    ],
)
def test_what_is_no_correction_is_refused(
    changed: dict[str, Any], found: list[tuple[str, str]]
) -> None:
    assert codes(begun(), setting(**changed)) == found


def test_an_army_is_left_one_die_at_least() -> None:
    alone = Army(units=Counts(d6=2))
    battle = begin(Options(army_size=None), ada=alone, bo=alone)
    assert codes(battle, setting(0)) == [("last_dice_not_taken", "value")]
    assert codes(battle, setting(1)) == []


def test_nothing_is_set_before_the_armies_stand_or_after_the_end() -> None:
    assert codes(begin(Options()), setting()) == [("no_army_to_set", "")]
    over = after(begun(), Concede(by="ada"))
    assert codes(over, setting()) == [("battle_over", "")]
    for one in (begin(Options()), over):
        assert "set_value" not in BATTLE_DICE.choices(one, GM).orders
    assert "set_value" in BATTLE_DICE.choices(begun(), GM).orders
    assert "set_value" not in BATTLE_DICE.choices(begun(), "ada").orders


def test_nothing_is_set_while_a_choice_is_awaited() -> None:
    asking = Options(casualty_choice=CasualtyChoice.ASK)
    waiting = [one.after for one in battle_of(5, asking) if one.after.paused is not None]
    assert waiting
    for battle in waiting:
        value = battle.sides[1].count(Kind.D6) + 1
        assert codes(battle, setting(value)) == [("set_after_the_choice", "")]
        assert BATTLE_DICE.choices(battle, GM).orders == ("deadline", "close")


@pytest.mark.parametrize(
    "changed", [{"value": -1}, {"value": 101}, {"change": "hp"}, {"reason": ""}]
)
def test_an_order_is_written_within_its_bounds(changed: dict[str, Any]) -> None:
    given = {"kind": "set_value", "by": GM, "combatant": "bo", "change": "d6"}
    whole = {**given, "value": 1, "reason": "Miscounted."}
    assert decode(union_of(ORDERS), whole) == setting()
    with pytest.raises(Malformed):
        decode(union_of(ORDERS), {**whole, **changed})


def test_the_state_that_comes_of_it_is_stored_and_read_back() -> None:
    battle = after(begun(), setting())
    assert load(Battle, store(battle)) == battle
