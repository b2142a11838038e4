"""The Master sets hits in a duel: what may be set, how it is told, how the duel goes on."""

from __future__ import annotations

from typing import Any

import pytest

from app.engine.dice import Address, RecordedDice, Roll
from app.engine.ruleset import GM, Resolution
from app.persistence.codec import Malformed, decode, load, store, union_of
from app.posts.blocks import Line, Piece, Style
from app.posts.layouts.warrior_dice import LAYOUT
from app.rulesets.warrior_dice.game import WARRIOR_DICE
from app.rulesets.warrior_dice.orders import ORDERS, DuelOrder, DuelTurn, LapseOfTime, SetHits
from app.rulesets.warrior_dice.sheet import PrintedWarrior
from app.rulesets.warrior_dice.state import Duel, Duellist, DuelSetup
from app.rulesets.warrior_dice.telling import place_of
from app.rulesets.warrior_dice.terms import Phase, Stage

PLAIN = PrintedWarrior(warrior="guerriero")
BLOW = (Phase.ATTACK, Phase.DEFENCE)  # with face 3, Sword 30, which stops nothing in defence


def begun(first: str | None = "anna") -> Duel:
    """Open a duel between two like warriors."""
    entrants = tuple(Duellist(id=one, sheet=PLAIN) for one in ("anna", "bruno"))
    return WARRIOR_DICE.start(DuelSetup(entrants=entrants, first=first))


def decided(duel: Duel, order: DuelOrder, *rolls: Roll) -> Resolution[Duel]:
    """Decide what nothing stands in the way of."""
    assert WARRIOR_DICE.check(duel, order) == ()
    return WARRIOR_DICE.resolve(duel, order, RecordedDice(rolls))


def struck(duel: Duel, by: str) -> Duel:
    """Play a turn in which one is hit for 30."""
    rolls = [Roll(Address(place_of(0, phase)), 10, 3) for phase in BLOW]
    return decided(duel, DuelTurn(by=by), *rolls).state


def setting(value: int = 40, **changed: Any) -> SetHits:
    """Give the Master's order."""
    return SetHits(
        **{"by": GM, "combatant": "bruno", "value": value, "reason": "Conto sbagliato."} | changed
    )


def codes(duel: Duel, order: DuelOrder) -> list[tuple[str, str]]:
    """List what stands in the way, with the field it is about."""
    return [(one.code, one.field) for one in WARRIOR_DICE.check(duel, order)]


def test_the_duel_goes_on_from_the_hits_that_were_set() -> None:
    duel = struck(begun(), "anna")
    assert duel.who("bruno").hits == 70
    done = decided(duel, setting(31))
    assert done.state == duel.put(done.state.who("bruno"))  # nothing else has moved
    assert done.drawn == ()
    assert WARRIOR_DICE.awaiting(done.state) == WARRIOR_DICE.awaiting(duel)
    duel = struck(struck(done.state, "bruno"), "anna")
    assert [one.hits for one in duel.fighters] == [70, 1]
    assert duel.stage is Stage.FIGHT
    ended = struck(decided(struck(duel, "bruno"), setting(30)).state, "anna")
    assert (ended.stage, ended.winner, ended.who("bruno").hits) == (Stage.OVER, "anna", 0)


def test_it_is_a_line_of_its_own_with_its_reason() -> None:
    found = decided(struck(begun(), "anna"), setting(90)).findings
    assert LAYOUT.tell is not None
    told = {one: LAYOUT.tell(one, found, (), None) for one in ("it", "en")}
    assert told["it"] == (
        Line(
            (
                Piece("Correzione del Master", Style.BOLD),
                Piece(": "),
                Piece(
                    "Il Master porta i PF di Guerriero (bruno) da 70 a 90. Conto sbagliato.",
                ),
            ),
            rule="WD-6",
        ),
    )
    (english,) = told["en"]
    assert isinstance(english, Line)
    assert english.pieces[-1].text == (
        "The Master sets the hits of Guerriero (bruno) from 70 to 90. Conto sbagliato."
    )


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"value": 100}, [("hits_are_so_already", "value")]),
        ({"value": 101}, [("hits_above_start", "value")]),
        ({"combatant": "carla"}, [("not_a_duellist", "combatant")]),
        ({"by": "anna"}, [("only_the_master", "by")]),
        ({"value": 1}, []),
    ],
)
def test_what_is_no_correction_is_refused(
    changed: dict[str, Any], found: list[tuple[str, str]]
) -> None:
    assert codes(begun(), setting(**changed)) == found


def test_nothing_is_set_before_the_first_turn_or_after_the_last() -> None:
    assert codes(begun(first=None), setting()) == [("not_fighting", "")]
    duel = struck(decided(begun(), setting(10)).state, "anna")
    assert codes(duel, setting()) == [("duel_is_over", "")]
    for one in (begun(first=None), duel):
        assert "set_value" not in WARRIOR_DICE.choices(one, GM).orders
    assert "set_value" in WARRIOR_DICE.choices(begun(), GM).orders
    assert "set_value" not in WARRIOR_DICE.choices(begun(), "anna").orders


def test_a_deadline_after_it_plays_the_turn_that_was_awaited() -> None:
    duel = decided(begun(), setting(80)).state
    rolls = [Roll(Address(place_of(0, phase)), 10, 3) for phase in BLOW]
    assert decided(duel, LapseOfTime(by=GM), *rolls).state.who("bruno").hits == 50


@pytest.mark.parametrize(
    "changed", [{"value": 0}, {"value": 9991}, {"change": "points"}, {"reason": ""}]
)
def test_an_order_is_written_within_its_bounds(changed: dict[str, Any]) -> None:
    given = {"kind": "set_value", "by": GM, "combatant": "bruno", "change": "hits"}
    whole = {**given, "value": 50, "reason": "Conto sbagliato."}
    assert decode(union_of(ORDERS), whole) == setting(50)
    with pytest.raises(Malformed):
        decode(union_of(ORDERS), {**whole, **changed})


def test_the_state_that_comes_of_it_is_stored_and_read_back() -> None:
    duel = decided(begun(), setting()).state
    assert load(Duel, store(duel)) == duel
