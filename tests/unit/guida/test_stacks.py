"""Stacks: from which of the bearer's turns they act, until which, and how many there can be."""

from __future__ import annotations

from typing import Any

import pytest

from app.rulesets.guida.conditions import held
from app.rulesets.guida.entrants import StackCount
from app.rulesets.guida.levels import stacks_in_force, total_level
from app.rulesets.guida.rulings import (
    Manual,
)
from app.rulesets.guida.sheet import StackEffect
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Aim, Change, Limb, Stack, Stat
from tests.unit.guida.build import (
    by_master,
    coming,
    entrant,
    found,
    guard,
    hit,
    one,
    post,
    reading,
    rule,
    scene,
    suffer,
    tool,
    turn,
)


def blow(*stacks: tuple[Stack, int], **more: Any) -> Scene:
    """Put Bo before an attack of Ada that leaves stacks if it lands."""
    effects = tuple(StackEffect(stack=stack, count=count) for stack, count in stacks)
    return scene(
        entrant("ada", tool(effects=effects)),
        entrant("bo"),
        underway=(coming(),),
        first="bo",
        **more,
    )


def rest(state: Scene, *ids: str) -> Scene:
    """Let fighters post and do nothing."""
    for id in ids:
        state = post(state, turn(id)).state
    return state


def test_stun_weighs_on_both_scores_in_the_bearers_next_turn_and_only_there() -> None:
    struck = post(blow((Stack.STUN, 2)), turn("bo", suffer("a1"), main=hit("ada")), 6)
    assert one(struck.findings, "attack_launched")["hit_score"] == 18  # not in this turn
    state = post(struck.state, turn("ada", main=hit()), 1).state
    attack = state.incoming[-1].id
    stunned = post(state, turn("bo", guard(attack), main=hit("ada")), 20, 6)
    assert one(stunned.findings, "speed_defender_wins")["defend_score"] == 30
    assert one(stunned.findings, "attack_launched")["hit_score"] == 16
    assert one(stunned.findings, "stacks_end")["amount"] == 2
    free = post(rest(stunned.state, "ada"), turn("bo", main=hit("ada")), 6)
    assert one(free.findings, "attack_launched")["hit_score"] == 18


def test_off_balance_weighs_on_defence_and_potential_only() -> None:
    state = post(blow((Stack.OFF_BALANCE, 3)), turn("bo", suffer("a1"))).state
    state = post(state, turn("ada", main=hit()), 1).state
    attack = state.incoming[-1].id
    done = post(state, turn("bo", guard(attack), main=hit("ada")), 20, 6)
    assert one(done.findings, "speed_defender_wins")["defend_score"] == 29
    launched = one(done.findings, "attack_launched")
    assert launched["hit_score"] == 18
    assert launched["power"].total == 27
    assert [term.value for term in launched["power"].terms] == [20, -3, 10]


def test_off_balance_never_takes_a_potential_below_zero() -> None:
    bo = entrant("bo", tool(potential=2), stacks=(StackCount(stack=Stack.OFF_BALANCE, count=4),))
    done = post(scene(entrant("ada"), bo, first="bo"), turn("bo", main=hit("ada")), 6)
    assert one(done.findings, "attack_launched")["power"].total == 10


@pytest.mark.parametrize(
    ("stacks", "held_", "over"),
    [
        (((Stack.STUN, 5),), (4, 0), [1]),
        (((Stack.STUN, 3), (Stack.OFF_BALANCE, 3)), (3, 1), [0, 2]),
        (((Stack.OFF_BALANCE, 4), (Stack.STUN, 1)), (0, 4), [0, 1]),
    ],
)
def test_four_type_1_stacks_are_the_most_for_one_turn(
    stacks: tuple[tuple[Stack, int], ...], held_: tuple[int, int], over: list[int]
) -> None:
    done = post(blow(*stacks), turn("bo", suffer("a1")))
    bo = done.state.who("bo")
    assert (held(bo, Stack.STUN), held(bo, Stack.OFF_BALANCE)) == held_
    assert [facts["over"] for facts in found(done.findings, "stacks_applied")] == over


