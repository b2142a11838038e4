"""Chapter 12 as it is played: areas form or not, wear off, are destroyed, left and filled."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from app.engine.ruleset import GM
from app.rulesets.guida.area_life import destroy
from app.rulesets.guida.areas import is_smoked, radius_of, static_potential
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.levels import stacks_in_force
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.orders import (
    AreaPlan,
    Generic,
    Independent,
    Movement,
    Preparation,
    Suspended,
)
from app.rulesets.guida.places import (
    Distance,
    Reach,
)
from app.rulesets.guida.readings import (
    AreaTick,
    Coverage,
    SaturationRemoval,
)
from app.rulesets.guida.rulings import (
    Answer,
    EndArea,
    Place,
    Withdraw,
)
from app.rulesets.guida.sheet import Area, Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import (
    Action,
    AreaForm,
    AttackKind,
    Category,
    Curtain,
    Means,
    Secondary,
    Stack,
    Standing,
)
from tests.unit.guida.build import (
    boost,
    by_master,
    codes,
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
    suffer,
    to,
    tool,
    turn,
)
from tests.unit.guida.build_areas import cloud, dome, escaping, fight, saturation, with_area

NAMES = ("ada", "bo", "cy")


@pytest.mark.parametrize(
    ("radius", "left"),
    [(5, 20), (6, 19), (10, 19), (11, 18), (25, 18), (26, 17), (60, 17), (61, 16), (100, 16)],
)
def test_a_static_area_pays_for_the_size_it_gets(radius: int, left: int) -> None:
    assert static_potential(Options(), Fraction(20), radius) == left


def test_a_static_area_pays_in_points_per_modifier_and_has_an_end() -> None:
    assert static_potential(Options(), Fraction(20), 250) == 15
    assert static_potential(Options(), Fraction(20), 251) is None
    double = Options(potential_points_per_modifier=Fraction(2))
    assert static_potential(double, Fraction(20), 250) == 10
    assert static_potential(double, Fraction(3), 250) == 0


def test_a_main_creation_needs_a_die_and_forms_once_everybody_has_answered() -> None:
    start = fight(cloud())
    made = turn("ada", main=Generic(tool="cloud"), areas=(AreaPlan(tool="cloud", around="bo"),))
    begun = post(start, made, 7).state
    assert begun.areas == ()
    assert begun.pending[0].success_score == 17
    done = post(begun, turn("bo"))
    area = done.state.areas[0]
    assert (area.id, radius_of(area), area.stat_bonus) == ("area1", 25, Fraction(10))
    assert one(done.findings, "area_formed")["inside"] == ("Bo",)
    assert done.state.metres("area1", "ada") == 30
    assert done.state.who("ada").ep_now == 47


def test_distances_that_are_named_win_over_the_centre() -> None:
    plan = AreaPlan(tool="cloud", around="bo", distances=(Reach(to="ada", metres=20),))
    begun = post(fight(cloud()), turn("ada", main=Generic(tool="cloud"), areas=(plan,)), 7).state
    done = post(begun, turn("bo"))
    assert one(done.findings, "area_formed")["inside"] == ("Ada", "Bo")


def creating(die: int, **more: Any) -> Scene:
    """Have Ada begin a cloud around Bo with this die: score die + 10."""
    made = turn("ada", main=Generic(tool="cloud"), areas=(AreaPlan(tool="cloud", around="bo"),))
    return post(fight(cloud(**more), metres=4), made, die).state


def test_a_counter_that_ties_keeps_the_area_from_forming_for_good() -> None:
    begun = creating(7)
    against = counter("g1", action=Action.GENERIC_COUNTERATTACK)
    done = post(begun, turn("bo", against), 7, 6)
    assert "creation_intercepted" in keys(done.findings)
    assert done.state.areas == ()
    assert done.state.pending == ()
    assert not any("area1" in (d.a, d.b) for d in done.state.distances)
    assert done.state.who("ada").ep_now == 50
    assert done.state.suspended("ada") == ()
    assert done.state.incoming[0].hit_score == 6 + 10 + 2 + 2


def test_a_counter_that_loses_is_launched_at_minus_two_and_the_area_is_there() -> None:
    against = counter("g1", action=Action.GENERIC_COUNTERATTACK)
    done = post(creating(7), turn("bo", against), 6, 6)
    assert [area.id for area in done.state.areas] == ["area1"]
    assert done.state.incoming[0].hit_score == 6 + 10 + 2 - 2


@pytest.mark.parametrize(("sat", "reach", "outside"), [(3, 10, True), (3, 9, False)])
def test_a_tied_dodge_escapes_if_it_reaches_the_border(sat: int, reach: int, outside: bool) -> None:
    begun = creating(5, saturation=sat)
    done = post(begun, turn("bo", dodge("g1", move=to(("area1", reach)))), 5)
    assert ("creation_dodged" in keys(done.findings)) is outside
    assert ("creation_dodge_short" in keys(done.findings)) is not outside
    assert (done.state.metres("area1", "bo") > 10) is outside
    assert done.state.areas[0].id == "area1"


def test_a_dodge_that_falls_short_is_no_failed_defence_and_one_that_is_late_is() -> None:
    begun = creating(5, saturation=6)
    short = post(begun, turn("bo", dodge("g1"), main=Preparation()), 5)
    assert {"creation_dodge_short", "prepared"} <= keys(short.findings)
    late = post(begun, turn("bo", dodge("g1"), main=Preparation()), 4)
    assert {"creation_not_dodged", "offensive_annulled"} <= keys(late.findings)
    assert late.state.areas[0].id == "area1"


def test_an_area_beside_a_movement_is_dodged_by_its_own_name() -> None:
    begun = fight(cloud(), metres=5)
    walk = Movement(move=to(("bo", 5)), support=("cloud",))
    begun = post(begun, turn("ada", main=walk), 5).state
    (riding,) = begun.counterable("bo")
    done = post(begun, turn("bo", dodge(riding.id)), 12)
    assert one(done.findings, "creation_dodge_short")["name"] == "Cloud"


def test_two_questions_about_one_area_are_told_apart() -> None:
    made = with_area(fight())
    for _ in range(2):
        made, told = destroy(made, "ada", tool(), Fraction(90), "area9")
        assert [one.key for one in told] == ["asked_area_coverage"]
    assert [one.id for one in made.questions] == ["q-area9-a0", "q-area9-a0b"]


def test_only_those_inside_dodge_a_creation_and_nobody_parries_it() -> None:
    begun = creating(5, saturation=1)
    assert refusals(begun, turn("bo", parry("g1", tool="fist"))) == {"wrong_answer"}
    plan = AreaPlan(tool="cloud")
    far = post(fight(cloud(1)), turn("ada", main=Generic(tool="cloud"), areas=(plan,)), 5).state
    assert refusals(far, turn("bo", dodge("g1"))) == {"wrong_answer"}
    assert [choice.against for choice in GUIDA.choices(far, "bo").defences] == [("g1",)]


def striking(die: int = 6, third: bool = False, **more: Any) -> Scene:
    """Have Ada strike Bo from 4 m and raise a cloud around him with it."""
    start = fight(cloud(saturation=3), metres=4, third=third, **more)
    return post(start, turn("ada", main=hit(support=("cloud",))), die).state


def test_a_secondary_creation_uses_the_die_of_its_attack() -> None:
    begun = striking(9)
    riding = begun.pending[0]
    assert (riding.id, riding.die, riding.rides) == ("c1", 9, "a1")
    assert begun.who("ada").ep_now == 47


def test_one_dodge_that_ends_outside_answers_attack_and_creation() -> None:
    done = post(striking(), turn("bo", dodge("a1", move=to(("area1", 10)))), 9)
    assert done.state.metres("area1", "bo") == 11
    assert one(done.findings, "area_formed")["inside"] == ("Ada",)
    both = post(striking(), turn("bo", dodge("a1", "c1", move=to(("area1", 10)))), 9)
    assert both.state.metres("area1", "bo") == 11
    # A tie with the attack halves its damage, and still is a success that gets one out.
    tied = post(striking(), turn("bo", dodge("a1", move=to(("area1", 10)))), 8)
    assert "speed_tie" in keys(tied.findings)
    assert tied.state.metres("area1", "bo") == 11
    lost = post(striking(), turn("bo", dodge("a1", move=to(("area1", 10)))), 7)
    assert lost.state.metres("area1", "bo") == 0


def test_a_guard_against_the_attack_leaves_the_creation_to_a_dodge_of_its_own() -> None:
    made = turn("bo", guard("a1"), dodge("c1", move=to(("area1", 10))))
    done = post(striking(), made, 12, 6)
    assert done.state.metres("area1", "bo") == 11


def test_a_third_inside_dodges_a_creation_that_rides_on_an_attack_at_somebody_else() -> None:
    begun = striking(third=True)
    passed = post(begun, turn("bo", suffer("a1"))).state
    assert passed.areas == ()
    done = post(passed, turn("cy", dodge("c1", move=to(("area1", 12)))), 6)
    assert one(done.findings, "area_formed")["inside"] == ("Ada", "Bo")


def test_what_stops_the_attack_by_a_counter_stops_its_area_and_a_parry_does_not() -> None:
    strong = {"potential": 40}
    start = scene(
        entrant("ada", tool(), cloud(3)),
        entrant("bo", tool("maul", parries=True, **strong)),
        metres=4,
    )
    begun = post(start, turn("ada", main=hit(support=("cloud",))), 6).state
    parried = post(begun, turn("bo", parry("a1", tool="maul")), 18)
    assert [area.id for area in parried.state.areas] == ["area1"]
    stopped = post(begun, turn("bo", counter("a1", "maul")), 18, 6)
    assert "creation_falls" in keys(stopped.findings)
    assert stopped.state.areas == ()
    assert stopped.state.pending == ()


def test_a_move_by_an_area_that_does_not_form_after_all_changes_nothing() -> None:
    against = counter("g1", action=Action.GENERIC_COUNTERATTACK, move=to(("area1", 9), ("ada", 5)))
    done = post(creating(7), turn("bo", against), 18, 6)
    assert done.state.area("area1") is None
    assert done.state.metres("ada", "bo") == 5


def test_a_dodge_of_a_creation_that_fell_before_it_is_not_needed() -> None:
    strong = {"potential": 40}
    start = scene(entrant("ada", tool(), cloud(3)), entrant("bo", tool("maul", **strong)), metres=4)
    begun = post(start, turn("ada", main=hit(support=("cloud",))), 6).state
    made = turn("bo", counter("a1", "maul"), dodge("c1", move=to(("area1", 10))))
    done = post_any(begun, made, 18, 6, 1)
    assert {"creation_falls", "attack_launched"} <= keys(done.findings)
    assert done.state.distances == start.distances


def test_a_creation_tied_to_a_defence_uses_its_die_and_falls_with_it() -> None:
    start = fight(cloud(), metres=4)
    begun = post(start, turn("ada", main=Preparation())).state
    begun = post(begun, turn("bo", main=hit("ada")), 6).state
    kept = post(begun, turn("ada", dodge("a2", support=("cloud",))), 11).state
    assert (kept.pending[0].id, kept.pending[0].die) == ("c3", 11)
    lost = post(begun, turn("ada", dodge("a2", support=("cloud",))), 2).state
    assert lost.pending == ()
    assert lost.who("ada").ep_now == 50
    done = post(kept, turn("bo"))
    assert one(done.findings, "area_formed")["inside"] == ("Ada", "Bo")


def test_an_independent_secondary_creates_an_area_with_its_own_die_if_it_is_in_time() -> None:
    begun = post(fight(cloud(), metres=4), turn("ada")).state
    begun = post(begun, turn("bo", main=hit("ada")), 6).state
    beside = turn("ada", suffer("a2"), independents=(Independent(tool="cloud", against="a2"),))
    kept = post(begun, beside, 8).state
    assert [(one.die, one.creates[0].area.id) for one in kept.pending] == [(8, "area3")]
    assert post(begun, beside, 7).state.pending == ()


def test_an_area_beside_a_countered_movement_stops_with_it() -> None:
    start = fight(cloud(), metres=4)
    move = Movement(move=to(("bo", 20)), support=("cloud",))
    begun = post(start, turn("ada", main=move), 5).state
    against = counter("g1", action=Action.GENERIC_COUNTERATTACK)
    done = post(begun, turn("bo", against), 18, 6)
    assert done.state.areas == ()
    assert done.state.area("area1") is None


def test_a_suspended_action_brings_its_area_if_it_is_confirmed_and_not_if_it_is_annulled() -> None:
    other = tool("chant", attacks=False, generic=True)
    start = fight(cloud(), other, metres=4)
    begun = post(start, turn("ada", main=Generic(tool="chant", support=("cloud",))), 2).state
    against = counter("g1", action=Action.GENERIC_COUNTERATTACK)
    held = post(begun, turn("bo", against), 18, 6).state
    confirmed = turn("ada", suspended=(Suspended(action="g1", confirm=True),))
    assert len(post(held, confirmed).state.areas) == 1
    annulled = turn("ada", suffer("a2"), suspended=(Suspended(action="g1", confirm=False),))
    assert post(held, annulled).state.area("area1") is None


def rounds(made: Scene, count: int) -> list[int | None]:
    """Let Ada and Bo pass for some turns, and read the saturation after each of Ada's."""
    read = []
    for _ in range(count):
        made = post(made, turn("ada")).state
        read.append(saturation(made))
        made = post(made, turn("bo")).state
    return read


