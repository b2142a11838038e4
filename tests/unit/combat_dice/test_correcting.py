"""The Master sets hit points in a combat: what may be set, how it is told, how it goes on."""

from __future__ import annotations

from typing import Any

import pytest

from app.engine.dice import ChanceDice, Dice
from app.engine.ruleset import GM, Resolution
from app.persistence.codec import Malformed, decode, load, store, union_of
from app.posts.blocks import Line, Piece, Style
from app.posts.layouts.combat_dice import LAYOUT
from app.rulesets.combat_dice.game import COMBAT_DICE
from app.rulesets.combat_dice.options import CombatOptions
from app.rulesets.combat_dice.orders import (
    ORDERS,
    CombatOrder,
    CombatOrders,
    ResignCombat,
    SetHitPoints,
)
from app.rulesets.combat_dice.sheet import FighterSheet
from app.rulesets.combat_dice.state import Combat, CombatEntrant, CombatSetup
from app.rulesets.combat_dice.terms import Rethrow, Skill, Stage, Training, Weapon

QUIET = ChanceDice(lambda _sides: 1)  # every die shows 2, with which nobody is hurt
MANOEUVRES = ChanceDice(lambda _sides: 5)  # every die shows 6, which allows actions


def begun(*skills: Skill, **sheet: Any) -> Combat:
    """Open a combat of Ann, with these skills, against Ben."""
    ann = FighterSheet(name="Ann", skills=skills, **sheet)
    setup = CombatSetup(
        entrants=(
            CombatEntrant(id="ann", sheet=ann),
            CombatEntrant(id="ben", sheet=FighterSheet(name="Ben")),
        ),
        options=CombatOptions(max_skills=6, adrenaline_per_turn=3),
    )
    assert COMBAT_DICE.check_setup(setup) == ()
    return COMBAT_DICE.start(setup)


def decided(combat: Combat, order: CombatOrder, dice: Dice = QUIET) -> Resolution[Combat]:
    """Decide what nothing stands in the way of; the dice that are planned are those that fall."""
    assert COMBAT_DICE.check(combat, order) == ()
    planned = {one.address for one in COMBAT_DICE.plan(combat, order).asked}
    done = COMBAT_DICE.resolve(combat, order, dice)
    assert planned <= {one.address for one in done.drawn}
    return done


def setting(value: int = 6, **changed: Any) -> SetHitPoints:
    """Give the Master's order."""
    given = {"by": GM, "combatant": "ben", "value": value, "reason": "Miscounted."}
    return SetHitPoints(**{**given, **changed})


def codes(combat: Combat, order: CombatOrder) -> list[tuple[str, str]]:
    """List what stands in the way, with the field it is about."""
    return [(one.code, one.field) for one in COMBAT_DICE.check(combat, order)]


def test_the_combat_goes_on_from_the_hit_points_that_were_set() -> None:
    done = decided(begun(), setting())
    assert done.drawn == ()
    assert [one.hp for one in done.state.fighters] == [10, 6]
    assert COMBAT_DICE.awaiting(done.state) == COMBAT_DICE.awaiting(begun())
    combat = decided(done.state, CombatOrders(by="ann", rethrow=Rethrow.NEVER)).state
    combat = decided(combat, CombatOrders(by="ben", rethrow=Rethrow.NEVER)).state
    assert (combat.turn, combat.stage) == (2, Stage.ORDERS)
    assert [one.hp for one in combat.fighters] == [10, 6]
    assert decided(combat, setting(10)).state.fighters[1].hp == 10


def test_it_is_a_line_of_its_own_with_its_reason() -> None:
    found = decided(begun(), setting()).findings
    assert LAYOUT.tell is not None
    told = {one: LAYOUT.tell(one, found, (), None) for one in ("it", "en")}
    assert told["it"] == (
        Line(
            (
                Piece("Correzione del Master", Style.BOLD),
                Piece(": Il Master porta i Punti Vita di Ben da 10 a 6. Miscounted."),
            ),
            rule="CD-21",
        ),
    )
    (english,) = told["en"]
    assert isinstance(english, Line)
    said = "".join(piece.text for piece in english.pieces)
    assert said == (
        "Set by the Master: The Master sets the hit points of Ben from 10 to 6. Miscounted."
    )


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"value": 10}, [("hp_is_so_already", "value")]),
        ({"value": 11}, [("hp_above_most", "value")]),
        ({"combatant": "cat"}, [("not_in_combat", "combatant")]),
        ({"by": "ann"}, [("only_the_master", "by")]),
        ({"value": 1}, []),
    ],
)
def test_what_is_no_correction_is_refused(
    changed: dict[str, Any], found: list[tuple[str, str]]
) -> None:
    assert codes(begun(), setting(**changed)) == found


def test_nothing_is_set_before_the_fight_within_a_turn_or_after_the_end() -> None:
    building = begun(training=Training.ADVANCED)
    apart = begun(weapons=(Weapon.BOW, Weapon.SWORD), shield=None)
    asked = decided(begun(), CombatOrders(by="ann", ask_action=True)).state
    asked = decided(asked, CombatOrders(by="ben"), MANOEUVRES).state
    stages = (Stage.BUILD, Stage.OPEN, Stage.ACT)
    for combat, stage in zip((building, apart, asked), stages, strict=True):
        assert combat.stage is stage
        assert codes(combat, setting()) == [("only_between_turns", "")]
        assert "set_value" not in COMBAT_DICE.choices(combat, GM).orders
    over = decided(begun(), ResignCombat(by="ann")).state
    assert codes(over, setting()) == [("combat_over", "")]
    assert "set_value" in COMBAT_DICE.choices(begun(), GM).orders
    assert "set_value" not in COMBAT_DICE.choices(begun(), "ann").orders


@pytest.mark.parametrize(("hp", "left"), [(1, 1), (2, 1), (3, 1), (4, 1), (5, 2)])
def test_sealed_orders_stay_and_the_last_hit_point_is_not_paid(hp: int, left: int) -> None:
    sealed = CombatOrders(by="ann", adrenaline=3, rethrow=Rethrow.NEVER)
    combat = decided(begun(Skill.ADRENALINE_RUSH), sealed).state
    combat = decided(combat, setting(hp, combatant="ann")).state
    assert combat.posted[0] == sealed
    done = decided(combat, CombatOrders(by="ben", rethrow=Rethrow.NEVER))
    assert done.state.fighters[0].hp == left
    paid = [one.facts["points"] for one in done.findings if one.key == "adrenaline"]
    assert paid == ([hp - left] if hp > left else [])


@pytest.mark.parametrize(
    "changed", [{"value": 0}, {"value": 101}, {"change": "ep"}, {"reason": ""}]
)
def test_an_order_is_written_within_its_bounds(changed: dict[str, Any]) -> None:
    given = {"kind": "set_value", "by": GM, "combatant": "ben", "change": "hp"}
    whole = {**given, "value": 6, "reason": "Miscounted."}
    assert decode(union_of(ORDERS), whole) == setting()
    with pytest.raises(Malformed):
        decode(union_of(ORDERS), {**whole, **changed})


def test_the_state_that_comes_of_it_is_stored_and_read_back() -> None:
    combat = decided(begun(), setting()).state
    assert load(Combat, store(combat)) == combat
