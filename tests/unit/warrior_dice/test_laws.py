"""Laws of the duel, over random ones: nothing breaks, nothing overflows, nothing leaks."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from app.engine.ruleset import GM, SPECTATOR, Said
from app.persistence.codec import load, store
from app.posts.phrases import LANGUAGES, say
from app.rulesets.warrior_dice.design import points_of
from app.rulesets.warrior_dice.game import WARRIOR_DICE
from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.orders import ChangeStanding, DuelTurn, SetHits, SpendXp
from app.rulesets.warrior_dice.posts import MOST_OF_A_POST
from app.rulesets.warrior_dice.readings import DesignLimits
from app.rulesets.warrior_dice.sheet import FaceOption, Warrior
from app.rulesets.warrior_dice.state import Duel, Duellist, DuelSetup
from app.rulesets.warrior_dice.terms import Ending, Kind, Stage
from tests.support.whole_games import hold_to_record, steps_of
from tests.unit.warrior_dice.play import (
    SEATS,
    RandomDice,
    Step,
    any_duel,
    replayed,
    without_standing,
)

FEW = range(300)
MANY = range(300, 1300)


def check_duel(seed: int, *, corrected: bool = False) -> list[Step]:
    """Play a random duel and hold each step of it to the laws."""
    steps = list(any_duel(seed, corrected=corrected))
    for step in steps:
        assert replayed(step) == step.after
        assert [one.address for one in step.drawn] == [roll.address for roll in step.rolls]
        check_state(step.after)
        plan = WARRIOR_DICE.plan(step.before, step.order)
        planned = plan.asked
        assert plan.draws or not step.rolls
        thrown = [roll.address for roll in step.rolls]
        if not step.findings or step.after.ending is not Ending.BYSTANDERS:
            assert [one.address for one in planned if one.address not in thrown] == []
    last = steps[-1].after
    assert last.stage is Stage.OVER
    assert (last.winner != "") is (last.ending in (Ending.DEFEAT, Ending.YIELD, Ending.RESIGNATION))
    return steps


def check_state(duel: Duel) -> None:
    """Hold a state to the caps of the rules."""
    assert duel.turn <= duel.options.turn_cap
    for one in duel.fighters:
        assert 0 <= one.hits <= one.start_hits
        assert one.skip >= 0
        assert one.warrior.hits >= 10
        assert one.warrior.xp >= 0
        assert min((option.force or 0) for option in one.warrior.options) >= 0


@pytest.mark.parametrize("seed", FEW)
def test_a_random_duel_ends_within_its_caps_and_can_be_replayed(seed: int) -> None:
    check_duel(seed)


@pytest.mark.parametrize("seed", range(1300, 1320))
def test_a_duel_is_played_again_from_its_orders_and_dice(seed: int) -> None:
    hold_to_record(WARRIOR_DICE, *steps_of(list(any_duel(seed))))


@pytest.mark.parametrize("seed", range(60))
def test_a_duel_in_which_the_master_sets_hits_keeps_the_laws(seed: int) -> None:
    steps = check_duel(seed, corrected=True)
    hold_to_record(WARRIOR_DICE, *steps_of(steps))


def test_the_master_does_set_hits_in_them() -> None:
    orders = [step.order for seed in range(60) for step in any_duel(seed, corrected=True)]
    assert sum(isinstance(one, SetHits) for one in orders) > 50


@pytest.mark.slow
@pytest.mark.parametrize("first", MANY[::100])
def test_a_thousand_random_duels_end_and_keep_the_laws(first: int) -> None:
    for seed in range(first, first + 100):
        steps = check_duel(seed)
        check_secrets(steps)
        hold_to_record(WARRIOR_DICE, *steps_of(steps))


def test_random_duels_end_in_every_way_and_meet_every_question() -> None:
    steps = [step for seed in FEW for step in any_duel(seed)]
    endings = {step.after.ending for step in steps}
    assert endings >= set(Ending) - {Ending.CLOSED, Ending.TURN_CAP}
    asked = {s.after.midway.asking.code for s in steps if s.after.midway and s.after.midway.asking}
    assert asked == {"doubler", "face_option", "unholy_trade", "yield"}
    said = {finding.key for step in steps for finding in step.findings}
    assert {"absorbed", "reformed", "reforged", "roared_down", "all_out_once"} <= said


@pytest.mark.parametrize("seed", range(30))
def test_whatever_is_found_and_asked_can_be_said(seed: int) -> None:
    for step in any_duel(seed):
        for language in LANGUAGES:
            for finding in step.findings:
                assert say(language, "warrior_dice", "findings", finding.key, finding.facts)
            midway = step.after.midway
            if midway and midway.asking:
                asking = midway.asking
                assert say(language, "warrior_dice", "asks", asking.code, dict(asking.facts))


def check_secrets(steps: Iterable[Step]) -> None:
    """Hold every view to what its seat may know: no standing orders but its own."""
    for step in steps:
        for seat in SEATS:
            duel = step.after
            changed = without_standing(duel, seat)
            for looks_on in (*(one for one in SEATS if one != seat), SPECTATOR):
                seen = WARRIOR_DICE.view(duel, looks_on)
                assert seen == WARRIOR_DICE.view(changed, looks_on)
                told = WARRIOR_DICE.choices(duel, looks_on)
                assert told == WARRIOR_DICE.choices(changed, looks_on)
            if changed != duel:  # by chance the others may be the very same
                assert WARRIOR_DICE.view(duel, GM) != WARRIOR_DICE.view(changed, GM)


@pytest.mark.parametrize("seed", range(30))
def test_nobody_sees_the_standing_orders_of_another(seed: int) -> None:
    check_secrets(any_duel(seed))


def test_an_order_that_sets_standing_orders_is_hidden_from_whoever_else_looks_on() -> None:
    changing = [
        step for seed in FEW for step in any_duel(seed) if isinstance(step.order, ChangeStanding)
    ]
    assert changing
    for step in changing:
        said = Said((), step.findings)
        veils = WARRIOR_DICE.veils(step.before, step.after, step.order.by, said)
        if step.before.who(step.order.by).standing == step.after.who(step.order.by).standing:
            continue
        (other,) = (seat for seat in SEATS if seat != step.order.by)
        assert {(one.seat, one.story) for one in veils} == {(other, True), (SPECTATOR, True)}


@pytest.mark.parametrize("seed", range(60))
def test_a_state_is_stored_and_read_back_as_it_was(seed: int) -> None:
    for step in any_duel(seed):
        assert load(Duel, store(step.after)) == step.after


def test_a_purchase_raises_the_value_by_ten_and_reforming_lowers_it() -> None:
    for seed in FEW:
        for step in any_duel(seed):
            for before, after in zip(step.before.fighters, step.after.fighters, strict=True):
                moved = points_of(after.warrior).total - points_of(before.warrior).total
                if isinstance(step.order, SpendXp) and step.order.by == after.id:
                    assert moved == 10 * len(step.order.purchases)
                    assert before.warrior.xp - after.warrior.xp == moved
                else:
                    reformed = [one for one in step.findings if one.key == "reformed"]
                    assert moved in (0, -10 * len(reformed))


def test_a_post_of_many_turns_ends_where_its_dice_are_too_many() -> None:
    adders = tuple(FaceOption(face=face, name="Adder", kind=Kind.ADDER) for face in range(1, 11))
    sheets = [Warrior(name=name, hits=100, options=adders) for name in ("Uno", "Due")]
    setup = DuelSetup(
        entrants=tuple(
            Duellist(id=id, sheet=one) for id, one in zip(("a", "b"), sheets, strict=True)
        ),
        options=DuelOptions(design_limits=DesignLimits.NONE, turn_cap=1_000),
        first="a",
        turns_per_post=200,
    )
    assert WARRIOR_DICE.check_setup(setup) == ()
    done = WARRIOR_DICE.resolve(
        WARRIOR_DICE.start(setup), DuelTurn(by="a"), RandomDice(random.Random(1))
    )
    assert MOST_OF_A_POST <= len(done.drawn) < MOST_OF_A_POST + 400
    assert done.state.turn < 200
