"""One attack on several targets (GC-13.1 to 13.9, GC-14.35, GC-14.36), played by three or four.

Ada's blade does 20 damage; Bo's and Cy's parry with as much power, so that either annuls the other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.engine.findings import Obstacle, Question
from app.engine.ruleset import GM
from app.rulesets.guida.conditions import held
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Continuation,
    Knock,
)
from app.rulesets.guida.places import (
    Behind,
    Distance,
)
from app.rulesets.guida.readings import (
    HalvedScope,
    Scope,
    StopScope,
    VolleyLoss,
)
from app.rulesets.guida.rulings import (
    Answer,
    Place,
    Withdraw,
)
from app.rulesets.guida.sheet import Constraint, Knockback, StackEffect, StatPoints
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import (
    AttackKind,
    Bearer,
    Bind,
    Change,
    Claim,
    Stack,
    Standing,
    Stat,
)
from tests.unit.guida.build import (
    by_master,
    coming,
    counter,
    dodge,
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
    to,
    turn,
    unbalance,
    with_options,
)
from tests.unit.guida.build_stealth import hiding
from tests.unit.guida.build_team import (
    answered,
    asked,
    blow_at,
    fit,
    lost,
    mate,
    swing,
    team,
)


def wave(kind: AttackKind, **more: Any) -> Any:
    """Make a technique that spreads."""
    return fit(attack_kind=kind, **more)


def answers(start: Scene, id: str, make: Any, *faces: int, **more: Any) -> Scene:
    """Let somebody meet the one attack that comes, and do nothing else."""
    return post_any(start, turn(id, make(blow_at(start, id), **more)), *faces).state


# ------------------------------------------------------------------- what it costs and where


def test_one_die_serves_for_all_and_each_answers_an_attack_of_its_own() -> None:
    done = swing(team(), "bo", "cy")
    assert [(one.target, one.die, one.hit_score) for one in done.incoming] == [
        ("bo", 6, 16),
        ("cy", 6, 16),
    ]
    assert done.next == "bo"


def test_only_a_targeted_attack_loses_two_points() -> None:
    done = swing(team(blow=wave(AttackKind.TOTAL_AREA)), "bo", "cy")
    assert [one.hit_score for one in done.incoming] == [18, 18]


def test_distance_and_a_place_behind_are_each_targets_own() -> None:
    start = team()
    place = by_master(
        Place,
        distances=(Distance(a="ada", b="cy", metres=10),),
        behind=(Behind(who="ada", whom="bo"),),
    )
    done = swing(rule(start, place).state, "bo", "cy")
    # Bo: 6 + 2 - 2 + 1 behind + 10; Cy: one range off, 0 - 2 + 10
    assert [one.hit_score for one in done.incoming] == [17, 14]


def test_a_place_behind_that_is_held_at_one_may_be_claimed_at_the_other() -> None:
    start = team(behind=(Behind(who="ada", whom="bo"),))
    done = swing(start, "bo", "cy", claims=(Claim.FROM_BEHIND,))
    assert asked(done) == ["claim_from_behind"]
    assert [one.hit_score for one in done.incoming] == [17, 17]
    denied = answered(done, "claim_from_behind", "deny")
    assert [one.hit_score for one in denied.incoming] == [17, 16]


def test_an_attack_is_one_use_in_a_scene_and_one_for_each_opponent() -> None:
    for scope, uses in ((Scope.SCENE, 1), (Scope.OPPONENT, 2)):
        done = swing(team(**reading(predictability_scope=scope)), "bo", "cy")
        assert done.who("ada").uses_of("blade") == uses
        assert [one.use for one in done.incoming] == [1, 1]


def test_a_volley_has_a_point_less_for_each_further_target() -> None:
    blow = wave(AttackKind.MULTIPLE, volley_size=3)
    start = team(mate("bo"), mate("cy"), mate("dan"), blow=blow)
    done = swing(start, "bo", "cy", "dan")
    assert [one.power.total for one in done.incoming] == [28, 28, 28]
    done = swing(start, "bo", "cy")
    assert [one.power.total for one in done.incoming] == [29, 29]
    under = reading(volley_power_reduction=VolleyLoss.PROGRESSIVE)
    done = swing(team(mate("bo"), mate("cy"), mate("dan"), blow=blow, **under), "bo", "cy", "dan")
    assert [one.power.total for one in done.incoming] == [30, 29, 28]


@pytest.mark.parametrize(
    ("tool", "most"), [({"volley_size": 2}, 2), ({"volley_size": 5, "max_targets": 1}, 1)]
)
def test_a_volley_has_so_many_targets_at_most(tool: dict[str, int], most: int) -> None:
    start = team(mate("bo"), mate("cy"), mate("dan"), blow=wave(AttackKind.MULTIPLE, **tool))
    for count in (1, 2, 3):
        also = ("cy", "dan")[: count - 1]
        over = refusals(start, turn("ada", main=hit(also=also))) == {"too_many_targets"}
        assert over is (count > most)


@pytest.mark.parametrize("kind", [AttackKind.TOTAL_AREA, AttackKind.MULTIPLE])
def test_whom_a_wave_or_a_volley_reaches_is_within_its_range(kind: AttackKind) -> None:
    start = team(blow=wave(kind, max_m=10, volley_size=2), **reading(beyond_max_range="allow"))
    for metres, codes in ((10, set()), (11, {"target_out_of_range"})):
        place = by_master(Place, distances=(Distance(a="ada", b="cy", metres=metres),))
        order = turn("ada", main=hit(also=("cy",)))
        assert refusals(rule(start, place).state, order) == codes


def test_an_area_holds_its_targets_together_or_the_master_says_whether() -> None:
    start = team(blow=wave(AttackKind.AREA, area_m=5))
    order = turn("ada", main=hit(also=("cy",)))
    for metres, codes, questions in (
        (5, set(), []),
        (6, set(), ["target_in_reach"]),
        (10, set(), ["target_in_reach"]),
        (11, {"targets_apart"}, None),
    ):
        place = by_master(Place, distances=(Distance(a="bo", b="cy", metres=metres),))
        placed = rule(start, place).state
        assert refusals(placed, order) == codes
        if questions is not None:
            assert asked(post(placed, order, 6).state) == questions


def test_nobody_is_a_target_twice_nor_one_of_ones_own() -> None:
    start = team()
    assert refusals(start, turn("ada", main=hit(also=("bo",)))) == {"target_repeated"}
    assert refusals(start, turn("ada", main=hit(also=("ada",)))) == {"target_not_opponent"}
    assert refusals(start, turn("ada", main=hit(also=("cy", "cy")))) == {"target_repeated"}


# ------------------------------------------------------------------- whether it reaches them all


def test_whoever_is_not_in_reach_is_no_target_and_the_blow_is_an_ordinary_one() -> None:
    done = swing(team(), "bo", "cy", sure=False)
    assert [one.about for one in done.questions] == ["a1b"]
    assert refusals(done, turn("bo")) == {"target_in_reach"}
    done = answered(done, "target_in_reach", "deny")
    assert [(one.target, one.hit_score, one.volley) for one in done.incoming] == [("bo", 18, None)]


def test_the_others_stay_targets_when_one_is_out_of_reach() -> None:
    start = team(mate("bo"), mate("cy"), mate("dan"))
    done = swing(start, "bo", "cy", "dan", sure=False)
    first = done.questions[0]
    done = rule(done, _answer(first.id, "deny")).state
    done = answered(done, "target_in_reach", "confirm")
    assert [(one.target, one.hit_score) for one in done.incoming] == [("bo", 16), ("dan", 16)]


@pytest.mark.parametrize("seat", ["bo", "cy"])
def test_who_waits_for_the_master_is_not_told_of_whom_it_cannot_see(seat: str) -> None:
    """Each is a target beside the other and hidden from it; that it waits, it has to know."""
    other = "Cy" if seat == "bo" else "Bo"
    strangers = team(mate("bo"), entrant("cy", fit(), team="dusk"))
    done = hiding(swing(strangers, "bo", "cy", sure=False), (other.lower(), seat))
    for told in (GUIDA.view(done, seat), GUIDA.awaits_for(done, seat), found_by(done, seat)):
        assert other not in repr(getattr(told, "questions", told))
        (question,) = getattr(told, "questions", told)
        assert question.code == "target_in_reach"
        assert "???" in dict(question.details).values()
    for knowing in ({"bo": "cy", "cy": "bo"}[seat], GM):
        assert GUIDA.awaits_for(done, knowing).questions == done.questions


def found_by(start: Scene, seat: str) -> tuple[Obstacle, ...]:
    """List the questions in the way of a turn that somebody would post next."""
    found = GUIDA.check(replace(start, next=seat), turn(seat))
    return tuple(one for one in found if isinstance(one, Question))


def _answer(question: str, choice: str) -> Any:
    return by_master(Answer, question=question, choice=choice)


# ------------------------------------------------------------------- who stops it


def test_a_parry_stops_it_for_the_one_who_answers_later() -> None:
    done = swing(team(), "bo", "cy")
    played = post(done, turn("bo", parry("a1", tool="blade")), 10)
    assert "stopped_for_all" in keys(played.findings)
    assert played.state.incoming == ()
    assert lost(played.state, "bo") == 0


def test_a_parry_takes_back_what_struck_an_earlier_one() -> None:
    dazing = fit(effects=(StackEffect(stack=Stack.STUN, count=2),))
    done = swing(team(blow=dazing), "bo", "cy")
    done = post(done, turn("bo")).state
    assert (lost(done, "bo"), held(done.who("bo"), Stack.STUN)) == (20, 2)
    done = answers(done, "cy", parry, 10, tool="blade")
    assert (lost(done, "bo"), held(done.who("bo"), Stack.STUN)) == (0, 0)
    assert [line for line in done.who("bo").lines if line.change is Change.STACKS] == []
    assert done.landed == ()


def test_what_is_taken_back_is_only_what_the_blow_did() -> None:
    """Bo strikes back, and slips in pain: his own turn stands (GC-14.36)."""
    slow = StatPoints(stat=Stat.DEXTERITY, points=-4, turns=3, on=Bearer.TARGET)
    done = swing(team(blow=fit(effects=(slow,))), "bo", "cy")
    done = post(done, turn("bo", main=hit("ada")), 6).state
    assert [one.name for one in done.who("bo").effects] == ["Blade"]
    done = answers(done, "cy", parry, 10, tool="blade")
    assert done.who("bo").effects == ()
    assert [one.attacker for one in done.incoming] == ["bo"]
    assert done.who("bo").turn == 1


def test_a_knockback_is_taken_back_with_the_blow() -> None:
    ram = fit(potential=40, potential_bonus=4, effects=(Knockback(),))
    done = swing(
        team(mate("bo"), mate("cy", fit(potential=40)), blow=ram), "bo", "cy", knock=Knock()
    )
    done = post(done, turn("bo")).state
    assert done.metres("ada", "bo") > 5
    done = answers(done, "cy", parry, 10, tool="blade")
    assert (done.metres("ada", "bo"), done.metres("bo", "cy")) == (5, 5)


def test_a_constraint_is_taken_back_with_all_that_was_asked_about_it() -> None:
    bonds = Constraint(binds=(Bind.ARM_BLOCK,), max_range_m=10)
    net = fit(potential=40, potential_bonus=4, effects=(bonds,))
    start = team(mate("bo"), mate("cy", fit(potential=40)), blow=net)
    done = post(swing(start, "bo", "cy"), turn("bo")).state
    assert [bond.binds for bond in done.who("bo").bonds] == [(Bind.ARM_BLOCK,)]
    assert asked(done) == ["bound_techniques"]
    done = answers(done, "cy", parry, 10, tool="blade")
    assert (done.who("bo").bonds, done.who("bo").bond_value, asked(done)) == ((), None, [])


def test_a_dodge_stops_nothing() -> None:
    done = answers(swing(team(), "bo", "cy"), "bo", dodge, 12)
    assert lost(done, "bo") == 0
    assert len(done.against("cy")) == 1


@pytest.mark.parametrize("make", [parry, unbalance])
def test_a_tie_stops_nothing(make: Any) -> None:
    more = {"tool": "blade"} if make is parry else {}
    done = answers(swing(team(), "bo", "cy"), "bo", make, 6, **more)
    assert lost(done, "bo") == 10
    assert len(done.against("cy")) == 1


def test_a_guard_stops_nothing() -> None:
    done = answers(swing(team(), "bo", "cy"), "bo", guard, 10)
    assert lost(done, "bo") == 10
    assert len(done.against("cy")) == 1


def test_unbalancing_the_attacker_stops_it_and_keeps_its_stacks() -> None:
    done = answers(swing(team(), "bo", "cy"), "bo", unbalance, 8)
    assert done.incoming == ()
    assert held(done.who("ada"), Stack.OFF_BALANCE) == 2


def test_a_counterattack_stops_it_and_goes_on() -> None:
    start = team(mate("bo", fit(potential=26)), mate("cy"))
    done = answers(swing(start, "bo", "cy"), "bo", counter, 18, 7)
    assert [(one.attacker, one.target) for one in done.incoming] == [("bo", "ada")]


def test_a_board_may_let_what_landed_before_stand() -> None:
    start = team(**reading(multi_stop_scope=StopScope.LATER_ONLY))
    done = post(swing(start, "bo", "cy"), turn("bo")).state
    done = answers(done, "cy", parry, 10, tool="blade")
    assert lost(done, "bo") == 20


def test_halved_by_one_it_is_halved_for_those_who_come_later() -> None:
    """Bo's 24 of category B meet 30: 6 more leave it intact, 27 with 3 more halve it."""
    start = team(mate("bo", fit(potential=17)), mate("cy"))
    done = answers(swing(start, "bo", "cy"), "bo", parry, 10, tool="blade")
    assert lost(done, "bo") == 10
    assert [one.power.total for one in done.against("cy")] == [20]