def test_the_cap_is_counted_for_each_turn_in_which_stacks_act() -> None:
    bo = entrant("bo", stacks=(StackCount(stack=Stack.STUN, count=4),))
    ada = entrant("ada", tool(effects=(StackEffect(stack=Stack.STUN, count=4),)))
    state = scene(ada, bo, underway=(coming(),), first="bo")
    done = post(state, turn("bo", suffer("a1"), main=hit("ada")), 6)
    assert one(done.findings, "attack_launched")["hit_score"] == 14  # four act now
    later = post(rest(done.state, "ada"), turn("bo", main=hit("ada")), 6)
    assert one(later.findings, "attack_launched")["hit_score"] == 14  # four of the new ones


def test_a_maim_acts_in_three_turns_of_its_bearer_and_goes_at_the_end_of_the_third() -> None:
    start = scene(underway=(coming(die=10, aim=Aim.LIMBS, limb=Limb.LEGS),), first="bo")
    state = post(start, turn("bo", suffer("a1"))).state
    assert total_level(state.who("bo"), Stat.DEXTERITY).total == 10
    seen = []
    for _ in range(4):
        done = post(rest(state, "ada"), turn("bo"))
        stats = {facts["stat"]: facts["points"] for facts in found(done.findings, "stat")}
        seen.append((stats[Stat.DEXTERITY], len(found(done.findings, "stacks_end"))))
        state = done.state
    assert seen == [(-3, 0), (-3, 0), (-3, 1), (0, 0)]


def test_a_new_maim_restarts_the_count_of_its_category() -> None:
    maim = tool(effects=(StackEffect(stack=Stack.MAIM_SPIRITUAL, count=1),))
    state = scene(entrant("ada", maim), entrant("bo"), underway=(coming(),), first="bo")
    state = post(state, turn("bo", suffer("a1"))).state
    state = rest(state, "ada", "bo")  # the first of three turns
    state = post(state, turn("ada", main=hit()), 6).state
    state = post(state, turn("bo", suffer(state.incoming[0].id))).state  # the second
    assert held(state.who("bo"), Stack.MAIM_SPIRITUAL) == 2
    for left in (2, 2, 0):
        state = rest(state, "ada", "bo")
        assert held(state.who("bo"), Stack.MAIM_SPIRITUAL) == left


@pytest.mark.parametrize(("restarts", "turns"), [(True, 3), (False, 2)])
def test_a_maim_beyond_the_cap_adds_nothing_and_may_restart_the_count(
    restarts: bool, turns: int
) -> None:
    maim = tool(effects=(StackEffect(stack=Stack.MAIM_SPIRITUAL, count=2),))
    bo = entrant("bo", stacks=(StackCount(stack=Stack.MAIM_SPIRITUAL, count=3),))
    state = scene(
        entrant("ada", maim),
        bo,
        underway=(coming(),),
        first="bo",
        **reading(maim_restart_at_cap=restarts),
    )
    done = post(state, turn("bo", suffer("a1")))  # the first of the old three turns
    facts = one(done.findings, "stacks_applied")
    assert (facts["amount"], facts["over"]) == (0, 2)
    state = done.state
    for _ in range(turns):
        assert held(state.who("bo"), Stack.MAIM_SPIRITUAL) == 3
        state = rest(state, "ada", "bo")
    assert held(state.who("bo"), Stack.MAIM_SPIRITUAL) == 0


def test_maims_need_damage_and_type_1_stacks_do_not() -> None:
    weak = tool(
        potential=0,
        stat_bonus=10,
        effects=(
            StackEffect(stack=Stack.MAIM_ARTICULAR, count=1),
            StackEffect(stack=Stack.STUN, count=1),
            StackEffect(stack=Stack.BURN, count=1),
        ),
    )
    state = scene(entrant("ada", weak), entrant("bo"), underway=(coming(),), first="bo")
    done = post(state, turn("bo", suffer("a1")))
    assert one(done.findings, "damage_due")["amount"] == 0
    assert one(done.findings, "stacks_need_damage")["stack"] is Stack.MAIM_ARTICULAR
    assert {lot.stack for lot in done.state.who("bo").lots} == {Stack.STUN, Stack.BURN}


