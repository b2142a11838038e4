"""Whole posts: what an attack after a defence starts from, and odds that match what happens."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from app.engine.dice import RecordedDice, Roll
from app.engine.ruleset import Law
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.moves import apply_move
from app.rulesets.guida.orders import (
    Turn,
)
from app.rulesets.guida.places import (
    Behind,
)
from app.rulesets.guida.readings import (
    BeyondRange,
    Measured,
)
from app.rulesets.guida.rulings import (
    Answer,
)
from app.rulesets.guida.sheet import Modifier, StatPoints, Upkeep
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Aim, Limb, Score, Stat
from tests.unit.guida.build import (
    boost,
    by_master,
    coming,
    dodge,
    entrant,
    guard,
    hit,
    one,
    post,
    reading,
    refusals,
    rule,
    scene,
    suffer,
    to,
    tool,
    turn,
)


def launched(start: Scene, order: Turn, *faces: int) -> Any:
    """Give what was found of the attack of a post."""
    return one(post(start, order, *faces).findings, "attack_launched")


# ------------------------------------------------------------------------------- distances


@pytest.mark.parametrize(
    ("metres", "factor"),
    [
        *((0, 2), (5, 2), (6, 0), (10, 0), (11, -2), (25, -2), (26, -4), (60, -4)),
        *((61, -6), (100, -6), (101, -6), (250, -6), (251, -6)),
    ],
)
def test_the_distance_factor_falls_with_each_range_down_to_minus_six(
    metres: int, factor: int
) -> None:
    assert launched(scene(metres=metres), turn("ada", main=hit()), 1)["hit_score"] == 11 + factor


def test_a_board_may_let_the_distance_factor_fall_on() -> None:
    start = scene(metres=251, **reading(clamp_distance_factor=False))
    assert launched(start, turn("ada", main=hit()), 1)["hit_score"] == 11 - 10


def test_nearer_than_optimal_is_as_bad_as_farther() -> None:
    bow = entrant("ada", tool(optimal_m=60))
    for metres, factor in ((5, -4), (10, -2), (25, 0), (60, 2), (100, 0)):
        start = scene(bow, entrant("bo"), metres=metres)
        assert launched(start, turn("ada", main=hit()), 1)["hit_score"] == 11 + factor


@pytest.mark.parametrize(
    ("measured", "score"), [(Measured.AFTER_MOVE, 11 + 2 - 4), (Measured.BEFORE_MOVE, 11 - 2 - 4)]
)
def test_a_move_inside_an_attack_costs_its_ranges_and_the_distance_is_that_after_it(
    measured: Measured, score: int
) -> None:
    start = scene(metres=20, **reading(distance_measured=measured))
    done = post(start, turn("ada", main=hit(move=to(("bo", 4)))), 1)
    assert one(done.findings, "attack_launched")["hit_score"] == score
    assert done.state.metres("ada", "bo") == 4


@pytest.mark.parametrize(
    ("aim", "limb", "factor"),
    [(Aim.BODY, None, 0), (Aim.LIMBS, Limb.ARMS, -1), (Aim.HEAD, None, -3)],
)
def test_an_aimed_attack_pays_for_its_aim(aim: Aim, limb: Limb | None, factor: int) -> None:
    order = turn("ada", main=hit(aim=aim, limb=limb))
    assert launched(scene(), order, 1)["hit_score"] == 13 + factor


def test_an_attack_starts_from_where_the_dodge_of_the_same_post_ended() -> None:
    # GC-2.29: a post is written as if every earlier action works, and GC-4.8 measures then.
    bo = entrant("bo", tool(max_m=10))
    start = scene(entrant("ada"), bo, metres=8, underway=(coming(),), first="bo")
    away = turn("bo", dodge("a1", move=to(("ada", 18))), main=hit("ada"))
    assert refusals(start, away) == {"beyond_max_range"}
    far = scene(entrant("ada"), bo, metres=18, underway=(coming(),), first="bo")
    nearer = turn("bo", dodge("a1", move=to(("ada", 8))), main=hit("ada"))
    assert refusals(far, nearer) == set()


def test_a_move_inside_an_attack_starts_from_where_the_dodge_ended() -> None:
    start = scene(metres=5, underway=(coming(),), first="bo")
    order = turn("bo", dodge("a1", move=to(("ada", 8))), main=hit("ada", move=to(("ada", 3))))
    asked = GUIDA.plan(start, order).asked[1]
    done = post(start, order, 12, 1)
    assert one(done.findings, "attack_launched")["hit"] == asked.tally
    assert asked.tally.total == 2 + 10 - 2  # one range back again


def test_the_label_of_an_attack_behind_a_dodge_is_that_of_the_attack_that_is_launched() -> None:
    start = scene(metres=5, underway=(coming(),), first="bo")
    order = turn("bo", dodge("a1", move=to(("ada", 12))), main=hit("ada"))
    done = post(start, order, 12, 6)
    assert GUIDA.plan(start, order).asked[1].tally == one(done.findings, "attack_launched")["hit"]
    assert one(done.findings, "attack_launched")["hit_score"] == 6 - 2 + 10


def test_beyond_its_reach_an_attack_is_refused_or_allowed_by_the_board() -> None:
    ada = entrant("ada", tool(max_m=20))
    order = turn("ada", main=hit())
    assert refusals(scene(ada, entrant("bo"), metres=20), order) == set()
    assert refusals(scene(ada, entrant("bo"), metres=21), order) == {"beyond_max_range"}
    allowed = reading(beyond_max_range=BeyondRange.ALLOW)
    assert refusals(scene(ada, entrant("bo"), metres=21, **allowed), order) == set()


def test_two_who_end_behind_the_same_in_one_post_are_asked_about_apart() -> None:
    made = scene(entrant("ada"), entrant("bo"), entrant("cy"))
    for who in ("ada", "bo"):
        made, _ = apply_move(made, who, to(("cy", 2), behind=("cy",)), "GC-4.8")
    assert len({one.id for one in made.questions}) == 2
    answer = by_master(Answer, question=made.questions[0].id, choice="confirm")
    after = rule(made, answer).state
    assert [one.by for one in after.questions] == ["bo"]


def test_a_place_behind_that_a_move_claims_is_the_masters_to_grant() -> None:
    # GC-4.28: a bonus for a place is an input that the Master confirms.
    start = scene(metres=5, underway=(coming(),), first="bo")
    order = turn("bo", guard("a1", move=to(("ada", 5), behind=("ada",))), main=hit("ada"))
    done = post(start, order, 24, 6)
    assert one(done.findings, "attack_launched")["hit_score"] == 18
    assert GUIDA.plan(start, order).asked[1].tally == one(done.findings, "attack_launched")["hit"]
    (question,) = done.state.questions
    assert (question.code, question.blocks) == ("place_behind", ())
    assert not done.state.is_behind("bo", "ada")
    granted = by_master(Answer, question=question.id, choice="confirm")
    assert rule(done.state, granted).state.is_behind("bo", "ada")
    denied = by_master(Answer, question=question.id, choice="deny")
    assert not rule(done.state, denied).state.is_behind("bo", "ada")


def test_nobody_stays_behind_somebody_who_moved() -> None:
    start = scene(behind=(Behind(who="ada", whom="bo"), Behind(who="bo", whom="ada")))
    done = post(start, turn("ada", main=hit(move=to(("bo", 6)))), 6)
    assert done.state.behind == frozenset()


def test_a_move_unsettles_only_places_between_those_whose_distance_it_changes() -> None:
    held = (
        Behind(who="ada", whom="bo"),
        Behind(who="ada", whom="cy"),
        Behind(who="cy", whom="bo"),
        Behind(who="cy", whom="ada"),
    )
    start = scene(entrant("ada"), entrant("bo"), entrant("cy", team="ada"), behind=held)
    done = post(start, turn("ada", main=hit(move=to(("bo", 6)))), 6)
    assert done.state.behind == frozenset(held[1:])


# ---------------------------------------------------------------------- the same thing twice


def test_a_technique_is_not_its_own_secondary_action() -> None:
    # GC-2.20: a secondary action supports the main one; paid and counted twice it would be two.
    keen = tool(supports=True, ep=5, modifiers=(Modifier(name="Edge", score=Score.HIT, points=2),))
    start = scene(entrant("ada", keen), entrant("bo"))
    assert refusals(start, turn("ada", main=hit(support=("blade",)))) == {"support_repeated"}


def test_a_shield_is_not_its_own_secondary_action_either() -> None:
    both = tool("shield", guards=True, supports=True, ep=5)
    start = scene(entrant("ada"), entrant("bo", both), underway=(coming(),), first="bo")
    order = turn("bo", guard("a1", tool="shield", support=("shield",)))
    assert refusals(start, order) == {"support_repeated"}


# ------------------------------------------------------------------------------------- odds


def brute(start: Scene, order: Turn) -> dict[tuple[Fraction, str], Fraction]:
    """Go through every face of the defences of a post, by playing it."""
    asked = [one for one in GUIDA.plan(start, order).asked if one.phase == "defensive"]
    law: dict[tuple[Fraction, str], Fraction] = {}

    def through(rolls: tuple[Roll, ...]) -> None:
        if len(rolls) < len(asked):
            die = asked[len(rolls)]
            for face in range(1, die.sides + 1):
                through((*rolls, Roll(die.address, die.sides, face)))
            return
        done = GUIDA.resolve(start, order, RecordedDice(rolls))
        lost = any(one.key in {"offensive_annulled", "offensive_lost"} for one in done.findings)
        before = start.who(order.by).hp_now
        end = Fraction(before - done.state.who(order.by).hp_now), "lost" if lost else "held"
        chance = Fraction(1)
        for die in asked:
            chance /= die.sides
        law[end] = law.get(end, Fraction(0)) + chance

    through(())
    return law


def told(law: Law) -> dict[tuple[Fraction, str], Fraction]:
    """Give a law as the same kind of table."""
    table = {}
    for chance in law.chances:
        facts = dict(chance.outcome)
        table[facts["hp_lost"], facts["offensive"]] = chance.probability
    return table


@pytest.mark.parametrize(
    "defences",
    [
        (),
        (guard("a1"),),
        (dodge("a2"),),
        (guard("a1", "a2"),),
        (dodge("a1", "a2"),),
        (dodge("a2", "a1"),),  # named the other way round: still one die
        (guard("a2"), dodge("a1")),
        (dodge("a1"), suffer("a2")),
    ],
    ids=lambda defences: "+".join(f"{d.action}({','.join(d.against)})" for d in defences),
)
def test_the_odds_of_a_defence_are_those_of_playing_every_face(defences: Any) -> None:
    attacks = (coming(die=6, modifier=14), coming(die=4, modifier=11))
    start = scene(underway=attacks, first="bo")
    order = turn("bo", *defences)
    assert GUIDA.check(start, order) == ()
    (law,) = GUIDA.forecast(start, order).laws
    assert told(law) == brute(start, order)
    assert sum(chance.probability for chance in law.chances) == 1


def test_the_odds_of_an_attack_are_those_of_launching_it_and_answering_it() -> None:
    start = scene(metres=7)
    order = turn("ada", main=hit(aim=Aim.HEAD))
    laws = {dict(law.about)["action"]: law for law in GUIDA.forecast(start, order).laws}
    assert set(laws) == {"null_defence", "guard", "dodge"}
    for action, defend in (("null_defence", suffer), ("guard", guard), ("dodge", dodge)):
        law: dict[tuple[Fraction, str], Fraction] = {}
        for face in range(1, 13):
            after = post(start, order, face).state
            for end, chance in brute(after, turn("bo", defend(after.incoming[0].id))).items():
                law[end] = law.get(end, Fraction(0)) + chance / 12
        assert told(laws[action]) == law


def test_the_odds_of_an_attack_behind_a_dodge_start_from_where_the_dodge_ends() -> None:
    start = scene(metres=5, underway=(coming(modifier=-5),), first="bo")  # every dodge holds
    order = turn("bo", dodge("a1", move=to(("ada", 15))), main=hit("ada"))
    guarded = next(
        law for law in GUIDA.forecast(start, order).laws if dict(law.about).get("action") == "guard"
    )
    law: dict[tuple[Fraction, str], Fraction] = {}
    for face in range(1, 13):
        after = post(start, order, 12, face).state
        for end, chance in brute(after, turn("ada", guard(after.incoming[0].id))).items():
            law[end] = law.get(end, Fraction(0)) + chance / 12
    assert told(guarded) == law


def test_the_odds_of_an_attack_know_what_its_target_has_spent_already() -> None:
    # Bo's aura ends if its upkeep cannot be paid from what the last post left: putting aside what
    # is due (hit points) for the odds must not put aside the energy that is due.
    aura = boost("aura", Upkeep(ep=3), StatPoints(stat=Stat.DEXTERITY, points=6), ep=3)
    start = scene(entrant("ada"), entrant("bo", tool(), aura, ep=5), first="bo")
    state = post(start, turn("bo", main=hit("ada", support=("aura",))), 1).state
    assert state.who("bo").ep_now == 2
    order = turn("ada", suffer(state.incoming[0].id), main=hit())
    laws = {dict(law.about).get("action"): law for law in GUIDA.forecast(state, order).laws}
    law: dict[tuple[Fraction, str], Fraction] = {}
    for face in range(1, 13):
        after = post(state, order, face).state
        for end, chance in brute(after, turn("bo", guard(after.incoming[0].id))).items():
            law[end] = law.get(end, Fraction(0)) + chance / 12
    assert told(laws["guard"]) == law