def test_left_intact_by_one_it_is_intact_for_the_others() -> None:
    start = team(mate("bo", fit(potential=14)), mate("cy"))
    done = answers(swing(start, "bo", "cy"), "bo", parry, 10, tool="blade")
    assert lost(done, "bo") == 20
    assert [one.power.total for one in done.against("cy")] == [30]


def test_a_board_may_halve_it_for_those_who_were_struck_before_too() -> None:
    start = team(mate("bo"), mate("cy", fit(potential=17)), mate("dan"))
    for scope, struck in ((HalvedScope.BY_KIND, 20), (HalvedScope.ALL, 10)):
        under = with_options(start, multi_halved_scope=scope)
        done = post(swing(under, "bo", "cy", "dan"), turn("bo")).state
        done = answers(done, "cy", parry, 10, tool="blade")
        assert [lost(done, id) for id in ("bo", "cy")] == [struck, 10]
        assert [one.power.total for one in done.against("dan")] == [20]


def test_a_wave_is_halved_only_against_whoever_weakened_it() -> None:
    blow = wave(AttackKind.TOTAL_AREA)
    start = team(mate("bo", fit(potential=17)), mate("cy"), blow=blow)
    done = answers(swing(start, "bo", "cy"), "bo", parry, 10, tool="blade")
    assert lost(done, "bo") == 10
    assert [one.power.total for one in done.against("cy")] == [30]


