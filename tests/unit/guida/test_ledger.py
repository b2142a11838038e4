"""Damage over four posts: struck, answered, published by the attacker, recorded by the target."""

from fractions import Fraction

import pytest

from app.rulesets.guida.orders import (
    Figures,
)
from app.rulesets.guida.readings import (
    HpFloor,
)
from app.rulesets.guida.rulings import (
    Withdraw,
)
from app.rulesets.guida.terms import Standing
from tests.unit.guida.build import (
    by_master,
    coming,
    dodge,
    due,
    entrant,
    found,
    guard,
    hit,
    lines,
    one,
    post,
    post_any,
    reading,
    rule,
    scene,
    suffer,
    tool,
    turn,
)


def test_damage_is_due_when_it_lands_posted_by_the_attacker_and_recorded_by_the_target() -> None:
    first = post(scene(), turn("ada", main=hit()), 6)  # 6 + 12 = 18
    assert due(first.state, "bo") == []

    second = post(first.state, turn("bo", guard("a1")), 1)  # 1 + 12 = 13
    assert one(second.findings, "damage_due")["amount"] == 20
    assert (second.state.who("bo").hp, second.state.who("bo").hp_now) == (100, 80)
    (line,) = lines(second.state, "bo")
    assert (line.amount, line.poster, line.posted) == (-20, "ada", False)

    third = post(second.state, turn("ada"))
    posted = one(third.findings, "posted_hp")
    assert (posted["attacker"], posted["target"], posted["amount"]) == ("Ada", "Bo", 20)
    assert posted["working"].total == 20
    assert third.state.who("bo").hp == 100

    fourth = post(third.state, turn("bo"))
    assert one(fourth.findings, "line_damage")["amount"] == -20
    assert one(fourth.findings, "vitals")["hp"] == 80
    assert (fourth.state.who("bo").hp, lines(fourth.state, "bo")) == (80, ())

    sixth = post(post(fourth.state, turn("ada")).state, turn("bo"))
    assert found(sixth.findings, "line_damage") == []
    assert sixth.state.who("bo").hp == 80


def test_a_register_balances_and_says_what_it_adds_up() -> None:
    start = scene(entrant("ada", hp=70, ep=20), entrant("bo", ep=9), underway=(coming(),))
    struck = post(start, turn("ada"))
    struck = post(struck.state, turn("bo", suffer("a1")))
    struck = post(post(struck.state, turn("ada")).state, turn("bo"))
    hp, ep = found(struck.findings, "balance")
    assert (hp["before"], hp["losses"], hp["gains"], hp["now"]) == (100, 20, 0, 80)
    assert (ep["before"], ep["losses"], ep["gains"], ep["now"]) == (9, 0, 0, 9)
    assert hp["discrepancy"] == ep["discrepancy"] == 0


def test_energy_spent_in_a_post_is_recorded_in_the_next_one_and_gone_at_once() -> None:
    start = scene(entrant("ada", tool(ep=7)), entrant("bo"))
    first = post(start, turn("ada", main=hit()), 6)
    assert one(first.findings, "vitals")["ep"] == 50
    assert (first.state.who("ada").ep, first.state.who("ada").ep_now) == (50, 43)
    third = post(post(first.state, turn("bo")).state, turn("ada"))
    assert one(third.findings, "vitals")["ep"] == 43
    assert one(third.findings, "line_expense")["amount"] == -7
    assert third.state.who("ada").ep == 43


def test_a_defence_that_was_outpaced_costs_nothing_unless_the_board_says_so() -> None:
    bo = entrant("bo", tool("shield", attacks=False, guards=True, ep=6))
    beaten = turn("bo", guard("a1", tool="shield"))
    start = scene(entrant("ada"), bo, underway=(coming(die=12, modifier=30),), first="bo")
    assert post(start, beaten, 24).state.who("bo").ep_now == 50
    charged = scene(
        entrant("ada"),
        bo,
        underway=(coming(die=12, modifier=30),),
        first="bo",
        **reading(unactivated_defence_costs_ep=True),
    )
    assert post(charged, beaten, 24).state.who("bo").ep_now == 44


def test_an_attack_annulled_by_a_failed_defence_costs_nothing_and_hits_nobody() -> None:
    start = scene(
        entrant("ada"), entrant("bo", tool(ep=7)), underway=(coming(modifier=30),), first="bo"
    )
    after = post_any(start, turn("bo", guard("a1"), main=hit("ada")), 2, 12)
    assert one(after.findings, "offensive_annulled")["bearer"] == "Bo"
    assert after.state.incoming == ()
    assert after.state.who("bo").ep_now == 50
    assert after.state.who("bo").uses == ()


