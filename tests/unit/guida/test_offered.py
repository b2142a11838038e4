"""What is offered is what is found legal, where one chapter meets another (GC-2.9, GC-9.1)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.offers import Choices, ToolChoice
from app.rulesets.guida.options import ByCategory, Regulation
from app.rulesets.guida.orders import Generic, Knock, LiberationAttempt, Movement
from app.rulesets.guida.readings import AllyGuardDamage, Coverage
from app.rulesets.guida.sheet import Constraint, Gigantism, Knockback, Liberation
from app.rulesets.guida.state import Scene
from app.rulesets.guida.terms import Action, Bind
from tests.unit.guida.build import (
    boost,
    coming,
    entrant,
    guard,
    hit,
    post,
    reading,
    refusals,
    scene,
    shield,
    suffer,
    to,
    tool,
    turn,
)
from tests.unit.guida.build_areas import dome, with_area
from tests.unit.guida.build_stealth import hiding, radar
from tests.unit.guida.build_team import fit, mate, protect, swing, team

BONUSES = ByCategory(D=Fraction(2), C=Fraction(4), B=Fraction(6), A=Fraction(8), S=Fraction(10))


def offered(made: Scene) -> Choices:
    """Give what Bo is offered."""
    return GUIDA.choices(made, "bo")


def of(made: Scene, action: Action) -> list[ToolChoice]:
    """List what one kind of defence of Bo's may be made with."""
    kinds = (one for one in offered(made).defences if one.action is action)
    return [tool for one in kinds for tool in one.tools]


@pytest.mark.parametrize(("potential", "knocks"), [(20, True), (None, False)])
def test_a_guard_throws_back_only_with_a_power_to_do_it_with(
    potential: int | None, knocks: bool
) -> None:
    wall = shield(potential=potential, potential_bonus=4, effects=(Knockback(),))
    made = scene(entrant("ada"), entrant("bo", wall), underway=(coming(),), first="bo")
    (choice,) = of(made, Action.GUARD)
    assert choice.knocks is knocks
    throwing = turn("bo", guard("a1", tool="shield", knock=Knock()))
    assert refusals(made, throwing) == (set() if knocks else {"potential_missing"})
    assert refusals(made, turn("bo", guard("a1", tool="shield"))) == set()


@pytest.mark.parametrize("bound", [True, False])
def test_a_change_of_form_that_would_be_an_attempt_needs_its_bonus(bound: bool) -> None:
    rope = tool("rope", potential_bonus=4, effects=(Constraint(),))
    giant = boost("giant", Gigantism(size=1), generic=True)
    made = scene(entrant("ada", rope, tool()), entrant("bo", tool(), giant))
    made = post(made, turn("ada", main=hit(tool="rope" if bound else "blade")), 6).state
    growing = turn("bo", main=Generic(tool="giant"))
    assert ("giant" in [one.id for one in offered(made).generics]) is not bound
    assert ("giant" in [one.id for one in offered(made).support]) is not bound
    assert refusals(made, growing) == ({"size_bonus_missing"} if bound else set())


def test_after_an_attempt_to_break_free_no_change_of_form_is_offered() -> None:
    rope = tool("rope", potential_bonus=4, effects=(Constraint(),))
    wrench = tool("wrench", attacks=False, potential_bonus=3, effects=(Liberation(),))
    giant = boost("giant", Gigantism(size=1), generic=True)
    made = scene(
        entrant("ada", rope, tool()),
        entrant("bo", tool(), wrench, giant),
        regulation=Regulation(potential_bonus_by_category=BONUSES),
    )
    made = post(made, turn("ada", main=hit(tool="rope")), 6).state
    made = replace(post(made, turn("bo", suffer("a1"))).state, questions=())
    made = post(made, turn("ada", main=hit(tool="rope")), 6).state
    assert "giant" in [one.id for one in offered(made).generics]
    after = offered(made).if_freed
    assert after is not None
    assert "giant" not in [one.id for one in after.generics]
    assert (after.liberations, [one.tool.id for one in after.attacks if one.tool.frees]) == ((), [])
    twice = turn("bo", liberation=LiberationAttempt(tool="wrench"), main=Generic(tool="giant"))
    assert refusals(made, twice) == {"liberation_repeated"}


@pytest.mark.parametrize("bonus", [5, None])
def test_nothing_is_offered_while_what_acts_by_itself_lacks_a_number(bonus: int | None) -> None:
    eyes = radar(stat_bonus=bonus, passive=True)
    made = scene(entrant("ada"), entrant("bo", tool(), eyes), first="bo")
    missing = {"stat_bonus_missing"} if bonus is None else set()
    assert {one.code for one in offered(made).obstacles} == missing
    assert bool(offered(made).attacks) is (bonus is not None)
    assert refusals(made, turn("bo")) == missing


