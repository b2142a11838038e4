"""Generic actions, movements, preparations and heals: pending, countered, suspended, carried out.

Ada's generic action has a success score of 6 + 10; Bo counters it with 1d18 + 10.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.engine.findings import Violation
from app.engine.ruleset import Resolution
from app.rulesets.guida.conditions import held
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Generic,
    Movement,
    Preparation,
    Suspended,
    Turn,
)
from app.rulesets.guida.rulings import (
    Impact,
    Withdraw,
)
from app.rulesets.guida.sheet import (
    AdditionalDamage,
    ArmourEffect,
    Heal,
    Regeneration,
    StackEffect,
    StatPoints,
)
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import (
    Action,
    Category,
    Change,
    DamageType,
    Secondary,
    Stack,
    Standing,
    Stat,
)
from tests.unit.guida.build import (
    boost,
    by_master,
    coming,
    counter,
    dodge,
    due,
    entrant,
    guard,
    hit,
    keys,
    lines,
    one,
    post,
    post_any,
    refusals,
    rule,
    scene,
    suffer,
    to,
    tool,
    turn,
)

GENERIC = Action.GENERIC_COUNTERATTACK
QUICK = StatPoints(stat=Stat.DEXTERITY, points=2, turns=2)
BALM = tool("balm", attacks=False, generic=True, ep=4, effects=(Heal(),))


def opened(*others: Any, main: Any = None, hp: int = 50, **more: Any) -> Scene:
    """Let Ada launch her balm, or something else, before Bo and others."""
    start = scene(entrant("ada", tool(), BALM, hp=hp, **more), entrant("bo"), *others)
    return post(start, turn("ada", main=main or Generic(tool="balm")), 6).state


def countered(start: Scene, face: int = 18, by: str = "bo") -> Resolution[Scene]:
    """Counter Ada's action."""
    return post(start, turn(by, counter("g1", action=GENERIC)), face, 7)


def decided(start: Scene, *, confirm: bool, **more: Any) -> Turn:
    """Write Ada's post with her choice about the suspended action."""
    return turn("ada", suspended=(Suspended(action="g1", confirm=confirm),), **more)


# ----------------------------------------------------------------------- pending, carried out


def test_a_generic_action_waits_for_the_opponent_and_is_then_paid_for() -> None:
    start = opened()
    assert start.pending[0].waits == ("bo",)
    assert due(start, "ada", Change.EP) == []
    done = post(start, turn("bo"))
    assert "generic_carried_out" in keys(done.findings)
    assert due(done.state, "ada") == [11]  # (20 + 10 / 5) / 2
    assert due(done.state, "ada", Change.EP) == [-4]
    assert done.state.pending == ()


def test_a_generic_action_waits_for_every_opponent() -> None:
    start = post(opened(entrant("cy")), turn("bo")).state
    assert start.pending[0].waits == ("cy",)
    assert due(start, "ada") == []
    assert due(post(start, turn("cy")).state, "ada") == [11]


def test_one_side_does_not_wait_for_its_own() -> None:
    assert opened(entrant("cy", team="ada")).pending[0].waits == ("bo",)


# ----------------------------------------------------------------- countered, and the choice


@pytest.mark.parametrize("face", [18, 6])  # 6 + 10 ties, which is the counterattacker's
def test_a_won_counter_suspends_the_action_and_goes_on_with_two_more(face: int) -> None:
    done = countered(opened(), face)
    (attack,) = done.state.incoming
    assert (attack.suspends, attack.hit.total) == ("g1", 2 + 10 + 2)
    assert done.state.pending[0].held
    assert due(done.state, "ada") == []


def test_a_lost_counter_is_launched_with_two_less_and_the_action_succeeds() -> None:
    done = countered(opened(), 5)
    (attack,) = done.state.incoming
    assert (attack.suspends, attack.hit.total) == (None, 2 + 10 - 2)
    assert due(done.state, "ada") == [11]


