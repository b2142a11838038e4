"""What a question is about, without names; and an answer that follows a precedent says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.engine.dice import draw
from app.posts.phrases import LANGUAGES, say
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.rulings import Answer
from app.rulesets.guida.situations import KEYS, situation
from app.rulesets.guida.state import Scene
from app.rulesets.guida.terms import Claim
from tests.architecture.emitted import QUESTIONS
from tests.support.fights import attack, duel


def surprised(metres: int = 5, **changes: object) -> Scene:
    """Play an attack whose player claims surprise: the Master is asked."""
    scene = GUIDA.start(duel(metres=metres))
    order = attack(by="hollow", claims=(Claim.SURPRISE,), **changes)
    asked = GUIDA.plan(scene, order).asked
    dice = draw([(die.address, die.sides) for die in asked], lambda _bound: 5)
    return GUIDA.resolve(scene, order, dice).state


def test_an_attack_is_told_by_kind_form_letter_distance_and_turn() -> None:
    scene = surprised()
    (question,) = scene.questions
    assert dict(situation(scene, question)) == {
        "attack_kind": "targeted",
        "attack_form": "melee",
        "category": "D",
        "means": "weapon",
        "aim": "body",
        "targets": "1",
        "metres": "5",
        "turn": "1",
    }


def test_another_distance_is_another_situation() -> None:
    near, far = (surprised(metres=m) for m in (3, 8))
    told = [dict(situation(scene, scene.questions[0])) for scene in (near, far)]
    assert [one["metres"] for one in told] == ["3", "8"]
    assert told[0] == {**told[1], "metres": "3"}


def test_nobody_is_named() -> None:
    scene = surprised()
    values = {value for _, value in situation(scene, scene.questions[0])}
    assert not values & {"hollow", "quincy", "Hollow", "Quincy", "Artigli Affilati"}


def test_effects_are_in_one_order_and_what_is_empty_is_left_out() -> None:
    scene = surprised()
    asked = replace(
        scene.questions[0],
        about="quincy",
        by="quincy",
        details=(("bearer", "Quincy"), ("binds", "leg_block, arm_block"), ("hp", "")),
    )
    assert dict(situation(scene, asked)) == {"turn": "0", "binds": "arm_block, leg_block"}


def test_an_answer_that_follows_a_precedent_names_it_after_what_it_decides() -> None:
    scene = surprised()
    answer = Answer(
        by="gm", question=scene.questions[0].id, choice="deny", reason="Lo aspettava.", precedent=3
    )
    assert GUIDA.check(scene, answer) == ()
    found = GUIDA.resolve(scene, answer, draw([], lambda _bound: 0)).findings
    assert [one.key for one in found] == ["answered_claim_surprise", "by_precedent"]
    assert found[1].facts["precedent"] == "P3"
    assert found[1].rule == found[0].rule == "GC-4.29"
    plain = GUIDA.resolve(
        scene, replace(answer, precedent=None), draw([], lambda _bound: 0)
    ).findings
    assert [one.key for one in plain] == ["answered_claim_surprise"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_part_of_a_situation_and_every_kind_of_question_can_be_said(language: str) -> None:
    for key in KEYS:
        assert say(language, "guida", "situations", key, {"value": "targeted"})
    for code in QUESTIONS:
        assert say(language, "guida", "question_kinds", code)