def test_saturation_decays_in_the_creators_initial_phase_but_not_after_its_creation() -> None:
    begun = post(fight(cloud(9)), turn("ada", main=Generic(tool="cloud")), 6).state
    formed = post(begun, turn("bo")).state
    assert rounds(formed, 6) == [9, 8, 7, 7, 6, 6]


@pytest.mark.parametrize(
    ("before", "after"),
    [(7, [7, 6]), (8, [7, 7]), (15, [14, 13]), (16, [14, 13]), (24, [22, 20]), (25, [22, 20])],
)
def test_how_much_saturation_decays_is_told_by_its_band(before: int, after: list[int]) -> None:
    assert rounds(with_area(fight(), saturation=before), 2) == after


def test_an_area_that_loses_its_last_saturation_is_gone_and_its_centre_with_it() -> None:
    made = post(with_area(fight(), saturation=1), turn("ada")).state
    made = post(made, turn("bo")).state
    done = post(made, turn("ada"))
    assert "area_dispersed" in keys(done.findings)
    assert done.state.areas == ()
    assert len(done.state.distances) == 1


def test_a_static_area_decays_only_if_it_has_saturation_and_keeps_its_size() -> None:
    bare = with_area(fight(), form=AreaForm.STATIC, radius_m=60, saturation=None)
    assert rounds(bare, 2) == [None, None]
    full = with_area(fight(), form=AreaForm.STATIC, radius_m=60, saturation=8)
    after = post(full, turn("ada")).state
    assert (saturation(after), radius_of(after.areas[0])) == (7, 60)


