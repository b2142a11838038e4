"""Chapter 9 as it is played: who hides, who is found, what is struck where nobody is seen."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from app.engine.dice import Address
from app.engine.findings import Finding, Violation
from app.engine.ruleset import GM, SPECTATOR, Said
from app.posts.phrases import LANGUAGES, say
from app.rulesets.guida.blind import BANDS, band, fails_up_to, volley_class
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.orders import (
    AreaPlan,
    Generic,
    Movement,
)
from app.rulesets.guida.places import (
    Behind,
    Reach,
    Unseen,
)
from app.rulesets.guida.readings import (
    CamouflageRoll,
    VolleyGaps,
)
from app.rulesets.guida.rulings import (
    Answer,
    Manual,
    Place,
    Withdraw,
)
from app.rulesets.guida.senses import is_blinded, is_hidden, unseen_by
from app.rulesets.guida.sheet import StatPoints, Upkeep
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.stealth import concentration_of
from app.rulesets.guida.terms import (
    Action,
    Aim,
    AttackKind,
    Change,
    Claim,
    Curtain,
    Standing,
    Stat,
    Talent,
)
from app.services.sight import findings_seen, veil_over
from tests.unit.guida.build import (
    behind,
    by_master,
    counter,
    dodge,
    entrant,
    found,
    hit,
    keys,
    one,
    post,
    post_any,
    reading,
    refusals,
    rule,
    scene,
    suffer,
    supplied,
    to,
    tool,
    turn,
)
from tests.unit.guida.build_areas import cloud, with_area
from tests.unit.guida.build_stealth import cloak, flash, hiding, mask, radar, seek


def look(made: Scene, face: int, **more: Any) -> Any:
    """Let Ada perceive."""
    return post(made, turn("ada", perception="radar", **more), face)


def cloaked(face: int = 6, **more: Any) -> Scene:
    """Let Bo, hidden from Ada, camouflage himself with a value of 5 more than the die."""
    made = seek(radar(), hider=(cloak(**more),), first="bo")
    return post(made, turn("bo", camouflage="cloak"), face).state


# ------------------------------------------------------- what gives nobody away (GC-9.1)


@pytest.mark.parametrize("id", ["bo", "nobody"])
@pytest.mark.parametrize("metres", [30, 900])
def test_an_area_placed_by_somebody_unseen_is_refused_as_by_nobody(id: str, metres: int) -> None:
    made = seek(cloud(max_m=200), metres=metres, third=True, **reading(beyond_max_range="reject"))
    for plan, field in (
        (AreaPlan(tool="cloud", around=id), "areas.0.around"),
        (AreaPlan(tool="cloud", distances=(Reach(to=id, metres=3),)), "areas.0.distances.0"),
    ):
        order = turn("ada", main=Generic(tool="cloud"), areas=(plan,))
        (refused,) = GUIDA.check(made, order)
        assert refused == Violation("GC-12.10", "unknown_combatant", field, {"id": id})
    for plan in (AreaPlan(tool="cloud", around="cy"), AreaPlan(tool="cloud")):
        assert "unknown_combatant" not in refusals(
            made, turn("ada", main=Generic(tool="cloud"), areas=(plan,))
        )


@pytest.mark.parametrize(("unseen", "centre"), [(True, "ada"), (False, "bo")])
def test_the_area_of_a_blind_attack_begins_around_its_user(unseen: bool, centre: str) -> None:
    made = seek(cloud())
    made = made if unseen else hiding(made)
    done = post(made, turn("ada", main=hit(blind=True, support=("cloud",))), 12).state
    (forming,) = (one for pending in done.pending for one in pending.creates)
    assert done.metres(forming.area.id, centre) == 0


def forming(made: Scene) -> Any:
    """Let a cloud of Ada's around herself form, Cy being the last to answer it."""
    made = post(made, turn("ada", main=Generic(tool="cloud")), 7).state
    made = post(replace(made, next="cy"), turn("cy")).state
    return made, post(replace(made, next="bo"), turn("bo"))


@pytest.mark.parametrize("metres", [3, 300])
def test_an_area_forms_before_everybody_without_the_unseen(metres: int) -> None:
    made, done = forming(seek(cloud(), metres=metres, third=True))
    others = ("Ada", "Cy") if metres == 3 else ("Ada",)
    assert one(done.findings, "area_formed")["inside"] == others
    told = seen_of(made, done, "bo", "ada")
    assert "area_formed" in keys(told)
    assert "area_formed_around" not in keys(told)
    inside = found(seen_of(made, done, "bo", "cy"), "area_formed_around")
    assert [facts["bearer"] for facts in inside] == (["Bo"] if metres == 3 else [])


def seen_of(made: Scene, done: Any, author: str, seat: str) -> tuple[Finding, ...]:
    """Give the findings of a decision that a seat is told."""
    said = Said((), done.findings)
    veil = veil_over(GUIDA.veils(made, done.state, author, said), (seat,))
    return findings_seen(done.findings, veil)


def stories(made: Scene, done: Any, author: str) -> dict[str, bool]:
    """Say of each seat whether the order and story of a decision are withheld from it."""
    said = Said((), done.findings)
    veils = {one.seat: one.story for one in GUIDA.veils(made, done.state, author, said)}
    return {seat: veils.get(seat, False) for seat in ("ada", "bo", "cy", SPECTATOR)}


@pytest.mark.parametrize("metres", [30, 300])
def test_whether_a_post_is_shown_does_not_hang_on_the_unseen(metres: int) -> None:
    made = seek(radar(), metres=metres, third=True)
    done = post(made, turn("ada", perception="radar"), 1)
    done = replace(done, state=hiding(done.state, ("bo", "ada")))
    assert stories(made, done, "ada") == {"ada": False, "bo": False, "cy": False, SPECTATOR: True}
    idle = post(made, turn("ada"))
    assert stories(made, idle, "ada") == stories(made, done, "ada")


