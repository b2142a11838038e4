"""The Defensive Phase: ties, halves, criticals, one defence for several attacks, gates."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from app.engine.findings import Finding
from app.rulesets.guida.entrants import Uses
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.readings import (
    Cover,
    Doubling,
    Scope,
    Undeclared,
)
from app.rulesets.guida.rulings import (
    Adequacy,
)
from app.rulesets.guida.sheet import StackEffect, StatPoints
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action, Aim, DamageType, Limb, Stack, Stat
from tests.unit.guida.build import (
    boost,
    by_master,
    coming,
    dodge,
    due,
    entrant,
    found,
    guard,
    hit,
    keys,
    one,
    post,
    post_any,
    reading,
    rule,
    scene,
    shield,
    suffer,
    to,
    tool,
    turn,
)

# Bo rolls against a hit score of 20: a guard of 8 (8 + 2 + 10) and a dodge of 10 tie.
TWENTY: dict[str, Any] = {"die": 6, "modifier": 14}


def struck(
    start: Scene, *defences: Any, faces: tuple[int, ...] = ()
) -> tuple[Scene, tuple[Finding, ...]]:
    """Let Bo answer."""
    done = post(start, turn("bo", *defences), *faces)
    return done.state, done.findings


def facing(*underway: Any, options: Any = None, bo: Any = None, ada: Any = None) -> Scene:
    """Put Bo before attacks of Ada."""
    return scene(
        ada or entrant("ada"), bo or entrant("bo"), underway=underway, first="bo", **(options or {})
    )


@pytest.mark.parametrize(
    ("face", "key", "damage"),
    [(7, "speed_attacker_wins", 20), (8, "speed_tie", 10), (9, "speed_defender_wins", 10)],
)
def test_a_guard_halves_on_a_win_and_on_a_tie(face: int, key: str, damage: int) -> None:
    after, findings = struck(facing(coming(**TWENTY)), guard("a1"), faces=(face,))
    assert due(after, "bo") == [-damage]
    facts = one(findings, key)
    assert (facts["hit_score"], facts["defend_score"]) == (20, face + 12)
    assert facts["margin"] == face - 8


@pytest.mark.parametrize(
    ("face", "key", "damage"),
    [(9, "speed_attacker_wins", [-20]), (10, "speed_tie", [-10]), (11, "speed_defender_wins", [])],
)
def test_a_dodge_avoids_on_a_win_and_halves_on_a_tie(
    face: int, key: str, damage: list[int]
) -> None:
    after, findings = struck(facing(coming(**TWENTY)), dodge("a1"), faces=(face,))
    assert due(after, "bo") == damage
    assert key in keys(findings)


def test_a_null_defence_rolls_nothing_suffers_in_full_and_keeps_the_offensive_phase() -> None:
    start = facing(coming(**TWENTY))
    order = turn("bo", suffer("a1"), main=hit("ada"))
    assert [asked.action for asked in GUIDA.plan(start, order).asked] == [Action.ATTACK]
    after = post(start, order, 5)
    assert due(after.state, "bo") == [-20]
    assert len(after.state.incoming) == 1


def test_a_failed_defence_closes_the_offensive_phase_and_a_won_one_does_not() -> None:
    start = facing(coming(**TWENTY))
    lost = post_any(start, turn("bo", guard("a1"), main=hit("ada")), 7, 12)
    assert lost.state.incoming == ()
    assert "offensive_annulled" in keys(lost.findings)
    won = post(start, turn("bo", guard("a1"), main=hit("ada")), 8, 12)
    assert [attack.die for attack in won.state.incoming] == [12]
    assert not {"offensive_annulled", "offensive_lost"} & keys(won.findings)


@pytest.mark.parametrize(
    ("option", "defence", "face"),
    [
        ("guard_success_counts_as_success", guard("a1"), 24),
        ("half_damage_tie_counts_as_success", dodge("a1"), 10),
    ],
)
def test_a_defence_that_only_halves_may_count_as_failed(
    option: str, defence: Any, face: int
) -> None:
    strict = facing(coming(**TWENTY), options=reading(**{option: False}))
    after = post_any(strict, turn("bo", defence, main=hit("ada")), face, 12)
    assert due(after.state, "bo") == [-10]
    assert after.state.incoming == ()
    (told,) = [one for one in after.findings if one.key == "not_annulled_is_failure"]
    assert told.ruling == "AMB-18"


# ------------------------------------------------------------------ guard, tie and critical


@pytest.mark.parametrize(
    ("aim", "die", "face", "damage"),
    [
        (Aim.BODY, 12, 1, 40),  # doubled
        (Aim.BODY, 11, 1, 20),
        (Aim.HEAD, 9, 1, 40),
        (Aim.HEAD, 8, 1, 20),
        (Aim.LIMBS, 12, 1, 20),
        (Aim.BODY, 12, 24, 20),  # doubled, then halved by the guard
        (Aim.HEAD, 9, 24, 20),
        (Aim.BODY, 11, 24, 10),
    ],
)
def test_a_natural_die_doubles_what_lands_guarded_or_not(
    aim: Aim, die: int, face: int, damage: int
) -> None:
    limb = Limb.LEGS if aim is Aim.LIMBS else None
    start = facing(coming(die=die, modifier=20 - die, aim=aim, limb=limb))
    after, _ = struck(start, guard("a1"), faces=(face,))
    assert due(after, "bo")[0] == -damage


def test_a_board_may_keep_criticals_from_a_guarded_blow() -> None:
    plain = facing(coming(die=12, modifier=8), options=reading(guard_criticals=False))
    assert due(struck(plain, guard("a1"), faces=(24,))[0], "bo") == [-10]
    assert due(struck(plain, guard("a1"), faces=(1,))[0], "bo") == [-40]


def test_a_tie_brings_no_critical_and_no_stacks_unless_the_board_says_so() -> None:
    head = coming(die=12, modifier=8, aim=Aim.HEAD)
    after, findings = struck(facing(head), dodge("a1"), faces=(10,))
    assert due(after, "bo") == [-10]
    assert after.who("bo").lots == ()
    assert "stacks_applied" not in keys(findings)

    ridden = facing(head, options=reading(riders_on_tie=True))
    after, findings = struck(ridden, dodge("a1"), faces=(10,))
    assert due(after, "bo")[0] == -20
    assert one(findings, "stacks_applied")["stack"] is Stack.STUN


def test_a_guard_keeps_off_type_1_stacks_and_lets_the_others_through() -> None:
    poisoned = tool(
        effects=(
            StackEffect(stack=Stack.OFF_BALANCE, count=1),
            StackEffect(stack=Stack.POISON, count=3),
            StackEffect(stack=Stack.MAIM_SPIRITUAL, count=1),
        )
    )
    start = facing(
        coming(die=12, modifier=8, aim=Aim.HEAD, limb=None), ada=entrant("ada", poisoned)
    )
    after, findings = struck(start, guard("a1"), faces=(24,))
    prevented = {facts["stack"] for facts in found(findings, "stacks_prevented")}
    assert prevented == {Stack.OFF_BALANCE, Stack.STUN}
    held = {lot.stack: lot.count for lot in after.who("bo").lots}
    assert held == {Stack.POISON: 3, Stack.MAIM_SPIRITUAL: 1}


def test_a_board_may_keep_every_rider_from_a_guarded_blow() -> None:
    poisoned = entrant("ada", tool(effects=(StackEffect(stack=Stack.POISON, count=3),)))
    start = facing(coming(**TWENTY), ada=poisoned, options=reading(guard_riders=False))
    assert struck(start, guard("a1"), faces=(24,))[0].who("bo").lots == ()
    assert len(struck(start, guard("a1"), faces=(1,))[0].who("bo").lots) == 1


@pytest.mark.parametrize(
    ("kind", "full", "doubled"),
    [
        (DamageType.NORMAL, 20, 50),  # 2 × 30 − 10
        (DamageType.PURE, 22, 44),  # 20 + 10 / 5, then twice that
        (DamageType.SEMI_PURE, 21, 47),  # (50 + 44) / 2
    ],
)
def test_doubled_power_doubles_what_each_formula_makes_of_it(
    kind: DamageType, full: int, doubled: int
) -> None:
    # AMB-43 (b) doubles potential and stat bonus; pure damage then takes a fifth of the latter.
    options = reading(critical_multiplies=Doubling.POWER)
    ada = entrant("ada", tool(damage=kind))
    plain = facing(coming(die=11), ada=ada, options=options)
    assert due(struck(plain, suffer("a1"))[0], "bo") == [-full]
    critical = facing(coming(die=12), ada=ada, options=options)
    assert due(struck(critical, suffer("a1"))[0], "bo") == [-doubled]


# ------------------------------------------------------------------ one defence, many attacks


def two(options: Any = None, bo: Any = None, high: int = 24, low: int = 12) -> Scene:
    """Put Bo before two attacks of Ada, the second slower than the first."""
    attacks = (coming(die=6, modifier=high - 6), coming(die=6, modifier=low - 6))
    return facing(*attacks, options=options, bo=bo)


def test_one_roll_meets_every_attack_it_covers() -> None:
    after, findings = struck(two(), dodge("a1", "a2"), faces=(12,))  # 22 against 24, then 12
    assert len(found(findings, "speed_attacker_wins")) == 1
    # The first loss ends the defence: the second attack lands although the score would do.
    assert [f["action"] for f in found(findings, "defence_auto_failed")] == [Action.DODGE]
    assert due(after, "bo") == [-20, -20]


def test_each_attack_may_be_judged_for_itself() -> None:
    start = two(options=reading(multi_cover_resolution=Cover.EACH_INDEPENDENT))
    after = post_any(start, turn("bo", dodge("a1", "a2"), main=hit("ada")), 12, 12)
    assert due(after.state, "bo") == [-20]
    assert after.state.incoming == ()  # it has failed once, so there is no Offensive Phase
    assert "attack_avoided" in keys(after.findings)


def test_after_a_failure_later_defences_fail_whatever_they_roll() -> None:
    for options in (None, reading(multi_cover_resolution=Cover.EACH_INDEPENDENT)):
        start = two(options=options)
        done = post_any(start, turn("bo", guard("a1"), dodge("a2")), 1, 12)
        assert due(done.state, "bo") == [-20, -20]
        assert one(done.findings, "defence_auto_failed")["action"] is Action.DODGE


def test_a_null_defence_after_a_failure_cannot_fail_and_opens_nothing_again() -> None:
    done = post_any(two(), turn("bo", guard("a1"), suffer("a2"), main=hit("ada")), 1, 12)
    assert "null_defence" in keys(done.findings)
    assert "defence_auto_failed" not in keys(done.findings)
    assert done.state.incoming == ()


def test_attacks_are_met_in_the_order_of_the_story_not_of_the_declaration() -> None:
    start = two(high=12, low=24)
    done = post(start, turn("bo", guard("a2"), dodge("a1")), 1, 12)
    assert [finding.key for finding in done.findings if finding.key.startswith("speed_")] == [
        "speed_defender_wins",
        "speed_attacker_wins",
    ]
    assert due(done.state, "bo") == [-20]


@pytest.mark.parametrize(
    ("reading_", "lost"), [(Undeclared.NULL_DEFENCE, False), (Undeclared.FAILURE, True)]
)
def test_an_attack_without_a_defence_lands_and_is_or_is_not_a_failure(
    reading_: Undeclared, lost: bool
) -> None:
    start = facing(coming(**TWENTY), options=reading(undeclared_defence=reading_))
    done = post_any(start, turn("bo", main=hit("ada")), 6)
    assert due(done.state, "bo") == [-20]
    assert "undefended" in keys(done.findings)
    assert ("offensive_annulled" in keys(done.findings)) is lost
    assert bool(done.state.incoming) is not lost


def test_an_undeclared_failure_lets_later_defences_fail_too() -> None:
    start = two(options=reading(undeclared_defence=Undeclared.FAILURE))
    done = post_any(start, turn("bo", dodge("a2")), 12)
    assert due(done.state, "bo") == [-20, -20]
    assert "defence_auto_failed" in keys(done.findings)


def test_a_defence_pays_once_however_many_attacks_it_covers() -> None:
    bo = entrant("bo", shield(ep=8))
    start = two(bo=bo, high=12, low=12)
    done = post(start, turn("bo", guard("a1", "a2", tool="shield")), 24)
    assert done.state.who("bo").ep_now == 42
    assert [use.count for use in done.state.who("bo").uses] == [1]


def test_a_defence_that_covers_two_attacks_is_one_use_of_its_technique() -> None:
    # Two uses so far: this is the third, so no malus yet, against either attack.
    bo = entrant("bo", shield(), uses=(Uses(tool="shield", count=2),))
    start = two(bo=bo, high=12, low=12)
    done = post(start, turn("bo", guard("a1", "a2", tool="shield")), 10)
    first, second = found(done.findings, "speed_defender_wins")
    assert first["defend"] == second["defend"]
    assert (first["defend_score"], second["defend_score"]) == (22, 22)


def test_the_label_of_a_second_guard_counts_the_first_as_carried_out() -> None:
    # A post is written as if all of it works: the second guard is the fourth use, at -1.
    bo = entrant("bo", shield(), uses=(Uses(tool="shield", count=2),))
    start = two(bo=bo, high=12, low=12)
    order = turn("bo", guard("a1", tool="shield"), guard("a2", tool="shield"))
    asked = [one.tally for one in GUIDA.plan(start, order).asked]
    done = post(start, order, 10, 10)
    used = [facts["defend"] for facts in found(done.findings, "speed_defender_wins")]
    assert [tally.total for tally in used] == [12, 11]
    assert asked == used


# --------------------------------------------------------------- what hangs on a defence


def test_a_move_inside_a_guard_costs_by_ranges_and_takes_place_only_if_it_holds() -> None:
    start = facing(coming(**TWENTY))
    away = guard("a1", move=to(("ada", 30)))  # three ranges farther: -6
    lost = post(start, turn("bo", away), 13)  # 13 + 12 - 6 = 19
    assert lost.state.metres("ada", "bo") == 5
    held = post(start, turn("bo", away), 14)
    assert held.state.metres("ada", "bo") == 30
    assert one(held.findings, "speed_tie")["defend_score"] == 20


def test_the_move_of_a_dodge_is_free() -> None:
    start = facing(coming(**TWENTY))
    after = post(start, turn("bo", dodge("a1", move=to(("ada", 15)))), 11)
    assert one(after.findings, "speed_defender_wins")["defend_score"] == 21
    assert after.state.metres("bo", "ada") == 15


def test_a_secondary_action_stands_or_falls_with_its_defence() -> None:
    haste = boost("haste", StatPoints(stat=Stat.DEXTERITY, points=3, turns=2), ep=4)
    start = facing(coming(**TWENTY), bo=entrant("bo", tool(), haste))
    lost = post(start, turn("bo", guard("a1", support=("haste",))), 7)
    assert lost.state.who("bo").effects == ()
    assert lost.state.who("bo").ep_now == 50
    held = post(start, turn("bo", guard("a1", support=("haste",))), 8)
    assert [running.name for running in held.state.who("bo").effects] == ["Haste"]
    assert held.state.who("bo").ep_now == 46


def test_what_a_defence_begins_helps_the_attack_of_the_same_post_but_not_the_defence() -> None:
    haste = boost("haste", StatPoints(stat=Stat.DEXTERITY, points=3, turns=1))
    start = facing(coming(**TWENTY), bo=entrant("bo", tool(), haste))
    order = turn("bo", guard("a1", support=("haste",)), main=hit("ada"))
    asked = GUIDA.plan(start, order).asked
    done = post(start, order, 8, 6)
    assert one(done.findings, "speed_tie")["defend_score"] == 20
    assert one(done.findings, "attack_launched")["hit_score"] == 6 + 2 + 10 + 3
    assert asked[1].tally == one(done.findings, "attack_launched")["hit"]


# ------------------------------------------------------------------------------ adequacy


def inadequate(start: Scene, action: Action, attack: str = "a1", adequate: bool = False) -> Scene:
    """Have the Master rule that a kind of defence does not suit an attack."""
    ruling = by_master(Adequacy, attack=attack, defence=action, adequate=adequate)
    return rule(start, ruling).state


def test_an_inadequate_defence_fails_whatever_it_scores() -> None:
    start = inadequate(facing(coming(**TWENTY)), Action.GUARD)
    done = post_any(start, turn("bo", guard("a1"), main=hit("ada")), 24, 12)
    assert due(done.state, "bo") == [-20]
    assert done.state.incoming == ()
    (told,) = [one for one in done.findings if one.key == "defence_inadequate"]
    assert (told.rule, told.ruling) == ("GC-4.5", "AMB-34")


def test_adequacy_belongs_to_one_kind_of_defence_against_one_attack() -> None:
    start = inadequate(two(high=12, low=12), Action.GUARD, attack="a1")
    assert due(post(start, turn("bo", dodge("a1"), guard("a2")), 12, 24).state, "bo") == [-10]
    assert due(post(start, turn("bo", guard("a2")), 24).state, "bo") == [-20, -10]


def test_the_master_may_take_inadequacy_back() -> None:
    start = inadequate(facing(coming(**TWENTY)), Action.GUARD)
    again = inadequate(start, Action.GUARD, adequate=True)
    assert due(post(again, turn("bo", guard("a1")), 24).state, "bo") == [-10]


def test_a_ruling_goes_with_the_attack_it_was_about() -> None:
    start = inadequate(facing(coming(**TWENTY)), Action.GUARD)
    assert post(start, turn("bo", suffer("a1"))).state.ruled == ()


def test_damage_keeps_its_exact_fraction_until_it_is_recorded() -> None:
    ada = entrant("ada", tool(potential=Fraction(47, 3), stat_bonus=Fraction(1, 3)))
    after, findings = struck(facing(coming(**TWENTY), ada=ada), suffer("a1"))
    working = one(findings, "damage_due")["working"]
    assert [term.value for term in working.terms] == [Fraction(47, 3), Fraction(1, 3), -10]
    assert due(after, "bo") == [-6]


def test_the_labels_of_two_guards_follow_the_order_of_the_attacks_not_of_the_declaration() -> None:
    # Uses are counted as the guards are carried out (GC-2.15): the one against a1 is the third.
    bo = entrant("bo", shield(), uses=(Uses(tool="shield", count=2),))
    start = two(bo=bo, high=12, low=12)
    order = turn("bo", guard("a2", tool="shield"), guard("a1", tool="shield"))
    asked = [one.tally.total for one in GUIDA.plan(start, order).asked]
    done = post(start, order, 10, 10)
    used = [facts["defend"].total for facts in found(done.findings, "speed_defender_wins")]
    assert used == [12, 11]  # against a1, then a2
    assert asked == [11, 12]  # in the order of the post


def test_a_guard_that_covers_the_first_and_the_last_of_three_attacks_is_still_one_use() -> None:
    bo = entrant("bo", shield(), uses=(Uses(tool="shield", count=2),))
    low = coming(die=6, modifier=6)
    start = facing(low, low, low, bo=bo)
    order = turn("bo", guard("a1", "a3", tool="shield"), guard("a2", tool="shield"))
    done = post(start, order, 10, 10)
    used = [facts["defend"].total for facts in found(done.findings, "speed_defender_wins")]
    assert used == [12, 11, 12]  # the third use, the fourth, and the third again


def test_a_guard_against_two_opponents_counts_for_each_where_uses_are_counted_so() -> None:
    start = scene(
        entrant("ada"),
        entrant("cy", team="ada"),
        entrant("bo", shield()),
        underway=(coming(modifier=6), coming(modifier=6, by="cy")),
        first="bo",
        **reading(predictability_scope=Scope.OPPONENT),
    )
    for _ in range(3):  # three guards against Cy so far, none against Ada
        start = start.put(start.who("bo").used("shield", "cy"))
    done = post(start, turn("bo", guard("a1", "a2", tool="shield")), 10)
    used = [facts["defend"].total for facts in found(done.findings, "speed_defender_wins")]
    assert used == [12, 11]  # the first against Ada, the fourth against Cy
    after = done.state.who("bo")
    assert [after.uses_of("shield", id) for id in ("ada", "cy")] == [1, 4]


def test_a_guard_that_lost_one_of_its_attacks_moves_nobody_and_begins_nothing() -> None:
    haste = boost("haste", StatPoints(stat=Stat.DEXTERITY, points=3, turns=2))
    start = two(
        options=reading(multi_cover_resolution=Cover.EACH_INDEPENDENT),
        bo=entrant("bo", tool(), haste),
    )
    away = guard("a1", "a2", move=to(("ada", 7)), support=("haste",))
    done = post(start, turn("bo", away), 11)  # 11 + 12 - 2 = 21 against 24, then against 12
    assert {"speed_attacker_wins", "speed_defender_wins"} <= keys(done.findings)
    assert done.state.metres("ada", "bo") == 5
    assert done.state.who("bo").effects == ()