# ------------------------------------------------------------------- case by case


@pytest.mark.parametrize("kind", [AttackKind.AREA, AttackKind.TOTAL_AREA, AttackKind.MULTIPLE])
@pytest.mark.parametrize(("choice", "hurt"), [("annul", 0), ("spare", 20)])
def test_the_master_says_whether_a_stopped_wave_is_void_for_all(
    kind: AttackKind, choice: str, hurt: int
) -> None:
    weak = 1 if kind is AttackKind.MULTIPLE else 0  # a volley on two has a point less
    start = team(blow=wave(kind, area_m=5, volley_size=2))
    done = post(swing(start, "bo", "cy"), turn("bo")).state
    done = answers(done, "cy", parry, 10, tool="blade")
    assert asked(done) == ["annulled_for_all"]
    assert refusals(done, turn("ada")) == {"annulled_for_all"}
    assert refusals(done, turn("bo")) >= {"annulled_for_all"}
    done = answered(done, "annulled_for_all", choice)
    assert lost(done, "bo") == max(0, hurt - weak)
    assert done.landed == ()
    assert done.questions == ()


def test_nothing_is_asked_where_nobody_else_is_left() -> None:
    start = team(blow=wave(AttackKind.TOTAL_AREA))
    done = swing(start, "bo", "cy")
    gone = rule(done, _out("cy")).state
    done = answers(gone, "bo", parry, 10, tool="blade")
    assert asked(done) == []