def test_what_somebody_does_against_the_unseen_shows_no_more_than_nothing() -> None:
    made = replace(seek(third=True), next="bo")
    struck = post(made, turn("bo", main=hit("cy")), 9).state
    struck = replace(struck, next="cy", questions=())
    defended = post(struck, turn("cy", suffer("a1")))
    idle = replace(made, next="cy")
    quiet = post(idle, turn("cy"))
    withheld = {"ada": True, "bo": False, "cy": False, SPECTATOR: True}
    assert stories(struck, defended, "cy") == stories(idle, quiet, "cy") == withheld


def test_the_masters_rulings_are_told_unless_they_are_about_the_unseen() -> None:
    made = seek(third=True)
    line = by_master(Manual, combatant="cy", change=Change.HP, amount=-3, reason="una scheggia")
    assert not any(stories(made, rule(made, line), GM).values())
    about = replace(line, combatant="bo")
    assert stories(made, rule(made, about), GM)["ada"]


# ------------------------------------------------------------------------------- being hidden


def test_whoever_is_hidden_from_one_is_not_from_another() -> None:
    made = seek(third=True)
    assert (is_hidden(made, "bo", "ada"), is_hidden(made, "bo", "cy")) == (True, False)
    assert not is_hidden(made, "ada", "bo")


def test_nobody_is_hidden_from_the_own_team() -> None:
    made = scene(entrant("ada"), entrant("bo", team="ada"), entrant("cy"))
    pair = (Unseen(who="bo", observer="ada"),)
    order = Place(by=GM, hidden=pair, reason="-")
    assert refusals(made, order) == {"hidden_from_own_team"}
    assert refusals(made, replace(order, hidden=(Unseen(who="bo", observer="eve"),))) == {
        "unknown_combatant"
    }


def test_a_scene_may_begin_with_somebody_hidden() -> None:
    made = scene(hidden=(Unseen(who="bo", observer="ada"),))
    assert unseen_by(made, "ada") == {"bo"}


def test_the_master_corrects_who_is_hidden() -> None:
    done = rule(seek(), Place(by=GM, hidden=(), reason="he coughed"))
    assert unseen_by(done.state, "ada") == frozenset()
    assert one(done.findings, "placed_hidden")["hidden"] == ()


def moving(made: Scene, **more: Any) -> Any:
    """Let Bo move away and claim to be out of sight of Ada; nobody counters."""
    move = Movement(move=to(("ada", 40)), **{"hides": ("ada",), **more})
    made = post(made, turn("bo", main=move), 9).state
    return post(made, turn("ada"))


@pytest.mark.parametrize(("choice", "hidden"), [("confirm", True), ("deny", False)])
def test_a_movement_hides_if_the_master_confirms_it(choice: str, hidden: bool) -> None:
    done = moving(scene(first="bo"))
    (asked,) = done.state.questions
    assert (asked.code, asked.by, asked.about, asked.blocks) == ("hides", "bo", "ada", ("ada",))
    assert not is_hidden(done.state, "bo", "ada")
    answer = by_master(Answer, question=asked.id, choice=choice)
    after = rule(done.state, answer).state
    assert is_hidden(after, "bo", "ada") is hidden


def test_whoever_may_have_lost_sight_waits_for_the_answer() -> None:
    made = moving(scene(first="bo")).state
    made = post(made, turn("bo")).state
    assert refusals(made, turn("ada")) == {"hides"}


def test_a_movement_that_is_intercepted_hides_nobody() -> None:
    made = post(
        scene(first="bo"), turn("bo", main=Movement(move=to(("ada", 9)), hides=("ada",))), 1
    )
    against = counter("g1", action=Action.GENERIC_COUNTERATTACK)
    done = post_any(made.state, turn("ada", against), 18, 6)
    assert "generic_countered" in keys(done.findings)
    assert done.state.questions == ()


def test_one_claims_to_hide_only_from_opponents_and_only_anew() -> None:
    made = replace(seek(third=True), next="bo")
    move = Movement(move=to(("ada", 9)), hides=("bo",))
    assert refusals(made, turn("bo", main=move)) == {"hides_not_opponent"}
    assert refusals(made, turn("bo", main=replace(move, hides=("ada",)))) == {"already_hidden"}
    assert refusals(made, turn("bo", main=replace(move, hides=("cy", "cy")))) == {
        "hides_not_opponent"
    }
    assert refusals(made, turn("bo", main=replace(move, hides=("cy",)))) == set()


def test_a_question_about_hiding_is_moot_once_one_of_the_two_is_out() -> None:
    made = moving(scene(first="bo")).state
    gone = by_master(Withdraw, combatant="bo", standing=Standing.LEFT)
    assert rule(made, gone).state.questions == ()


def test_whoever_is_out_of_the_fight_is_hidden_from_nobody() -> None:
    made = seek(third=True)
    gone = by_master(Withdraw, combatant="bo", standing=Standing.LEFT)
    assert not is_hidden(rule(made, gone).state, "bo", "ada")


def test_nobody_counters_what_somebody_hidden_does() -> None:
    made = replace(seek(third=True), next="bo")
    done = post(made, turn("bo", main=Movement(move=to(("cy", 9)))), 9).state
    assert done.pending[0].waits == ("cy",)
    assert not done.counterable("ada")


# ----------------------------------------------------------------------------------- perceiving


@pytest.mark.parametrize(("face", "detected"), [(5, False), (6, True), (7, True)])
def test_a_tie_detects(face: int, detected: bool) -> None:
    done = look(cloaked(6), face)  # 6 + 5 of the cloak against the face + 5 of the radar
    assert is_hidden(done.state, "bo", "ada") is not detected
    told = one(done.findings, "detected" if detected else "not_detected")
    assert (told["value"], told["camouflage_value"]) == (face + 5, 11)