def test_an_area_that_is_fed_grows_and_does_not_decay_for_that_turn() -> None:
    start = with_area(fight(cloud(3)), saturation=8)
    plan = AreaPlan(tool="cloud", feeds="area9")
    fed = post(start, turn("ada", main=Generic(tool="cloud"), areas=(plan,)), 6).state
    assert saturation(fed) == 7
    grown = post(fed, turn("bo"))
    assert one(grown.findings, "area_fed")["saturation"] == 10
    assert rounds(grown.state, 2) == [10, 9]


def test_an_area_that_went_meanwhile_cannot_be_fed_any_more() -> None:
    start = with_area(fight(cloud(3)), saturation=8)
    plan = AreaPlan(tool="cloud", feeds="area9")
    fed = post(start, turn("ada", main=Generic(tool="cloud"), areas=(plan,)), 6).state
    gone = rule(fed, by_master(EndArea, area="area9")).state
    done = post(gone, turn("bo"))
    assert "area_not_fed" in keys(done.findings)
    assert done.state.areas == ()


def test_by_option_areas_decay_at_the_end_of_a_round() -> None:
    made = with_area(fight(**reading(area_tick=AreaTick.ROUND_END)), saturation=9)
    assert saturation(post(made, turn("ada")).state) == 9
    assert saturation(post(post(made, turn("ada")).state, turn("bo")).state) == 8
    begun = post(
        fight(cloud(9), **reading(area_tick=AreaTick.ROUND_END)),
        turn("ada", main=Generic(tool="cloud")),
        6,
    ).state
    fresh = post(begun, turn("bo")).state
    assert saturation(fresh) == 9
    assert saturation(post(post(fresh, turn("ada")).state, turn("bo")).state) == 8


