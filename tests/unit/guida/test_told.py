"""What a post says of what was decided: no number that does not add up, nothing that was not so."""

from __future__ import annotations

import pytest

from app.posts.phrases import LANGUAGES, say
from app.rulesets.guida.entrants import StackCount
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.options import ArmourStacking, TieDamage
from app.rulesets.guida.orders import Answer, Generic, Manual
from app.rulesets.guida.sheet import ArmourEffect, Heal
from app.rulesets.guida.terms import Change, DamageType, Stack
from tests.unit.guida.build import (
    boost,
    by_master,
    coming,
    due,
    entrant,
    found,
    hit,
    keys,
    one,
    parry,
    post,
    reading,
    rule,
    scene,
    shield,
    suffer,
    to,
    tool,
    turn,
)

STUN = {"combatant": "bo", "change": Change.STACKS, "stack": Stack.STUN, "amount": 3}


@pytest.mark.parametrize(("held", "taken", "over"), [(1, 3, 0), (2, 2, 1), (4, 0, 3)])
def test_stacks_by_hand_beyond_the_cap_are_counted_apart(held: int, taken: int, over: int) -> None:
    stunned = entrant("bo", stacks=(StackCount(stack=Stack.STUN, count=held),))
    start = scene(entrant("ada"), stunned)
    told = one(rule(start, by_master(Manual, **STUN)).findings, "line_by_master")
    assert (told["amount"], told["over"]) == (taken, over)
    proposed = rule(start, Manual(by="bo", reason="shaken", **STUN)).state
    (asked,) = proposed.questions
    done = rule(proposed, by_master(Answer, question=asked.id, choice="confirm"))
    assert one(done.findings, "answered_manual")["over"] == over
    denied = rule(proposed, by_master(Answer, question=asked.id, choice="deny"))
    assert one(denied.findings, "answered_manual")["over"] == 0


@pytest.mark.parametrize(
    ("blocking", "damage", "working"),
    # 22 pure against the ward's 4: half of it. Against the mail's 8 and the ward's 4, 30 of power
    # beats 12 + 10 of normal armour: half of both.
    [(True, -20, "Ward"), (False, -22, None)],
)
def test_of_armours_that_add_up_pure_damage_meets_those_that_block_it(
    blocking: bool, damage: int, working: str | None
) -> None:
    ward = ArmourEffect(potential=4, turns=3, blocks_pure=blocking)
    both = reading(armour_stacking=ArmourStacking.SUM)
    bo = entrant("bo", tool(), boost("ward", ward), armour=8)
    for kind, lost, name in (
        (DamageType.PURE, damage, working),
        (DamageType.NORMAL, -14, "Mail + Ward"),
    ):
        start = scene(entrant("ada", tool(damage=kind)), bo, first="bo", **both)
        start = post(start, turn("bo", main=hit("ada", support=("ward",))), 6).state
        start = post(start, turn("ada", suffer("a1"), main=hit()), 6).state
        done = post(start, turn("bo", suffer("a2")))
        assert due(done.state, "bo") == [lost]
        terms = one(done.findings, "damage_due")["working"].terms
        assert [term.name for term in terms if term.key == "armour_half"] == ([name] * bool(name))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_register_that_does_not_count_gains_adds_up_in_words(language: str) -> None:
    balm = tool("balm", attacks=False, generic=True, effects=(Heal(),))
    start = scene(
        entrant("ada", balm, hp=50), entrant("bo"), **reading(register_counts_gains=False)
    )
    start = post(start, turn("ada", main=Generic(tool="balm")), 6).state
    start = post(start, turn("bo")).state
    told = found(post(start, turn("ada")).findings, "balance")
    hp = next(facts for facts in told if facts["what"] is Change.HP)
    said = say(language, "guida", "findings", "balance", hp)
    assert (hp["before"], hp["now"], hp["discrepancy"], hp["gains"]) == (50, 61, 11, 11)
    assert "50 − 0 " in said
    assert "+ 11 =" not in said


def test_a_tied_parry_that_is_overcome_promises_no_half() -> None:
    for mode in TieDamage:
        buckler = shield("buckler", guards=False, parries=True, potential=1)
        start = scene(
            entrant("ada"),
            entrant("bo", tool(), buckler),
            underway=(coming(6, 10),),
            first="bo",
            **reading(tie_half_damage_mode=mode),
        )
        order = turn("bo", parry("a1", tool="buckler"))
        modifier = GUIDA.plan(start, order).asked[0].tally.total
        done = post(start, order, int(16 - modifier))
        alongside = mode is TieDamage.ALONGSIDE_WIN
        assert one(done.findings, "speed_tie")["compares"] is alongside
        assert ("defence_overcome" in keys(done.findings)) is alongside


def test_a_move_that_changes_nothing_is_not_told() -> None:
    done = post(scene(), turn("ada", main=hit(move=to(("bo", 5)))), 6)
    assert "moved" not in keys(done.findings)


def test_a_repeated_secondary_action_is_named_as_on_the_sheet() -> None:
    start = scene(entrant("ada", tool(), boost("haste", name="Swift Step")), entrant("bo"))
    (refusal,) = GUIDA.check(start, turn("ada", main=hit(support=("haste", "haste"))))
    assert (refusal.code, refusal.facts["tool"]) == ("support_repeated", "Swift Step")