@pytest.mark.parametrize(("metres", "detected"), [(50, True), (51, False)])
def test_nobody_is_detected_beyond_the_radius(metres: int, detected: bool) -> None:
    done = look(seek(radar(50), metres=metres), 12)
    assert is_hidden(done.state, "bo", "ada") is not detected
    assert ("detected" in keys(done.findings)) is detected


def test_whoever_is_not_camouflaged_is_detected_by_any_perception() -> None:
    told = one(look(seek(radar()), 1).findings, "detected")
    assert told["camouflage_value"] == 0


def test_a_detection_lasts_until_the_target_hides_again() -> None:
    made = look(seek(radar()), 1).state
    made = post(made, turn("bo")).state
    assert refusals(made, turn("ada", main=hit())) == set()
    assert is_hidden(hiding(made, ("bo", "ada")), "bo", "ada")


def test_perception_is_paid_for_counted_and_shown_by_its_die() -> None:
    done = look(seek(radar()), 7)
    assert done.state.who("ada").uses_of("radar") == 1
    assert done.state.who("ada").ep_now == 48
    assert [f.die for f in done.findings if f.key == "perceived"] == [Address(71)]


def test_a_lost_offensive_phase_takes_what_was_declared_in_it() -> None:
    made = hiding(seek(radar(), first="bo"))
    made = hiding(post(made, turn("bo", main=hit("ada")), 12).state, ("bo", "ada"))
    done = post_any(made, turn("ada", dodge("a1"), perception="radar"), 1, 12)
    assert "perceived" not in keys(done.findings)
    assert {"action": Action.PERCEPTION, "bearer": "Ada", "why": "defence"} in found(
        done.findings, "offensive_annulled"
    )
    assert is_hidden(done.state, "bo", "ada")


def test_what_perceives_passively_needs_no_action_and_survives_a_failure() -> None:
    made = hiding(seek(radar(passive=True), first="bo"))
    made = hiding(post(made, turn("bo", main=hit("ada")), 12).state, ("bo", "ada"))
    done = post_any(made, turn("ada", dodge("a1")), 1, 12)
    assert not is_hidden(done.state, "bo", "ada")
    assert done.state.who("ada").ep_now == 50


def test_what_is_passive_has_to_have_its_numbers() -> None:
    made = seek(radar(passive=True, stat_bonus=None))
    assert refusals(made, turn("ada")) == {"stat_bonus_missing"}


@pytest.mark.parametrize("field", ["perception", "camouflage", "masking"])
def test_each_of_the_three_needs_a_technique_made_for_it(field: str) -> None:
    made = seek(radar(), cloak(), mask())
    assert refusals(made, turn("ada", **{field: "blade"})) == {"tool_not_for_senses"}
    assert refusals(made, turn("ada", **{field: "nothing"})) == {"tool_not_on_sheet"}
    passive = seek(radar(passive=True), cloak(passive=True))
    if field != "masking":
        named = {"perception": "radar", "camouflage": "cloak"}[field]
        assert refusals(passive, turn("ada", **{field: named})) == {"tool_not_for_senses"}


def test_such_techniques_serve_for_nothing_else() -> None:
    made = seek(radar(supports=True, attacks=True))
    assert refusals(made, turn("ada", main=hit(tool="radar", blind=True))) == {
        "effect_needs_own_action"
    }
    assert refusals(made, turn("ada", main=hit(support=("radar",), blind=True))) == {
        "effect_needs_own_action"
    }


def test_energy_and_repetition_count_these_actions_too() -> None:
    made = seek(radar(ep=51), cloak())
    assert refusals(made, turn("ada", perception="radar")) == {"not_enough_energy"}
    both = tool("both", attacks=False, effects=(*radar().effects, *mask().effects))
    assert refusals(seek(both), turn("ada", perception="both", masking="both")) == {
        "support_repeated"
    }


def test_a_perception_may_have_other_effects_besides() -> None:
    sharp = StatPoints(stat=Stat.INTELLIGENCE, points=2, turns=1)
    done = look(seek(radar(effects=(*radar().effects, sharp))), 1)
    assert "effect_begins" in keys(done.findings)


# --------------------------------------------------------------------------------- concentration


def test_concentration_grows_on_the_camouflaged_and_helps_the_next_attempt() -> None:
    made = cloaked(12)  # 17
    for used, face in ((0, 1), (2, 1), (4, 12)):
        done = look(made, face)
        told = one(done.findings, "not_detected" if used < 4 else "detected")
        assert told["value"] == face + 5 + used
        made = post(done.state, turn("bo")).state
    assert concentration_of(made, "ada", "bo") == 6


def test_concentration_falls_without_camouflage_and_never_below_zero() -> None:
    made = cloaked(12, turns=1)
    made = look(made, 1).state
    assert concentration_of(made, "ada", "bo") == 2
    for left in (0, 0):
        made = post(post(made, turn("bo")).state, turn("ada")).state
        assert concentration_of(made, "ada", "bo") == left


def test_the_loss_comes_before_the_attempt_of_that_turn() -> None:
    made = look(cloaked(12, turns=2), 1).state
    made = look(post(made, turn("bo")).state, 1).state
    assert concentration_of(made, "ada", "bo") == 4
    done = look(post(made, turn("bo")).state, 1)  # the cloak is over: 4 - 2, without growth
    assert one(done.findings, "detected")["value"] == 1 + 5 + 2
    assert concentration_of(done.state, "ada", "bo") == 2


def test_concentration_is_kept_for_each_pair() -> None:
    made = seek(radar(), hider=(cloak(),), third=True, first="bo")
    made = post(made, turn("bo", camouflage="cloak"), 12).state
    made = look(post(made, turn("cy")).state, 1).state
    assert concentration_of(made, "ada", "bo") == 2
    assert concentration_of(made, "ada", "cy") == concentration_of(made, "cy", "bo") == 0


