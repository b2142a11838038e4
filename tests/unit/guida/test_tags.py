"""Dice whose tag has another modifier than its factors make: what holds, wherever a die is read."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from app.engine.dice import Address, RecordedDice, Roll, Tagged
from app.engine.findings import Violation
from app.persistence.codec import load, store
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Generic,
    Independent,
    Movement,
    Turn,
)
from app.rulesets.guida.readings import (
    TagMismatch,
)
from app.rulesets.guida.rulings import (
    Answer,
)
from app.rulesets.guida.sheet import StatPoints
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action, Claim, Stat
from tests.unit.guida.build import (
    boost,
    by_master,
    coming,
    counter,
    dodge,
    due,
    entrant,
    found,
    guard,
    hit,
    keys,
    post,
    reading,
    scene,
    to,
    tool,
    turn,
)

FACTORS, MODIFIER, REJECT = TagMismatch
OTHER = Fraction(-4)  # what the writer left out of each tag


def tagged(start: Scene, order: Turn, *faces: int, only: int | None = None) -> Any:
    """Post a turn whose dice, or the one named, have four less in the tag than in the label."""
    assert GUIDA.check(start, order) == ()
    asked = GUIDA.plan(start, order).asked
    rolls = tuple(
        Roll(
            die.address,
            die.sides,
            face,
            Tagged(die.tally.total + OTHER, die.tally.total) if only in (None, index) else None,
        )
        for index, (die, face) in enumerate(zip(asked, faces, strict=True))
    )
    return GUIDA.resolve(start, order, RecordedDice(rolls))


def facing(setting: TagMismatch, *attacks: Any, bo: Entrant | None = None) -> Scene:
    """Put Bo before attacks too weak to stop a counter."""
    more = {"underway": attacks, "first": "bo", **reading(dice_tag_mismatch=setting)}
    return scene(entrant("ada", tool(potential=12)), bo or entrant("bo"), **more)


HASTE = boost("haste", StatPoints(stat=Stat.STRENGTH, points=1))
BALM = tool("balm", attacks=False, generic=True)
GENERIC = Action.GENERIC_COUNTERATTACK


def defending(setting: TagMismatch) -> Any:
    return tagged(facing(setting, coming()), turn("bo", guard("a1")), 9)


def countering(setting: TagMismatch) -> Any:
    return tagged(facing(setting, coming()), turn("bo", counter("a1")), 12, 6, only=0)


def going_on(setting: TagMismatch) -> Any:
    return tagged(facing(setting, coming()), turn("bo", counter("a1")), 12, 6, only=1)


def helping(setting: TagMismatch) -> Any:
    bo = entrant("bo", tool(), HASTE)
    order = turn("bo", independents=(Independent(tool="haste", against="a1"),))
    return tagged(facing(setting, coming(), bo=bo), order, 9)


def moving(setting: TagMismatch) -> Any:
    start = scene(**reading(dice_tag_mismatch=setting))
    return tagged(start, turn("ada", main=Movement(move=to(("bo", 10)))), 9)


def mending(setting: TagMismatch) -> Any:
    start = scene(entrant("ada", BALM), entrant("bo"), **reading(dice_tag_mismatch=setting))
    return tagged(start, turn("ada", main=Generic(tool="balm")), 9)


def stopping(setting: TagMismatch) -> Any:
    start = scene(entrant("ada", BALM), entrant("bo"), **reading(dice_tag_mismatch=setting))
    start = post(start, turn("ada", main=Generic(tool="balm")), 1).state
    return tagged(start, turn("bo", counter("g1", action=GENERIC)), 9, 6, only=0)


def attacking(setting: TagMismatch) -> Any:
    return tagged(scene(**reading(dice_tag_mismatch=setting)), turn("ada", main=hit()), 9)


PLACES = (
    (attacking, "attack_launched", "hit_score", "hit", "hit_die"),
    (defending, "speed_defender_wins", "defend_score", "defend", "defend_die"),
    (countering, "speed_defender_wins", "defend_score", "defend", "defend_die"),
    (going_on, "attack_launched", "hit_score", "hit", "hit_die"),
    (helping, "independent_in_time", "defend_score", "defend", "defend_die"),
    (moving, "generic_launched", "success_score", "success", "success_die"),
    (mending, "generic_launched", "success_score", "success", "success_die"),
    (stopping, "generic_countered", "counter_score", "counter", "counter_die"),
)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place[0].__name__)
def test_a_score_is_told_by_factors_or_by_the_tag_and_always_adds_up(place: Any) -> None:
    play, key, score, sum_, die = place
    by_factors, by_tag = (found(play(setting).findings, key)[0] for setting in (FACTORS, MODIFIER))
    for facts in (by_factors, by_tag):
        assert facts[score] == facts[die] + facts[sum_].total
    assert by_tag[score] == by_factors[score] + OTHER
    (term,) = (term for term in by_tag[sum_].terms if term.key == "tag_modifier")
    assert (term.rule, term.value) == ("GC-4.87", OTHER)
    assert "tag_modifier" not in {term.key for term in by_factors[sum_].terms}


@pytest.mark.parametrize("setting", [FACTORS, MODIFIER])
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place[0].__name__)
def test_each_such_die_is_reported_once_with_both_numbers(place: Any, setting: Any) -> None:
    findings = place[0](setting).findings
    (facts,) = found(findings, "modifier_mismatch")
    assert facts["declared"] == facts["listed"] + OTHER
    assert facts["factors_hold"] is (setting is FACTORS)
    assert "label_superseded" not in keys(findings)


def test_one_die_against_two_attacks_is_corrected_in_both_and_reported_once() -> None:
    start = facing(MODIFIER, coming(), coming(modifier=16))
    done = tagged(start, turn("bo", dodge("a1", "a2")), 12)
    assert [facts["defend_score"] for facts in found(done.findings, "speed_defender_wins")] == [18]
    assert [facts["defend_score"] for facts in found(done.findings, "speed_attacker_wins")] == [18]
    assert len(found(done.findings, "modifier_mismatch")) == 1


def test_a_die_of_an_action_that_never_happens_is_reported_all_the_same() -> None:
    start = facing(MODIFIER, coming(modifier=40))
    done = tagged(start, turn("bo", guard("a1"), main=hit("ada")), 1, 9, only=1)
    assert "offensive_annulled" in keys(done.findings)
    assert [facts["action"] for facts in found(done.findings, "modifier_mismatch")] == ["attack"]


def test_what_the_tag_left_out_stays_the_same_when_the_master_denies_a_claim() -> None:
    start = scene(**reading(dice_tag_mismatch=MODIFIER))
    done = tagged(start, turn("ada", main=hit(claims=(Claim.SURPRISE,))), 6)
    assert done.state.incoming[0].hit_score == 6 + 12 + 2 - 4
    (question,) = done.state.questions
    denied = by_master(Answer, question=question.id, choice="deny")
    after = GUIDA.resolve(done.state, denied, RecordedDice(())).state
    assert after.incoming[0].hit_score == 6 + 12 - 4


def test_a_board_may_refuse_such_dice_by_number() -> None:
    start = facing(REJECT, coming())
    order = turn("bo", counter("a1"))
    first, second = GUIDA.plan(start, order).asked
    listed = second.tally.total
    good = Roll(first.address, first.sides, 12)
    bad = Roll(second.address, second.sides, 6, Tagged(listed + 1, listed))
    assert GUIDA.check_dice(start, order, (good, Roll(second.address, second.sides, 6))) == ()
    (one,) = GUIDA.check_dice(start, order, (good, bad))
    assert isinstance(one, Violation)
    assert (one.rule, one.code, one.field) == ("GC-4.87", "modifier_mismatch", "modifiers.1")
    assert (one.facts["number"], one.facts["declared"]) == (2, listed + 1)
    for setting in (FACTORS, MODIFIER):
        assert GUIDA.check_dice(facing(setting, coming()), order, (good, bad)) == ()


def test_rolls_from_before_tags_were_kept_are_read_and_new_ones_come_back_equal() -> None:
    old = '{"address":{"place":50,"index":0},"sides":12,"face":8}'
    assert load(Roll, old) == Roll(Address(50), 12, 8)
    new = Roll(Address(50), 12, 8, Tagged(Fraction(11, 2), Fraction(-3)))
    assert load(Roll, store(new)) == new


def test_hit_points_follow_the_score_that_holds() -> None:
    # 9 + 2 + 10 against 6 + 14 is in time by its factors; four less in the tag is too late.
    lost = {}
    for setting in (FACTORS, MODIFIER):
        start = facing(setting, coming(modifier=14))
        lost[setting] = due(tagged(start, turn("bo", guard("a1")), 9).state, "bo")
    assert lost == {FACTORS: [-6], MODIFIER: [-12]}
