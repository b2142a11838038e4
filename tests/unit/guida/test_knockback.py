"""Sbalzo e Reazione (GC-10), in small played scenes.

Ada's blade has potential 20, potential bonus 4, stat bonus 10 and category B, Bo's Strength is 10:
a die of 6 throws (6 + 4 + 10 - 10) × 2 = 20 metres, and the knockback value is 6 + 2 + 10 = 18.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import pytest

from app.engine.ruleset import GM
from app.rulesets.guida.areas import is_inside
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.options import (
    ByCategory,
    Options,
    Regulation,
)
from app.rulesets.guida.orders import (
    Attack,
    Continuation,
    Knock,
    Turn,
)
from app.rulesets.guida.readings import (
    TieDamage,
)
from app.rulesets.guida.rulings import (
    Answer,
    Withdraw,
)
from app.rulesets.guida.sheet import Constraint, Knockback, StackEffect, Stats, Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Bind, Category, Stack, Standing
from tests.unit.guida.build import (
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
    refusals,
    rule,
    scene,
    shield,
    suffer,
    to,
    tool,
    turn,
)
from tests.unit.guida.build_areas import with_area
from tests.unit.guida.build_stealth import hiding

BLADE = tool(potential_bonus=4)
RAM = tool("ram", potential_bonus=4, effects=(Knockback(),))


def struck(knock: Knock | None = None, die: int = 6, blade: Tool = BLADE, **more: Any) -> Scene:
    """Let Ada attack Bo with a knockback."""
    options = {key: value for key, value in more.items() if key in ("options", "regulation")}
    bo = {key: value for key, value in more.items() if key not in options}
    tools = bo.pop("tools", (tool(potential_bonus=4),))
    start = scene(entrant("ada", blade), entrant("bo", *tools, **bo), **options)
    main = Attack(target="bo", tool=blade.id, knock=knock or Knock())
    return post(start, turn("ada", main=main), die).state


def against_wall(metres: int, wall: int, die: int = 6, **more: Any) -> Scene:
    """Let Ada throw Bo against something that the Master confirms."""
    start = struck(Knock(metres=metres, object_m=wall), die, **more)
    (asked,) = start.questions
    assert refusals(start, turn("bo")) == {"claim_object"}
    return rule(start, by_master(Answer, question=asked.id, choice="confirm")).state


def test_a_declared_knockback_costs_two_and_an_effect_costs_nothing() -> None:
    plain, knocking = (
        GUIDA.plan(scene(entrant("ada", RAM, BLADE), entrant("bo")), turn("ada", main=main)).asked
        for main in (hit(tool="blade"), hit(tool="blade", knock=Knock()))
    )
    assert knocking[0].tally.total == plain[0].tally.total - 2
    assert [t.key for t in knocking[0].tally.terms if t.rule == "GC-10.1"] == ["knockback"]
    ramming = hit(tool="ram", knock=Knock())
    free = GUIDA.plan(scene(entrant("ada", RAM), entrant("bo")), turn("ada", main=ramming)).asked
    assert free[0].tally.total == plain[0].tally.total


def test_who_suffers_is_thrown_as_far_as_the_die_carries() -> None:
    done = post(struck(), turn("bo", suffer("a1")))
    assert done.state.metres("ada", "bo") == 25
    (thrown,) = found(done.findings, "thrown")
    assert (thrown["metres"], thrown["before"], thrown["after"]) == (20, 5, 25)
    assert thrown["working"].total == 20


@pytest.mark.parametrize(
    ("category", "metres"),
    [(Category.D, 10), (Category.C, 15), (Category.B, 20), (Category.A, 30), (Category.S, 40)],
)
def test_the_category_multiplies_the_distance(category: Category, metres: int) -> None:
    blade = tool(potential_bonus=4, category=category)
    done = post(struck(blade=blade), turn("bo", suffer("a1")))
    assert done.state.metres("ada", "bo") == 5 + metres


def test_a_distance_is_a_whole_number_of_metres() -> None:
    blade = tool(potential_bonus=Fraction(9, 2), category=Category.C)
    done = post(struck(blade=blade), turn("bo", suffer("a1")))  # 10.5 × 1.5 = 15.75
    assert done.state.metres("ada", "bo") == 20


@pytest.mark.parametrize(("wished", "metres"), [(8, 8), (20, 20), (21, 20), (None, 20)])
def test_a_wished_distance_is_capped(wished: int | None, metres: int) -> None:
    done = post(struck(Knock(metres=wished)), turn("bo", suffer("a1")))
    assert done.state.metres("ada", "bo") == 5 + metres


@pytest.mark.parametrize(("strength", "moves"), [(19, True), (20, False), (21, False)])
def test_whom_nothing_moves_has_nothing_to_react_to(strength: int, moves: bool) -> None:
    stats = Stats(strength=strength, dexterity=10, constitution=10)
    start = struck(stats=stats)
    done = post_any(start, turn("bo", suffer("a1", reacts=True), main=hit("ada")), 1, 6)
    assert ("thrown" in keys(done.findings)) is moves
    assert ("not_thrown" in keys(done.findings)) is not moves
    assert ("attack_launched" in keys(done.findings)) is not moves  # a failed reaction loses it


def test_the_strength_is_that_of_the_moment() -> None:
    maiming = tool(
        potential_bonus=4, effects=(StackEffect(stack=Stack.MAIM_DEBILITATING, count=1),)
    )
    start = post(struck(blade=maiming), turn("bo", suffer("a1"))).state
    main = Attack(target="bo", tool="blade", knock=Knock())
    start = post(start, turn("ada", main=main), 6).state
    done = post(start, turn("bo", suffer("a3")))  # Strength 7 by now: (6 + 4 + 10 - 7) × 2
    assert found(done.findings, "thrown")[0]["metres"] == 26


def test_only_what_lands_throws() -> None:
    blocked = struck(tools=(tool(potential_bonus=4), shield("wall", parries=True, potential=40)))
    done = post(blocked, turn("bo", parry("a1", tool="wall")), 18)
    assert "thrown" not in keys(done.findings)
    done = post(struck(), turn("bo", dodge("a1")), 12)
    assert "thrown" not in keys(done.findings)
    done = post(struck(), turn("bo", dodge("a1")), 1)
    assert "thrown" in keys(done.findings)


def test_a_guard_lets_itself_be_thrown_unless_riders_stay_out() -> None:
    done = post(struck(), turn("bo", guard("a1")), 24)
    assert "thrown" in keys(done.findings)
    done = post(struck(options=Options(guard_riders=False)), turn("bo", guard("a1")), 24)
    assert "thrown" not in keys(done.findings)


@pytest.mark.parametrize(("face", "works"), [(7, False), (8, True), (9, True)])
def test_a_reaction_has_to_reach_the_knockback_value(face: int, works: bool) -> None:
    start = struck()  # 18 against die + Dexterity 10
    done = post_any(start, turn("bo", suffer("a1", reacts=True), main=hit("ada")), face, 6)
    assert done.state.metres("ada", "bo") == (15 if works else 25)
    assert ("attack_launched" in keys(done.findings)) is works
    key = "reaction_succeeded" if works else "reaction_failed"
    (told,) = found(done.findings, key)
    assert (told["reaction_value"], told["knockback_value"]) == (face + 10, 18)


def test_an_untried_reaction_keeps_the_offensive_phase() -> None:
    done = post(struck(), turn("bo", suffer("a1"), main=hit("ada")), 6)
    assert "attack_launched" in keys(done.findings)


def test_half_a_metre_is_lost_when_a_distance_is_halved() -> None:
    blade = tool(potential_bonus=4, category=Category.C)  # 15 metres, value 6 + 1.5 + 10
    start = struck(blade=blade)
    done = post(start, turn("bo", suffer("a1", reacts=True)), 8)
    assert done.state.metres("ada", "bo") == 12
    done = post(start, turn("bo", suffer("a1", reacts=True)), 7)
    assert "reaction_failed" in keys(done.findings)


@pytest.mark.parametrize(("cascades", "lost"), [(False, [-20]), (True, [-20, -20])])
def test_later_defences_stand_after_a_failed_reaction(cascades: bool, lost: list[int]) -> None:
    fighters = (entrant("ada", BLADE), entrant("bo"), entrant("cy", team="ada"))
    start = scene(*fighters, options=Options(failed_reaction_cascades=cascades))
    main = Attack(target="bo", tool="blade", knock=Knock())
    start = post(start, turn("ada", main=main), 6).state
    start = dataclasses.replace(start, next="cy")
    start = post(start, turn("cy", main=hit()), 1).state
    start = dataclasses.replace(start, next="bo")
    order = turn("bo", suffer("a1", reacts=True), dodge("a2"), main=hit("ada"))
    done = post_any(start, order, 1, 12, 6)
    assert due(done.state, "bo") == lost
    assert "attack_launched" not in keys(done.findings)


@pytest.mark.parametrize(
    ("wall", "metres", "hurts"), [(8, 8, True), (20, 20, True), (21, 20, False)]
)
def test_the_flight_has_to_reach_what_it_is_to_crash_into(
    wall: int, metres: int, hurts: bool
) -> None:
    start = against_wall(99, wall) if hurts else struck(Knock(metres=99, object_m=wall))
    done = post(start, turn("bo", suffer("a1")))
    assert done.state.metres("ada", "bo") == 5 + metres
    assert ("impact" in keys(done.findings)) is hurts
    # half of (6/2 + 10 - 10)
    assert due(done.state, "bo") == ([-20, -1] if hurts else [-20])


@pytest.mark.parametrize(
    ("metres", "wall", "asked"),
    [(None, 20, True), (None, 21, False), (8, 8, True), (8, 9, False), (0, 0, False)],
)
def test_only_a_wall_that_the_throw_may_reach_is_asked_about(
    metres: int | None, wall: int, asked: bool
) -> None:
    start = struck(Knock(metres=metres, object_m=wall))
    assert refusals(start, turn("bo")) == ({"claim_object"} if asked else set())
    assert {one.code for one in start.questions} == ({"claim_object"} if asked else set())


def test_a_wall_nobody_ruled_on_hurts_nobody_who_grows_weaker() -> None:
    start = struck(Knock(object_m=21))
    (incoming,) = start.incoming
    assert incoming.knock == Knock()
    bo = start.who("bo")
    weak = dataclasses.replace(
        bo.sheet, stats=dataclasses.replace(bo.sheet.stats, strength=bo.sheet.stats.strength - 5)
    )
    start = start.put(dataclasses.replace(bo, sheet=weak))
    done = post(start, turn("bo", suffer("a1")))
    assert done.state.metres("ada", "bo") == 35
    assert "impact" not in keys(done.findings)


def test_how_strong_the_unseen_are_does_not_decide_what_is_asked() -> None:
    for strength in (1, 99):
        blade = tool(potential_bonus=4, max_m=200)
        weak = Stats(strength=strength, dexterity=10, constitution=10, intelligence=10)
        start = scene(entrant("ada", blade), entrant("bo", stats=weak))
        start = hiding(start, ("bo", "ada"))
        main = hit(blind=True, knock=Knock(metres=8, object_m=8))
        asked = post(start, turn("ada", main=main), 12).state.questions
        assert "claim_object" in {one.code for one in asked}


def test_a_reaction_that_works_spares_the_wall() -> None:
    done = post(against_wall(99, 8), turn("bo", suffer("a1", reacts=True)), 12)
    assert "impact" not in keys(done.findings)
    assert done.state.metres("ada", "bo") == 13  # the wall still ends the flight


def test_a_wall_that_the_master_denies_does_not_stand() -> None:
    start = struck(Knock(object_m=3))
    (asked,) = start.questions
    start = rule(start, by_master(Answer, question=asked.id, choice="deny")).state
    done = post(start, turn("bo", suffer("a1")))
    assert done.state.metres("ada", "bo") == 25
    assert "impact" not in keys(done.findings)


def test_who_is_thrown_goes_straight_away_from_the_thrower() -> None:
    fighters = (entrant("ada", BLADE), entrant("bo"), entrant("cy", team="ada"))
    start = scene(*fighters, metres=30)
    places = {("ada", "bo"): 30, ("ada", "cy"): 50, ("bo", "cy"): 40}  # a right angle at Bo
    start = dataclasses.replace(
        start,
        distances=frozenset(
            dataclasses.replace(d, metres=Fraction(places[tuple(sorted((d.a, d.b)))]))
            for d in start.distances
        ),
    )
    main = Attack(target="bo", tool="blade", knock=Knock(metres=9))
    start = post(start, turn("ada", main=main), 12).state
    start = dataclasses.replace(start, next="bo")
    done = post(start, turn("bo", suffer("a1"))).state
    assert done.metres("bo", "ada") == 39
    assert done.metres("bo", "cy") == 41  # √(40² + 9²)


def charged(*more: Tool, first: Tool = RAM, knock: Knock | None = None) -> Scene:
    """Let Ada attack Bo, then Cy of her side; all stand 5 metres apart, and Bo is up."""
    wall = shield(guards=True)
    fighters = (
        entrant("ada", first),
        entrant("cy", *(more or (tool(),)), team="ada"),
        entrant("bo", wall),
    )
    start = scene(*fighters, first="ada")
    start = post(start, turn("ada", main=hit(tool=first.id, knock=knock)), 6).state
    main = hit(tool=(more or (tool(),))[0].id, knock=Knock() if more else None)
    return post(start, turn("cy", main=main), 6).state


def test_a_guards_move_is_made_before_the_throw_that_comes_through_it() -> None:
    start = struck(Knock(), blade=RAM, tools=(shield(guards=True),))
    done = post(start, turn("bo", guard("a1", tool="shield", move=to(("ada", 9)))), 24)
    assert done.state.metres("ada", "bo") == 9 + 20
    told = [one.key for one in done.findings]
    assert told.index("moved") < told.index("thrown")


def test_a_dodges_move_stands_and_a_later_throw_goes_on_from_there() -> None:
    start = charged(RAM, first=tool())
    away = dodge("a1", move=to(("ada", 9), ("cy", 9)))
    done = post(start, turn("bo", away, suffer("a2")), 12)
    assert done.state.metres("cy", "bo") == 9 + 20
    assert one(done.findings, "thrown")["before"] == 9


def test_a_dodges_move_planned_before_a_throw_is_annulled_where_it_got_too_long() -> None:
    order = turn("bo", suffer("a1"), dodge("a2", move=to(("ada", 9), ("cy", 9))), main=None)
    done = post(charged(knock=Knock()), order, 12)
    assert done.state.metres("ada", "bo") == 25
    assert one(done.findings, "move_annulled")["bearer"] == "Bo"
    assert "moved" not in keys(done.findings)
    assert "attack_avoided" in keys(done.findings)  # the dodge itself stands


def test_a_dodges_move_that_is_short_enough_starts_where_the_throw_ended() -> None:
    order = turn("bo", suffer("a1"), dodge("a2", move=to(("ada", 12), ("cy", 12))))
    done = post(charged(knock=Knock(metres=10)), order, 12)
    assert done.state.metres("ada", "bo") == 12
    assert found(done.findings, "moved")[0]["before"] == 15


def test_a_guards_move_is_made_before_the_bond_that_comes_through_it() -> None:
    binds = (Constraint(binds=(Bind.LEG_BLOCK,)),)
    net = tool("net", potential_bonus=4, effects=binds)
    start = scene(entrant("ada", net), entrant("bo", shield(guards=True)))
    start = post(start, turn("ada", main=hit(tool="net")), 6).state
    done = post(start, turn("bo", guard("a1", tool="shield", move=to(("ada", 9)))), 24)
    assert done.state.metres("ada", "bo") == 9
    assert [bond.binds for bond in done.state.who("bo").bonds] == [(Bind.LEG_BLOCK,)]


@pytest.mark.parametrize(("face", "lost"), [(7, ["GC-10.12"]), (8, [])])
def test_a_phase_lost_to_a_reaction_is_told_as_that(face: int, lost: list[str]) -> None:
    done = post(struck(), turn("bo", suffer("a1", reacts=True)), face)
    told = [one for one in done.findings if one.key == "offensive_lost"]
    assert [one.rule for one in told] == lost
    assert all(one.facts["why"] == "reaction" for one in told)


def test_a_phase_lost_to_a_defence_is_told_as_that() -> None:
    done = post(struck(), turn("bo", dodge("a1")), 1)
    (told,) = (one for one in done.findings if one.key == "offensive_lost")
    assert (told.rule, told.facts["why"]) == ("GC-2.12", "defence")


def test_a_reaction_has_the_dexterity_before_what_the_same_blow_leaves() -> None:
    binds = (Constraint(binds=(Bind.ARM_BLOCK,)), Knockback())
    net = tool("net", potential_bonus=4, effects=binds)
    start = struck(Knock(), blade=net)
    order = turn("bo", suffer("a1", reacts=True))
    (label,) = GUIDA.plan(start, order).asked
    done = post(start, order, 8)  # 8 + 10 = 18 is just enough
    assert one(done.findings, "reaction_succeeded")["reaction"] == label.tally
    assert done.state.who("bo").bonds


def parried(
    options: Options | None = None, potential: int = 40, face: int = 18, knock: Knock | None = None
) -> Scene:
    """Let Bo parry Ada with something that throws her back: half of 18, + 4 + 10 - 10, × 2."""
    ram = tool("ram", potential_bonus=4, potential=potential, parries=True, effects=(Knockback(),))
    start = scene(entrant("ada", BLADE), entrant("bo", ram), options=options or Options())
    start = post(start, turn("ada", main=hit()), 6).state
    order = turn("bo", parry("a1", tool="ram", knock=knock or Knock()))
    return post(start, order, face).state


def test_a_defence_throws_back_in_the_next_turn_of_the_attacker() -> None:
    start = parried()
    assert start.metres("ada", "bo") == 5
    done = post(start, turn("ada", main=hit()), 6)
    assert done.state.metres("ada", "bo") == 31
    assert start.throws
    assert not done.state.throws
    # Whoever is out of the fight is thrown no more.
    gone = rule(start, by_master(Withdraw, combatant="ada", standing=Standing.SURRENDERED)).state
    assert not gone.throws


@pytest.mark.parametrize(("face", "works"), [(10, False), (11, True)])
def test_whoever_is_thrown_by_a_defence_may_recover(face: int, works: bool) -> None:
    done = post_any(parried(), Turn(by="ada", reacts=True, main=hit()), face, 6)  # 9 + 2 + 10 = 21
    assert done.state.metres("ada", "bo") == (18 if works else 31)
    assert ("attack_launched" in keys(done.findings)) is works


@pytest.mark.parametrize(
    ("potential", "face", "options", "throws"),
    [
        (23, 18, Options(), True),  # 33 - 30 = 3 against B: the ram goes on, halved
        (22, 18, Options(), False),  # both are annulled
        (17, 18, Options(), False),  # the ram is overcome
        (40, 8, Options(), False),  # 8 + 10 = 6 + 10 + 2: a tie halves, and does nothing else
        (40, 8, Options(tie_half_damage_mode=TieDamage.ALONGSIDE_WIN), True),
        (22, 8, Options(tie_half_damage_mode=TieDamage.ALONGSIDE_WIN), False),
    ],
)
def test_a_parry_throws_only_if_something_is_left_of_it(
    potential: int, face: int, options: Options, throws: bool
) -> None:
    assert bool(parried(options, potential, face).throws) is throws


@pytest.mark.parametrize(("potential", "throws"), [(23, True), (22, False)])
def test_a_counterattack_throws_only_if_it_goes_on(potential: int, throws: bool) -> None:
    ram = tool("ram", potential_bonus=4, potential=potential, effects=(Knockback(),))
    start = scene(entrant("ada", BLADE), entrant("bo", ram))
    start = post(start, turn("ada", main=hit()), 6).state
    done = post_any(start, turn("bo", counter("a1", tool="ram", knock=Knock())), 18, 6)
    assert bool(done.state.throws) is throws
    assert ("attack_launched" in keys(done.findings)) is throws


def test_a_board_may_let_nobody_recover_from_a_defence() -> None:
    start = parried(Options(reaction_to_defence_knockback=False))
    assert start.metres("ada", "bo") == 31
    assert refusals(start, Turn(by="ada", reacts=True)) == {"nothing_knocks_back"}


@pytest.mark.parametrize("reacts", [True, False])
@pytest.mark.parametrize(("choice", "hurts", "metres"), [("confirm", True, 8), ("deny", False, 31)])
def test_what_a_defence_throws_against_is_left_to_the_master(
    reacts: bool, choice: str, hurts: bool, metres: int
) -> None:
    options = Options(reaction_to_defence_knockback=reacts)
    start = parried(options, knock=Knock(object_m=3))
    (asked,) = start.questions
    assert (asked.code, asked.by, asked.blocks) == ("claim_object", "bo", ("ada",))
    assert dict(asked.details) == {
        "attacker": "Bo",
        "target": "Ada",
        "name": start.throws[0].name,
        "metres": "3",
    }
    assert refusals(start, turn("ada")) == {"claim_object"}
    start = rule(start, by_master(Answer, question=asked.id, choice=choice)).state
    assert ("nothing_knocks_back" in refusals(start, Turn(by="ada", reacts=True))) is not reacts
    done = post(start, turn("ada"))
    assert ("impact" in keys(done.findings)) is hurts
    assert done.state.metres("ada", "bo") == metres


def test_an_object_that_a_defence_does_not_reach_is_not_asked_about() -> None:
    start = parried(knock=Knock(object_m=27))  # it throws 26 metres
    assert (start.questions, start.throws[0].knock) == ((), Knock())
    assert "impact" not in keys(post(start, turn("ada")).findings)


def test_who_leaves_the_fight_takes_the_object_along() -> None:
    start = parried(knock=Knock(object_m=3))
    assert start.questions
    gone = rule(start, by_master(Withdraw, combatant="ada", standing=Standing.LEFT)).state
    assert gone.questions == ()


def test_a_defence_knocks_back_by_declaration_only_where_a_board_says_so() -> None:
    for allowed in (False, True):
        options = Options(declared_knockback_on_defence=allowed)
        buckler = shield("buckler", parries=True, potential=40, potential_bonus=4)
        start = scene(entrant("ada", BLADE), entrant("bo", buckler), options=options)
        start = post(start, turn("ada", main=hit()), 6).state
        order = turn("bo", parry("a1", tool="buckler", knock=Knock()))
        assert refusals(start, order) == (set() if allowed else {"knockback_not_effect"})
        if allowed:
            plain = GUIDA.plan(start, turn("bo", parry("a1", tool="buckler"))).asked[0].tally
            knocking = GUIDA.plan(start, order).asked[0].tally
            assert knocking.total == plain.total - 2


def test_what_cannot_be_is_refused_by_name() -> None:
    start = struck()
    assert refusals(start, turn("bo", dodge("a1", reacts=True))) == {"reaction_not_with"}
    assert refusals(start, turn("bo", dodge("a1", knock=Knock()))) == {"defence_cannot_knock"}
    quiet = post(scene(), turn("ada", main=hit()), 6).state
    assert refusals(quiet, turn("bo", suffer("a1", reacts=True))) == {"nothing_knocks_back"}
    bare = turn("ada", main=hit(knock=Knock()))
    assert refusals(scene(), bare) == {"potential_bonus_missing"}
    both = turn("ada", main=hit(prefers=(Stack.STUN, Stack.BURN)))
    assert refusals(scene(), both) == {"stack_not_chosen"}


def test_a_board_supplies_the_potential_bonus_of_a_category() -> None:
    table = ByCategory(D=Fraction(1), C=Fraction(2), B=Fraction(4), A=Fraction(6), S=Fraction(8))
    start = struck(blade=tool(), regulation=Regulation(potential_bonus_by_category=table))
    done = post(start, turn("bo", suffer("a1")))
    assert done.state.metres("ada", "bo") == 25
    assert any(term.board for term in found(done.findings, "thrown")[0]["working"].terms)


def test_a_counterattack_may_knock_back_when_it_goes_on() -> None:
    strong = tool("ram", potential=40, potential_bonus=4)
    start = post(scene(entrant("ada"), entrant("bo", strong)), turn("ada", main=hit()), 6).state
    then = Continuation(knock=Knock(metres=10))
    done = post(start, turn("bo", counter("a1", "ram", then=then)), 18, 6)
    (launched,) = found(done.findings, "attack_launched")
    assert launched["hit"].total == 10 + 2 + 2 - 2  # GC-4.6, GC-4.70 and GC-10.1
    done = post(done.state, turn("ada", suffer("a2")))
    assert done.state.metres("ada", "bo") == 15


def test_the_label_of_what_follows_is_written_from_where_one_lands() -> None:
    order = turn("bo", suffer("a1", reacts=True), main=hit("ada"))
    label = GUIDA.plan(struck(), order).asked[-1].tally
    done = post(struck(), order, 12, 6)
    (launched,) = found(done.findings, "attack_launched")
    assert launched["hit"].total == label.total
    assert "label_superseded" not in keys(done.findings)


@pytest.mark.parametrize(("metres", "leaves"), [(20, False), (21, True)])
def test_whoever_is_thrown_past_the_border_of_an_area_has_left_it(
    metres: int, leaves: bool
) -> None:
    made = with_area(struck(Knock(metres=metres), die=12), {"bo": 5})  # 25 m around Ada
    done = post(made, turn("bo", suffer("a1")))
    assert ("area_left" in keys(done.findings)) is leaves
    assert is_inside(done.state, done.state.areas[0], "bo") is not leaves


def test_the_master_is_named_nowhere_in_a_throw() -> None:
    assert GM not in {seat for question in struck().questions for seat in question.blocks}