def test_an_area_whose_creator_is_out_decays_at_the_end_of_the_round() -> None:
    made = with_area(fight(third=True), saturation=9)
    out = rule(made, by_master(Withdraw, combatant="ada", standing=Standing.LEFT)).state
    assert saturation(post(out, turn("bo")).state) == 9
    assert saturation(post(post(out, turn("bo")).state, turn("cy")).state) == 8


@pytest.mark.parametrize(("ada", "bo", "left"), [(0, 30, 5), (30, 0, 5), (26, 26, 6), (25, 26, 5)])
def test_an_attack_by_or_against_somebody_inside_wears_the_area(
    ada: int, bo: int, left: int
) -> None:
    start = with_area(fight(tool("axe", category=Category.A), metres=4), {"ada": ada, "bo": bo})
    done = post(start, turn("ada", main=hit(tool="axe")), 6)
    assert saturation(done.state) == left


@pytest.mark.parametrize(
    ("stacking", "left"), [(SaturationRemoval.ADDITIVE, 2), (SaturationRemoval.HIGHEST, 4)]
)
def test_category_and_spread_both_take_saturation_unless_only_the_larger_does(
    stacking: SaturationRemoval, left: int
) -> None:
    wide = tool("wave", category=Category.S, attack_kind=AttackKind.TOTAL_AREA)
    start = fight(wide, metres=4, **reading(saturation_removal_stacking=stacking))
    done = post(with_area(start), turn("ada", main=hit(tool="wave")), 6)
    assert saturation(done.state) == left
    assert one(done.findings, "area_worn")["amount"] == 6 - left