def test_a_lost_counter_does_not_fail_the_defences_after_it() -> None:
    balm = tool("balm", attacks=False, generic=True, effects=(Heal(),))
    start = scene(
        entrant("ada", tool(), balm), entrant("bo"), entrant("cy", team="ada"), first="cy"
    )
    start = post(start, turn("cy", main=hit()), 6).state
    start = post(start, turn("ada", main=Generic(tool="balm")), 6).state
    order = turn("bo", guard("a1"), counter("g2", action=GENERIC))
    done = post(start, order, 24, 1, 7)
    assert due(done.state, "bo") == [-10]
    assert len(done.state.incoming) == 1


def test_an_earlier_failure_fails_the_counter_too() -> None:
    balm = tool("balm", attacks=False, generic=True, effects=(Heal(),))
    start = scene(
        entrant("ada", tool(), balm), entrant("bo"), entrant("cy", team="ada"), first="cy"
    )
    start = post(start, turn("cy", main=hit()), 12).state
    start = post(start, turn("ada", main=Generic(tool="balm")), 6).state
    order = turn("bo", guard("a1"), counter("g2", action=GENERIC))
    done = post_any(start, order, 1, 18, 7)
    assert "counter_auto_failed" in keys(done.findings)
    assert done.state.incoming == ()
    assert "generic_carried_out" in keys(done.findings)


def test_whoever_confirms_suffers_the_counter_and_then_acts_as_planned() -> None:
    start = countered(opened()).state
    done = post(start, decided(start, confirm=True, main=hit()), 6)
    assert [amount for amount in due(done.state, "ada") if amount < 0] == [-20]
    assert [amount for amount in due(done.state, "ada") if amount > 0] == [11]
    assert due(done.state, "ada", Change.EP) == [-4]
    assert [attack.target for attack in done.state.incoming] == ["bo"]  # not compromised
    assert done.state.pending == ()


def test_whoever_annuls_pays_nothing_and_may_defend() -> None:
    start = countered(opened()).state
    order = decided(start, confirm=False)
    done = post(start, Turn(by="ada", suspended=order.suspended, defences=(guard("a2"),)), 24)
    assert due(done.state, "ada") == [-10]
    assert due(done.state, "ada", Change.EP) == []
    assert done.state.pending == ()
    assert done.state.who("ada").uses_of("balm") == 0


def test_a_suspended_action_has_to_be_decided_and_a_confirmed_one_leaves_nothing_to_answer() -> (
    None
):
    start = countered(opened()).state
    assert refusals(start, turn("ada")) == {"suspended_undecided"}
    confirmed = decided(start, confirm=True)
    late = Turn(by="ada", suspended=confirmed.suspended, defences=(guard("a2"),))
    assert "attack_not_incoming" in refusals(start, late)
    offered = GUIDA.choices(start, "ada")
    assert [one.id for one in offered.suspended] == ["g1"]
    assert offered.incoming != ()
    assert offered.if_confirmed is not None
    assert offered.if_confirmed.incoming == ()


def test_both_choices_at_once_are_no_way_to_have_it_both_ways() -> None:
    start = countered(opened()).state
    both = tuple(Suspended(action="g1", confirm=confirm) for confirm in (False, True))
    order = Turn(by="ada", suspended=both)
    assert refusals(start, order) == {"suspended_undecided"}


def test_a_choice_about_an_action_that_is_not_suspended_is_refused() -> None:
    start = countered(opened()).state
    right = Suspended(action="g1", confirm=False)
    for action in ("g2", "a2", "nothing"):
        wrong = Suspended(action=action, confirm=True)
        (refused,) = GUIDA.check(start, Turn(by="ada", suspended=(right, wrong)))
        assert isinstance(refused, Violation)
        assert (refused.code, refused.field) == ("action_not_suspended", "suspended.1.action")
        both = {"action_not_suspended", "suspended_undecided"}
        assert refusals(start, Turn(by="ada", suspended=(wrong,))) == both


