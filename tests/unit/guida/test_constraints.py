"""Costrizione (GC-8.1 to 8.16): landing, adding up, hampering, and what the Master decides."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from app.engine.findings import Question
from app.rulesets.guida.bonds import clamp_to_limit, forbids
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.conditions import held
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.orders import (
    Continuation,
    Movement,
    Preparation,
)
from app.rulesets.guida.rulings import (
    Answer,
    Withdraw,
)
from app.rulesets.guida.sheet import Constraint, StackEffect, Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Bind, Means, Stack, Standing, Stat
from tests.unit.guida.build import (
    boost,
    by_master,
    counter,
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
    rule,
    scene,
    suffer,
    to,
    tool,
    turn,
    unbalance,
)


def rope(*binds: Bind, id: str = "rope", **more: Any) -> Tool:
    """Make a constraint technique: potential bonus 4, stat bonus 7, no damage unless told."""
    effect = Constraint(
        binds=binds, max_range_m=more.pop("reach", None), deals_damage=more.pop("hurts", False)
    )
    given = {"stat_bonus": 7, "potential_bonus": 4, "effects": (effect,), **more}
    return tool(id, **given)


def caught(*binds: Bind, face: int = 9, **more: Any) -> Scene:
    """Let Ada throw her rope and Bo suffer it; Bo's turn is over, Ada's is next."""
    options = more.pop("options", {})
    ropes = more.pop("ropes", (rope(*binds),))
    made = scene(
        entrant("ada", *ropes, tool()),
        entrant("bo", tool("sword", means=Means.WEAPON), tool("fist"), boost(), **more),
        **options,
    )
    made = post(made, turn("ada", main=hit("bo", ropes[0].id)), face).state
    return post(made, turn("bo", suffer("a1"))).state


def bo(made: Scene) -> Combatant:
    return made.who("bo")


def value(made: Scene) -> Fraction | None:
    tally = bo(made).bond_value
    return None if tally is None else tally.total


def dexterity(made: Scene) -> Fraction:
    return total_level(bo(made), Stat.DEXTERITY).total


def asked(made: Scene, code: str) -> list[Question]:
    return [question for question in made.questions if question.code == code]


def answered(made: Scene, code: str, choice: str) -> Scene:
    (question,) = asked(made, code)
    return rule(made, by_master(Answer, question=question.id, choice=choice)).state


def test_the_first_constraint_is_worth_its_die_and_both_bonuses() -> None:
    made = caught(Bind.ARM_BLOCK)
    assert value(made) == 9 + 4 + 7
    assert [bond.name for bond in bo(made).bonds] == ["Rope"]


def test_a_constraint_technique_does_no_damage_unless_it_says_so() -> None:
    assert due(caught(Bind.ARM_BLOCK), "bo") == []
    hurting = caught(ropes=(rope(Bind.ARM_BLOCK, hurts=True),))
    assert due(hurting, "bo") == [-(20 + 7 - 10)]


def test_a_further_constraint_adds_half_its_potential_bonus() -> None:
    made = caught(Bind.ARM_BLOCK, face=9)
    made = answered(made, "bound_techniques", "none")
    made = post(made, turn("ada", main=hit("bo", "rope")), 12).state
    made = post(made, turn("bo", suffer("a3"))).state
    assert value(made) == 20 + 2
    assert len(bo(made).bonds) == 2
    assert dexterity(made) == 10 - 1  # the same effect twice counts once


def test_a_dodged_constraint_binds_nobody() -> None:
    made = scene(entrant("ada", rope(Bind.TOTAL_BLOCK)), entrant("bo"))
    made = post(made, turn("ada", main=hit("bo", "rope")), 1).state
    made = post(made, turn("bo", dodge("a1")), 12).state
    assert bo(made).bonds == ()
    assert value(made) is None


def test_a_guarded_constraint_binds_all_the_same() -> None:
    made = scene(entrant("ada", rope(Bind.MOVEMENT_LIMITATION)), entrant("bo"))
    made = post(made, turn("ada", main=hit("bo", "rope")), 2).state
    made = post(made, turn("bo", guard("a1")), 24).state
    assert value(made) == 2 + 4 + 7


def test_a_half_damage_tie_lets_no_constraint_in() -> None:
    made = scene(entrant("ada", rope(Bind.TOTAL_BLOCK)), entrant("bo"))
    made = post(made, turn("ada", main=hit("bo", "rope")), 4).state  # 4 + 10 + 2
    made = post(made, turn("bo", dodge("a1")), 6).state  # 6 + 10
    assert bo(made).bonds == ()


@pytest.mark.parametrize(
    ("binds", "points"),
    [
        ((Bind.DISTANCE_LIMIT,), 0),
        ((Bind.MOVEMENT_BLOCK,), -1),
        ((Bind.MOVEMENT_LIMITATION,), -1),
        ((Bind.ARM_BLOCK,), -1),
        ((Bind.LEG_BLOCK,), -2),
        ((Bind.TOTAL_BLOCK,), -4),
        ((Bind.LEG_BLOCK, Bind.MOVEMENT_BLOCK), -2),
        ((Bind.LEG_BLOCK, Bind.ARM_BLOCK), -3),
        ((Bind.TOTAL_BLOCK, Bind.ARM_BLOCK, Bind.LEG_BLOCK), -4),
    ],
)
def test_effects_take_from_dexterity_what_the_table_says(
    binds: tuple[Bind, ...], points: int
) -> None:
    made = caught(ropes=(rope(*binds, reach=10),))
    assert dexterity(made) == 10 + points


def test_a_constraint_hampers_from_the_moment_it_lands() -> None:
    made = scene(entrant("ada", rope(Bind.TOTAL_BLOCK)), entrant("bo", tool("fist")))
    made = post(made, turn("ada", main=hit("bo", "rope")), 9).state
    done = post(made, turn("bo", suffer("a1"), main=hit("ada", "fist")), 6)
    assert one(done.findings, "attack_launched")["hit"].total == 2 + 10 - 4


@pytest.mark.parametrize(
    ("bind", "refused"),
    [
        (Bind.MOVEMENT_BLOCK, {"dodge", "move", "movement", "preparation"}),
        (Bind.LEG_BLOCK, {"dodge", "move", "movement", "preparation"}),
        (Bind.ARM_BLOCK, {"guard", "unbalance", "parry", "attack", "counter"}),
        (
            Bind.TOTAL_BLOCK,
            {
                *("dodge", "move", "movement", "preparation"),
                *("guard", "unbalance", "parry", "attack", "counter"),
            },
        ),
        (Bind.MOVEMENT_LIMITATION, set()),
    ],
)
def test_what_each_effect_forbids(bind: Bind, refused: set[str]) -> None:
    made = caught(ropes=(rope(bind),))
    made = replace(made, questions=())
    made = post(made, turn("ada", main=hit("bo", "blade")), 6).state
    sword = tool("sword", means=Means.WEAPON, parries=True)
    armed = replace(bo(made).sheet, tools=(sword,))
    made = made.put(replace(bo(made), sheet=armed))
    away = to(("ada", 7))
    tries = {
        "dodge": turn("bo", dodge("a3")),
        "guard": turn("bo", guard("a3")),
        "unbalance": turn("bo", unbalance("a3")),
        "parry": turn("bo", parry("a3", tool="sword")),
        "counter": turn("bo", counter("a3", "sword")),
        "attack": turn("bo", main=hit("ada", "sword")),
        "move": turn("bo", main=hit("ada", "sword", move=away)),
        "movement": turn("bo", main=Movement(move=away)),
        "preparation": turn("bo", main=Preparation(move=away)),
    }
    bound = {"defence_bound", "weapon_bound", "move_bound"}
    assert {name for name, order in tries.items() if refusals(made, order) & bound} >= refused
    allowed = set(tries) - refused
    if bind is Bind.ARM_BLOCK:
        allowed.discard("move")  # it is a weapon's
    assert {name for name in allowed if refusals(made, tries[name])} == set()


def test_by_option_a_blocked_position_leaves_a_dodge_on_the_spot() -> None:
    made = caught(Bind.MOVEMENT_BLOCK, options=reading(blocked_position_forbids_dodge=False))
    made = post(made, turn("ada", main=hit("bo", "blade")), 6).state
    assert refusals(made, turn("bo", dodge("a3"))) == set()
    assert refusals(made, turn("bo", dodge("a3", move=to(("ada", 7))))) == {"move_bound"}


def test_a_distance_limit_is_the_reach_of_the_constraint() -> None:
    made = caught(ropes=(rope(Bind.DISTANCE_LIMIT, reach=10),))
    made = post(made, turn("ada")).state
    assert refusals(made, turn("bo", main=Movement(move=to(("ada", 10))))) == set()
    far = turn("bo", main=Movement(move=to(("ada", 11))))
    assert refusals(made, far) == {"beyond_distance_limit"}


def test_a_forced_move_is_clamped_by_the_limit_and_a_far_user_may_be_approached() -> None:
    made = caught(ropes=(rope(Bind.DISTANCE_LIMIT, reach=10),))
    assert clamp_to_limit(made, "bo", "ada", Fraction(30)) == 10
    assert clamp_to_limit(made, "bo", "ada", Fraction(8)) == 8
    made = post(made, turn("ada", main=Movement(move=to(("bo", 25)))), 6).state
    made = post(made, turn("bo")).state
    made = post(made, turn("ada")).state
    assert made.metres("ada", "bo") == 25
    assert refusals(made, turn("bo", main=Movement(move=to(("ada", 20))))) == set()
    assert refusals(made, turn("bo", main=Movement(move=to(("ada", 26))))) == {
        "beyond_distance_limit"
    }


def test_a_limit_without_a_reach_cannot_be_thrown() -> None:
    made = scene(entrant("ada", rope(Bind.DISTANCE_LIMIT)), entrant("bo"))
    assert refusals(made, turn("ada", main=hit("bo", "rope"))) == {"constraint_range_missing"}


def test_a_constraint_needs_its_potential_bonus() -> None:
    made = scene(entrant("ada", rope(Bind.ARM_BLOCK, potential_bonus=None)), entrant("bo"))
    assert refusals(made, turn("ada", main=hit("bo", "rope"))) == {"potential_bonus_missing"}


def nailed(*binds: Bind, choice: str = "compatible", face: int = 9) -> Scene:
    """Let Ada pin Bo with a sword and the Master rule on it; Bo's turn is next."""
    sword = tool("sword", means=Means.WEAPON, stat_bonus=7, potential_bonus=4)
    made = scene(entrant("ada", sword), entrant("bo"))
    made = post(made, turn("ada", main=hit("bo", "sword", binds=binds)), face).state
    return answered(made, "improper_constraint", choice)


