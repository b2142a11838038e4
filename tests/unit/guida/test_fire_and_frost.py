"""Condizioni Fisiche (GC-11) turn by turn: fire, frost, the cap of four, what takes stacks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.rulesets.guida.conditions import held
from app.rulesets.guida.entrants import StackCount
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.levels import bonus_points, stacks_in_force
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.orders import (
    Attack,
    Generic,
    Preparation,
)
from app.rulesets.guida.readings import (
    Overflow,
    SlowDecay,
    TickOrder,
    TransientStart,
)
from app.rulesets.guida.sheet import StackEffect, StackRemoval
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Aim, Secondary, Stack, Stat
from tests.unit.guida.build import (
    boost,
    due,
    entrant,
    found,
    guard,
    hit,
    keys,
    post,
    scene,
    suffer,
    tool,
    turn,
    unbalance,
)


def bearing(stack: Stack, count: int, **options: Any) -> Scene:
    """Let Bo bear stacks, and post first."""
    bo = entrant("bo", stacks=(StackCount(stack=stack, count=count),))
    return scene(entrant("ada"), bo, first="bo", options=Options(**options))


def rounds(start: Scene, turns: int) -> tuple[list[int], list[int]]:
    """Let rounds pass: what Bo loses in each, and the stacks that are left of all Type 4."""
    lost, left = [], []
    for _ in range(turns):
        before = start.who("bo").hp_now
        start = post(start, turn("bo")).state
        lost.append(before - start.who("bo").hp_now)
        left.append(held(start.who("bo"), Stack.ABLAZE) + held(start.who("bo"), Stack.FREEZING))
        start = post(start, turn("ada")).state
    return lost, left


def test_fire_hurts_from_what_burns_and_then_wears_off() -> None:
    assert rounds(bearing(Stack.ABLAZE, 7), 6) == ([5, 5, 3, 3, 3, 3], [6, 5, 5, 4, 4, 3])


def test_frost_hurts_less_and_wears_off_alike() -> None:
    assert rounds(bearing(Stack.FREEZING, 11), 4) == ([4, 3, 3, 3], [9, 8, 7, 6])


def test_a_board_may_let_the_fire_wear_off_first() -> None:
    start = bearing(Stack.ABLAZE, 6, tick_order=TickOrder.DECAY_THEN_DAMAGE)
    assert rounds(start, 2) == ([3, 3], [5, 5])


def test_a_board_may_count_slow_turns_by_the_turn_of_the_bearer() -> None:
    start = bearing(Stack.ABLAZE, 5, slow_decay_counter=SlowDecay.SCENE_PARITY)
    assert rounds(start, 4)[1] == [5, 4, 4, 3]
    again = bearing(Stack.ABLAZE, 6, slow_decay_counter=SlowDecay.SCENE_PARITY)
    assert rounds(again, 2)[1] == [5, 4]  # with a counter of its own the fire would keep five


def test_the_last_stack_goes_in_two_turns_and_nothing_hurts_any_more() -> None:
    assert rounds(bearing(Stack.FREEZING, 1), 3) == ([1, 1, 0], [1, 0, 0])


def test_what_burns_is_in_the_register_of_the_turn_it_burns_in() -> None:
    done = GUIDA.plan(bearing(Stack.ABLAZE, 7), turn("bo"))
    (tick,) = found(done.findings, "line_tick")
    assert (tick["amount"], tick["subject"]) == (-5, "ablaze")
    (decay,) = found(done.findings, "line_stacks_decay")
    assert (decay["amount"], decay["subject"]) == (-1, "ablaze")
    assert all(line["discrepancy"] == 0 for line in found(done.findings, "balance"))


def test_fire_does_not_care_for_armour_resistance_or_a_guard() -> None:
    bo = entrant("bo", armour=40, stacks=(StackCount(stack=Stack.ABLAZE, count=21),))
    done = post(scene(entrant("ada"), bo, first="bo"), turn("bo"))
    assert done.state.who("bo").hp == 88


def test_dexterity_counts_what_the_decay_has_left() -> None:
    start = bearing(Stack.FREEZING, 6)  # five are left, and cost two points
    label = GUIDA.plan(start, turn("bo", main=hit("ada"))).asked[0].tally
    dexterity = next(term for term in label.terms if term.key == "dexterity")
    assert dexterity.value == 8


@pytest.mark.parametrize(
    ("count", "malus"), [(1, -1), (2, -1), (3, -2), (6, -3), (10, -5), (15, -7), (21, -8), (40, -8)]
)
def test_frost_weighs_on_dexterity_by_its_steps(count: int, malus: int) -> None:
    start = bearing(Stack.FREEZING, count).who("bo")
    assert bonus_points(replace(start, turn=1), Stat.DEXTERITY).total == malus


# ------------------------------------------------------------- stun and off-balance beyond the cap

DAZE = tool(
    effects=(
        StackEffect(stack=Stack.STUN, count=3),
        StackEffect(stack=Stack.OFF_BALANCE, count=3),
    )
)


def dazed(prefers: tuple[Stack, ...] = (), before: int = 0, **options: Any) -> dict[Stack, int]:
    """Let Ada daze Bo, who has been unbalanced in the same turn already."""
    tools = (
        DAZE,
        tool("shove", effects=(StackEffect(stack=Stack.OFF_BALANCE, count=before),))
        if before
        else tool("shove"),
    )
    ada = entrant("ada", *tools)
    start = scene(ada, entrant("bo"), entrant("cy", team="ada"), options=Options(**options))
    start = post(start, turn("ada", main=Attack(target="bo", tool="shove")), 6).state
    start = post(start, turn("bo", suffer("a1"))).state if not before else start
    if before:
        start = replace(start, next="ada")
        start = post(start, turn("ada", main=Attack(target="bo", tool="blade", prefers=prefers)), 6)
        start = replace(start.state, next="bo")
        ids = [attack.id for attack in start.against("bo")]
        done = post(start, turn("bo", suffer(*ids)))
    else:
        start = post(start, turn("cy")).state
        main = Attack(target="bo", tool="blade", prefers=prefers)
        start = post(start, turn("ada", main=main), 6).state
        (attack,) = start.against("bo")
        done = post(start, turn("bo", suffer(attack.id)))
    bo = done.state.who("bo")
    return {stack: held(bo, stack) for stack in (Stack.STUN, Stack.OFF_BALANCE)}


def test_without_a_choice_stacks_find_room_in_the_order_of_the_sheet() -> None:
    assert dazed() == {Stack.STUN: 3, Stack.OFF_BALANCE: 1}


def test_the_attacker_may_say_which_stacks_find_room_first() -> None:
    assert dazed((Stack.OFF_BALANCE,)) == {Stack.STUN: 1, Stack.OFF_BALANCE: 3}
    assert dazed((Stack.STUN, Stack.OFF_BALANCE)) == {Stack.STUN: 3, Stack.OFF_BALANCE: 1}


def test_what_is_there_stays_unless_a_board_lets_all_four_be_recomposed() -> None:
    assert dazed((Stack.STUN,), before=2) == {Stack.STUN: 2, Stack.OFF_BALANCE: 2}
    recomposed = dazed((Stack.STUN,), before=2, type1_overflow=Overflow.RECOMPOSE)
    assert recomposed == {Stack.STUN: 3, Stack.OFF_BALANCE: 1}


# ------------------------------------------------------------------------ when they begin to act


def stunned_in_defence(start: TransientStart) -> tuple[list[int], list[int]]:
    """Let Bo be stunned in his second turn; give what stun costs him in that turn and the next."""
    ada = entrant("ada", tool(effects=(StackEffect(stack=Stack.STUN, count=2),)))
    here = scene(ada, entrant("bo"), options=Options(transient_stack_start=start))
    here = post(here, turn("ada", main=hit()), 6).state
    seen: list[list[int]] = []
    here, costs = _post_and_see(here, suffer("a1"))
    seen.append(costs)
    here = post(here, turn("ada", suffer("a2"), main=hit(tool="blade")), 6).state
    here, costs = _post_and_see(here, guard("a3"), 24)
    seen.append(costs)
    return seen[0], seen[1]


def _post_and_see(here: Scene, defence: Any, *faces: int) -> tuple[Scene, list[int]]:
    order = turn("bo", defence, main=hit("ada"))
    done = post(here, order, *faces, 6)
    (launched,) = found(done.findings, "attack_launched")
    speeds = [f.facts["defend"] for f in done.findings if f.key.startswith("speed_")]
    tallies = [*speeds, launched["hit"]]
    costs = [sum(t.value for t in tally.terms if t.key == Stack.STUN) for tally in tallies]
    return done.state, [int(cost) for cost in costs]


def test_stun_acts_in_the_whole_next_turn() -> None:
    assert stunned_in_defence(TransientStart.NEXT_TURN) == ([0], [-2, -2])


def test_a_board_may_let_stun_act_at_once_and_up_to_the_next_defensive_phase() -> None:
    assert stunned_in_defence(TransientStart.IMMEDIATE) == ([-2], [-2, 0])


def test_what_lands_outside_ones_own_turn_acts_in_the_next_one_in_any_case() -> None:
    for start in TransientStart:
        here = scene(options=Options(transient_stack_start=start))
        here = post(here, turn("ada", main=hit()), 1).state
        here = post(here, turn("bo", unbalance("a1")), 8).state
        assert stacks_in_force(here.who("ada"), Stack.OFF_BALANCE) == 0
        label = GUIDA.plan(here, turn("ada", main=hit())).findings
        assert "stacks_end" not in keys(label)
        done = post(here, turn("ada", main=hit()), 6)
        assert "stacks_end" in keys(done.findings)


# --------------------------------------------------------------------------- what takes stacks off


def relieved(how: str) -> dict[Stack, int]:
    """Let Bo, who burns and is poisoned, be relieved of two stacks of burn and all poison."""
    balm = boost(
        "balm",
        StackRemoval(stack=Stack.BURN, count=2),
        StackRemoval(stack=Stack.POISON, count=99),
        secondary=Secondary.TONIC,
        generic=True,
    )
    stacks = (StackCount(stack=Stack.BURN, count=6), StackCount(stack=Stack.POISON, count=4))
    bo = entrant("bo", tool(), balm, stacks=stacks)
    start = scene(entrant("ada"), bo, first="bo")
    match how:
        case "with an attack":
            done = post(start, turn("bo", main=hit("ada", support=("balm",))), 6)
        case "in a preparation":
            done = post(start, turn("bo", main=Preparation(support=("balm",))))
        case _:
            start = post(start, turn("bo", main=Generic(tool="balm")), 6).state
            done = post(start, turn("ada"))
    who = done.state.who("bo")
    return {stack: held(who, stack) for stack in (Stack.BURN, Stack.POISON)}


@pytest.mark.parametrize("how", ["with an attack", "in a preparation", "as an action of its own"])
def test_a_tonic_takes_stacks_that_nothing_else_takes(how: str) -> None:
    assert relieved(how) == {Stack.BURN: 4, Stack.POISON: 0}


def test_a_balm_works_on_whom_it_is_used_on() -> None:
    balm = tool(
        "balm", attacks=False, generic=True, effects=(StackRemoval(stack=Stack.BURN, count=2),)
    )
    cy = entrant("cy", team="ada", stacks=(StackCount(stack=Stack.BURN, count=6),))
    ada = entrant("ada", balm, stacks=(StackCount(stack=Stack.BURN, count=6),))
    start = scene(ada, entrant("bo"), cy)
    start = post(start, turn("ada", main=Generic(tool="balm", beneficiary="cy")), 6).state
    done = post(start, turn("bo")).state
    assert (held(done.who("ada"), Stack.BURN), held(done.who("cy"), Stack.BURN)) == (6, 4)


def test_burn_and_poison_stay_until_something_takes_them() -> None:
    for stack in (Stack.BURN, Stack.POISON):
        start = bearing(stack, 9)
        for _ in range(5):
            start = post(post(start, turn("bo")).state, turn("ada")).state
        assert held(start.who("bo"), stack) == 9
        assert due(start, "bo") == []


def test_the_head_still_stuns_beside_other_stacks() -> None:
    start = post(
        scene(entrant("ada", DAZE), entrant("bo")), turn("ada", main=hit(aim=Aim.HEAD)), 12
    )
    done = post(start.state, turn("bo", suffer("a1"))).state.who("bo")
    assert held(done, Stack.STUN) + held(done, Stack.OFF_BALANCE) == 4