def test_nobody_decides_about_an_action_of_somebody_else_or_one_under_way() -> None:
    start = countered(opened(entrant("cy"))).state
    foreign = Turn(by="cy", suspended=(Suspended(action="g1", confirm=False),))
    assert refusals(start, foreign) == {"action_not_suspended"}
    waiting = post(opened(entrant("cy")), turn("bo")).state  # not countered: it waits for Cy
    under_way = Turn(by="cy", suspended=(Suspended(action="g1", confirm=True),))
    assert refusals(waiting, under_way) == {"action_not_suspended"}


def held_in_vain() -> Scene:
    """Let Bo suspend Ada's balm, and then lose what was to follow by a failed dodge."""
    start = scene(
        entrant("ada", tool(), BALM, hp=50), entrant("cy", team="ada"), entrant("bo"), first="ada"
    )
    start = post(start, turn("ada", main=Generic(tool="balm")), 6).state
    start = post(start, turn("cy", main=hit()), 6).state
    order = turn("bo", counter("g1", action=GENERIC), dodge("a2"))
    return post_any(start, order, 18, 7, 1).state


@pytest.mark.parametrize("confirm", [True, False])
def test_a_suspended_action_whose_counter_goes_no_further_is_no_danger_to_confirm(
    confirm: bool,
) -> None:
    start = held_in_vain()
    assert start.incoming == ()
    assert [one.strikes for one in GUIDA.choices(start, "ada").suspended] == [False]
    (refusal,) = GUIDA.check(start, turn("ada"))
    assert refusal.facts["strikes"] is False
    done = post(start, decided(start, confirm=confirm))
    key = "suspended_confirmed" if confirm else "suspended_annulled"
    assert one(done.findings, key)["strikes"] is False
    assert due(done.state, "ada") == ([11] if confirm else [])


# -------------------------------------------------------------------------------- movements


def test_a_movement_caught_stops_half_way_and_its_mover_has_to_defend() -> None:
    start = opened(main=Movement(move=to(("bo", 11))))
    done = countered(start)
    assert done.state.metres("ada", "bo") == 8
    assert done.state.pending == ()
    (attack,) = done.state.incoming
    assert attack.suspends is None
    assert attack.hit.total == 10 + 2 + 0  # eight metres: one range off, GC-4.79


def test_a_movement_that_is_completed_leaves_the_counter_nothing_to_hit() -> None:
    start = opened(main=Movement(move=to(("bo", 11))))
    done = countered(start, 1)
    assert "hits_nothing" in keys(done.findings)
    assert done.state.incoming == ()
    assert done.state.metres("ada", "bo") == 11


def test_a_movement_nobody_counters_ends_after_the_opponents_own_attack() -> None:
    start = opened(main=Movement(move=to(("bo", 200))))
    order = turn("bo", main=hit("ada"))
    label = GUIDA.plan(start, order).asked[0].tally
    done = post(start, order, 6)
    (attack,) = done.state.incoming
    assert attack.hit == label  # launched at five metres, as written
    assert "label_superseded" not in keys(done.findings)
    assert done.state.metres("ada", "bo") == 200
    told = [one.key for one in done.findings]
    assert told.index("attack_launched") < told.index("generic_carried_out")


def test_half_of_a_move_is_taken_back_from_where_one_is_by_then() -> None:
    start = opened(main=Movement(move=to(("bo", 20))))
    start = post(start, turn("bo", main=hit("ada", move=to(("ada", 1)))), 1).state
    assert start.metres("ada", "bo") == 20
    done = post_any(start, turn("ada", counter("a2")), 18, 6)
    assert done.state.metres("ada", "bo") == 20 + 2  # two of Bo's four metres


# ------------------------------------------------------- whoever leaves meanwhile (GC-14.17)


def left(start: Scene, who: str) -> Scene:
    """Let somebody leave the fight."""
    return rule(start, by_master(Withdraw, combatant=who, standing=Standing.LEFT)).state