def test_an_attack_that_cannot_land_wears_the_area_all_the_same() -> None:
    wide = tool("wave", category=Category.S, attack_kind=AttackKind.TOTAL_AREA)
    start = with_area(fight(wide, metres=4), saturation=4)
    done = post(start, turn("ada", main=hit(tool="wave")), 1)
    assert done.state.areas == ()
    assert "area_dispersed" in keys(done.findings)


def destroying(power: int, **options: Any) -> Any:
    """Attack Bo, and the area of power 6 + 8 around both, with so much power; radius 20 m."""
    wave = tool("wave", potential=power, stat_bonus=0, attack_kind=AttackKind.AREA, area_m=20)
    start = fight(wave, metres=4, **reading(**options))
    start = with_area(start, stat_bonus=Fraction(8))
    return post(start, turn("ada", main=hit(tool="wave", destroys="area9")), 6)


def test_it_takes_more_power_than_the_areas_to_destroy_it() -> None:
    held = destroying(14)
    assert "area_resists" in keys(held.findings)
    assert saturation(held.state) == 5  # compared first, worn afterwards
    assert held.state.questions == ()
    asked = destroying(15).state
    assert [question.code for question in asked.questions] == ["area_coverage"]
    assert asked.areas[0].saturation == 5
    assert "area_resists" in keys(destroying(6, area_power_includes_stat_bonus=False).findings)
    assert destroying(7, area_power_includes_stat_bonus=False).state.questions


@pytest.mark.parametrize(("choice", "left"), [("half", 0), ("less", 1)])
def test_the_master_says_whether_half_of_the_area_is_covered(choice: str, left: int) -> None:
    asked = destroying(15).state
    assert codes(GUIDA.check(asked, turn("bo", suffer("a1")))) == {"area_coverage"}
    answer = by_master(Answer, question=asked.questions[0].id, choice=choice)
    done = rule(asked, answer)
    assert len(done.state.areas) == left
    assert one(done.findings, "answered_area_coverage")["choice"] == choice
    post(done.state, turn("bo", suffer("a1")))


@pytest.mark.parametrize(
    ("measure", "wide", "gone"),
    [
        (Coverage.RADIUS, 13, True),
        (Coverage.RADIUS, 12, False),
        (Coverage.SURFACE, 18, True),
        (Coverage.SURFACE, 17, False),
    ],
)
def test_by_option_coverage_is_measured(measure: Coverage, wide: int, gone: bool) -> None:
    wave = tool("wave", potential=90, attack_kind=AttackKind.AREA, area_m=wide)
    start = with_area(fight(wave, metres=4, **reading(area_coverage_measure=measure)))
    done = post(start, turn("ada", main=hit(tool="wave", destroys="area9")), 6)
    assert (done.state.areas == ()) is gone
    assert ("area_not_covered" in keys(done.findings)) is not gone
    bare = tool("bare", potential=90)
    start = with_area(fight(bare, metres=4, **reading(area_coverage_measure=measure)))
    missing = refusals(start, turn("ada", main=hit(tool="bare", destroys="area9")))
    assert missing == {"attack_radius_missing"}