# ------------------------------------------------------------------- camouflage and masking


def test_a_camouflage_for_one_turn_ends_as_its_users_next_turn_begins() -> None:
    made = cloaked(turns=1)
    made = post(made, turn("ada")).state
    assert made.who("bo").camouflage is not None
    done = post(made, turn("bo"))
    assert done.state.who("bo").camouflage is None
    assert one(done.findings, "concealment_ends")["action"] == Action.CAMOUFLAGE


def test_a_camouflage_ends_with_an_upkeep_that_is_not_paid() -> None:
    made = cloaked(besides=(Upkeep(ep=40),))
    poor = made.put(replace(made.who("bo"), ep=20))
    done = post(post(poor, turn("ada")).state, turn("bo"))
    assert done.state.who("bo").camouflage is None
    paid = post(post(made, turn("ada")).state, turn("bo"))
    assert paid.state.who("bo").camouflage is not None


def test_what_camouflages_passively_does_so_in_the_first_turn_and_stays() -> None:
    made = seek(radar(), hider=(cloak(passive=True),), first="bo")
    made = post(made, turn("bo"), 8).state
    assert made.who("bo").camouflage is not None
    made = post(post(made, turn("ada")).state, turn("bo")).state  # no die any more
    worn = made.who("bo").camouflage
    assert worn is not None
    assert worn.value == 13


def test_a_camouflage_may_be_rolled_for_each_attempt() -> None:
    made = seek(
        radar(), hider=(cloak(),), first="bo", **reading(camouflage_roll=CamouflageRoll.PER_ATTEMPT)
    )
    made = post(made, turn("bo", camouflage="cloak")).state  # no die falls yet
    done = post(made, turn("ada", perception="radar"), 6, 7)
    assert one(done.findings, "not_detected")["camouflage_value"] == 12
    again = post(post(done.state, turn("bo")).state, turn("ada", perception="radar"), 6, 7)
    assert one(again.findings, "detected")["value"] == 6 + 5 + 2


@pytest.mark.parametrize(("face", "key"), [(5, "masking_holds"), (6, "masking_fails")])
def test_a_masking_holds_only_if_it_is_higher(face: int, key: str) -> None:
    made = hiding(seek(radar(), hider=(mask(),), first="bo"))
    made = post(made, turn("bo", masking="mask"), 6).state
    done = look(made, face)
    assert one(done.findings, key)["masking_value"] == 11
    assert not is_hidden(done.state, "bo", "ada")


def test_a_masking_ends_too_and_tells_nothing_of_whoever_stays_hidden() -> None:
    made = seek(radar(), hider=(mask(turns=1), cloak(bonus=40)), first="bo")
    made = post(made, turn("bo", masking="mask", camouflage="cloak"), 1, 1).state
    done = look(made, 12)
    assert not keys(done.findings) & {"masking_holds", "masking_fails"}
    after = post(done.state, turn("bo"))
    assert after.state.who("bo").masking is None
    assert after.state.who("bo").camouflage is not None


# ------------------------------------------------------------------------------ blind attacks


def test_a_hidden_target_is_attacked_blindly_or_not_at_all() -> None:
    assert refusals(seek(), turn("ada", main=hit())) == {"target_hidden"}
    assert refusals(seek(), turn("ada", main=hit(blind=True))) == set()


def test_a_blind_attack_is_not_aimed_nor_from_behind_nor_at_several() -> None:
    aimed = hit(blind=True, aim=Aim.HEAD)
    assert refusals(seek(), turn("ada", main=aimed)) == {"blind_aim"}
    claimed = hit(blind=True, claims=(Claim.FROM_BEHIND,))
    assert refusals(seek(), turn("ada", main=claimed)) == {"blind_from_behind"}
    wide = tool("wide", attack_kind=AttackKind.TOTAL_AREA)
    several = hit(tool="wide", blind=True, also=("cy",))
    assert "blind_one_target" in refusals(seek(wide, third=True), turn("ada", main=several))
    seen = hit("cy", tool="wide", also=("bo",))
    assert "target_hidden" in refusals(seek(wide, third=True), turn("ada", main=seen))


def blindly(face: int = 6, tool: str = "blade", made: Scene | None = None, **more: Any) -> Any:
    """Let Ada attack Bo, whom she does not see."""
    return post(made or seek(**more), turn("ada", main=hit(tool=tool, blind=True)), face)


@pytest.mark.parametrize(
    ("choice", "worst"), [("within_25", 6), ("within_60", 7), ("within_100", 8), ("beyond_100", 10)]
)
def test_the_master_says_how_large_the_area_is(choice: str, worst: int) -> None:
    for face in (worst, worst + 1):
        if face <= 6:  # it fails in the smallest area, and in any other
            continue
        done = blindly(face)
        (asked,) = done.state.questions
        assert (asked.code, asked.by, asked.blocks) == ("blind_radius", "ada", ("bo",))
        assert asked.choices == BANDS
        answered = rule(done.state, by_master(Answer, question=asked.id, choice=choice))
        fails = face == worst
        assert ("blind_fails" in keys(answered.findings)) is fails
        assert bool(answered.state.incoming) is not fails


def test_a_blind_attack_that_fails_is_paid_for_and_counted() -> None:
    done = blindly(7)
    (asked,) = done.state.questions
    after = rule(done.state, by_master(Answer, question=asked.id, choice="within_60")).state
    assert after.who("ada").uses_of("blade") == 1
    assert refusals(after, turn("bo")) == set()


def test_questions_about_a_blind_attack_go_with_it() -> None:
    made = post(seek(), turn("ada", main=hit(blind=True, claims=(Claim.SURPRISE,))), 7).state
    radius = next(asked for asked in made.questions if asked.code == "blind_radius")
    after = rule(made, by_master(Answer, question=radius.id, choice="within_60")).state
    assert after.questions == ()