def test_nobody_waits_for_one_who_left() -> None:
    start = post(opened(entrant("cy")), turn("bo")).state
    after = left(start, "cy")
    assert after.pending == ()
    assert due(after, "ada") == [11]


def test_what_one_who_left_held_up_goes_on() -> None:
    start = countered(opened(entrant("cy"))).state
    after = left(start, "bo")
    assert after.incoming == ()
    assert not any(pending.held for pending in after.pending)
    done = post(after, turn("cy")).state
    assert due(done, "ada") == [11]


def test_what_takes_effect_before_the_register_is_recorded_in_it() -> None:
    start = left(countered(opened(entrant("cy"))).state, "bo")
    start = replace(start, next="ada")
    done = post(start, turn("ada"))
    assert one(done.findings, "healed")["recorded"] is True
    assert one(done.findings, "energy_spent")["recorded"] is True
    assert (done.state.who("ada").hp, done.state.who("ada").ep) == (61, 46)


def test_what_one_who_left_had_begun_is_gone() -> None:
    after = left(opened(entrant("cy")), "ada")
    assert after.pending == ()
    after = left(countered(opened(entrant("cy"))).state, "ada")
    assert (after.pending, after.incoming) == ((), ())
    assert GUIDA.check(after, turn("cy")) == ()


def test_a_beneficiary_may_leave_before_the_heal_comes() -> None:
    start = opened(entrant("cy", team="ada", hp=50), main=Generic(tool="balm", beneficiary="cy"))
    done = post(left(start, "cy"), turn("bo"))
    assert done.state.pending == ()


# ------------------------------------------------------------------------------ preparations


def test_a_preparation_clears_the_head_and_helps_the_next_turn_only() -> None:
    dazing = tool(effects=(StackEffect(stack=Stack.STUN, count=2),))
    start = scene(entrant("ada", dazing), entrant("bo"), underway=(coming(),), first="bo")
    start = post(start, turn("bo", suffer("a1"), main=Preparation())).state
    assert held(start.who("bo"), Stack.STUN) == 0
    start = post(start, turn("ada", main=hit()), 6).state
    asked = GUIDA.plan(start, turn("bo", guard("a3"), main=hit("ada"))).asked
    assert [one.tally.total for one in asked] == [2 + 10 + 2, 12]  # GC-4.39 and no GC-4.40
    asked = GUIDA.plan(start, turn("bo", suffer("a3"), main=hit("ada"))).asked
    assert [one.tally.total for one in asked] == [12 + 1]  # GC-4.40
    start = post(start, turn("bo", suffer("a3"))).state
    start = post(start, turn("ada", main=hit()), 6).state
    assert GUIDA.plan(start, turn("bo", guard("a5"))).asked[0].tally.total == 12 - 2  # stunned


def test_a_preparation_with_something_added_has_no_bonus() -> None:
    tonic = boost("tonic", secondary=Secondary.TONIC)
    start = scene(entrant("ada"), entrant("bo", tool(), tonic), first="bo")
    start = post(start, turn("bo", main=Preparation(support=("tonic",)))).state
    start = post(start, turn("ada")).state
    assert GUIDA.plan(start, turn("bo", main=hit("ada"))).asked[0].tally.total == 12


def test_a_loose_secondary_action_becomes_the_main_one() -> None:
    bo = entrant("bo", boost("one", QUICK, ep=1), boost("two", QUICK, ep=2))
    start = post(scene(entrant("ada"), bo, first="bo"), turn("bo", loose=("two", "one")), 6).state
    assert start.pending[0].tool is not None
    assert start.pending[0].tool.id == "two"
    start = post(start, turn("ada")).state
    assert due(start, "bo", Change.EP) == [-2, -1]
    assert due(start, "bo", Change.POINTS) == [2, 2]


# ------------------------------------------------------------------------ heals, second damage