def test_an_improper_constraint_costs_two_and_halves_its_bonus_and_hurts() -> None:
    made = nailed(Bind.MOVEMENT_BLOCK)
    assert made.incoming[0].hit.total == 10 + 2 - 2
    made = post(made, turn("bo", suffer("a1"))).state
    assert value(made) == 9 + 2 + 7
    assert due(made, "bo") == [-(20 + 7 - 10)]


def test_an_improper_constraint_waits_for_the_master() -> None:
    sword = tool("sword", stat_bonus=7, potential_bonus=4)
    made = scene(entrant("ada", sword), entrant("bo"))
    done = post(made, turn("ada", main=hit("bo", "sword", binds=(Bind.ARM_BLOCK,))), 9)
    assert "asked_improper_constraint" in keys(done.findings)
    assert refusals(done.state, turn("bo", suffer("a1"))) == {"improper_constraint"}


def test_what_the_master_finds_unfit_binds_nobody_and_costs_nothing() -> None:
    made = nailed(Bind.MOVEMENT_BLOCK, choice="incompatible")
    assert made.incoming[0].hit.total == 10 + 2
    made = post(made, turn("bo", suffer("a1"))).state
    assert bo(made).bonds == ()
    assert due(made, "bo") == [-(20 + 7 - 10)]