@pytest.mark.parametrize(("kind", "worst"), [(AttackKind.TARGETED, 6), (AttackKind.AREA, 4)])
@pytest.mark.parametrize("metres", [30, 900])
def test_a_die_that_fails_in_every_area_asks_nothing(
    kind: AttackKind, worst: int, metres: int
) -> None:
    thrown = tool("thrown", attack_kind=kind, max_m=200)
    for face in (worst, worst + 1):
        made = seek(thrown, metres=metres)
        main = hit(tool="thrown", blind=True, claims=(Claim.SURPRISE,))
        done = post(made, turn("ada", main=main), face)
        fails = face == worst
        assert ("blind_fails_anywhere" in keys(done.findings)) is fails
        if fails:  # however far the target is
            assert (done.state.questions, done.state.incoming) == ((), ())
            assert "blind_beyond_range" not in keys(done.findings)
            assert done.state.who("ada").uses_of("thrown") == 1


def test_what_is_not_failed_is_answered_like_any_attack_and_ends_no_hiding() -> None:
    done = blindly(11)
    (asked,) = done.state.questions
    made = rule(done.state, by_master(Answer, question=asked.id, choice="within_25")).state
    made = post(made, turn("bo", suffer("a1"))).state
    assert made.who("bo").hp_now == 80
    assert is_hidden(made, "bo", "ada")


def test_the_distance_counts_though_the_label_cannot_tell_it() -> None:
    made = seek()
    order = turn("ada", main=hit(blind=True))
    (die,) = GUIDA.plan(made, order).asked
    assert "distance" not in {term.key for term in die.tally.terms}
    done = post(made, order, 12).state
    assert "distance" in {term.key for term in done.incoming[0].hit.terms}


def test_a_target_found_in_the_same_post_is_no_longer_struck_blindly() -> None:
    order = turn("ada", perception="radar", main=hit(blind=True))
    done = post(seek(radar()), order, 6, 1)
    assert [asked.action for asked in GUIDA.plan(seek(radar()), order).asked] == [
        Action.PERCEPTION,
        Action.ATTACK,
    ]
    assert "label_superseded" in keys(done.findings)  # the distance may be told now
    assert not keys(done.findings) & {"blind_launched", "asked_blind_radius"}
    assert not done.state.incoming[0].blind


@pytest.mark.parametrize(("metres", "arrives"), [(200, True), (201, False)])
@pytest.mark.parametrize("kind", [AttackKind.TARGETED, AttackKind.TOTAL_AREA])
def test_beyond_its_range_a_blind_attack_fails(
    metres: int, arrives: bool, kind: AttackKind
) -> None:
    far = tool("far", attack_kind=kind, max_m=200)
    done = blindly(12, "far", seek(far, metres=metres))
    assert bool(done.state.incoming) is arrives
    assert ("blind_beyond_range" in keys(done.findings)) is not arrives


def told_of_a_blind_attack(made: Scene, face: int, choice: str, tool: str) -> list[Any]:
    """Give what Ada is told of her blind attack and of all that the Master answers about it."""
    done = post(made, turn("ada", main=hit(tool=tool, blind=True)), face)
    told: list[Any] = [seen_of(made, done, "ada", "ada")]
    while True:
        told += [GUIDA.view(done.state, "ada").questions, GUIDA.awaits_for(done.state, "ada")]
        told.append(refusals(done.state, turn("ada")))
        open_ = [one for one in done.state.questions if one.code.startswith("blind_radius")]
        if not open_:
            return told
        (asked,) = open_
        assert refusals(done.state, turn("bo")) == {asked.code}
        before = done.state
        done = rule(before, by_master(Answer, question=asked.id, choice=choice))
        told.append(seen_of(before, done, GM, "ada"))


@pytest.mark.parametrize("kind", [AttackKind.TARGETED, AttackKind.AREA, AttackKind.TOTAL_AREA])
@pytest.mark.parametrize("face", [5, 7, 8, 12])
@pytest.mark.parametrize("choice", ["within_25", "within_60"])
def test_whether_a_hidden_target_is_in_range_is_not_told_to_whoever_attacks_blindly(
    kind: AttackKind, face: int, choice: str
) -> None:
    far = tool("far", attack_kind=kind, max_m=200)
    near, beyond = (
        told_of_a_blind_attack(seek(far, metres=metres), face, choice, "far")
        for metres in (200, 201)
    )
    assert near == beyond
    asked = kind is not AttackKind.TOTAL_AREA and face > {"targeted": 6, "area": 4}[kind]
    assert (len(near) > 4) is asked


@pytest.mark.parametrize("face", [6, 7])
def test_nor_is_it_where_a_curtain_says_how_large_the_area_is(face: int) -> None:
    near, beyond = (
        told_of_a_blind_attack(
            in_smoke(25, ada=(tool("far", max_m=max_m),)), face, "within_25", "far"
        )
        for max_m in (300, 299)
    )
    assert near == beyond
    last = {6: "blind_fails", 7: "blind_goes_on"}[face]
    assert last in keys(near[0])


def test_the_master_is_asked_out_of_range_too_and_told_that_it_has_failed() -> None:
    far = tool("far", max_m=200)
    done = blindly(12, "far", seek(far, metres=201))
    (asked,) = done.state.questions
    assert (asked.code, asked.by, asked.blocks) == ("blind_radius_beyond", "ada", ("bo",))
    for language in LANGUAGES:
        assert say(language, "guida", "questions", asked.code, dict(asked.details))
    after = rule(done.state, by_master(Answer, question=asked.id, choice="within_25"))
    assert {"answered_blind_radius_beyond", "blind_goes_on"} <= keys(after.findings)
    assert (after.state.incoming, after.state.questions) == ((), ())
    assert post(after.state, turn("bo")).state.who("bo").hp_now == 100


