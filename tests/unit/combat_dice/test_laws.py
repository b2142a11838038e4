"""What holds in every combat, whatever the options, the sheets, the orders and the dice."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import pytest

from app.engine.ruleset import GM, SPECTATOR, Said, Veil
from app.persistence.codec import load, store
from app.rulesets.combat_dice.arms import at_hand, held_form
from app.rulesets.combat_dice.game import COMBAT_DICE
from app.rulesets.combat_dice.injuries import ways
from app.rulesets.combat_dice.options import FLOORED
from app.rulesets.combat_dice.orders import BuildFighter, CombatOrders, OpenCombat, SetHitPoints
from app.rulesets.combat_dice.readings import Floor
from app.rulesets.combat_dice.scores import (
    dice_of,
    first_scores_of,
    scores_of,
    tally_dice,
    tally_first,
    tally_score,
)
from app.rulesets.combat_dice.state import Combat, Condition, Stage
from app.rulesets.combat_dice.tables import (
    ACTION_RULES,
    ARMORS,
    DAMAGE_TABLE,
    GLADIATORS,
    SHIELDS,
    SPECIALTIES,
    WEAPONS,
)
from app.rulesets.combat_dice.terms import (
    Action,
    Armor,
    Gladiator,
    Score,
    Shield,
    Specialty,
    Weapon,
)
from tests.support.whole_games import hold_to_record, steps_of
from tests.unit.combat_dice.games import Step, play

SEATS = ("ann", "ben", GM, SPECTATOR)


def hold(step: Step) -> None:
    """Hold one decision to the laws of every combat."""
    again = COMBAT_DICE.resolve(step.before, step.order, step.dice)
    assert (again.state, again.findings) == (step.after, step.findings)
    drawn = {(roll.address, roll.sides) for roll in step.dice.rolls}
    plan = COMBAT_DICE.plan(step.before, step.order)
    planned = {(die.address, die.sides) for die in plan.asked}
    told = tuple((die.address, die.sides) for die in again.drawn)
    assert planned <= drawn
    if plan.draws:
        assert told == tuple((roll.address, roll.sides) for roll in step.dice.rolls)
    else:
        assert planned == drawn
        assert told == ()
    for place in {roll.address.place for roll in step.dice.rolls}:
        chain = [roll for roll in step.dice.rolls if roll.address.place == place]
        assert sorted(roll.address.index for roll in chain) == list(range(len(chain)))
        assert len({roll.sides for roll in chain}) == 1
    after = step.after
    assert load(Combat, store(after)) == after
    assert after.turn <= after.options.turn_cap
    assert bool(COMBAT_DICE.awaits(after).seats) is (after.stage is not Stage.ENDED)
    for one in after.fighters:
        assert one.hp <= one.max_hp
        assert not Counter(map(held_form, at_hand(one))) - Counter(map(held_form, one.weapons))
        assert one.condition is Condition.UP or after.stage is Stage.ENDED
    if after.round is not None:
        for place in (0, 1):
            scores = scores_of(after, place)
            told = {score: tally_score(after, place, score).total for score in Score}
            assert scores == told
            who, side = after.fighters[place], after.playing().sides[place]
            first = first_scores_of(after, place, side.dice)
            assert first == {score: tally_first(after, place, score).total for score in Score}
            extra = side.orders.adrenaline
            assert dice_of(after.options, who, extra) == tally_dice(after.options, who, extra).total


def run(seeds: range, longest: int) -> int:
    """Play combats of at most so many turns and count their decisions."""
    played = 0
    for seed in seeds:
        for step in play(seed, longest):
            hold(step)
            played += 1
    return played


@pytest.mark.parametrize("first", range(0, 300, 30))
def test_three_hundred_random_combats_end_and_keep_the_laws(first: int) -> None:
    assert run(range(first, first + 30), 20) > 300


@pytest.mark.parametrize("seed", range(300, 310))
def test_a_combat_is_played_again_from_its_orders_and_dice(seed: int) -> None:
    hold_to_record(COMBAT_DICE, *steps_of(list(play(seed))))


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_a_combat_in_which_the_master_sets_hit_points_keeps_the_laws(first: int) -> None:
    corrections = 0
    for seed in range(first, first + 20):
        steps = list(play(seed, 20, corrected=True))
        for step in steps:
            hold(step)
        hold_sealed(steps)
        hold_to_record(COMBAT_DICE, *steps_of(steps))
        corrections += sum(isinstance(step.order, SetHitPoints) for step in steps)
    assert corrections > 20


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1_000, 2_000, 100))
def test_a_thousand_random_combats_end_and_keep_the_laws(first: int) -> None:
    decided = 0
    for seed in range(first, first + 100):
        steps = list(play(seed, 150))
        for step in steps:
            hold(step)
        hold_sealed(steps)
        decided += hold_to_record(COMBAT_DICE, *steps_of(steps))
    assert decided > 1_000


def hold_sealed(steps: Iterable[Step]) -> None:
    """Hold every order that waits for the other's to be seen by its author alone."""
    for step in steps:
        order, before, after = step.order, step.before, step.after
        if not isinstance(order, CombatOrders) or before.stage is not Stage.ORDERS:
            continue
        if before.place_of(order.by) is None or after.turn != before.turn or after.round:
            continue
        if after.stage is Stage.ENDED:
            continue
        place = before.place_of(order.by)
        other = replace(after, posted=_swapped(after, place or 0))
        for seat in SEATS:
            seen = COMBAT_DICE.view(after, seat)
            if seat == order.by:
                assert seen.own == order
            else:
                assert seen == COMBAT_DICE.view(other, seat)
                assert COMBAT_DICE.choices(after, seat) == COMBAT_DICE.choices(other, seat)
            assert COMBAT_DICE.awaits_for(after, seat) == COMBAT_DICE.awaits_for(other, seat)
        veiled = {one.seat for one in _veils(step)}
        assert veiled == set(SEATS) - {order.by}


