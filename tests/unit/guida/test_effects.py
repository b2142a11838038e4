"""Effects as data: from which turn to which, what they cost, what the register says of them."""

from __future__ import annotations

from fractions import Fraction

from app.engine.ruleset import Resolution
from app.rulesets.guida.conditions import held
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.sheet import ArmourEffect, ScorePoints, StatPoints, Upkeep
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Bearer, Change, Score, Stack, Stat
from tests.unit.guida.build import (
    boost,
    coming,
    dodge,
    due,
    entrant,
    found,
    guard,
    hit,
    keys,
    lines,
    one,
    post,
    scene,
    suffer,
    tool,
    turn,
)

HASTE = StatPoints(stat=Stat.DEXTERITY, points=4, turns=2)


def rest(after: Resolution[Scene] | Scene, *ids: str) -> Scene:
    """Let fighters post and do nothing."""
    state = after if isinstance(after, Scene) else after.state
    for id in ids:
        state = post(state, turn(id)).state
    return state


def attacking(state: Scene, face: int = 6, by: str = "ada", at: str = "bo") -> int:
    """Give the hit score of an attack posted now."""
    findings = post(state, turn(by, main=hit(at)), face).findings
    return int(one(findings, "attack_launched")["hit_score"])


def test_a_boost_lasts_its_turns_counting_the_one_in_which_it_begins() -> None:
    ada = entrant("ada", tool(), boost("haste", HASTE))
    first = post(scene(ada, entrant("bo")), turn("ada", main=hit(support=("haste",))), 6)
    assert one(first.findings, "attack_launched")["hit_score"] == 6 + 2 + 10 + 4
    assert "effect_ends" not in keys(first.findings)

    second = rest(first, "bo")
    assert attacking(second) == 22
    third = post(second, turn("ada"))
    assert one(third.findings, "effect_ends")["name"] == "Haste"
    assert attacking(rest(third, "bo")) == 18


def test_a_boost_of_one_turn_helps_this_attack_and_nothing_after_it() -> None:
    quick = boost("haste", StatPoints(stat=Stat.DEXTERITY, points=4, turns=1))
    ada = entrant("ada", tool(), quick)
    first = post(scene(ada, entrant("bo")), turn("ada", main=hit(support=("haste",))), 6)
    assert one(first.findings, "attack_launched")["hit_score"] == 22
    assert "effect_ends" in keys(first.findings)
    assert first.state.who("ada").effects == ()


def test_a_boost_without_turns_lasts_for_the_scene() -> None:
    always = boost("haste", StatPoints(stat=Stat.DEXTERITY, points=4))
    state = scene(entrant("ada", tool(), always), entrant("bo"))
    state = post(state, turn("ada", main=hit(support=("haste",))), 6).state
    for _ in range(6):
        state = rest(state, "bo", "ada")
    assert total_level(state.who("ada"), Stat.DEXTERITY).total == 14


def test_a_boost_used_again_while_it_lasts_begins_anew_and_never_adds_to_itself() -> None:
    ada = entrant("ada", tool(), boost("haste", HASTE))
    order = turn("ada", main=hit(support=("haste",)))
    first = post(scene(ada, entrant("bo")), order, 6)
    second = post(rest(first, "bo"), order, 6)
    assert one(second.findings, "attack_launched")["hit_score"] == 22
    (running,) = second.state.who("ada").effects
    assert (running.since, running.until) == (2, 3)
    third = rest(second, "bo")
    assert attacking(third) == 22
    assert attacking(rest(third, "ada", "bo")) == 18


def test_the_register_tells_when_a_boost_began_and_when_it_ended() -> None:
    ada = entrant("ada", tool(), boost("haste", HASTE))
    first = post(scene(ada, entrant("bo")), turn("ada", main=hit(support=("haste",))), 6)
    second = post(rest(first, "bo"), turn("ada"))
    begins = one(second.findings, "line_effect_begins")
    assert (begins["change"], begins["subject"], begins["amount"]) == ("points", "dexterity", 4)
    stats = {facts["stat"]: facts for facts in found(second.findings, "stat")}
    assert (stats[Stat.DEXTERITY]["base"], stats[Stat.DEXTERITY]["points"]) == (10, 4)
    third = post(rest(second, "bo"), turn("ada"))
    assert one(third.findings, "line_effect_ends")["amount"] == -4
    stats = {facts["stat"]: facts for facts in found(third.findings, "stat")}
    assert stats[Stat.DEXTERITY]["points"] == 0


def test_an_effect_on_the_target_holds_for_the_bearers_next_turns_only() -> None:
    slow = tool(effects=(StatPoints(stat=Stat.DEXTERITY, points=-3, turns=2, on=Bearer.TARGET),))
    start = scene(entrant("ada", slow), entrant("bo"), underway=(coming(),), first="bo")
    blow = post(start, turn("bo", suffer("a1"), main=hit("ada")), 6)
    # It begins with the bearer's next turn: this post's own attack is not slowed.
    assert one(blow.findings, "attack_launched")["hit_score"] == 18
    (running,) = blow.state.who("bo").effects
    assert (running.since, running.until, running.user) == (2, 3, "ada")

    second = rest(blow, "ada")
    assert attacking(second, by="bo", at="ada") == 15
    third = rest(second, "bo", "ada")
    assert attacking(third, by="bo", at="ada") == 15
    ended = post(third, turn("bo"))
    assert one(ended.findings, "effect_ends")["bearer"] == "Bo"
    assert attacking(rest(ended, "ada"), by="bo", at="ada") == 18