def test_a_bind_is_declared_once_and_not_on_a_constraint_technique() -> None:
    made = scene(entrant("ada", rope(Bind.ARM_BLOCK), tool(potential_bonus=4)), entrant("bo"))
    twice = (Bind.ARM_BLOCK, Bind.ARM_BLOCK)
    assert refusals(made, turn("ada", main=hit("bo", binds=twice))) == {"bind_repeated"}
    proper = turn("ada", main=hit("bo", "rope", binds=(Bind.LEG_BLOCK,)))
    assert refusals(made, proper) == {"constraint_is_proper"}


def test_a_counterattack_may_pin_down_with_its_offensive_half() -> None:
    made = scene(entrant("ada"), entrant("bo", tool("sword", stat_bonus=30, potential_bonus=4)))
    made = post(made, turn("ada", main=hit("bo")), 1).state
    binds = Continuation(binds=(Bind.ARM_BLOCK,))
    done = post(made, turn("bo", counter("a1", "sword", then=binds)), 18, 9)
    # 10 of Dexterity, +2 for the range, +2 for the won half, -2 for pinning down.
    assert one(done.findings, "attack_launched")["hit"].total == 10 + 2 + 2 - 2
    assert done.state.incoming[0].binds == (Bind.ARM_BLOCK,)