def test_a_technique_that_sends_no_attack_destroys_an_area_once_nobody_countered_it() -> None:
    gust = tool("gust", attacks=False, generic=True, potential=90, area_m=25)
    start = with_area(fight(gust, **reading(area_coverage_measure=Coverage.SURFACE)))
    begun = post(start, turn("ada", main=Generic(tool="gust", destroys="area9")), 6).state
    assert begun.areas
    done = post(begun, turn("bo"))
    assert "area_destroyed" in keys(done.findings)
    assert done.state.areas == ()
    again = post(begun, turn("bo")).state
    assert refusals(
        replace(again, next="ada"), turn("ada", main=Generic(tool="gust", destroys="area9"))
    ) == {"area_unknown"}
    gone = rule(begun, by_master(EndArea, area="area9")).state
    assert "area_gone_before" in keys(post(gone, turn("bo")).findings)


def test_a_movement_leaves_an_area_and_a_move_inside_another_action_does_not() -> None:
    start = with_area(fight(metres=4))
    begun = post(start, escaping(40), 6).state
    done = post(begun, turn("bo"))
    assert "area_left" in keys(done.findings)
    assert done.state.metres("area9", "ada") == 40
    assert refusals(start, escaping(26, main=False)) == {"cannot_leave_area"}
    near = post(start, escaping(25, main=False), 6).state
    assert near.metres("area9", "ada") == 25
    free = with_area(fight(metres=4, **reading(in_action_moves_escape_area=True)))
    assert post(free, escaping(26, main=False), 6).state.metres("area9", "ada") == 26


def test_neither_a_dodge_nor_another_defence_leaves_a_formed_area() -> None:
    start = with_area(fight(metres=4), {"bo": 20})
    begun = post(start, turn("ada", main=hit()), 6).state
    assert refusals(begun, turn("bo", dodge("a1", move=to(("area9", 26))))) == {"cannot_leave_area"}
    assert refusals(begun, turn("bo", guard("a1", move=to(("area9", 26))))) == {"cannot_leave_area"}
    assert refusals(begun, turn("bo", dodge("a1", move=to(("area9", 25))))) == set()


def test_an_escape_that_is_countered_ends_at_the_border() -> None:
    start = with_area(fight(metres=4), {"ada": 20})
    begun = post(start, escaping(100), 5).state
    against = counter("g1", action=Action.GENERIC_COUNTERATTACK)
    caught = post(begun, turn("bo", against), 18, 6)
    assert caught.state.metres("area9", "ada") == 25
    assert "area_left" not in keys(caught.findings)
    slow = post(begun, turn("bo", against), 1, 6)
    assert slow.state.metres("area9", "ada") == 100
    # Half of a short way does not even reach the border.
    begun = post(start, escaping(26), 5).state
    assert post(begun, turn("bo", against), 18, 6).state.metres("area9", "ada") == 23


@pytest.mark.parametrize(
    ("apart", "ada", "bo", "smoked"),
    [(5, 0, 0, False), (6, 0, 0, True), (6, 0, 30, True), (6, 30, 0, True), (40, 30, 30, False)],
)
def test_smoke_hides_beyond_five_metres_whoever_of_the_two_is_inside(
    apart: int, ada: int, bo: int, smoked: bool
) -> None:
    made = with_area(fight(metres=apart), {"ada": ada, "bo": bo}, curtain=Curtain.SMOKE)
    assert is_smoked(made, "ada", "bo") is smoked
    assert is_smoked(made, "bo", "ada") is smoked