def test_an_open_question_outlives_a_target_but_not_the_attacker() -> None:
    start = team(mate("bo"), mate("cy"), mate("dan"), blow=wave(AttackKind.TOTAL_AREA))
    done = post(swing(start, "bo", "cy", "dan"), turn("bo")).state
    done = answers(done, "cy", parry, 10, tool="blade")
    assert asked(rule(done, _out("dan")).state) == ["annulled_for_all"]
    assert asked(rule(done, _out("ada")).state) == []


def _out(id: str) -> Any:
    return by_master(Withdraw, combatant=id, standing=Standing.DEFEATED)


# ------------------------------------------------------------------- a counter that goes on


def test_a_counterattack_may_go_on_at_several() -> None:
    """Its price weighs on the second die: 7 + 2 + 2 for the won half - 2 + 10 (GC-14.13)."""
    night = (entrant("ada", team="night"), entrant("eve", team="night"))
    start = scene(*night, mate("bo", fit(potential=26)), underway=(coming(),), first="bo")
    then = Continuation(also=("eve",))
    done = post(start, turn("bo", counter("a1", then=then)), 18, 7).state
    assert [(one.target, one.hit_score, one.use) for one in done.incoming] == [
        ("ada", 19, 1),
        ("eve", 19, 1),
    ]
    assert asked(done) == ["target_in_reach"]
    wrong = Continuation(also=("bo",))
    assert refusals(start, turn("bo", counter("a1", then=wrong))) == {"target_not_opponent"}


def test_what_struck_is_forgotten_once_all_have_answered() -> None:
    done = post(swing(team(), "bo", "cy"), turn("bo")).state
    assert [one.attack.target for one in done.landed] == ["bo"]
    done = post(done, turn("cy")).state
    assert done.landed == ()
    assert [lost(done, id) for id in ("bo", "cy")] == [20, 20]


def test_the_label_names_all_targets_and_each_is_told_its_own_score() -> None:
    start = team()
    place = by_master(Place, distances=(Distance(a="ada", b="cy", metres=10),))
    done = post(rule(start, place).state, turn("ada", main=hit(also=("cy",))), 6)
    assert [facts["hit_score"] for facts in found(done.findings, "attack_launched")] == [16, 14]
    assert one(done.findings, "asked_target_in_reach")["other"] == "Cy"


def test_a_move_is_charged_against_every_target() -> None:
    done = swing(team(metres=10), "bo", "cy", move=to(("bo", 5)))
    # Bo: 2 - 2 - 2 + 10 at five metres; Cy: 0 - 2 - 2 + 10 at ten
    assert [one.hit_score for one in done.incoming] == [14, 12]