def test_the_master_says_how_effects_add_up() -> None:
    legs = rope(Bind.LEG_BLOCK, id="snare")
    made = caught(ropes=(rope(Bind.ARM_BLOCK), legs))
    made = replace(made, questions=())
    made = post(made, turn("ada", main=hit("bo", "snare")), 6).state
    made = post(made, turn("bo", suffer("a3"))).state
    assert dexterity(made) == 10 - 3
    assert dexterity(answered(made, "constraint_overlap", "strongest")) == 10 - 2
    assert dexterity(answered(made, "constraint_overlap", "sum")) == 10 - 3


def test_no_question_where_every_reading_comes_to_the_same() -> None:
    made = caught(ropes=(rope(Bind.DISTANCE_LIMIT, reach=10), rope(Bind.ARM_BLOCK, id="snare")))
    made = post(made, turn("ada", main=hit("bo", "snare")), 6).state
    made = post(made, turn("bo", suffer("a3"))).state
    assert asked(made, "constraint_overlap") == []


def test_techniques_that_may_need_a_blocked_part_wait_for_the_master() -> None:
    made = caught(Bind.ARM_BLOCK)
    made = post(made, turn("ada")).state
    kick = turn("bo", main=hit("ada", "fist"))
    assert refusals(made, kick) == {"bound_techniques"}
    assert refusals(answered(made, "bound_techniques", "all"), kick) == set()
    assert refusals(answered(made, "bound_techniques", "none"), kick) == {"technique_bound"}


def test_the_master_may_look_at_each_technique() -> None:
    made = answered(caught(Bind.LEG_BLOCK), "bound_techniques", "each")
    questions = {question.about: question for question in asked(made, "bound_technique")}
    assert set(questions) == {"fist", "boost"}
    made = post(made, turn("ada")).state
    kick, rally = turn("bo", main=hit("ada", "fist")), turn("bo", loose=("boost",))
    assert refusals(made, kick) == {"bound_technique"}
    allow = by_master(Answer, question=questions["fist"].id, choice="allow")
    deny = by_master(Answer, question=questions["boost"].id, choice="deny")
    made = rule(rule(made, allow).state, deny).state
    assert refusals(made, kick) == set()
    assert refusals(made, rally) == {"technique_bound"}


def test_a_heavier_constraint_asks_about_techniques_anew() -> None:
    made = caught(ropes=(rope(Bind.ARM_BLOCK), rope(Bind.TOTAL_BLOCK, id="snare")))
    made = answered(made, "bound_techniques", "all")
    made = post(made, turn("ada", main=hit("bo", "snare")), 6).state
    made = post(made, turn("bo", suffer("a3"))).state
    assert len(asked(made, "bound_techniques")) == 1
    assert bo(made).spared == ()


def test_stacks_belong_to_the_constraint_they_came_with() -> None:
    frost = StackEffect(stack=Stack.FREEZING, count=4)
    icy = rope(Bind.LEG_BLOCK)
    icy = replace(icy, effects=(*icy.effects, frost))
    made = caught(ropes=(icy,))
    assert held(bo(made), Stack.FREEZING) == 4
    assert {lot.condition for lot in bo(made).lots} == {bo(made).bonds[0].id}


def test_stacks_without_a_constraint_make_one_without_effects() -> None:
    frost = tool("frost", potential_bonus=4, effects=(StackEffect(stack=Stack.ABLAZE, count=1),))
    made = scene(entrant("ada", frost), entrant("bo"))
    made = post(made, turn("ada", main=hit("bo", "frost")), 9).state
    made = post(made, turn("bo", suffer("a1"))).state
    (bond,) = bo(made).bonds
    assert bond.binds == ()
    assert value(made) == 9 + 4 + 10
    assert forbids(made, "bo").place is False


def test_at_no_stacks_the_condition_ends_with_its_blocks() -> None:
    frost = StackEffect(stack=Stack.FREEZING, count=1)
    icy = rope(Bind.LEG_BLOCK)
    icy = replace(icy, effects=(*icy.effects, frost))
    made = caught(ropes=(icy,))
    ended = []
    for _ in range(2):
        made = post(made, turn("ada")).state
        done = post(made, turn("bo"))
        made = done.state
        ended += found(done.findings, "bond_ends")
    assert [one["name"] for one in ended] == ["Rope"]
    assert bo(made).bonds == ()
    assert value(made) is None
    assert asked(made, "bound_techniques") == []