def test_an_effect_on_the_target_needs_a_blow_that_lands() -> None:
    slow = tool(effects=(StatPoints(stat=Stat.DEXTERITY, points=-3, turns=2, on=Bearer.TARGET),))
    start = scene(entrant("ada", slow), entrant("bo"), underway=(coming(),), first="bo")
    assert post(start, turn("bo", dodge("a1")), 12).state.who("bo").effects == ()
    assert len(post(start, turn("bo", guard("a1")), 24).state.who("bo").effects) == 1


def test_a_score_bonus_changes_the_score_it_names_and_success_changes_both() -> None:
    for score, hit_more, defend_more in (
        (Score.HIT, 3, 0),
        (Score.DEFEND, 0, 3),
        (Score.SUCCESS, 3, 3),
    ):
        aid = boost("aid", ScorePoints(score=score, points=3, turns=3))
        state = scene(entrant("ada", tool(), aid), entrant("bo"))
        done = post(state, turn("ada", main=hit(support=("aid",))), 6)
        assert one(done.findings, "attack_launched")["hit_score"] == 18 + hit_more
        answer = turn("bo", suffer(_only(done.state)), main=hit("ada"))
        back = post(done.state, answer, 1).state
        met = post(back, turn("ada", guard(_only(back))), 24)
        assert one(met.findings, "speed_defender_wins")["defend_score"] == 36 + defend_more


def _only(state: Scene) -> str:
    (attack,) = state.incoming
    return attack.id


def test_an_armour_from_an_effect_protects_while_it_lasts() -> None:
    skin = boost("skin", ArmourEffect(potential=Fraction(6), turns=2))
    bo = entrant("bo", tool(), skin)
    state = scene(entrant("ada"), bo, underway=(coming(),), first="bo")
    state = post(state, turn("bo", suffer("a1"), main=hit("ada", support=("skin",))), 6).state
    assert due(state, "bo") == [-20]  # it was not there yet
    state = post(state, turn("ada", suffer(_only(state)), main=hit()), 6).state
    state = post(state, turn("bo", suffer(_only(state)))).state
    assert due(state, "bo") == [-17]  # 30 beats 6 + 10: half of 6 stays
    state = rest(state, "ada", "bo")
    state = post(state, turn("ada", main=hit()), 6).state
    state = post(state, turn("bo", suffer(_only(state)))).state
    assert due(state, "bo")[-1] == -20


def test_upkeep_is_paid_at_the_start_of_each_later_turn_and_recorded_there() -> None:
    aura = boost("aura", Upkeep(ep=5, turns=3), HASTE, ep=2)
    state = scene(entrant("ada", tool(), aura), entrant("bo"))
    first = post(state, turn("ada", main=hit(support=("aura",))), 6)
    assert first.state.who("ada").ep_now == 48
    second = post(rest(first, "bo"), turn("ada"))
    assert [facts["amount"] for facts in found(second.findings, "line_upkeep")] == [-5]
    assert second.state.who("ada").ep == 43
    third = post(rest(second, "bo"), turn("ada"))
    assert third.state.who("ada").ep == 38
    fourth = post(rest(third, "bo"), turn("ada"))
    assert found(fourth.findings, "line_upkeep") == []
    assert fourth.state.who("ada").ep == 38


def test_a_technique_whose_upkeep_cannot_be_paid_ends_with_all_its_effects() -> None:
    aura = boost(
        "aura",
        Upkeep(ep=5),
        StatPoints(stat=Stat.DEXTERITY, points=4),
        ScorePoints(score=Score.HIT, points=1),
    )
    other = boost("other", StatPoints(stat=Stat.DEXTERITY, points=1))
    state = scene(entrant("ada", tool(), aura, other, ep=9), entrant("bo"))
    first = post(state, turn("ada", main=hit(support=("aura", "other"))), 6)
    second = post(rest(first, "bo"), turn("ada"))
    assert second.state.who("ada").ep == 4
    third = post(rest(second, "bo"), turn("ada"))
    assert one(third.findings, "upkeep_unpaid")["ep"] == 5
    assert third.state.who("ada").ep == 4
    assert [running.name for running in third.state.who("ada").effects] == ["Other"]
    # It is over before anything else happens: the same post does not have its points any more.
    stats = {facts["stat"]: facts["points"] for facts in found(third.findings, "stat")}
    assert stats[Stat.DEXTERITY] == 1
    assert attacking(rest(third, "bo")) == 19


