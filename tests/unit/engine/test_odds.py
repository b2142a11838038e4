"""Estimates of a share and of a mean, and games that play themselves within bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from app.engine.odds import Method, mean_of, share_of
from app.engine.simulate import NoDefault, TooMuchWork, simulate
from app.rulesets.battle_dice.game import BATTLE_DICE
from app.rulesets.battle_dice.options import Morale, Options
from app.rulesets.battle_dice.orders import Army, Counts
from app.rulesets.battle_dice.state import Entrant, Setup
from app.rulesets.combat_dice.game import COMBAT_DICE
from app.rulesets.combat_dice.sheet import FighterSheet
from app.rulesets.combat_dice.state import CombatEntrant, CombatSetup
from app.rulesets.combat_dice.terms import Training
from app.rulesets.guida.game import GUIDA
from app.rulesets.warrior_dice.game import WARRIOR_DICE
from app.rulesets.warrior_dice.printed import PRINTED
from app.rulesets.warrior_dice.sheet import PrintedWarrior
from app.rulesets.warrior_dice.state import Duellist, DuelSetup

ENOUGH = 10_000_000


def chance(seed: int = 1) -> Callable[[int], int]:
    """Give a seeded source of chance."""
    draw = Random(seed).random
    return lambda sides: int(draw() * sides)


def battle(**counts: int) -> Setup:
    """Set two like armies against each other."""
    army = Army(units=Counts(**counts))
    return Setup(entrants=(Entrant(id="ada", army=army), Entrant(id="bo", army=army)))


def test_a_share_has_the_usual_error_and_never_none() -> None:
    half = share_of(50, 100)
    assert (half.value, half.error) == (0.5, pytest.approx(0.05))
    never = share_of(0, 100)
    assert never.value == 0
    assert never.error == pytest.approx(0.0099, abs=1e-4)


def test_a_mean_has_the_error_of_its_spread() -> None:
    numbers = [2, 4, 4, 4, 5, 5, 7, 9]
    told = mean_of(sum(numbers), sum(one * one for one in numbers), len(numbers))
    assert told.value == 5
    assert told.error == pytest.approx((32 / 7 / 8) ** 0.5)
    assert mean_of(3, 9, 1).error == 3  # of one game nobody knows how others may differ


def test_equal_dice_give_equal_odds_and_shares_sum_to_one() -> None:
    setup = battle(d6=10, d8=6, d4=4)
    one, two = (simulate(BATTLE_DICE, setup, chance(), runs=50, work=ENOUGH) for _ in range(2))
    assert one == two
    assert (one.method, one.runs) == (Method.SIMULATED, 50)
    assert sum(share.value for _, share in one.wins) + one.draws.value == pytest.approx(1)
    other = simulate(BATTLE_DICE, setup, chance(2), runs=50, work=ENOUGH)
    assert other != one


def test_a_game_whose_armies_never_rout_reaches_its_cap() -> None:
    setup = battle(d12=1)
    options = Options(morale=Morale.OFF, army_size=None, turn_cap=2)
    odds = simulate(BATTLE_DICE, replace(setup, options=options), chance(), runs=40, work=ENOUGH)
    assert odds.capped.value > 0.5
    assert odds.turns.value <= 2


def test_warriors_fight_to_the_end_by_their_standing_orders() -> None:
    one, two = list(PRINTED)[:2]
    setup = DuelSetup(
        entrants=(
            Duellist(id="anna", sheet=PrintedWarrior(warrior=one)),
            Duellist(id="bruno", sheet=PrintedWarrior(warrior=two)),
        )
    )
    odds = simulate(WARRIOR_DICE, setup, chance(), runs=20, work=ENOUGH)
    assert odds.runs == 20
    assert odds.of("anna").value + odds.of("bruno").value + odds.draws.value == pytest.approx(1)


def test_fewer_games_are_played_where_they_would_take_too_much_work() -> None:
    setup = battle(d6=10, d8=6, d4=4)
    few = simulate(BATTLE_DICE, setup, chance(), runs=1_000, work=2_000)
    assert 1 < few.runs < 100
    many = simulate(BATTLE_DICE, setup, chance(), runs=few.runs, work=ENOUGH)
    assert few == many  # what was played is the same, no game left out for being long


def test_one_game_that_takes_too_much_work_is_given_up() -> None:
    with pytest.raises(TooMuchWork):
        simulate(BATTLE_DICE, battle(d6=10, d8=6, d4=4), chance(), runs=1, work=20)


def test_what_no_default_decides_is_not_played() -> None:
    sheet = FighterSheet(name="A", training=Training.ADVANCED)
    entrants = (CombatEntrant(id="ann", sheet=sheet), CombatEntrant(id="ben", sheet=sheet))
    with pytest.raises(NoDefault):
        simulate(COMBAT_DICE, CombatSetup(entrants=entrants), chance(), runs=1, work=ENOUGH)
    unarmed = Setup(entrants=(Entrant(id="ada"), Entrant(id="bo")))
    with pytest.raises(NoDefault):
        simulate(BATTLE_DICE, unarmed, chance(), runs=1, work=ENOUGH)
    assert GUIDA.autoplay is None