@pytest.mark.parametrize("seed", range(20))
def test_a_sealed_order_shows_in_no_view_but_its_authors(seed: int) -> None:
    hold_sealed(play(seed))


@pytest.mark.parametrize("seed", range(20))
def test_policies_and_answers_stay_sealed_while_a_turn_waits(seed: int) -> None:
    for step in play(seed):
        after = step.after
        if after.round is None:
            continue
        for place in (0, 1):
            side = after.playing().sides[place]
            plain = replace(
                side,
                answer=None,
                orders=replace(
                    CombatOrders(by=side.orders.by),
                    weapon=side.orders.weapon,
                    spell=side.orders.spell,
                    target=side.orders.target,
                    aid_type=side.orders.aid_type,
                    adrenaline=side.orders.adrenaline,
                ),
            )
            bare = after.put_side(place, plain)
            for seat in SEATS:
                assert COMBAT_DICE.view(after, seat) == COMBAT_DICE.view(bare, seat)


@pytest.mark.parametrize("seed", range(10))
def test_nobody_decides_for_another_or_after_the_end(seed: int) -> None:
    last = None
    for step in play(seed):
        assert COMBAT_DICE.check(step.before, replace(step.order, by="nobody"))
        last = step
    assert last is not None
    for order in (last.order, CombatOrders(by="ann"), BuildFighter(by="ann"), OpenCombat(by="ben")):
        codes = [one.code for one in COMBAT_DICE.check(last.after, order)]
        assert codes == ["combat_over"]


def test_the_tables_are_total() -> None:
    assert set(WEAPONS) == set(Weapon)
    assert set(ARMORS) == set(Armor)
    assert set(SHIELDS) == set(Shield)
    assert set(SPECIALTIES) == set(Specialty)
    assert set(ACTION_RULES) == set(Action)
    assert set(GLADIATORS) == set(Gladiator)
    assert set(FLOORED) == set(Floor)
    assert set(DAMAGE_TABLE) == set(range(2, 13))


def test_the_damage_table_has_36_ways_and_its_law_sums_to_one() -> None:
    assert sum(ways().values()) == 36
    combat = next(play(0)).before
    for order in (CombatOrders(by="ann"), BuildFighter(by="ann"), OpenCombat(by="ann")):
        for law in COMBAT_DICE.forecast(combat, order).laws:
            assert sum(one.probability for one in law.chances) == 1
    stunned = next(
        one.probability
        for one in COMBAT_DICE.forecast(combat, CombatOrders(by="ann")).laws[0].chances
        if one.outcome[0][1] == "stunned"
    )
    assert stunned == Fraction(10, 36)


def _swapped(combat: Combat, place: int) -> tuple[CombatOrders | None, CombatOrders | None]:
    first, second = combat.posted
    plain = CombatOrders(by=combat.fighters[place].id)
    return (plain, second) if place == 0 else (first, plain)


def _veils(step: Step) -> tuple[Veil, ...]:
    return COMBAT_DICE.veils(step.before, step.after, step.order.by, Said((), step.findings))