@pytest.mark.parametrize(
    ("count", "malus"),
    [(1, -1), (2, -1), (3, -2), (5, -2), (6, -4), (10, -6), (15, -9), (21, -12), (99, -12)],
)
def test_burn_takes_constitution_by_its_staircase_and_never_goes(count: int, malus: int) -> None:
    bo = entrant("bo", stacks=(StackCount(stack=Stack.BURN, count=count),))
    state = scene(entrant("ada"), bo)
    for _ in range(5):
        state = rest(state, "ada", "bo")
        assert total_level(state.who("bo"), Stat.CONSTITUTION).total == 10 + malus


def test_maims_take_three_points_a_stack_from_their_own_stat() -> None:
    stacks = tuple(
        StackCount(stack=stack, count=count)
        for stack, count in (
            (Stack.MAIM_DEBILITATING, 1),
            (Stack.MAIM_ARTICULAR, 2),
            (Stack.MAIM_SPIRITUAL, 3),
        )
    )
    state = rest(scene(entrant("ada"), entrant("bo", stacks=stacks)), "ada", "bo")
    bo = state.who("bo")
    assert [int(total_level(bo, stat).total) for stat in Stat] == [7, 4, 10, 1]


def test_a_head_wound_stuns_at_twelve_only() -> None:
    for die, count in ((11, 0), (12, 2)):
        state = scene(underway=(coming(die=die, aim=Aim.HEAD),), first="bo")
        after = post(state, turn("bo", suffer("a1"))).state
        assert held(after.who("bo"), Stack.STUN) == count


@pytest.mark.parametrize(
    ("limb", "stack"), [(Limb.ARMS, Stack.MAIM_DEBILITATING), (Limb.LEGS, Stack.MAIM_ARTICULAR)]
)
def test_a_wound_to_the_limbs_maims_from_ten(limb: Limb, stack: Stack) -> None:
    for die, count in ((9, 0), (10, 1), (12, 1)):
        state = scene(underway=(coming(die=die, aim=Aim.LIMBS, limb=limb),), first="bo")
        after = post(state, turn("bo", suffer("a1"))).state
        assert held(after.who("bo"), stack) == count


def test_the_end_of_a_maim_names_the_rule_that_ends_it() -> None:
    bo = entrant("bo", stacks=(StackCount(stack=Stack.MAIM_ARTICULAR, count=1),))
    state = rest(scene(entrant("ada"), bo, first="bo"), "bo", "ada", "bo", "ada")
    done = post(state, turn("bo"))
    (ended,) = [finding for finding in done.findings if finding.key == "stacks_end"]
    assert ended.rule == "GC-11.10"  # GC-11.4 is about Type 1


def test_stacks_given_by_hand_act_from_the_next_turn_and_the_register_says_how_many() -> None:
    order = by_master(Manual, combatant="bo", change=Change.STACKS, amount=2, stack=Stack.STUN)
    state = rule(scene(), order).state
    assert stacks_in_force(state.who("bo"), Stack.STUN) == 0
    done = post(rest(state, "ada"), turn("bo", main=hit("ada")), 6)
    assert one(done.findings, "attack_launched")["hit_score"] == 16
    assert one(done.findings, "line_by_hand")["amount"] == 2


def test_stacks_given_by_hand_beyond_the_cap_are_not_in_the_register_either() -> None:
    order = by_master(Manual, combatant="bo", change=Change.STACKS, amount=9, stack=Stack.STUN)
    state = rule(scene(), order).state
    assert held(state.who("bo"), Stack.STUN) == 4
    done = post(rest(state, "ada"), turn("bo"))
    assert one(done.findings, "line_by_hand")["amount"] == 4
