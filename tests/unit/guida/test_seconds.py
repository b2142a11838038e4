"""One additional damage for each turn of an attacker, environmental damage included (GC-6.15).

Ada's sting does (20 + 10 - 10) / 2 = 10 besides; with a stat bonus of 6 it does 8.
"""

from __future__ import annotations

from typing import Any

from app.rulesets.guida.rulings import (
    Answer,
    Impact,
)
from app.rulesets.guida.sheet import AdditionalDamage
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Category
from tests.unit.guida.build import (
    by_master,
    coming,
    due,
    entrant,
    found,
    hit,
    keys,
    lines,
    one,
    post,
    rule,
    scene,
    suffer,
    tool,
    turn,
)


def sting(bonus: int) -> AdditionalDamage:
    """Make a second damage of 8 with a bonus of 6, of 10 with one of 10."""
    return AdditionalDamage(potential=20, stat_bonus=bonus)


def wall(target: str = "bo", die: int = 12, stat_bonus: int = 12) -> Any:
    """Throw somebody against a wall, on the Master's word: (18 + 12 - 10) / 2 = 10."""
    return by_master(
        Impact,
        attacker="ada",
        target=target,
        die=die,
        category=Category.S,
        stat_bonus=stat_bonus,
    )


def struck(bonus: int = 6) -> Scene:
    """Let Ada's blade, which does a second damage, strike Bo."""
    ada = entrant("ada", tool(effects=(sting(bonus),)))
    start = scene(ada, entrant("bo"), underway=(coming(),), first="bo")
    return post(start, turn("bo", suffer("a1"))).state


def both(*bonuses: int) -> Scene:
    """Let one blow of Ada's strike Bo, then Cy: the one second damage after the other."""
    cy = entrant("cy", team="bo")
    ada = entrant("ada", tool(effects=tuple(sting(bonus) for bonus in bonuses)))
    start = post(scene(ada, entrant("bo"), cy), turn("ada", main=hit(also=("cy",))), 6)
    (asked,) = start.state.questions

    return rule(start.state, by_master(Answer, question=asked.id, choice="confirm")).state


def test_two_targets_of_one_blow_suffer_one_second_damage_between_them() -> None:
    start = post(both(6), turn("bo", suffer("a1"))).state
    assert due(start, "bo") == [-20, -8]
    done = post(start, turn("cy", suffer("a1b")))
    assert due(done.state, "cy") == [-20]
    assert one(done.findings, "additional_not_strongest")["amount"] == 8


def test_the_stronger_one_on_another_target_takes_the_place_of_the_first() -> None:
    start = post(both(6), turn("bo", suffer("a1"))).state
    done = rule(start, wall("cy"))
    assert due(done.state, "cy") == [-10]
    assert due(done.state, "bo") == [-20]
    told = one(done.findings, "second_superseded")
    assert (told["target"], told["amount"], told["recorded"]) == ("Bo", 8, False)


def test_whichever_comes_first_the_stronger_counts() -> None:
    start = scene(
        entrant("ada", tool(effects=(sting(10),))), entrant("bo"), underway=(coming(),), first="bo"
    )
    start = rule(start, wall(die=1, stat_bonus=14)).state
    assert due(start, "bo") == [-2]  # (1.5 + 14 - 10) / 2
    done = post(start, turn("bo", suffer("a1")))
    assert due(done.state, "bo") == [-20, -10]
    assert one(done.findings, "second_superseded")["amount"] == 2


def test_what_is_only_as_strong_changes_nothing() -> None:
    done = rule(struck(10), wall())
    assert due(done.state, "bo") == [-20, -10]
    assert keys(done.findings) == {"impact_not_strongest"}


def test_what_is_on_record_already_is_put_right_by_a_line() -> None:
    start = post(struck(), turn("ada")).state
    assert found(post(struck(), turn("ada")).findings, "posted_additional")[0]["amount"] == 8
    start = post(start, turn("bo")).state
    assert start.who("bo").hp == 100 - 28
    done = rule(start, wall())
    assert due(done.state, "bo") == [8, -10]
    assert one(done.findings, "second_superseded")["recorded"] is True
    assert {line.key for line in lines(done.state, "bo")} == {"second_withdrawn", "environmental"}
    later = post(post(done.state, turn("ada")).state, turn("bo"))
    assert later.state.who("bo").hp == 100 - 30


def test_the_next_turn_of_the_attacker_has_a_second_damage_of_its_own() -> None:
    start = post(struck(10), turn("ada", main=hit()), 6).state
    done = post(start, turn("bo", suffer("a3")))
    assert due(done.state, "bo") == [-20, -10]
    assert "additional_not_strongest" not in keys(done.findings)