def test_a_poison_curtain_takes_the_sight_by_option_only() -> None:
    made = with_area(fight(metres=6), curtain=Curtain.POISON)
    assert not is_smoked(made, "ada", "bo")
    blind = with_area(
        fight(metres=6, **reading(poison_curtain_blinds=True)), curtain=Curtain.POISON
    )
    assert is_smoked(blind, "ada", "bo")
    assert not is_smoked(with_area(fight(metres=6)), "ada", "bo")


def test_smoke_weighs_on_the_score_against_whom_it_hides() -> None:
    def score(metres: int) -> Fraction:
        made = with_area(fight(tool("bow", optimal_m=metres), metres=metres), curtain=Curtain.SMOKE)
        return post(made, turn("ada", main=hit(tool="bow")), 6).state.incoming[0].hit_score

    assert score(6) == score(5) - 4


def test_a_poison_curtain_poisons_those_inside_as_it_decays_and_not_those_outside() -> None:
    start = fight(cloud(8, Curtain.POISON), third=True, metres=70)
    plan = AreaPlan(tool="cloud", around="bo")
    made = post(start, turn("ada", main=Generic(tool="cloud"), areas=(plan,)), 6).state
    made = post(made, turn("bo")).state
    made = post(made, turn("cy")).state  # the last to answer: now it forms
    poisoned = []
    for _ in range(4):
        made = post(made, turn("ada")).state
        done = post(made, turn("bo"))
        poisoned.append(one(done.findings, "curtain_poisons")["amount"])
        assert found(post(done.state, turn("cy")).findings, "curtain_poisons") == []
        made = post(done.state, turn("cy")).state
    assert saturation(made) == 6
    assert poisoned == [3, 3, 3, 3]
    bo = made.who("bo")
    assert sum(lot.count for lot in bo.lots if lot.stack is Stack.POISON) == 12
    assert stacks_in_force(bo, Stack.POISON) == 9  # this turn's act from the next one on


def test_the_poison_of_a_turn_is_in_the_register_of_that_turn() -> None:
    made = with_area(fight(), curtain=Curtain.POISON, saturation=3)
    done = post(made, turn("ada"))
    line = one(done.findings, "line_curtain")
    assert (line["amount"], line["subject"]) == (2, Stack.POISON)


def test_the_master_moves_the_centre_of_an_area_and_ends_it() -> None:
    made = with_area(fight())
    moved = rule(
        made,
        by_master(Place, distances=(Distance(a="area9", b="bo", metres=Fraction(40)),)),
    )
    assert one(moved.findings, "placed")["who"] == "Cloud"
    assert moved.state.metres("area9", "bo") == 40
    ended = rule(made, by_master(EndArea, area="area9"))
    assert ended.state.areas == ()
    assert "area_ended" in keys(ended.findings)
    assert codes(GUIDA.check(made, by_master(EndArea, area="area1"))) == {"area_unknown"}
    assert codes(GUIDA.check(made, EndArea(by="ada", area="area9", reason="why not"))) == {
        "master_only"
    }
    two = with_area(made)
    both = replace(two, areas=(two.areas[0], replace(two.areas[1], id="area8")))
    order = by_master(Place, distances=(Distance(a="area9", b="area8", metres=Fraction(1)),))
    assert codes(GUIDA.check(both, order)) == {"areas_keep_no_distance"}


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (cloud(saturation=0), "area_saturation_missing"),
        (dome(radius_m=None), "area_radius_missing"),
        (dome(radius_m=251), "area_too_large"),
        (dome(potential=None), "potential_missing"),
        (dome(stat_bonus=None), "stat_bonus_missing"),
        (
            tool(
                "dome",
                attacks=False,
                generic=True,
                supports=True,
                effects=(Area(form=AreaForm.STATIC, radius_m=5, curtain=Curtain.SMOKE),),
            ),
            "curtain_is_expansive",
        ),
    ],
)
def test_an_area_that_lacks_something_is_refused_by_name(made: Tool, code: str) -> None:
    start = fight(made, metres=4)
    assert refusals(start, turn("ada", main=Generic(tool=made.id))) == {code}
    assert refusals(start, turn("ada", main=hit(support=(made.id,)))) == {code}
    offered = GUIDA.choices(start, "ada")
    assert not offered.generics
    assert not offered.support


def test_equipment_gives_an_area_no_stat_bonus_and_a_technique_does() -> None:
    bomb = cloud(means=Means.WEAPON, stat_bonus=None)
    made = post(fight(bomb), turn("ada", main=Generic(tool="cloud")), 6).state
    assert post(made, turn("bo")).state.areas[0].stat_bonus == 0


