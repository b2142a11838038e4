"""Liberazione (GC-8.17 to 8.28, GC-14.22, GC-14.24): attempts, what hangs on them, and forms."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from app.rulesets.guida.attempts import APART, BESIDE_MAIN, FREEING_INDEX
from app.rulesets.guida.bond_rulings import ask_techniques
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.forms import size_of
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.options import (
    ByCategory,
)
from app.rulesets.guida.orders import (
    Attack,
    Generic,
    Independent,
    LiberationAttempt,
    Movement,
    Preparation,
)
from app.rulesets.guida.sheet import (
    Constraint,
    Gigantism,
    Liberation,
    StackEffect,
    StatPoints,
    Tool,
)
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action, AttackKind, Bind, Change, Means, Secondary, Stack, Stat
from tests.unit.guida.build import (
    boost,
    dodge,
    due,
    entrant,
    found,
    guard,
    hit,
    keys,
    one,
    parry,
    post,
    post_any,
    reading,
    refusals,
    scene,
    suffer,
    supplied,
    to,
    tool,
    turn,
)

BONUSES = ByCategory(D=Fraction(2), C=Fraction(4), B=Fraction(6), A=Fraction(8), S=Fraction(10))
TRY = LiberationAttempt(tool="wrench")


def wrench(**more: Any) -> Tool:
    """Make a technique for breaking free: potential bonus 3, stat bonus 7, 2 energy."""
    given = {
        "attacks": False,
        "effects": (Liberation(),),
        "potential_bonus": 3,
        "stat_bonus": 7,
        "ep": 2,
        **more,
    }
    return tool("wrench", **given)


def bound(*binds: Bind, face: int = 9, own: tuple[Tool, ...] = (), **more: Any) -> Scene:
    """Bind Bo with a value of ``face`` + 4 + 7; the questions are out of the way, Ada is next."""
    rope = tool(
        "rope",
        stat_bonus=7,
        potential_bonus=4,
        effects=(Constraint(binds=binds or (Bind.MOVEMENT_BLOCK,)),),
    )
    sword = tool("sword", means=Means.WEAPON, potential_bonus=5, stat_bonus=7, parries=True)
    made = scene(entrant("ada", rope, tool()), entrant("bo", wrench(), sword, *own), **more)
    made = post(made, turn("ada", main=hit("bo", "rope")), face).state
    made = post(made, turn("bo", suffer("a1"))).state
    return replace(made, questions=())


def attacked(made: Scene, face: int = 6) -> Scene:
    """Let Ada strike at Bo with the blade."""
    return post(made, turn("ada", main=hit("bo", "blade")), face).state


def bo(made: Scene) -> Combatant:
    return made.who("bo")


def test_an_attempt_fails_loosens_and_then_exactly_succeeds() -> None:
    made = bound()  # 20
    made = post(made, turn("ada")).state
    done = post(made, turn("bo", liberation=TRY), 6)
    failed = one(done.findings, "liberation_failed")
    assert (failed["value"], failed["bond_value"], failed["loosening"]) == (16, 20, 2)
    assert due(done.state, "bo", Change.EP) == [-2]
    made = post(done.state, turn("ada")).state
    done = post(made, turn("bo", liberation=TRY), 8)
    assert one(done.findings, "liberation_won")["value"] == 8 + 3 + 7 + 2
    assert (bo(done.state).bonds, bo(done.state).bond_value) == ((), None)
    assert bo(done.state).loosening == 0


def test_the_die_is_one_of_twelve_of_its_own() -> None:
    made = post(bound(), turn("ada")).state
    plan = GUIDA.plan(made, turn("bo", liberation=TRY, main=hit("ada", "sword")))
    (asked,) = (die for die in plan.asked if die.action == Action.LIBERATION)
    assert (asked.sides, asked.address, asked.tally.total) == (12, APART, 3 + 7)


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (turn("bo", liberation=TRY, main=hit("ada", "sword", frees=True)), "liberation_repeated"),
        (turn("bo", liberation=LiberationAttempt(tool="sword")), "tool_not_for_liberation"),
        (turn("bo", liberation=LiberationAttempt(tool="lever")), "tool_not_on_sheet"),
        (turn("bo", liberation=replace(TRY, after=1)), "liberation_misplaced"),
    ],
)
def test_an_attempt_is_one_a_turn_and_made_with_something_for_it(order: Any, code: str) -> None:
    made = post(bound(), turn("ada")).state
    assert refusals(made, order) == {code}


def test_nobody_breaks_free_of_nothing() -> None:
    made = scene(entrant("ada"), entrant("bo", wrench(), tool()), first="bo")
    assert refusals(made, turn("bo", liberation=TRY)) == {"not_bound"}
    assert refusals(made, turn("bo", main=hit("ada", frees=True))) >= {"not_bound"}


def test_an_attempt_frees_from_all_constraints_and_their_stacks() -> None:
    icy = tool("frost", potential_bonus=4, effects=(StackEffect(stack=Stack.FREEZING, count=3),))
    made = bound()
    ada = made.who("ada")
    made = made.put(replace(ada, sheet=replace(ada.sheet, tools=(*ada.sheet.tools, icy))))
    made = post(made, turn("ada", main=hit("bo", "frost")), 6).state
    done = post(made, turn("bo", suffer("a3"), liberation=replace(TRY, after=1)), 12)
    assert one(done.findings, "liberation_won")["bond_value"] == 22
    assert {facts["name"] for facts in found(done.findings, "bond_ends")} == {"Rope", "Frost"}
    assert bo(done.state).lots == ()


def test_the_same_turn_in_which_a_constraint_lands_leaves_room_for_an_attempt() -> None:
    rope = tool("rope", stat_bonus=7, potential_bonus=4, effects=(Constraint(),))
    made = scene(entrant("ada", rope), entrant("bo", wrench()))
    made = post(made, turn("ada", main=hit("bo", "rope")), 9).state
    late = turn("bo", suffer("a1"), liberation=replace(TRY, after=1))
    assert "liberation_failed" in keys(post(made, late, 1).findings)
    early = turn("bo", suffer("a1"), liberation=TRY)
    done = post(made, early, 12)
    assert "nothing_to_break" in keys(done.findings)
    assert due(done.state, "bo", Change.EP) == []
    assert len(bo(done.state).bonds) == 1


def test_what_follows_an_attempt_that_works_is_carried_out() -> None:
    made = attacked(bound())
    order = turn("bo", dodge("a3"), liberation=TRY, main=Movement(move=to(("ada", 9))))
    done = post(made, order, 12, 12, 6)
    assert {"liberation_won", "attack_avoided", "generic_launched"} <= keys(done.findings)


def test_what_follows_an_attempt_that_fails_is_annulled_and_a_failed_defence() -> None:
    made = attacked(bound())
    order = turn("bo", dodge("a3"), liberation=TRY, main=Movement(move=to(("ada", 9))))
    done = post_any(made, order, 12, 1, 6)
    assert {"liberation_failed", "defence_annulled", "offensive_annulled"} <= keys(done.findings)
    assert due(done.state, "bo") == [-20]


def test_what_precedes_an_attempt_must_be_possible_before_it() -> None:
    made = attacked(bound())
    after = turn("bo", dodge("a3"), liberation=replace(TRY, after=1))
    assert refusals(made, after) == {"defence_bound"}
    main = turn("bo", guard("a3"), liberation=replace(TRY, after=1), main=hit("ada", "sword"))
    assert refusals(made, main) == set()


def test_labels_after_an_attempt_are_written_as_if_it_works() -> None:
    made = attacked(bound(Bind.TOTAL_BLOCK))
    order = turn("bo", dodge("a3"), liberation=TRY, main=hit("ada", "sword"))
    tallies = {die.action: die.tally.total for die in GUIDA.plan(made, order).asked}
    assert tallies[Action.DODGE] == 10
    assert tallies[Action.ATTACK] == 10 + 2
    order = turn("bo", suffer("a3"), main=Preparation())
    assert GUIDA.check(made, order) == ()


def test_an_attack_may_double_as_an_attempt_at_half_its_bonus() -> None:
    blast = tool("blast", attack_kind=AttackKind.TOTAL_AREA, potential_bonus=5, stat_bonus=7)
    made = post(bound(own=(blast,)), turn("ada")).state  # 20
    order = turn("bo", main=Attack(target="ada", tool="blast", frees=True))
    done = post(made, order, 10, 6)
    tried = one(done.findings, "liberation_failed")
    assert tried["value"] == 10 + Fraction(5, 2) + 7
    launched = one(done.findings, "attack_launched")
    assert launched["hit"].total == 10 + 2 - 1  # no malus but the constraint's own
    assert next(die.address for die in GUIDA.plan(made, order).asked) == BESIDE_MAIN
    assert "liberation_won" in keys(post(made, order, 11, 6).findings)


def test_a_defence_that_doubles_as_an_attempt_halves_the_die_too() -> None:
    made = attacked(bound())
    order = turn("bo", parry("a3", tool="sword", frees=True))
    done = post(made, order, 18, 10)
    tried = one(done.findings, "liberation_failed")
    assert tried["value"] == 5 + Fraction(5, 2) + 7
    assert FREEING_INDEX in {die.address.index for die in GUIDA.plan(made, order).asked}


def test_a_defence_that_comes_too_late_tries_nothing() -> None:
    made = attacked(bound(), face=12)
    done = post_any(made, turn("bo", parry("a3", tool="sword", frees=True)), 1, 12)
    assert not {"liberation_failed", "liberation_won"} & keys(done.findings)
    assert (bo(done.state).loosening, bo(done.state).freed_turn) == (0, None)


def test_by_option_an_improper_attempt_uses_the_die_of_its_action() -> None:
    made = attacked(bound(**reading(improper_liberation_die="action_die")))
    order = turn("bo", parry("a3", tool="sword", frees=True))
    tried = one(post(made, order, 18).findings, "liberation_failed")
    assert tried["value"] == 9 + Fraction(5, 2) + 7


def test_a_technique_made_for_it_loses_nothing_as_part_of_an_action() -> None:
    snap = tool("snap", potential_bonus=5, stat_bonus=7, effects=(Liberation(),))
    made = post(bound(own=(snap,)), turn("ada")).state
    order = turn("bo", main=hit("ada", "snap", frees=True))
    assert one(post(made, order, 7, 3).findings, "liberation_failed")["value"] == 7 + 5 + 7


@pytest.mark.parametrize("defence", [dodge("a3", frees=True), guard("a3", frees=True)])
def test_an_attempt_needs_something_to_be_made_with(defence: Any) -> None:
    made = attacked(bound(Bind.MOVEMENT_LIMITATION))
    assert refusals(made, turn("bo", defence)) == {"frees_needs_tool"}


def test_what_breaks_free_may_bring_more_but_only_if_it_works() -> None:
    rage = wrench(effects=(Liberation(), StatPoints(stat=Stat.STRENGTH, points=2, turns=3)))
    made = bound()
    made = made.put(replace(bo(made), sheet=replace(bo(made).sheet, tools=(rage,))))
    made = post(made, turn("ada")).state
    assert bo(post(made, turn("bo", liberation=TRY), 1).state).effects == ()
    assert len(bo(post(made, turn("bo", liberation=TRY), 10).state).effects) == 1


def giant(size: int, **more: Any) -> Tool:
    """Make a change of form without a potential bonus of its own; stat bonus 7."""
    return boost(
        f"giant{size}",
        Gigantism(size=size),
        **{"stat_bonus": 7, "secondary": Secondary.RELEASE, "generic": True, **more},
    )


@pytest.mark.parametrize(("size", "bonus"), [(1, 6), (2, 8), (3, 10), (4, 10), (-1, 6)])
def test_a_change_of_form_has_its_bonus_by_sizes_of_difference(size: int, bonus: int) -> None:
    made = bound(own=(giant(size),), **supplied(potential_bonus_by_category=BONUSES))
    made = post(made, turn("ada")).state
    done = post(made, turn("bo", main=hit("ada", "sword", support=(f"giant{size}",))), 1, 6)
    assert one(done.findings, "liberation_failed")["value"] == 1 + bonus + 7
    assert "form_annulled" in keys(done.findings)
    assert size_of(bo(done.state)) == 0


def test_a_change_of_form_that_works_frees_and_happens() -> None:
    made = bound(own=(giant(3),), **supplied(potential_bonus_by_category=BONUSES))
    made = post(made, turn("ada")).state
    for order, faces in (
        (turn("bo", main=Generic(tool="giant3")), (3, 6)),
        (turn("bo", main=Preparation(support=("giant3",))), (3,)),
        (turn("bo", loose=("giant3",)), (3, 6)),
    ):
        done = post(made, order, *faces)
        assert one(done.findings, "liberation_won")["value"] == 20
        assert bo(done.state).bonds == ()


@pytest.mark.parametrize("face", [2, 3])
def test_a_preparation_with_a_change_of_form_has_no_bonus_though_it_fails(face: int) -> None:
    made = bound(own=(giant(3),), **supplied(potential_bonus_by_category=BONUSES))
    made = post(made, turn("ada")).state
    done = post(made, turn("bo", main=Preparation(support=("giant3",))), face)
    assert ("form_annulled" in keys(done.findings)) is (face == 2)
    assert one(done.findings, "prepared")["bonus"] is False  # GC-4.39: something was added
    assert bo(done.state).prepared is None


def test_a_change_of_form_as_an_independent_action_or_beside_a_defence() -> None:
    made = bound(own=(giant(3),), **supplied(potential_bonus_by_category=BONUSES))
    made = attacked(made)
    alone = turn("bo", suffer("a3"), independents=(Independent(tool="giant3", against="a3"),))
    done = post(made, alone, 18, 3)
    assert size_of(bo(done.state)) == 3
    beside = turn("bo", guard("a3", support=("giant3",)))
    assert size_of(bo(post(made, beside, 24, 3).state)) == 3
    failed = post(made, beside, 24, 2)
    assert size_of(bo(failed.state)) == 0
    assert "form_annulled" in keys(failed.findings)


def test_a_change_of_form_is_the_one_attempt_of_its_turn() -> None:
    made = bound(own=(giant(3),), **supplied(potential_bonus_by_category=BONUSES))
    made = post(made, turn("ada")).state
    both = turn("bo", liberation=TRY, main=Preparation(support=("giant3",)))
    assert refusals(made, both) == {"liberation_repeated"}
    bare = post(bound(own=(giant(3),)), turn("ada")).state
    assert refusals(bare, turn("bo", main=Preparation(support=("giant3",)))) == {
        "size_bonus_missing"
    }


def test_who_is_free_changes_form_without_an_attempt() -> None:
    made = scene(entrant("ada"), entrant("bo", giant(2)), first="bo")
    done = post(made, turn("bo", main=Preparation(support=("giant2",))))
    assert size_of(bo(done.state)) == 2


def test_odds_count_both_ends_of_an_attempt_before_a_dodge() -> None:
    made = attacked(bound())  # hit score 6 + 10 + 2 = 18
    (law,) = GUIDA.forecast(made, turn("bo", dodge("a3"), liberation=TRY)).laws
    # Free from 10 on: three faces of twelve; then a dodge wins from 9 and ties on 8.
    free = Fraction(3, 12)
    unhurt = sum(one.probability for one in law.chances if dict(one.outcome)["hp_lost"] == 0)
    halved = sum(one.probability for one in law.chances if dict(one.outcome)["hp_lost"] == 10)
    assert unhurt == free * Fraction(4, 12)
    assert halved == free * Fraction(1, 12)
    assert sum(one.probability for one in law.chances) == 1


def test_the_form_offers_what_is_left_and_what_an_attempt_would_give_back() -> None:
    made = attacked(bound(Bind.TOTAL_BLOCK))
    offered = GUIDA.choices(made, "bo")
    assert {one.action for one in offered.defences} == {Action.NULL_DEFENCE}
    assert (offered.attacks, offered.stays, offered.preparation_reach_m) == ((), True, 0)
    assert [one.id for one in offered.liberations] == ["wrench"]
    freed = offered.if_freed
    assert {one.action for one in freed.defences} >= {Action.DODGE, Action.GUARD, Action.PARRY}
    assert freed.stays is False
    assert {one.tool.id for one in freed.attacks} == {"sword"}


def test_the_form_offers_no_technique_the_master_has_not_ruled_on() -> None:
    made = bound(Bind.ARM_BLOCK, own=(tool("fist"),))
    rope = made.who("bo").bonds[0]
    made, _ = ask_techniques(made, replace(made.who("bo"), bonds=()), rope)
    made = post(made, turn("ada")).state
    offered = GUIDA.choices(made, "bo")
    assert offered.attacks == ()
    assert {(one.id, why.code) for one in offered.not_now for why in one.why} >= {
        ("sword", "weapon_bound"),
        ("fist", "bound_techniques"),
    }


def test_the_form_tells_how_far_a_limit_lets_one_go() -> None:
    rope = tool(
        "rope",
        potential_bonus=4,
        effects=(Constraint(binds=(Bind.DISTANCE_LIMIT,), max_range_m=9),),
    )
    made = scene(entrant("ada", rope), entrant("bo"))
    made = post(made, turn("ada", main=hit("bo", "rope")), 9).state
    made = post(made, turn("bo", suffer("a1"))).state
    made = post(made, turn("ada")).state
    (limit,) = GUIDA.choices(made, "bo").limits
    assert (limit.user, limit.metres) == ("ada", 9)


def test_the_form_offers_to_pin_down_with_what_has_the_numbers_for_it() -> None:
    made = scene(entrant("ada", tool(potential_bonus=3), tool("fist")), entrant("bo"))
    offered = {one.tool.id: one.tool.binds for one in GUIDA.choices(made, "ada").attacks}
    assert offered["fist"] == ()
    assert set(offered["blade"]) == set(Bind) - {Bind.DISTANCE_LIMIT}


def test_a_defence_whose_label_built_on_a_failed_attempt_says_what_counts() -> None:
    made = attacked(bound(Bind.MOVEMENT_LIMITATION))
    order = turn("bo", dodge("a3"), liberation=TRY)
    assert GUIDA.plan(made, order).asked[0].tally.total == 10
    told = one(post(made, order, 12, 1).findings, "label_superseded")
    assert (told["written"].total, told["counts"].total) == (10, 9)
    assert told["why"] == "not_freed"
    assert "label_superseded" not in keys(post(made, order, 12, 12).findings)


def test_labels_count_what_binds_after_the_attempt_that_is_thought_to_work() -> None:
    effect = Constraint(binds=(Bind.MOVEMENT_LIMITATION,))
    rope = tool("rope", stat_bonus=7, potential_bonus=4, effects=(effect,))
    made = scene(entrant("ada", rope), entrant("cy", team="ada"), entrant("bo", wrench()))
    made = post(made, turn("ada", main=hit("bo", "rope")), 6).state
    made = post(made, turn("cy", main=hit()), 6).state
    order = turn("bo", suffer("a1"), dodge("a2"), liberation=TRY)
    assert GUIDA.plan(made, order).asked[0].tally.total == 9
    assert "label_superseded" not in keys(post(made, order, 12, 12).findings)
