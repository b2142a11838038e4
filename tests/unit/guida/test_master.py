"""What is decided outside a turn: rulings, lines by hand, values that are set, ends."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from app.engine.ruleset import GM
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.places import (
    Behind,
    Distance,
)
from app.rulesets.guida.rulings import (
    Adequacy,
    Answer,
    Close,
    Impact,
    Manual,
    Pause,
    Place,
    ReplaceSheet,
    Resume,
    SetValue,
    Withdraw,
)
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action, Category, Change, Claim, Stack, Standing, Stat
from tests.unit.guida.build import (
    by_master,
    coming,
    due,
    entrant,
    found,
    hit,
    keys,
    one,
    post,
    reading,
    refusals,
    rule,
    scene,
    sheet,
    suffer,
    tool,
    turn,
)


def answer(state: Scene, choice: str) -> Scene:
    """Answer the first open question."""
    order = by_master(Answer, question=state.questions[0].id, choice=choice)
    return rule(state, order).state


# ---------------------------------------------------------------------------- lines by hand


def test_a_players_line_waits_for_the_master_and_counts_when_it_is_confirmed() -> None:
    order = Manual(by="bo", combatant="bo", change=Change.HP, amount=-7, reason="a fall")
    state = rule(scene(), order).state
    assert state.who("bo").hp_now == 100
    assert GUIDA.awaits(state).blocked == ()
    waiting = post(post(state, turn("ada")).state, turn("bo"))
    assert found(waiting.findings, "line_by_hand") == []
    confirmed = answer(waiting.state, "confirm")
    assert confirmed.who("bo").hp_now == 93
    recorded = post(post(confirmed, turn("ada")).state, turn("bo"))
    facts = one(recorded.findings, "line_by_hand")
    assert (facts["amount"], facts["reason"], facts["by_hand"]) == (-7, "a fall", "Bo")
    assert recorded.state.who("bo").hp == 93


def test_a_line_that_is_denied_never_counts() -> None:
    order = Manual(by="bo", combatant="bo", change=Change.HP, amount=7, reason="a herb")
    state = answer(rule(scene(), order).state, "deny")
    assert state.who("bo").lines == ()
    assert post(post(state, turn("ada")).state, turn("bo")).state.who("bo").hp == 100


@pytest.mark.parametrize(("change", "amount"), [(Change.HP, -9), (Change.HP, 9), (Change.EP, -9)])
def test_the_masters_own_line_counts_at_once(change: Change, amount: int) -> None:
    order = by_master(Manual, combatant="bo", change=change, amount=amount)
    state = rule(scene(), order).state
    assert due(state, "bo", change) == [amount]
    recorded = post(post(state, turn("ada")).state, turn("bo"))
    assert one(recorded.findings, "line_by_hand")["amount"] == amount
    before = {Change.HP: 100, Change.EP: 50}[change]
    now = {Change.HP: recorded.state.who("bo").hp, Change.EP: recorded.state.who("bo").ep}[change]
    assert now == before + amount


def test_points_by_hand_come_into_force_with_the_masters_word() -> None:
    order = by_master(
        Manual, combatant="bo", change=Change.POINTS, amount=-3, stat=Stat.CONSTITUTION
    )
    state = rule(scene(), order).state
    assert total_level(state.who("bo"), Stat.CONSTITUTION).total == 7
    claimed = Manual(
        by="bo",
        combatant="bo",
        change=Change.POINTS,
        amount=3,
        stat=Stat.STRENGTH,
        reason="a vow",
    )
    state = rule(state, claimed).state
    assert total_level(state.who("bo"), Stat.STRENGTH).total == 10
    assert total_level(answer(state, "confirm").who("bo"), Stat.STRENGTH).total == 13


def test_energy_claimed_away_by_hand_can_never_be_spent_twice() -> None:
    # Proposed when there was enough; spent in a turn before the Master looks; then confirmed.
    bo = entrant("bo", tool(ep=30), ep=40)
    state = scene(entrant("ada"), bo, first="bo")
    line = Manual(by="bo", combatant="bo", change=Change.EP, amount=-20, reason="a rite")
    state = rule(state, line).state
    state = post(state, turn("bo", main=hit("ada")), 6).state
    confirm = by_master(Answer, question=state.questions[0].id, choice="confirm")
    if GUIDA.check(state, confirm) == ():
        state = rule(state, confirm).state
    assert state.who("bo").ep_now >= 0


def test_stacks_taken_off_by_hand_cannot_be_more_than_are_held_when_it_counts() -> None:
    stun = by_master(Manual, combatant="bo", change=Change.STACKS, amount=2, stack=Stack.STUN)
    state = rule(scene(entrant("ada"), entrant("bo"), first="bo"), stun).state
    shake = Manual(
        by="bo", combatant="bo", change=Change.STACKS, amount=-2, stack=Stack.STUN, reason="shakes"
    )
    state = rule(state, shake).state
    question = state.questions[0].id
    state = post(state, turn("bo")).state  # the stun acts and is over
    confirm = by_master(Answer, question=question, choice="confirm")
    if GUIDA.check(state, confirm) == ():
        state = rule(state, confirm).state
    done = post(post(state, turn("ada")).state, turn("bo"))
    lines = found(done.findings, "line_by_hand") + found(done.findings, "line_stacks_end")
    assert sum(facts["amount"] for facts in lines) >= -2


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"change": Change.HP, "amount": 0}, "amount_zero"),
        ({"change": Change.POINTS, "amount": 1}, "stat_missing"),
        ({"change": Change.STACKS, "amount": 1}, "stack_missing"),
        ({"change": Change.EFFECT, "amount": 1}, "cannot_write"),
        ({"change": Change.EP, "amount": -51}, "energy_below_zero"),
        ({"change": Change.STACKS, "amount": -1, "stack": Stack.STUN}, "stacks_below_zero"),
        ({"change": Change.HP, "amount": 1, "combatant": "cy"}, "unknown_combatant"),
        ({"change": Change.HP, "amount": 1, "reason": "  "}, "reason_missing"),
    ],
)
def test_a_line_that_makes_no_sense_is_refused(more: dict[str, Any], code: str) -> None:
    order = by_master(Manual, **{"combatant": "bo", **more})
    assert refusals(scene(), order) == {code}


def test_a_stack_named_beside_a_line_about_hit_points_is_no_reason_to_refuse_it() -> None:
    order = by_master(Manual, combatant="bo", change=Change.HP, amount=-5, stack=Stack.STUN)
    assert refusals(scene(), order) == set()


@pytest.mark.parametrize(("change", "value"), [(Change.HP, 63), (Change.EP, 12)])
def test_setting_a_value_makes_the_difference_a_line(change: Change, value: int) -> None:
    state = scene(entrant("ada"), entrant("bo"), underway=(coming(),), first="bo")
    state = post(state, turn("bo", suffer("a1"))).state  # 20 due, not yet published
    done = rule(state, by_master(SetValue, combatant="bo", change=change, value=value))
    facts = one(done.findings, "value_set")
    assert (facts["before"], facts["value"]) == ({Change.HP: 80, Change.EP: 50}[change], value)
    recorded = post(post(done.state, turn("ada")).state, turn("bo")).state
    assert {Change.HP: recorded.who("bo").hp, Change.EP: recorded.who("bo").ep}[change] == value


def test_setting_what_is_already_so_leaves_no_line() -> None:
    done = rule(scene(), by_master(SetValue, combatant="bo", change=Change.HP, value=100))
    assert done.state.who("bo").lines == ()
    assert "value_set" in keys(done.findings)


@pytest.mark.parametrize(("change", "most"), [(Change.HP, 100), (Change.EP, 50)], ids=["hp", "ep"])
def test_points_above_the_maximum_of_the_sheet_are_noticed_but_count(
    change: Change, most: int
) -> None:
    def told(order: Any) -> set[str]:
        return set(keys(rule(scene(), order).findings))

    def value(to: int) -> Any:
        return by_master(SetValue, combatant="bo", change=change, value=to)

    done = rule(scene(), value(9999))
    facts = one(done.findings, "above_maximum")
    assert (facts["bearer"], facts["now"], facts["most"]) == ("Bo", 9999, most)
    who = done.state.who("bo")
    assert {Change.HP: who.hp_now, Change.EP: who.ep_now}[change] == 9999
    assert told(value(most + 1)) == {"value_set", "above_maximum"}
    assert told(value(most - 1)) == {"value_set"}
    more = by_master(Manual, combatant="bo", change=change, amount=1)
    assert told(more) == {"line_by_master", "above_maximum"}
    assert told(replace(more, amount=-1)) == {"line_by_master"}


def test_a_players_line_above_the_maximum_is_noticed_when_it_is_confirmed() -> None:
    line = Manual(by="bo", combatant="bo", change=Change.HP, amount=5, reason="Salve.")
    proposed = rule(scene(), line)
    assert "above_maximum" not in keys(proposed.findings)
    (asked,) = proposed.state.questions
    for choice, noticed in (("confirm", True), ("deny", False)):
        done = rule(proposed.state, by_master(Answer, question=asked.id, choice=choice))
        assert ("above_maximum" in keys(done.findings)) is noticed


def test_nobody_is_thrown_by_the_own_blow() -> None:
    blow = {"die": 5, "category": Category.C, "stat_bonus": Fraction(3)}
    own = by_master(Impact, attacker="bo", target="bo", **blow)
    assert refusals(scene(), own) == {"thrown_by_oneself"}
    mates = scene(entrant("ada"), entrant("bo"), entrant("cy", team="bo"))
    assert refusals(mates, by_master(Impact, attacker="bo", target="cy", **blow)) == set()


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"change": Change.EP, "value": -1}, "energy_below_zero"),
        ({"change": Change.STACKS, "value": 1}, "cannot_set"),
        ({"change": Change.HP, "value": 1, "combatant": "cy"}, "unknown_combatant"),
    ],
)
def test_a_value_that_cannot_be_is_refused(more: dict[str, Any], code: str) -> None:
    assert refusals(scene(), by_master(SetValue, **{"combatant": "bo", **more})) == {code}


# ----------------------------------------------------------------------------------- claims


def claiming(*claims: Claim, **more: Any) -> Scene:
    """Have Ada attack Bo with claims."""
    return post(scene(**more), turn("ada", main=hit(claims=claims)), 6).state


def test_a_claim_counts_until_it_is_denied_and_blocks_the_target_only() -> None:
    state = claiming(Claim.SURPRISE)
    (question,) = state.questions
    assert (question.code, question.blocks) == ("claim_surprise", ("bo",))
    assert state.incoming[0].hit_score == 20
    assert GUIDA.awaits(state).seats == ()
    assert GUIDA.awaits(state).blocked == ("bo",)
    assert refusals(state, turn("bo")) == {"claim_surprise"}

    confirmed = answer(state, "confirm")
    assert confirmed.incoming[0].hit_score == 20
    assert GUIDA.awaits(confirmed).seats == ("bo",)
    denied = answer(state, "deny")
    assert denied.incoming[0].hit_score == 18
    assert GUIDA.awaits(denied).seats == ("bo",)


def test_two_claims_are_two_questions_each_denied_for_itself() -> None:
    state = claiming(Claim.SURPRISE, Claim.FROM_BEHIND)
    assert [question.code for question in state.questions] == [
        "claim_surprise",
        "claim_from_behind",
    ]
    assert state.incoming[0].hit_score == 21
    assert answer(answer(state, "deny"), "confirm").incoming[0].hit_score == 19
    assert answer(answer(state, "confirm"), "deny").incoming[0].hit_score == 20
    assert answer(answer(state, "deny"), "deny").incoming[0].hit_score == 18


def test_where_bonuses_do_not_add_up_the_lesser_steps_in_for_a_denied_one() -> None:
    options = reading(description_bonuses_stack=False)
    state = claiming(Claim.SURPRISE, Claim.FROM_BEHIND, **options)
    assert state.incoming[0].hit_score == 20
    assert answer(answer(state, "deny"), "confirm").incoming[0].hit_score == 19


def test_a_place_behind_already_held_is_no_claim_and_outlives_a_denied_one() -> None:
    held: dict[str, Any] = {"behind": (Behind(who="ada", whom="bo"),)}
    state = post(scene(**held), turn("ada", main=hit()), 6).state
    assert state.questions == ()
    assert state.incoming[0].hit_score == 19
    state = claiming(Claim.SURPRISE, **held)
    assert state.incoming[0].hit_score == 21
    assert answer(state, "deny").incoming[0].hit_score == 19
    # The same where only the larger counts: the denied +2 leaves the +1 that is nobody's claim.
    state = claiming(Claim.SURPRISE, **held, **reading(description_bonuses_stack=False))
    assert state.incoming[0].hit_score == 20
    assert answer(state, "deny").incoming[0].hit_score == 19


# ------------------------------------------------------------------------------------- ends


@pytest.mark.parametrize("standing", [Standing.SURRENDERED, Standing.LEFT, Standing.DEFEATED])
def test_a_duel_ends_when_one_side_is_out(standing: Standing) -> None:
    done = rule(scene(), by_master(Withdraw, combatant="bo", standing=standing))
    assert done.state.ended
    assert one(done.findings, "fight_over")["standing"] == ("Ada",)
    assert GUIDA.awaits(done.state).seats == ()
    assert refusals(done.state, turn("ada")) == {"scene_ended"}
    assert refusals(done.state, by_master(Pause)) == {"scene_ended"}


def test_a_fight_of_three_goes_on_without_the_one_who_left() -> None:
    state = scene(
        entrant("ada"), entrant("bo"), entrant("cy", team="bo"), underway=(coming(),), first="bo"
    )
    left = Withdraw(by="bo", combatant="bo", standing=Standing.LEFT, reason="enough")
    state = rule(state, left).state
    assert not state.ended
    assert state.incoming == ()
    assert state.next == "cy"
    assert refusals(post(state, turn("cy")).state, turn("ada", main=hit("bo"))) == {
        "target_not_opponent"
    }


def test_nobody_declares_the_own_defeat_or_withdraws_somebody_else() -> None:
    own = Withdraw(by="bo", combatant="bo", standing=Standing.DEFEATED, reason="alas")
    other = Withdraw(by="bo", combatant="ada", standing=Standing.LEFT, reason="go")
    assert refusals(scene(), own) == {"master_only"}
    assert refusals(scene(), other) == {"master_only"}
    assert refusals(scene(), by_master(Withdraw, combatant="bo", standing=Standing.ACTIVE)) == {
        "standing_not_an_end"
    }


def test_at_zero_hit_points_the_master_decides() -> None:
    state = scene(entrant("ada"), entrant("bo", hp=20), underway=(coming(),), first="bo")
    state = post(post(state, turn("bo", suffer("a1"))).state, turn("ada")).state
    state = post(post(state, turn("bo")).state, turn("ada")).state
    assert (state.who("bo").hp, GUIDA.awaits(state).blocked) == (0, ("bo",))
    assert refusals(state, turn("bo")) == {"defeat"}
    assert GUIDA.awaits(answer(state, "fights_on")).seats == ("bo",)
    out = answer(state, "defeated")
    assert out.ended
    assert out.who("bo").standing is Standing.DEFEATED
    assert out.questions == ()


def test_a_pause_stops_every_post_and_nothing_else() -> None:
    state = rule(scene(), by_master(Pause)).state
    assert refusals(state, turn("ada")) == {"scene_paused"}
    assert refusals(state, by_master(Pause)) == {"already_paused"}
    assert GUIDA.awaits(state).seats == ()
    line = by_master(Manual, combatant="bo", change=Change.HP, amount=-1)
    assert refusals(state, line) == set()
    state = rule(state, by_master(Resume)).state
    assert refusals(state, by_master(Resume)) == {"not_paused"}
    assert refusals(state, turn("ada")) == set()


def test_a_closed_scene_takes_no_order_at_all() -> None:
    state = rule(scene(), by_master(Close)).state
    for order in (
        turn("ada"),
        by_master(Resume),
        by_master(Manual, combatant="bo", change=Change.HP, amount=1),
        by_master(SetValue, combatant="bo", change=Change.HP, value=1),
    ):
        assert "scene_ended" in refusals(state, order)


# ----------------------------------------------------------------------- places and sheets


def test_the_master_corrects_distances_and_who_is_behind_whom() -> None:
    order = by_master(
        Place,
        distances=(Distance(a="bo", b="ada", metres=40),),
        behind=(Behind(who="bo", whom="ada"),),
    )
    done = rule(scene(), order)
    assert done.state.metres("ada", "bo") == 40
    assert len(done.state.distances) == 1
    assert done.state.is_behind("bo", "ada")
    facts = one(done.findings, "placed")
    assert (facts["before"], facts["metres"]) == (5, 40)
    only_distance = by_master(Place, distances=(Distance(a="ada", b="bo", metres=3),))
    assert rule(done.state, only_distance).state.is_behind("bo", "ada")


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({}, "nothing_placed"),
        ({"distances": (Distance(a="ada", b="cy", metres=1),)}, "unknown_combatant"),
        ({"distances": (Distance(a="ada", b="ada", metres=1),)}, "distance_to_self"),
        ({"behind": (Behind(who="ada", whom="ada"),)}, "behind_self"),
        ({"behind": (Behind(who="ada", whom="cy"),)}, "unknown_combatant"),
    ],
)
def test_a_place_that_cannot_be_is_refused(more: dict[str, Any], code: str) -> None:
    assert code in refusals(scene(), by_master(Place, **more))


def test_a_sheet_may_be_replaced_by_its_player_before_the_first_turn_only() -> None:
    new = sheet("Bo", tool(), max_hp=80, max_ep=30)
    own = ReplaceSheet(by="bo", combatant="bo", sheet=new, reason="typo")
    done = rule(scene(), own)
    assert (done.state.who("bo").hp, done.state.who("bo").ep) == (80, 30)
    later = post(post(scene(), turn("ada")).state, turn("bo")).state
    assert refusals(later, own) == {"sheet_in_use"}
    kept = rule(later, by_master(ReplaceSheet, combatant="bo", sheet=new)).state.who("bo")
    assert (kept.hp, kept.sheet.max_hp) == (100, 80)


def test_a_replaced_sheet_must_be_sound() -> None:
    broken = sheet("Bo", tool(), tool())
    order = by_master(ReplaceSheet, combatant="bo", sheet=broken)
    assert refusals(scene(), order) == {"tool_id_repeated"}


@pytest.mark.parametrize(
    "order",
    [
        Answer(by="bo", question="q1", choice="deny", reason="no"),
        Place(by="bo", distances=(Distance(a="ada", b="bo", metres=1),), reason="no"),
        SetValue(by="bo", combatant="bo", change=Change.HP, value=999, reason="no"),
        Adequacy(by="bo", attack="a1", defence=Action.GUARD, adequate=False, reason="no"),
        Pause(by="bo", reason="no"),
        Resume(by="bo", reason="no"),
        Close(by="bo", reason="no"),
        Manual(by="bo", combatant="ada", change=Change.HP, amount=-99, reason="no"),
        ReplaceSheet(by="bo", combatant="ada", sheet=sheet("Ada"), reason="no"),
    ],
)
def test_what_is_the_masters_is_refused_to_a_player(order: Any) -> None:
    assert "master_only" in refusals(scene(), order)


def test_a_ruling_about_an_attack_that_is_not_there_is_refused() -> None:
    order = by_master(Adequacy, attack="a9", defence=Action.GUARD, adequate=False)
    assert refusals(scene(), order) == {"attack_not_incoming"}
    state = scene(underway=(coming(),))
    order = by_master(Adequacy, attack="a1", defence=Action.NULL_DEFENCE, adequate=False)
    assert refusals(state, order) == {"cannot_be_inadequate"}


def test_an_answer_to_no_question_or_with_no_such_choice_is_refused() -> None:
    state = claiming(Claim.SURPRISE)
    assert refusals(state, by_master(Answer, question="q99", choice="deny")) == {"question_unknown"}
    order = by_master(Answer, question=state.questions[0].id, choice="perhaps")
    assert refusals(state, order) == {"choice_unknown"}


def test_one_who_is_out_writes_no_lines_any_more() -> None:
    state = scene(entrant("ada"), entrant("bo"), entrant("cy", team="bo"))
    state = rule(state, by_master(Withdraw, combatant="bo", standing=Standing.DEFEATED)).state
    assert GUIDA.choices(state, "bo").orders == ()
    line = Manual(by="bo", combatant="bo", change=Change.HP, amount=50, reason="rise")
    assert refusals(state, line) != set()


def test_a_defeat_asked_about_one_named_like_an_attack_is_not_forgotten() -> None:
    # The ids of fighters are free text: one may be called like an attack on somebody else.
    state = scene(
        entrant("ada"),
        entrant("a2", hp=0),
        entrant("cy", team="a2"),
        underway=(coming(at="cy"), coming(at="cy")),
        first="a2",
    )
    state = post(state, turn("a2")).state
    assert [question.about for question in state.questions] == ["a2"]
    cy_out = by_master(Withdraw, combatant="cy", standing=Standing.LEFT)
    assert [question.about for question in rule(state, cy_out).state.questions] == ["a2"]


def test_the_master_is_named_as_author_of_what_the_master_wrote() -> None:
    order = by_master(Manual, combatant="bo", change=Change.HP, amount=-1)
    assert one(rule(scene(), order).findings, "line_by_master")["by"] == GM