def test_a_blow_that_does_nothing_is_published_but_is_no_line_of_the_register() -> None:
    start = scene(entrant("ada", tool(potential=0, stat_bonus=3)), entrant("bo"))
    struck = post(post(start, turn("ada", main=hit()), 6).state, turn("bo"))
    assert one(struck.findings, "damage_due")["amount"] == 0
    posted = post(struck.state, turn("ada"))
    assert one(posted.findings, "posted_hp")["amount"] == 0
    recorded = post(posted.state, turn("bo"))
    assert found(recorded.findings, "line_damage") == []
    assert recorded.state.who("bo").hp == 100


def test_half_of_an_odd_damage_is_one_whole_number_in_every_post() -> None:
    start = scene(
        entrant("ada", tool(potential=Fraction(15))),
        entrant("bo"),
        underway=(coming(),),
        first="bo",
    )
    struck = post(start, turn("bo", guard("a1")), 24)  # 15 + 10 - 10 = 15, halved 7.5
    assert one(struck.findings, "damage_due")["working"].total == 7
    posted = post(struck.state, turn("ada"))
    assert one(posted.findings, "posted_hp")["amount"] == 7
    assert one(post(posted.state, turn("bo")).findings, "line_damage")["amount"] == -7


def test_the_target_records_alone_what_an_attacker_who_left_will_never_publish() -> None:
    start = scene(
        entrant("ada"), entrant("bo"), entrant("cy", team="ada"), underway=(coming(),), first="bo"
    )
    struck = post(start, turn("bo", suffer("a1"))).state
    gone = rule(struck, by_master(Withdraw, combatant="ada", standing=Standing.LEFT)).state
    recorded = post(post(gone, turn("cy")).state, turn("bo"))
    assert one(recorded.findings, "line_damage")["amount"] == -20
    assert recorded.state.who("bo").hp == 80


def test_each_of_two_attackers_publishes_its_own_blow() -> None:
    start = scene(
        entrant("ada"),
        entrant("cy", tool(potential=30), team="ada"),
        entrant("bo"),
        underway=(coming(), coming(by="cy")),
        first="bo",
    )
    struck = post(start, turn("bo", suffer("a1", "a2"))).state
    assert due(struck, "bo") == [-20, -30]
    ada = post(struck, turn("ada"))
    assert [facts["amount"] for facts in found(ada.findings, "posted_hp")] == [20]
    cy = post(ada.state, turn("cy"))
    assert [facts["amount"] for facts in found(cy.findings, "posted_hp")] == [30]
    recorded = post(cy.state, turn("bo"))
    assert [facts["amount"] for facts in found(recorded.findings, "line_damage")] == [-20, -30]
    assert recorded.state.who("bo").hp == 50


def test_an_attack_that_was_avoided_leaves_nothing_to_record() -> None:
    start = scene(underway=(coming(),), first="bo")
    after = post(start, turn("bo", dodge("a1")), 12)
    assert one(after.findings, "attack_avoided")["name"] == "Blade"
    assert lines(after.state, "bo") == ()
    assert after.state.incoming == ()


def test_figures_that_differ_from_the_register_are_told_with_their_difference() -> None:
    right = post(scene(), turn("ada", figures=Figures(hp=100, ep=50)))
    assert found(right.findings, "figures_differ") == []
    wrong = post(scene(), turn("ada", figures=Figures(hp=97, ep=52)))
    facts = one(wrong.findings, "figures_differ")
    assert (facts["hp_difference"], facts["ep_difference"]) == (-3, 2)
    assert (wrong.state.who("ada").hp, wrong.state.who("ada").ep) == (100, 50)


@pytest.mark.parametrize(("floor", "hp", "line"), [("none", -10, False), ("0", 0, True)])
def test_hit_points_below_zero_stay_or_are_brought_to_zero_by_a_line(
    floor: str, hp: int, line: bool
) -> None:
    start = scene(
        entrant("ada"),
        entrant("bo", hp=10),
        underway=(coming(),),
        first="bo",
        **reading(hp_floor=HpFloor(floor)),
    )
    struck = post(start, turn("bo", suffer("a1"))).state
    recorded = post(post(struck, turn("ada")).state, turn("bo"))
    assert recorded.state.who("bo").hp == hp
    assert bool(found(recorded.findings, "line_hp_floor")) is line
    assert found(recorded.findings, "balance")[0]["discrepancy"] == 0
    (question,) = recorded.state.questions
    assert (question.code, question.blocks) == ("defeat", ("bo",))
