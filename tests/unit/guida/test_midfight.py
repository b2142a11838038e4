"""Scenes that are taken up in mid-fight: what was so before holds from the first post on."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from app.rulesets.guida.entrants import Bound, Held, StackCount, Uses
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.places import (
    Distance,
)
from app.rulesets.guida.readings import (
    Scope,
)
from app.rulesets.guida.setup import check_setup
from app.rulesets.guida.sheet import StackEffect, Upkeep
from app.rulesets.guida.state import (
    Setup,
)
from app.rulesets.guida.terms import Aim, Bind, Limb, Means, Stack, Stat
from tests.unit.guida.build import (
    codes,
    coming,
    due,
    entrant,
    guard,
    hit,
    one,
    post,
    reading,
    scene,
    setup,
    shield,
    suffer,
    tool,
    turn,
)


def test_a_fighter_may_enter_with_less_than_the_sheet_says() -> None:
    state = scene(entrant("ada", hp=37, ep=3), entrant("bo"))
    facts = one(post(state, turn("ada")).findings, "vitals")
    assert (facts["hp"], facts["max_hp"], facts["ep"], facts["max_ep"]) == (37, 100, 3, 50)


def test_whoever_is_named_first_posts_first_and_the_order_of_the_scene_goes_on() -> None:
    state = scene(entrant("ada"), entrant("bo"), entrant("cy"), first="bo")
    seats = []
    for _ in range(4):
        seats.append(state.next)
        state = post(state, turn(state.next)).state
    assert seats == ["bo", "cy", "ada", "bo"]


def test_an_attack_on_its_way_has_the_die_and_the_modifier_it_had_then() -> None:
    state = scene(underway=(coming(die=9, modifier=7),), first="bo")
    (attack,) = state.incoming
    assert (attack.id, attack.die) == ("a1", 9)
    assert attack.hit_score == 16
    done = post(state, turn("bo", guard("a1")), 4)  # 4 + 12 = 16
    assert one(done.findings, "speed_tie")["hit_score"] == 16
    assert due(done.state, "bo") == [-10]


@pytest.mark.parametrize(("aim", "limb"), [(Aim.HEAD, None), (Aim.LIMBS, Limb.ARMS)])
def test_an_attack_on_its_way_keeps_its_aim(aim: Aim, limb: Limb | None) -> None:
    state = scene(underway=(coming(die=12, aim=aim, limb=limb),), first="bo")
    done = post(state, turn("bo", suffer("a1")))
    damage = {Aim.HEAD: -40, Aim.LIMBS: -20}[aim]
    stack = {Aim.HEAD: Stack.STUN, Aim.LIMBS: Stack.MAIM_DEBILITATING}[aim]
    assert due(done.state, "bo")[0] == damage
    assert [lot.stack for lot in done.state.who("bo").lots] == [stack]


def test_an_attack_on_its_way_brings_what_its_technique_leaves() -> None:
    venom = tool(effects=(StackEffect(stack=Stack.POISON, count=2), Upkeep(ep=1)))
    state = scene(entrant("ada", venom), entrant("bo"), underway=(coming(),), first="bo")
    after = post(state, turn("bo", suffer("a1"))).state
    assert [(lot.stack, lot.count) for lot in after.who("bo").lots] == [(Stack.POISON, 2)]
    assert after.who("bo").effects == ()


def test_an_attack_on_its_way_was_paid_for_before() -> None:
    state = scene(entrant("ada", tool(ep=9)), entrant("bo"), underway=(coming(),), first="bo")
    after = post(post(state, turn("bo", suffer("a1"))).state, turn("ada"))
    assert one(after.findings, "vitals")["ep"] == 50


def test_stacks_held_at_the_start_act_in_the_first_turn_and_respect_the_caps() -> None:
    held = (
        StackCount(stack=Stack.STUN, count=3),
        StackCount(stack=Stack.OFF_BALANCE, count=9),
        StackCount(stack=Stack.MAIM_ARTICULAR, count=9),
        StackCount(stack=Stack.BURN, count=9),
    )
    state = scene(entrant("ada", stacks=held), entrant("bo"))
    counts = {lot.stack: lot.count for lot in state.who("ada").lots}
    assert counts == {
        Stack.STUN: 3,
        Stack.OFF_BALANCE: 1,
        Stack.MAIM_ARTICULAR: 3,
        Stack.BURN: 9,
    }
    done = post(state, turn("ada", main=hit()), 6)
    assert one(done.findings, "attack_launched")["hit_score"] == 18 - 3 - 9


@pytest.mark.parametrize(
    ("uses", "predicted"), [(0, 0), (2, 0), (3, 1), (5, 1), (6, 2), (8, 2), (9, 3), (30, 3)]
)
def test_uses_so_far_count_for_the_next_one(uses: int, predicted: int) -> None:
    ada = entrant("ada", tool(), uses=(Uses(tool="blade", count=uses),))
    state = post(scene(ada, entrant("bo")), turn("ada", main=hit()), 12).state
    done = post(state, turn("bo", guard(state.incoming[0].id)), 24)
    assert one(done.findings, "speed_defender_wins")["defend_score"] == 36 + predicted


@pytest.mark.parametrize(("uses", "malus"), [(2, 0), (3, -1), (6, -2), (9, -3)])
def test_uses_of_a_defence_weigh_on_it(uses: int, malus: int) -> None:
    bo = entrant("bo", tool(), shield(), uses=(Uses(tool="shield", count=uses),))
    state = scene(entrant("ada"), bo, underway=(coming(),), first="bo")
    done = post(state, turn("bo", guard("a1", tool="shield")), 10)
    assert one(done.findings, "speed_defender_wins")["defend_score"] == 22 + malus
    bare = post(state, turn("bo", guard("a1")), 10)
    assert one(bare.findings, "speed_defender_wins")["defend_score"] == 22


@pytest.mark.parametrize(
    ("means", "current", "predicted"),
    [
        (Means.TECHNIQUE, True, 1),
        (Means.WEAPON, True, 0),  # AMB-32: plain weapons are not counted
        (Means.TECHNIQUE, False, 0),  # the fourth use has three before it
    ],
)
def test_an_attack_on_its_way_is_the_last_of_the_uses_so_far(
    means: Means, current: bool, predicted: int
) -> None:
    ada = entrant("ada", tool(means=means), uses=(Uses(tool="blade", count=4),))
    state = scene(
        ada,
        entrant("bo"),
        underway=(coming(),),
        first="bo",
        **reading(predictability_counts_current_use=current),
    )
    done = post(state, turn("bo", guard("a1")), 24)
    assert one(done.findings, "speed_defender_wins")["defend_score"] == 36 + predicted


def test_uses_may_be_counted_for_each_opponent() -> None:
    state = scene(
        entrant("ada"),
        entrant("bo"),
        entrant("cy", team="bo"),
        **reading(predictability_scope=Scope.OPPONENT),
    )
    for _ in range(3):
        for target in ("bo", "cy"):
            state = post(state, turn("ada", main=hit(target)), 1).state
            state = post(post(state, turn("bo")).state, turn("cy")).state
    state = post(state, turn("ada", main=hit("bo")), 1).state  # the fourth against Bo
    assert state.incoming[0].use == 4
    state = post(post(state, turn("bo")).state, turn("cy")).state
    assert post(state, turn("ada", main=hit("cy")), 1).state.incoming[0].use == 4
    assert state.who("ada").uses_of("blade") == 7


def test_a_second_fighter_with_pending_attacks_meets_them_in_their_order() -> None:
    state = scene(
        entrant("ada"),
        entrant("cy", team="ada"),
        entrant("bo"),
        underway=(coming(by="cy", die=2), coming(die=3)),
        first="bo",
    )
    assert [(attack.attacker, attack.die) for attack in state.against("bo")] == [
        ("cy", 2),
        ("ada", 3),
    ]


@pytest.mark.parametrize(
    ("underway", "code"),
    [
        (coming(by="nobody"), "unknown_combatant"),
        (coming(at="nobody"), "unknown_combatant"),
        (coming(die=0), "die_out_of_range"),
        (coming(die=13), "die_out_of_range"),
        (coming(tool="nothing"), "tool_not_on_sheet"),
        (coming(aim=Aim.LIMBS), "limb_missing"),
        (coming(tool="hollow"), "potential_missing"),
        (coming(at="ada"), "target_not_opponent"),
        (coming(at="cy"), "target_not_opponent"),
        (coming(tool="wall"), "tool_not_for_attacks"),
        (coming(tool="wave", aim=Aim.HEAD), "cannot_aim"),
    ],
)
def test_an_attack_that_cannot_be_on_its_way_is_refused(underway: Any, code: str) -> None:
    ada = entrant(
        "ada",
        tool(),
        tool("hollow", potential=None),
        shield("wall"),
        tool("wave", attack_kind="total_area"),
    )
    given = setup(ada, entrant("bo"), entrant("cy", team="ada"))
    broken = Setup(entrants=given.entrants, distances=given.distances, underway=(underway,))
    assert code in codes(check_setup(broken))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"entrants": (entrant("ada"), entrant("ada", team="bo"))}, "id_taken"),
        ({"entrants": (entrant("gm"), entrant("bo"))}, "id_taken"),
        ({"entrants": (entrant("ada"), entrant("spectator"))}, "id_taken"),
        ({"entrants": (entrant("ada"), entrant("bo", team="ada"))}, "one_team_only"),
        ({"distances": ()}, "distance_missing"),
        ({"distances": (Distance(a="ada", b="ada", metres=1),)}, "distance_to_self"),
        ({"distances": (Distance(a="ada", b="cy", metres=1),)}, "unknown_combatant"),
        (
            {
                "distances": (
                    Distance(a="ada", b="bo", metres=1),
                    Distance(a="bo", b="ada", metres=2),
                )
            },
            "distance_repeated",
        ),
        ({"first": "cy"}, "unknown_combatant"),
        (
            {"entrants": (entrant("ada", uses=(Uses(tool="axe", count=1),)), entrant("bo"))},
            "tool_not_on_sheet",
        ),
        ({"entrants": (entrant("ada", tool(), tool()), entrant("bo"))}, "tool_id_repeated"),
        (
            {"entrants": (entrant("ada", tool(optimal_m=9, max_m=8)), entrant("bo"))},
            "range_below_optimal",
        ),
    ],
)
def test_a_setup_that_does_not_hold_together_is_refused(change: dict[str, Any], code: str) -> None:
    given = setup(entrant("ada"), entrant("bo"))
    parts = {"entrants": given.entrants, "distances": given.distances, **change}
    assert code in codes(check_setup(Setup(**parts)))


def test_a_fighter_may_enter_bound_with_the_value_and_the_loosening_so_far() -> None:
    rope = Held(user="ada", name="Rope", binds=(Bind.LEG_BLOCK,), stacked=True)
    bound = Bound(value=Fraction(21), by=(rope,), loosening=4)
    bo = replace(entrant("bo", stacks=(StackCount(stack=Stack.FREEZING, count=3),)), bound=bound)
    fighter = scene(entrant("ada"), bo).who("bo")
    assert fighter.bond_value is not None
    assert (fighter.bond_value.total, fighter.loosening) == (21, 4)
    assert [lot.condition for lot in fighter.lots] == [fighter.bonds[0].id]
    # Ten, less two for the legs and two for the frost that acts in the next turn.
    assert total_level(replace(fighter, turn=1), Stat.DEXTERITY).total == 6