@pytest.mark.parametrize("out", ["ada", "bo"])
def test_nobody_is_asked_about_a_blind_attack_of_or_on_whoever_is_out(out: str) -> None:
    for metres in (200, 201):
        made = seek(tool("far", max_m=200), metres=metres, third=True)
        made = blindly(12, "far", made).state
        gone = by_master(Withdraw, combatant=out, standing=Standing.LEFT)
        assert rule(made, gone).state.questions == ()


def test_a_total_area_attack_never_fails_by_itself_and_asks_nothing() -> None:
    wide = tool("wide", attack_kind=AttackKind.TOTAL_AREA)
    done = blindly(1, "wide", seek(wide))
    assert done.state.questions == ()
    assert done.state.incoming


def in_smoke(radius_m: int, **more: Any) -> Scene:
    """Hide Bo in a curtain of smoke around him, Ada being outside of it."""
    from app.rulesets.guida.terms import AreaForm

    smoke = {"form": AreaForm.STATIC, "radius_m": radius_m, "curtain": Curtain.SMOKE}
    made = scene(entrant("ada", tool(), *more.pop("ada", ())), entrant("bo"), metres=300, **more)
    return with_area(made, {"ada": 300, "bo": 0}, saturation=None, **smoke)


@pytest.mark.parametrize(
    ("radius", "worst"), [(25, 6), (26, 7), (60, 7), (61, 8), (100, 8), (101, 10)]
)
def test_a_curtain_that_hides_the_target_says_how_large_the_area_is(
    radius: int, worst: int
) -> None:
    for face in (worst, worst + 1):
        done = blindly(face, made=in_smoke(radius))
        assert "blind_radius" not in {asked.code for asked in done.state.questions}
        assert bool(done.state.incoming) is (face > worst)


def test_volleys_count_by_their_size_and_some_are_refused() -> None:
    gap = tool("burst", attack_kind=AttackKind.MULTIPLE, volley_size=6)
    strict = reading(volley_class_gaps=VolleyGaps.REJECT)
    order = turn("ada", main=hit(tool="burst", blind=True))
    assert refusals(seek(gap, **strict), order) == {"volley_class_unknown"}
    assert refusals(seek(gap), order) == set()
    assert refusals(hiding(seek(gap, **strict)), turn("ada", main=hit(tool="burst"))) == set()


@pytest.mark.parametrize(
    ("shots", "down", "up"),
    [
        (1, "targeted", "targeted"),
        (5, "targeted", "targeted"),
        (6, "targeted", "area"),
        (19, "targeted", "area"),
        (20, "area", "area"),
        (100, "area", "area"),
        (101, "area", "total_area"),
        (999, "area", "total_area"),
        (1000, "total_area", "total_area"),
        (1001, "total_area", "total_area"),
    ],
)
def test_every_volley_has_a_class(shots: int, down: str, up: str) -> None:
    assert volley_class(Options(), shots) == down
    assert volley_class(Options(volley_class_gaps=VolleyGaps.ROUND_UP), shots) == up
    refused = volley_class(Options(volley_class_gaps=VolleyGaps.REJECT), shots)
    assert refused == (down if down == up else None)


@pytest.mark.parametrize(("radius", "usual", "other"), [(25, 0, 0), (60, 1, 2), (100, 2, 3)])
def test_a_border_belongs_to_one_band(radius: int, usual: int, other: int) -> None:
    assert band(Options(), radius) == usual
    assert band(Options(blind_band_upper_inclusive=False), radius) == other
    assert band(Options(), Fraction(radius * 2 + 1, 2)) == usual + 1


def test_area_attacks_fail_less_often_and_total_ones_never() -> None:
    assert [fails_up_to(AttackKind.AREA, row) for row in range(4)] == [4, 5, 6, 8]
    assert fails_up_to(AttackKind.TOTAL_AREA, 3) == 0


# ------------------------------------------------------------------------------ being revealed


def test_attacking_from_hiding_reveals_and_is_a_surprise_the_master_confirms() -> None:
    made = replace(seek(third=True), next="bo")
    made = hiding(made, ("bo", "ada"), ("bo", "cy"))
    done = post(made, turn("bo", main=hit("ada")), 6)
    assert done.state.hidden == {Unseen(who="bo", observer="cy")}
    assert not is_hidden(done.state, "bo", "ada")
    (asked,) = done.state.questions
    assert asked.code == "claim_surprise"
    score = done.state.incoming[0].hit_score
    denied = rule(done.state, by_master(Answer, question=asked.id, choice="deny")).state
    assert denied.incoming[0].hit_score == score - 2


def test_nobody_is_hidden_from_whom_it_attacks_until_that_is_answered() -> None:
    made = hiding(replace(seek(), next="bo"))
    made = hiding(post(made, turn("bo", main=hit("ada")), 6).state, ("bo", "ada"))
    assert not is_hidden(made, "bo", "ada")
    assert is_hidden(post(made, turn("ada", suffer("a1"))).state, "bo", "ada")


def test_a_surprise_claimed_besides_is_one_and_the_same() -> None:
    made = replace(seek(), next="bo")
    done = post(made, turn("bo", main=hit("ada", claims=(Claim.SURPRISE,))), 6).state
    assert len(done.questions) == 1
    keys_of = [term.key for term in done.incoming[0].hit.terms]
    assert keys_of.count("surprise") == 1


def test_an_attack_in_the_open_is_no_surprise_by_itself() -> None:
    done = post(hiding(seek()), turn("ada", main=hit()), 6).state
    assert done.questions == ()


def test_whoever_was_attacked_from_hiding_may_counterattack() -> None:
    made = replace(seek(), next="bo")
    made = post(made, turn("bo", main=hit("ada")), 6).state
    (asked,) = made.questions
    made = rule(made, by_master(Answer, question=asked.id, choice="confirm")).state
    assert refusals(made, turn("ada", counter("a1"))) == set()