@pytest.mark.parametrize("area_m", [12, None])
def test_what_is_measured_needs_a_radius_to_destroy_an_area(area_m: int | None) -> None:
    blast = tool("blast", area_m=area_m)
    both = (entrant("ada"), entrant("bo", blast))
    after_it = turn("bo", main=hit("ada", "blast", destroys="area9"))
    told = with_area(scene(*both, first="bo"))
    assert offered(told).attacks[0].tool.destroys
    assert refusals(told, after_it) == set()
    read = reading(area_coverage_measure=Coverage.RADIUS)
    measured = with_area(scene(*both, first="bo", **read))
    assert offered(measured).attacks[0].tool.destroys is (area_m is not None)
    assert refusals(measured, after_it) == (set() if area_m else {"attack_radius_missing"})


@pytest.mark.parametrize("to_whom", AllyGuardDamage)
def test_a_protector_recovers_only_from_what_it_takes_upon_itself(
    to_whom: AllyGuardDamage,
) -> None:
    ram = fit(potential_bonus=4, effects=(Knockback(),))
    made = team(mate("bo"), mate("cy"), blow=ram, **reading(ally_guard_damage_to=to_whom))
    made = swing(made, "cy", knock=Knock())
    (choice,) = (one for one in offered(made).defences if one.action is Action.ALLY_GUARD)
    takes = to_whom is AllyGuardDamage.PROTECTOR
    assert choice.recovers == (("a1",) if takes else ())
    met = protect(Action.ALLY_GUARD, "a1", move=to(("ada", 5), ("cy", 0)), reacts=True)
    assert refusals(made, turn("bo", met)) == (set() if takes else {"reaction_not_with"})


def test_whoever_hides_again_once_its_attack_is_met_is_only_attacked_blindly() -> None:
    made = scene(entrant("ada"), entrant("bo"), underway=(coming(),), first="bo")
    made = hiding(made, ("ada", "bo"))
    (attack,) = offered(made).attacks
    assert attack.blind
    assert refusals(made, turn("bo", main=hit("ada"))) == {"target_hidden"}
    assert refusals(made, turn("bo", main=hit("ada", blind=True))) == set()


@pytest.mark.parametrize("hidden", [True, False])
def test_nobody_knows_of_an_area_that_somebody_hidden_is_creating(hidden: bool) -> None:
    made = scene(entrant("ada", tool(), dome()), entrant("bo"))
    if hidden:
        made = hiding(made, ("ada", "bo"))
    made = post(made, turn("ada", main=Generic(tool="dome")), 6).state
    (area,) = (one.area.id for pending in made.pending for one in pending.creates)
    assert [one.id for one in offered(made).areas] == ([] if hidden else [area])
    walking = turn("bo", main=Movement(move=to((area, 3))))
    assert refusals(made, walking) == ({"move_unknown_combatant"} if hidden else set())


def test_how_far_a_limit_lets_one_go_is_not_told_of_somebody_hidden() -> None:
    rope = tool(
        "rope",
        potential_bonus=4,
        effects=(Constraint(binds=(Bind.DISTANCE_LIMIT,), max_range_m=9),),
    )
    made = scene(entrant("ada", rope), entrant("bo"))
    made = post(made, turn("ada", main=hit("bo", "rope")), 9).state
    made = post(post(made, turn("bo", suffer("a1"))).state, turn("ada")).state
    assert [one.user for one in offered(made).limits] == ["ada"]
    assert offered(hiding(made, ("ada", "bo"))).limits == ()


def test_whoever_cannot_move_is_offered_no_counter_that_needs_a_move() -> None:
    rope = tool("rope", potential_bonus=4, effects=(Constraint(binds=(Bind.MOVEMENT_BLOCK,)),))
    fist = tool("fist", max_m=5)
    made = scene(entrant("ada", rope, tool()), entrant("bo", fist), metres=9)
    counters = [one for one in offered(coming_at_bo(made)).defences if one.continues]
    assert {far.tool.id for one in counters for far in one.after_move} == {"fist"}
    bound = post(made, turn("ada", main=hit(tool="rope")), 9).state
    bound = replace(post(bound, turn("bo", suffer("a1"))).state, questions=())
    assert [one for one in offered(coming_at_bo(bound)).defences if one.continues] == []


def coming_at_bo(made: Scene) -> Scene:
    """Let Ada strike at Bo with the blade."""
    return post(made, turn("ada", main=hit()), 6).state


def test_odds_tell_nothing_of_whoever_hides_again_once_its_attack_is_met() -> None:
    made = scene(entrant("ada"), entrant("bo"), underway=(coming(),), first="bo")
    laws = GUIDA.forecast(made, turn("bo", main=hit("ada"))).laws
    assert {law.key for law in laws} == {"defence", "attack"}
    made = hiding(made, ("ada", "bo"))
    (law,) = GUIDA.forecast(made, turn("bo", main=hit("ada", blind=True))).laws
    assert law.key == "defence"


def test_an_area_beside_a_dodge_with_an_ally_uses_the_die_that_dodge_has() -> None:
    bo = mate("bo", fit(), dome())
    made = swing(team(bo, mate("cy"), **reading(ally_dodge_die=20)), "cy")
    carried = protect(Action.ALLY_DODGE, "a1", move=to(("ada", 5)), support=("dome",))
    done = post(made, turn("bo", carried), 20)
    assert [one.action for one in done.state.pending if one.creates]