def test_a_heal_stops_at_the_maximum() -> None:
    assert due(post(opened(hp=95), turn("bo")).state, "ada") == [5]
    assert due(post(opened(hp=100), turn("bo")).state, "ada") in ([], [0])


def test_the_strongest_regeneration_counts_once_a_turn_and_up_to_the_maximum() -> None:
    weak = Regeneration(category=Category.D, stat=Stat.STRENGTH, turns=2)
    strong = Regeneration(category=Category.S, stat=Stat.STRENGTH, turns=2)
    ada = entrant("ada", tool(), boost("moss", weak), boost("fern", strong), hp=50)
    start = scene(ada, entrant("bo"))
    start = post(start, turn("ada", main=hit(support=("moss", "fern"))), 6).state
    assert due(start, "ada") == [3]
    start = post(post(start, turn("bo")).state, turn("ada")).state
    assert due(start, "ada") == [3]
    start = post(post(start, turn("bo")).state, turn("ada")).state
    assert due(start, "ada") == []
    full = scene(entrant("ada", tool(), boost("fern", strong), hp=99), entrant("bo"))
    assert due(post(full, turn("ada", main=hit(support=("fern",))), 6).state, "ada") == [1]


SECONDS = (
    AdditionalDamage(potential=20, stat_bonus=6),
    AdditionalDamage(potential=20, stat_bonus=10),
    StackEffect(stack=Stack.STUN, count=2),
)


def test_only_the_strongest_additional_damage_counts_and_what_does_it_leaves_no_stacks() -> None:
    start = scene(entrant("ada", tool(), boost("sting", *SECONDS)), entrant("bo"))
    start = post(start, turn("ada", main=hit(support=("sting",))), 6).state
    done = post(start, turn("bo", suffer("a1")))
    assert due(done.state, "bo") == [-20, -10]
    assert "additional_without_stacks" in keys(done.findings)
    assert held(done.state.who("bo"), Stack.STUN) == 0


def test_an_attack_with_a_second_damage_of_its_own_keeps_its_own_stacks() -> None:
    start = scene(
        entrant("ada", tool(effects=SECONDS)), entrant("bo"), underway=(coming(),), first="bo"
    )
    done = post(start, turn("bo", suffer("a1")))
    assert due(done.state, "bo") == [-20, -10]
    assert "additional_without_stacks" not in keys(done.findings)
    assert held(done.state.who("bo"), Stack.STUN) == 2


@pytest.mark.parametrize(("blocks", "damage"), [(False, -22), (True, -20)])
def test_pure_damage_is_stopped_by_what_blocks_it_only(blocks: bool, damage: int) -> None:
    ward = ArmourEffect(potential=4, turns=3, blocks_pure=blocks)
    start = scene(
        entrant("ada", tool(damage=DamageType.PURE)),
        entrant("bo", tool(), boost("ward", ward)),
        first="bo",
    )
    start = post(start, turn("bo", main=hit("ada", support=("ward",))), 6).state
    start = post(start, turn("ada", suffer("a1"), main=hit()), 6).state
    assert due(post(start, turn("bo", suffer("a2"))).state, "bo") == [damage]


def test_the_wall_and_a_second_damage_are_one() -> None:
    second = AdditionalDamage(potential=20, stat_bonus=6)
    start = scene(
        entrant("ada", tool(effects=(second,))), entrant("bo"), underway=(coming(),), first="bo"
    )
    start = post(start, turn("bo", suffer("a1"))).state
    assert due(start, "bo") == [-20, -8]
    weaker = by_master(
        Impact, attacker="ada", target="bo", die=1, category=Category.D, stat_bonus=10
    )
    assert due(rule(start, weaker).state, "bo") == [-20, -8]
    stronger = by_master(
        Impact, attacker="ada", target="bo", die=12, category=Category.S, stat_bonus=12
    )
    assert due(rule(start, stronger).state, "bo") == [-20, -10]  # (18 + 12 - 10) / 2
    assert {line.rule for line in lines(start, "bo")} == {"GC-6.8"}