def test_a_place_behind_the_unseen_counts_only_once_it_is_known() -> None:
    made = seek(**behind("ada", "bo"))
    done = blindly(12, made=made).state
    assert "from_behind" not in {term.key for term in done.incoming[0].hit.terms}
    seen = post(hiding(made), turn("ada", main=hit()), 12).state
    assert "from_behind" in {term.key for term in seen.incoming[0].hit.terms}


def test_one_does_not_move_by_the_distance_of_whom_one_cannot_see() -> None:
    move = Movement(move=to(("bo", 9)))
    assert refusals(seek(), turn("ada", main=move)) == {"move_unknown_combatant"}
    assert refusals(hiding(seek()), turn("ada", main=move)) == set()


# ---------------------------------------------------------------------------------- blindness


def blinded(turns: int | None = None, metres: int = 26, **more: Any) -> Scene:
    """Let Ada blind Bo with a flash; it is his turn once more."""
    made = scene(entrant("ada", tool(), flash(turns)), entrant("bo", **more), metres=metres)
    made = post(made, turn("ada", main=hit(tool="flash")), 12).state
    made = post(made, turn("bo", suffer("a1"))).state
    return post(made, turn("ada")).state


def opened(made: Scene) -> Scene:
    """Open Bo's turn."""
    from app.rulesets.guida.initial import open_turn

    return open_turn(made, turn("bo")).scene


@pytest.mark.parametrize(("metres", "hidden"), [(25, False), (26, True)])
def test_the_blinded_lose_dexterity_and_see_no_farther_than_25_metres(
    metres: int, hidden: bool
) -> None:
    made = opened(blinded(metres=metres))
    assert total_level(made.who("bo"), Stat.DEXTERITY).total == 6
    assert is_hidden(made, "ada", "bo") is hidden
    assert not is_hidden(made, "bo", "ada")
    assert is_blinded(made, "bo", "ada")


def test_other_senses_than_sight_make_immune() -> None:
    talents = (Talent.ALTERNATIVE_SENSES_TO_SIGHT,)
    made = opened(blinded(talents=talents))
    assert total_level(made.who("bo"), Stat.DEXTERITY).total == 10
    assert not is_hidden(made, "ada", "bo")
    flashed = scene(entrant("ada", flash()), entrant("bo", talents=talents))
    flashed = post(flashed, turn("ada", main=hit(tool="flash")), 12).state
    assert "blinding_immune" in keys(post(flashed, turn("bo", suffer("a1"))).findings)


def test_blindness_lasts_as_long_as_its_source_says() -> None:
    made = blinded(turns=1)
    assert total_level(opened(made).who("bo"), Stat.DEXTERITY).total == 6
    made = post(post(made, turn("bo")).state, turn("ada")).state
    assert total_level(opened(made).who("bo"), Stat.DEXTERITY).total == 10


def test_the_register_tells_when_blindness_begins_and_ends() -> None:
    made = post(blinded(turns=1), turn("bo"))
    (begun,) = found(made.findings, "line_effect_begins")
    assert (begun["name"], begun["subject"], begun["amount"]) == ("Flash", "blinding", -4)
    made = post(post(made.state, turn("ada")).state, turn("bo"))
    (ended,) = found(made.findings, "line_effect_ends")
    assert (ended["name"], ended["amount"]) == ("Flash", 4)


def test_two_flashes_blind_no_more_than_one() -> None:
    made = blinded(metres=20)
    made = post(made, turn("bo")).state
    made = post(made, turn("ada", main=hit(tool="flash")), 12).state
    made = post(made, turn("bo", suffer(made.incoming[0].id))).state
    made = post(made, turn("ada")).state
    assert total_level(opened(made).who("bo"), Stat.DEXTERITY).total == 6


def smoked(metres: int, ada: int = 0, bo: int = 0, **more: Any) -> Scene:
    """Put Ada and Bo so far from each other and from the centre of a 25 m curtain of smoke."""
    made = scene(entrant("ada", tool(), **more), entrant("bo"), metres=metres)
    return with_area(made, {"ada": ada, "bo": bo}, curtain=Curtain.SMOKE)


@pytest.mark.parametrize(("metres", "malus"), [(5, False), (6, True)])
def test_smoke_blinds_against_those_it_hides(metres: int, malus: bool) -> None:
    made = smoked(metres)
    done = post(made, turn("ada", main=hit()), 6).state
    terms = {term.key: term.value for term in done.incoming[0].hit.terms}
    assert terms.get("blinded") == (-4 if malus else None)
    assert total_level(done.who("ada"), Stat.DEXTERITY).total == 10  # against Bo, not by itself
    attack = done.incoming[0].id
    met = post(done, turn("bo", dodge(attack)), 6).findings
    (speed,) = [finding.facts for finding in met if finding.key.startswith("speed_")]
    defended = {term.key: term.value for term in speed["defend"].terms}
    assert defended.get("blinded") == (-4 if malus else None)


def test_whoever_needs_no_eyes_is_not_smoked() -> None:
    made = smoked(30, talents=(Talent.ALTERNATIVE_SENSES_TO_SIGHT,))
    assert not is_hidden(made, "bo", "ada")
    assert is_hidden(made, "ada", "bo")
    done = post(made, turn("ada", main=hit()), 6).state
    assert "blinded" not in {term.key for term in done.incoming[0].hit.terms}


@pytest.mark.parametrize(("metres", "hidden"), [(25, False), (26, True)])
def test_smoke_hides_beyond_25_metres(metres: int, hidden: bool) -> None:
    assert is_hidden(smoked(metres), "bo", "ada") is hidden