def test_upkeep_counts_before_what_the_turn_may_spend() -> None:
    aura = boost("aura", Upkeep(ep=5))
    state = scene(entrant("ada", tool(ep=4), aura, ep=13), entrant("bo"))
    state = rest(post(state, turn("ada", main=hit(support=("aura",))), 6), "bo")
    assert state.who("ada").ep_now == 9
    assert GUIDA.choices(state, "ada").ep_to_spend == 4
    assert GUIDA.check(state, turn("ada", main=hit())) == ()


def test_two_fighters_may_call_different_techniques_by_the_same_id() -> None:
    # Ids belong to a sheet: what Ada's "x" left on Bo is not Bo's own "x".
    curse = tool("x", effects=(StatPoints(stat=Stat.DEXTERITY, points=-3, on=Bearer.TARGET),))
    aura = boost("x", Upkeep(ep=5), StatPoints(stat=Stat.STRENGTH, points=2))
    start = scene(
        entrant("ada", curse),
        entrant("bo", tool(), aura, ep=5),
        underway=(coming(tool="x"),),
        first="bo",
    )
    state = post(start, turn("bo", suffer("a1"), main=hit("ada", support=("x",))), 6).state
    assert total_level(rest(state, "ada").who("bo"), Stat.STRENGTH).total == 12
    state = rest(state, "ada", "bo", "ada")  # pays 5 of 5
    done = post(state, turn("bo"))  # cannot pay: the aura ends, the curse does not
    assert "upkeep_unpaid" in keys(done.findings)
    assert total_level(done.state.who("bo"), Stat.STRENGTH).total == 10
    assert total_level(done.state.who("bo"), Stat.DEXTERITY).total == 7


def test_the_same_curse_of_two_enemies_weighs_twice() -> None:
    curse = tool(effects=(StatPoints(stat=Stat.DEXTERITY, points=-3, on=Bearer.TARGET),))
    start = scene(
        entrant("ada", curse),
        entrant("cy", curse, team="ada"),
        entrant("bo"),
        underway=(coming(), coming(by="cy")),
        first="bo",
    )
    state = rest(post(start, turn("bo", suffer("a1", "a2"))), "ada", "cy", "bo")
    assert total_level(state.who("bo"), Stat.DEXTERITY).total == 4


def test_the_attackers_calculation_tells_every_condition_the_blow_leaves() -> None:
    # GC-6.9: stacks are told; points on a stat are a condition as well.
    slow = tool(effects=(StatPoints(stat=Stat.DEXTERITY, points=-3, turns=2, on=Bearer.TARGET),))
    start = scene(entrant("ada", slow), entrant("bo"), underway=(coming(),), first="bo")
    struck = post(start, turn("bo", suffer("a1")))
    posted = post(struck.state, turn("ada"))
    told = [finding.facts for finding in posted.findings if finding.key.startswith("posted_")]
    assert [facts["subject"] for facts in told if facts["target"] == "Bo"] == ["", Stat.DEXTERITY]


def test_nothing_of_an_effect_is_left_when_it_has_ended() -> None:
    ada = entrant("ada", tool(), boost("haste", HASTE))
    state = post(scene(ada, entrant("bo")), turn("ada", main=hit(support=("haste",))), 6)
    final = rest(state, "bo", "ada", "bo", "ada")
    assert final.who("ada").effects == ()
    assert lines(final, "ada") == ()
    assert held(final.who("ada"), Stack.STUN) == 0
    assert final.who("ada").due(Change.POINTS) == 0


def test_an_effect_that_is_renewed_by_a_blow_goes_on_weighing_in_the_turn_of_the_blow() -> None:
    slow = tool(effects=(StatPoints(stat=Stat.DEXTERITY, points=-3, turns=2, on=Bearer.TARGET),))
    start = scene(entrant("ada", slow), entrant("bo"), underway=(coming(),), first="bo")
    state = post(start, turn("bo", suffer("a1"))).state  # slowed in turns 2 and 3
    state = post(state, turn("ada", main=hit()), 6).state
    order = turn("bo", suffer(_only(state)), main=hit("ada"))
    asked = GUIDA.plan(state, order).asked[0].tally
    renewed = post(state, order, 6)
    assert asked.total == 12 - 3
    assert one(renewed.findings, "attack_launched")["hit_score"] == 18 - 3
    # From the next turn on it counts anew: turns 3 and 4.
    third = rest(renewed, "ada", "bo", "ada")
    assert attacking(third, by="bo", at="ada") == 15
    assert attacking(rest(third, "bo", "ada"), by="bo", at="ada") == 18


def test_a_guard_with_a_weapon_that_curses_whom_it_hits_curses_nobody() -> None:
    slow = StatPoints(stat=Stat.DEXTERITY, points=-3, turns=2, on=Bearer.TARGET)
    bo = entrant("bo", tool("sword", guards=True, effects=(slow,)))
    start = scene(entrant("ada"), bo, underway=(coming(),), first="bo")
    done = post(start, turn("bo", guard("a1", tool="sword")), 24)
    assert [who.effects for who in done.state.combatants] == [(), ()]