def test_a_static_area_has_the_reduced_potential_of_its_technique() -> None:
    made = post(fight(dome(60)), turn("ada", main=Generic(tool="dome")), 6).state
    formed = post(made, turn("bo"))
    assert one(formed.findings, "area_formed")["potential"] == 17
    assert [a.power for a in GUIDA.view(formed.state, "bo").areas] == [27]


def test_plans_must_fit_what_the_post_creates() -> None:
    start = with_area(fight(cloud(max_m=20), metres=30), saturation=None, form=AreaForm.STATIC)
    main = Generic(tool="cloud")

    def said(*plans: AreaPlan, creates: bool = True) -> set[str]:
        return refusals(start, turn("ada", main=main if creates else None, areas=plans))

    here = AreaPlan(tool="cloud")
    assert said(here, here) == {"area_planned_twice"}
    assert said(here, creates=False) == {"area_not_created"}
    assert said(AreaPlan(tool="blade")) == {"area_not_created"}
    assert said(AreaPlan(tool="cloud", around="zed")) == {"unknown_combatant"}
    near = Reach(to="ada", metres=20)
    assert said(AreaPlan(tool="cloud", around="bo")) == {"beyond_max_range"}
    assert said(AreaPlan(tool="cloud", around="bo", distances=(near,))) == set()
    assert said(AreaPlan(tool="cloud", distances=(near, near))) == {"move_repeated"}
    stranger = Reach(to="zed", metres=1)
    assert said(AreaPlan(tool="cloud", distances=(stranger,))) == {"unknown_combatant"}
    assert said(AreaPlan(tool="cloud", feeds="area9")) == {"area_cannot_be_fed"}
    alive = with_area(fight(cloud(max_m=20)))
    placed = AreaPlan(tool="cloud", feeds="area9", around="ada")
    assert refusals(alive, turn("ada", main=main, areas=(placed,))) == {"fed_area_has_place"}
    assert GUIDA.choices(alive, "ada").areas[0].fed_with == ("cloud",)


def test_a_preparation_has_no_die_for_an_area() -> None:
    start = fight(cloud(secondary=Secondary.TRAP))
    assert refusals(start, turn("ada", main=Preparation(support=("cloud",)))) == {"area_needs_die"}
    assert GUIDA.choices(start, "ada").preparation == ()


def test_a_loose_technique_that_creates_an_area_is_the_main_action_with_a_die() -> None:
    made = post(fight(cloud()), turn("ada", loose=("cloud",)), 7).state
    assert made.pending[0].creates[0].area.id == "area1"


def test_what_may_be_named_is_offered_and_pages_see_who_is_inside() -> None:
    begun = creating(5)
    offered = GUIDA.choices(begun, "bo")
    assert [(a.id, a.forming, a.inside) for a in offered.areas] == [("area1", True, True)]
    assert {d.action for d in offered.defences} == {
        Action.DODGE,
        Action.GENERIC_COUNTERATTACK,
    }
    assert GUIDA.choices(fight(cloud()), "ada").generics[0].creates_area
    seen = GUIDA.view(begun, GM).areas[0]
    assert (seen.forming, seen.inside) == (True, ("ada", "bo"))
    assert all(d.a in NAMES and d.b in NAMES for d in GUIDA.view(begun, GM).distances)


def test_a_second_creation_of_a_post_has_an_id_of_its_own() -> None:
    other = boost("dome", Area(form=AreaForm.STATIC, radius_m=5), attacks=False)
    made = post(
        fight(cloud(), other), turn("ada", main=Generic(tool="cloud", support=("dome",))), 7
    ).state
    assert [one.area.id for one in made.pending[0].creates] == ["area1", "area1-2"]
    assert [area.id for area in post(made, turn("bo")).state.areas] == ["area1", "area1-2"]


def test_an_area_nobody_could_answer_forms_at_its_creators_next_turn() -> None:
    begun = post(fight(cloud(9)), turn("ada", main=Generic(tool="cloud")), 7).state
    left = replace(begun, next="ada")
    done = post(left, turn("ada"))
    assert saturation(done.state) == 9