def test_the_blinded_lose_nothing_more_in_smoke() -> None:
    made = blinded(metres=20)
    made = with_area(made, {"ada": 0, "bo": 0}, curtain=Curtain.SMOKE)
    done = post(made, turn("bo", main=hit("ada")), 6).state
    assert "blinded" not in {term.key for term in done.incoming[0].hit.terms}
    dexterity = next(term for term in done.incoming[0].hit.terms if term.key == "dexterity")
    assert dexterity.value == 6


def test_what_is_perceived_in_smoke_stays_known_until_nothing_hides_it() -> None:
    made = smoked(30)
    made = made.put(
        replace(
            made.who("ada"),
            sheet=replace(made.who("ada").sheet, tools=(*made.who("ada").sheet.tools, radar())),
        )
    )
    assert is_hidden(made, "bo", "ada")
    found_now = post(made, turn("ada", perception="radar"), 1).state
    assert not is_hidden(found_now, "bo", "ada")
    later = post(post(found_now, turn("bo")).state, turn("ada")).state
    assert not is_hidden(later, "bo", "ada")
    cleared = replace(later, areas=())
    fresh = post(cleared, turn("bo")).state
    assert fresh.located == frozenset()


def test_an_attack_out_of_the_smoke_reveals_its_author() -> None:
    made = replace(smoked(30), next="bo")
    made = made.put(
        replace(
            made.who("bo"),
            sheet=replace(made.who("bo").sheet, tools=(tool(max_m=60),)),
        )
    )
    blind = turn("bo", main=hit("ada", blind=True))
    done = post(made, blind, 12).state
    assert not is_hidden(done, "bo", "ada")
    assert is_hidden(done, "ada", "bo")


# ------------------------------------------------------------------------------------- choices


def test_a_hidden_target_is_offered_for_blind_attacks_only() -> None:
    offered = GUIDA.choices(seek(radar(), cloak(), mask(), third=True), "ada")
    assert {(one.target, one.blind) for one in offered.attacks} == {("bo", True), ("cy", False)}
    assert [one.id for one in offered.perceptions] == ["radar"]
    assert [one.id for one in offered.camouflages] == ["cloak"]
    assert [one.id for one in offered.maskings] == ["mask"]
    assert [one.id for one in offered.beneficiaries] == ["ada", "cy"]


def test_one_may_hide_only_from_those_one_is_not_hidden_from() -> None:
    made = replace(seek(third=True), next="bo")
    assert [one.id for one in GUIDA.choices(made, "bo").hides_from] == ["cy"]


def test_what_cannot_be_paid_for_is_not_offered() -> None:
    assert GUIDA.choices(seek(radar(ep=51)), "ada").perceptions == ()


def test_the_bonus_of_a_perception_may_come_from_a_total_level() -> None:
    given = supplied(stat_bonus_source="total_level")
    made = seek(radar(stat_bonus=None, governing=Stat.INTELLIGENCE), **given)
    assert one(look(made, 3).findings, "perceived")["value"] == 13


# --------------------------------------------------------------------------------- what is seen


def test_somebody_hidden_is_in_no_view_of_those_it_is_hidden_from() -> None:
    made = seek(third=True)
    made = replace(made, behind=frozenset({Behind(who="ada", whom="bo")}), next="bo")
    for seat in ("ada", SPECTATOR):
        seen = GUIDA.view(made, seat)
        assert [one.id for one in seen.combatants] == ["ada", "cy"]
        assert {(one.a, one.b) for one in seen.distances} == {("ada", "cy")}
        assert (seen.behind, seen.next) == ((), "")
        assert GUIDA.awaits_for(made, seat).seats == ()
    for seat in ("bo", "cy", GM):
        seen = GUIDA.view(made, seat)
        assert [one.id for one in seen.combatants] == ["ada", "bo", "cy"]
        assert seen.next == "bo"
        assert GUIDA.awaits_for(made, seat).seats == ("bo",)


def test_whose_turn_it_is_is_not_told_to_those_who_do_not_see_them() -> None:
    made = replace(seek(third=True), next="bo")
    assert refusals(made, turn("ada")) == {"turn_of_hidden"}
    assert refusals(made, turn("cy")) == {"not_your_turn"}


def test_an_attack_is_seen_by_its_target_and_not_by_those_who_do_not_see_its_author() -> None:
    made = replace(seek(third=True), next="bo")
    made = hiding(made, ("bo", "ada"), ("bo", "cy"))
    made = post(made, turn("bo", main=hit("cy")), 6).state
    assert GUIDA.view(made, "ada").incoming == ()
    assert GUIDA.view(made, "ada").questions == ()
    assert len(GUIDA.view(made, "cy").incoming) == len(GUIDA.view(made, "cy").questions) == 1


@pytest.mark.parametrize("name", ["Kage > Ombra", "Ombra > Kage > X", "Kage, Ombra", " > "])
def test_a_name_with_the_mark_between_two_names_is_kept_as_well_as_any(name: str) -> None:
    made = seek(third=True)
    made = made.put(replace(made.who("bo"), sheet=replace(made.who("bo").sheet, name=name)))
    for who, whom in (("bo", "cy"), ("cy", "bo")):
        pair = Behind(who=who, whom=whom)
        done = rule(made, Place(by=GM, behind=(pair,), reason="-"))
        assert seen_of(made, done, GM, "ada") == ()
        assert seen_of(made, done, GM, "cy") == done.findings
        assert stories(made, done, GM)["ada"]


def test_a_name_that_ends_as_a_hidden_one_does_is_told() -> None:
    made = seek(third=True)
    made = made.put(replace(made.who("cy"), sheet=replace(made.who("cy").sheet, name="Cy > Bo")))
    done = rule(made, Place(by=GM, behind=(Behind(who="ada", whom="cy"),), reason="-"))
    assert one(seen_of(made, done, GM, "ada"), "placed_behind")["behind"] == ("Ada > Cy > Bo",)
    assert not stories(made, done, GM)["ada"]