def test_of_several_constraints_one_may_end_alone() -> None:
    frost = StackEffect(stack=Stack.FREEZING, count=1)
    icy = tool("frost", potential_bonus=4, effects=(frost,))
    made = caught(ropes=(icy, rope(Bind.ARM_BLOCK)))
    made = post(made, turn("ada", main=hit("bo", "rope")), 6).state
    made = post(made, turn("bo", suffer("a3"))).state
    before = value(made)
    made = post(made, turn("ada")).state
    made = post(made, turn("bo")).state
    assert [bond.name for bond in bo(made).bonds] == ["Rope"]
    assert value(made) == before == 9 + 4 + 10 + 2


def test_a_defence_that_a_fresh_constraint_forbids_is_annulled_and_fails() -> None:
    made = scene(
        entrant("ada", rope(Bind.TOTAL_BLOCK)),
        entrant("cleo", tool("blade"), team="ada"),
        entrant("bo"),
    )
    made = post(made, turn("ada", main=hit("bo", "rope")), 9).state
    made = post(made, turn("cleo", main=hit("bo", "blade")), 6).state
    done = post_any(made, turn("bo", suffer("a1"), dodge("a2"), main=hit("ada")), 12, 6)
    assert {"defence_annulled", "offensive_annulled"} <= keys(done.findings)
    assert due(done.state, "bo") == [-20]


def test_a_main_action_that_a_fresh_constraint_forbids_is_annulled() -> None:
    made = scene(entrant("ada", rope(Bind.MOVEMENT_BLOCK)), entrant("bo"))
    made = post(made, turn("ada", main=hit("bo", "rope")), 9).state
    away = Movement(move=to(("ada", 9)))
    done = post_any(made, turn("bo", suffer("a1"), main=away), 9)
    assert "bound_annulled" in keys(done.findings)
    assert done.state.pending == ()
    assert done.state.metres("ada", "bo") == 5


def test_an_attack_that_cannot_close_in_any_more_is_made_from_where_one_stands() -> None:
    bow = tool("bow", optimal_m=10, max_m=10)
    made = scene(entrant("ada", rope(Bind.MOVEMENT_BLOCK)), entrant("bo", bow))
    made = post(made, turn("ada", main=hit("bo", "rope")), 9).state
    nearer = hit("ada", "bow", move=to(("ada", 10)))
    done = post_any(made, turn("bo", suffer("a1"), main=nearer), 6)
    assert {"bound_without_move", "attack_launched"} <= keys(done.findings)
    assert done.state.metres("ada", "bo") == 5


def test_when_one_is_out_the_questions_about_its_constraints_are_moot() -> None:
    made = caught(Bind.ARM_BLOCK)
    out = by_master(Withdraw, combatant="bo", standing=Standing.LEFT)
    assert rule(made, out).state.questions == ()


def test_a_constraint_and_its_value_stand_in_both_posts() -> None:
    made = caught(Bind.ARM_BLOCK)
    done = post(made, turn("ada"))
    posted = one(done.findings, "posted_effect")
    assert (posted["name"], posted["amount"]) == ("Rope", 20)
    written = post(done.state, turn("bo"))
    assert one(written.findings, "line_bond_begins")["amount"] == 20


def test_odds_count_with_the_constraint_that_lands() -> None:
    made = scene(entrant("ada", rope(Bind.TOTAL_BLOCK)), entrant("bo"))
    made = post(made, turn("ada", main=hit("bo", "rope")), 9).state
    (law,) = GUIDA.forecast(made, turn("bo", suffer("a1"))).laws
    assert sum(chance.probability for chance in law.chances) == 1


def test_everybody_sees_who_is_bound_by_what_and_how_strongly() -> None:
    made = caught(Bind.LEG_BLOCK)
    ada, bound = GUIDA.view(made, "ada").combatants
    assert (ada.bonds, ada.bond_value, ada.size) == ((), None, 0)
    assert [(one.name, one.user, one.binds) for one in bound.bonds] == [
        ("Rope", "ada", (Bind.LEG_BLOCK,))
    ]
    assert (bound.bond_value.total, bound.loosening) == (20, 0)
