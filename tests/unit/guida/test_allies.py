"""Defences of an ally (GC-13.10 to 13.20, GC-14.37, GC-14.38): Bo protects Cy from Ada.

Ada's blow comes with 6 + 2 + 10 = 18 and does 20 damage; whatever Bo rolls has his Dexterity, 10.
"""

from __future__ import annotations

from typing import Any

import pytest

from app.engine.findings import Finding
from app.engine.ruleset import Said
from app.posts.phrases import LANGUAGES, say
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Knock,
)
from app.rulesets.guida.places import (
    Distance,
)
from app.rulesets.guida.rulings import (
    Adequacy,
    Place,
)
from app.rulesets.guida.senses import is_hidden
from app.rulesets.guida.sheet import Constraint, Gigantism, Knockback, Stats
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action, AttackForm, Bind, Change
from app.services.sight import findings_seen, veil_over
from tests.unit.guida.build import (
    by_master,
    dodge,
    due,
    entrant,
    found,
    guard,
    hit,
    keys,
    one,
    parry,
    post,
    post_any,
    reading,
    refusals,
    rule,
    scene,
    suffer,
    to,
    tool,
    turn,
)
from tests.unit.guida.build_stealth import hiding
from tests.unit.guida.build_team import (
    answered,
    asked,
    beside,
    blow_at,
    fit,
    lost,
    mate,
    protect,
    swing,
    team,
)

NULL, GUARD = Action.ALLY_NULL_DEFENCE, Action.ALLY_GUARD
PARRY, COUNTER, CARRY = Action.ALLY_PARRY, Action.ALLY_COUNTERATTACK, Action.ALLY_DODGE


def under_attack(*others: Any, blow: Any = None, **more: Any) -> Scene:
    """Let Ada attack Cy; Bo posts next."""
    start = team(*(others or (mate("bo"), mate("cy"))), blow=blow, **more)
    return post(start, turn("ada", main=hit("cy")), 6).state


def saved(start: Scene, action: Action, *faces: int, **more: Any) -> Any:
    """Let Bo step beside Cy and meet what comes at him."""
    needs = {"tool": "blade"} if action in (PARRY, COUNTER) else {}
    move = to(("ada", 5)) if action is CARRY else beside("cy")
    declared = protect(action, blow_at(start, "cy"), **{"move": move, **needs, **more})
    return post_any(start, turn("bo", declared), *faces)


# ------------------------------------------------------------------- in time or too late


def test_a_guard_in_time_takes_half_of_the_blow_upon_the_protector() -> None:
    done = saved(under_attack(), GUARD, 7)  # 7 + 2 + 10
    assert one(done.findings, "ally_sheltered")["protector"] == "Bo"
    assert [lost(done.state, id) for id in ("bo", "cy")] == [10, 0]
    assert done.state.incoming == ()
    assert "offensive_lost" not in keys(done.findings)


def test_a_guard_too_late_leaves_the_blow_to_the_ally_who_may_still_answer_it() -> None:
    done = saved(under_attack(), GUARD, 5)  # a point less than 18
    assert "ally_not_reached" in keys(done.findings)
    assert [lost(done.state, id) for id in ("bo", "cy")] == [0, 0]
    assert "offensive_lost" in keys(done.findings)
    after = post(done.state, turn("cy", dodge(blow_at(done.state, "cy")), main=hit("ada")), 12, 6)
    assert lost(after.state, "cy") == 0
    assert [one.attacker for one in after.state.incoming] == ["cy"]


def test_a_protector_who_is_late_has_not_moved_and_paid_nothing() -> None:
    bo = mate("bo", fit(guards=True, ep=4))
    start = under_attack(bo, mate("cy"), metres=10)
    late = saved(start, GUARD, 1, tool="blade")
    assert late.state.metres("bo", "cy") == 10
    assert due(late.state, "bo", Change.EP) == []
    there = saved(start, GUARD, 24, tool="blade")
    assert there.state.metres("bo", "cy") == 5
    assert due(there.state, "bo", Change.EP) == [-4]


def test_a_null_defence_in_time_takes_the_whole_blow_and_has_not_failed() -> None:
    done = saved(under_attack(), NULL, 4)  # 4 + 2 + 2 for ten levels + 10
    assert "speed_tie" in keys(done.findings)
    assert [lost(done.state, id) for id in ("bo", "cy")] == [20, 0]
    assert "offensive_lost" not in keys(done.findings)


def test_a_null_defence_too_late_has_failed() -> None:
    done = saved(under_attack(), NULL, 3)
    assert [lost(done.state, id) for id in ("bo", "cy")] == [0, 0]
    assert "offensive_lost" in keys(done.findings)


def test_a_parry_that_annuls_the_blow_spares_both() -> None:
    done = saved(under_attack(), PARRY, 9)
    assert done.state.incoming == ()
    assert [lost(done.state, id) for id in ("bo", "cy")] == [0, 0]


@pytest.mark.parametrize(("potential", "damage"), [(17, 10), (14, 20)])
def test_a_parry_that_is_overcome_lets_the_rest_strike_the_protector(
    potential: int, damage: int
) -> None:
    start = under_attack(mate("bo", fit(potential=potential)), mate("cy"), metres=10)
    done = saved(start, PARRY, 18)
    assert "defence_overcome" in keys(done.findings)
    assert [lost(done.state, id) for id in ("bo", "cy")] == [damage, 0]
    assert done.state.metres("bo", "cy") == 5  # he was there


def test_a_tied_parry_strikes_the_protector_for_half() -> None:
    done = saved(under_attack(), PARRY, 8)
    assert [lost(done.state, id) for id in ("bo", "cy")] == [10, 0]


def test_a_counter_for_an_ally_goes_on_like_any_other() -> None:
    start = under_attack(mate("bo", fit(potential=26)), mate("cy"))
    done = saved(start, COUNTER, 8, 7)  # a tie is in time
    (attack,) = done.state.incoming
    assert (attack.attacker, attack.target, attack.hit_score) == ("bo", "ada", 21)
    assert asked(done.state) == []


def test_a_counter_for_an_ally_that_is_overcome_is_suffered() -> None:
    start = under_attack(mate("bo", fit(potential=14)), mate("cy"))
    done = saved(start, COUNTER, 18, 7)
    assert [lost(done.state, id) for id in ("bo", "cy")] == [20, 0]
    assert done.state.incoming == ()


# ------------------------------------------------------------------- a dodge with an ally


def test_a_dodge_carries_the_ally_along() -> None:
    start = under_attack()
    done = saved(start, CARRY, 13, move=to(("ada", 9)))  # 13 + 10 - 4 for ten levels of Strength
    assert [lost(done.state, id) for id in ("bo", "cy")] == [0, 0]
    assert [done.state.metres("ada", id) for id in ("bo", "cy")] == [9, 9]
    assert done.state.metres("bo", "cy") == 0


def test_a_tied_dodge_lets_half_through_to_the_ally_and_moves_nobody() -> None:
    done = saved(under_attack(), CARRY, 12, move=to(("ada", 9)))
    assert [lost(done.state, id) for id in ("bo", "cy")] == [0, 10]
    assert done.state.metres("ada", "bo") == 5


def test_a_dodge_too_late_leaves_the_ally_where_it_is() -> None:
    done = saved(under_attack(), CARRY, 11)
    assert done.state.against("cy") != ()
    assert done.state.metres("bo", "cy") == 5


def test_how_far_a_dodge_carries_shrinks_with_the_load() -> None:
    start = under_attack()
    order = turn("bo", protect(CARRY, "a1", move=to(("ada", 11))))
    assert refusals(start, order) == set()  # Dexterity 10 less 4 makes six metres
    order = turn("bo", protect(CARRY, "a1", move=to(("ada", 12))))
    assert refusals(start, order) == {"dodge_too_far"}


def test_fetching_an_ally_from_another_range_costs_and_carrying_it_there_does_not() -> None:
    for metres, expected in ((5, 7), (6, 5)):
        start = under_attack(metres=metres)
        assert score(start, 1, action=CARRY, move=to(("ada", metres + 5))) == expected


def test_an_ally_out_of_a_dodges_reach_cannot_be_fetched() -> None:
    order = turn("bo", protect(CARRY, "a1", move=to(("ada", 7))))
    assert refusals(under_attack(metres=7), order) == {"dodge_too_far"}
    order = turn("bo", protect(CARRY, "a1", move=to(("ada", 6))))
    assert refusals(under_attack(metres=6), order) == set()


@pytest.mark.parametrize(("own", "other", "codes"), [(0, 1, {"ally_too_large"}), (1, 1, set())])
def test_only_a_larger_ally_is_too_large(own: int, other: int, codes: set[str]) -> None:
    start = under_attack(mate("bo", size=own), mate("cy", size=other))
    order = turn("bo", protect(CARRY, "a1", move=to(("ada", 6))))
    assert refusals(start, order) == codes


def test_a_change_of_form_counts_for_size() -> None:
    grow = tool("grow", attacks=False, supports=True, effects=(Gigantism(size=2),))
    start = team(mate("bo"), mate("cy", fit(), grow))
    start = post(post(start, turn("ada")).state, turn("bo")).state
    start = post(start, turn("cy", main=hit("ada", support=("grow",))), 6).state
    start = post(start, turn("ada", main=hit("cy")), 6).state
    order = turn("bo", protect(CARRY, blow_at(start, "cy"), move=to(("ada", 6))))
    assert refusals(start, order) == {"ally_too_large"}


# ------------------------------------------------------------------- scores and moves


def score(start: Scene, *faces: int, **more: Any) -> int:
    """Give the defend score, or what stands in its place, without the die of one."""
    done = saved(start, more.pop("action"), *faces, **more)
    (facts,) = [*found(done.findings, "speed_attacker_wins"), *found(done.findings, "speed_tie")]
    return int(facts["defend_score"])


def test_a_protector_farther_off_than_the_attacker_loses_two_points() -> None:
    start = under_attack()
    far = by_master(Place, distances=(Distance(a="bo", b="cy", metres=6),))
    assert score(start, 1, action=PARRY) == 11
    # One range crossed, from six metres to five, costs two more.
    assert score(rule(start, far).state, 1, action=PARRY) == 7
    assert score(rule(start, far).state, 1, 1, action=COUNTER) == 7


def test_a_step_inside_the_same_range_is_free() -> None:
    assert score(under_attack(), 1, action=GUARD, move=beside("cy", 1)) == 13


def test_a_board_may_waive_the_price_of_the_step() -> None:
    start = under_attack(metres=10, **reading(ally_move_step_malus=False))
    assert score(start, 1, action=PARRY) == 11
    assert score(under_attack(metres=10), 1, action=PARRY) == 9


def test_dexterity_helps_a_null_defence_by_whole_fives_and_never_hinders_it() -> None:
    for dexterity, expected in ((0, 3), (4, 7), (5, 9), (14, 19)):
        bo = mate("bo", stats=Stats(strength=10, dexterity=dexterity, constitution=10))
        done = saved(under_attack(bo, mate("cy")), NULL, 1)
        facts = next(f for f in done.findings if f.key.startswith("speed_")).facts
        assert facts["defend_score"] == expected


def test_the_protector_ends_between_attacker_and_ally() -> None:
    start = under_attack()
    assert refusals(start, turn("bo", protect(GUARD, "a1"))) == {"ally_needs_move"}
    for move, codes in (
        (beside("cy", 5), set()),
        (beside("cy", 6), {"ally_not_between"}),
        (to(("cy", 1), ("ada", 6)), {"ally_not_between"}),
        (to(("cy", 1), ("ada", 5)), set()),
    ):
        assert refusals(start, turn("bo", protect(GUARD, "a1", move=move))) == codes


@pytest.mark.parametrize("form", list(AttackForm))
def test_a_counter_from_afar_meets_only_projectiles_and_the_master_says_if_it_goes_on(
    form: AttackForm,
) -> None:
    bo = mate("bo", fit(potential=26))
    start = under_attack(bo, mate("cy"), blow=fit(form=form))
    declared = turn("bo", protect(COUNTER, "a1", tool="blade"))
    if form is AttackForm.MELEE:
        assert refusals(start, declared) == {"ally_needs_move"}
        return
    met = post(start, declared, 18, 7)
    assert "ally_sheltered" not in keys(met.findings)  # nobody stepped between them
    assert one(met.findings, "ally_sheltered_from_afar")["protector"] == "Bo"
    done = met.state
    assert asked(done) == ["counter_goes_on"]
    done = post(done, turn("cy")).state
    assert refusals(done, turn("ada")) == {"counter_goes_on"}
    goes_on = answered(done, "counter_goes_on", "confirm")
    assert [one.target for one in goes_on.incoming] == ["ada"]
    ended = answered(done, "counter_goes_on", "deny")
    assert (ended.incoming, asked(ended)) == ((), [])


# ------------------------------------------------------------------- whose phase it is


def test_a_declared_ally_defence_counts_among_what_comes_at_the_protector() -> None:
    start = under_attack()
    step = beside("cy")
    twice = (protect(GUARD, "a1", move=step), protect(NULL, "a1", move=step))
    assert refusals(start, turn("bo", *twice)) == {"too_many_defences"}
    assert refusals(start, turn("bo", dodge("a1"))) == {
        "too_many_defences",
        "attack_not_incoming",
    }


def test_once_the_ally_has_answered_it_is_too_late() -> None:
    start = team(mate("cy"), mate("bo"))
    start = post(start, turn("ada", main=hit("cy")), 6).state
    start = post(start, turn("cy")).state
    order = turn("bo", protect(GUARD, "a1", move=beside("cy")))
    assert "ally_not_attacked" in refusals(start, order)


def test_an_opponent_or_oneself_is_no_ally() -> None:
    start = post(team(), turn("ada", main=hit("bo")), 6).state
    order = turn("bo", protect(GUARD, "a1", move=beside("cy")))
    assert "ally_not_attacked" in refusals(start, order)
    other = team(mate("bo"), entrant("cy", team="dusk"))
    other = post(other, turn("ada", main=hit("cy")), 6).state
    assert "ally_not_attacked" in refusals(other, order)


def test_what_is_asked_about_the_attack_is_asked_of_the_protector_too() -> None:
    done = swing(team(mate("bo"), mate("cy"), mate("dan")), "cy", "dan", sure=False)
    order = turn("bo", protect(GUARD, "a1", move=beside("cy")))
    assert refusals(done, order) == {"target_in_reach"}
    assert refusals(done, turn("bo")) == set()


def test_both_attacks_need_a_defence_and_the_first_failure_closes_the_rest() -> None:
    start = two_attackers("bo", "cy")
    order = turn("bo", dodge("a1"), protect(GUARD, "a2", move=beside("cy")))
    done = post_any(start, order, 1, 24)
    assert "ally_auto_failed" in keys(done.findings)
    assert lost(done.state, "bo") == 20
    assert [one.target for one in done.state.incoming] == ["cy"]
    done = post(start, order, 12, 24)
    assert [lost(done.state, id) for id in ("bo", "cy")] == [10, 0]


def two_attackers(first: str, second: str) -> Scene:
    """Let Ada attack one of the team and Eve another."""
    night = (entrant(id, fit(), team="night") for id in ("ada", "eve"))
    start = scene(*night, mate("bo"), mate("cy"), mate("dan"), first="ada")
    start = post(start, turn("ada", main=hit(first)), 6).state
    return post(start, turn("eve", main=hit(second)), 6).state


def test_a_parry_that_was_annulled_covers_no_other_ally_any_more() -> None:
    start = two_attackers("cy", "dan")
    order = turn("bo", protect(PARRY, "a1", "a2", move=beside("cy"), tool="blade"))
    done = post(start, order, 18)
    assert "ally_cover_spent" in keys(done.findings)
    assert [one.target for one in done.state.incoming] == ["dan"]
    assert "offensive_lost" not in keys(done.findings)


def test_what_is_stopped_for_one_ally_is_stopped_for_the_other_one_covers() -> None:
    start = swing(team(mate("bo"), mate("cy"), mate("dan")), "cy", "dan")
    order = turn("bo", protect(PARRY, "a1", "a1b", move=beside("cy"), tool="blade"))
    done = post(start, order, 18)
    assert "stopped_before" in keys(done.findings)
    assert done.state.incoming == ()


def test_a_parry_for_an_ally_stops_a_swing_for_the_protector_too() -> None:
    done = swing(team(), "bo", "cy")
    order = turn("bo", suffer("a1"), protect(PARRY, "a1b", move=beside("cy"), tool="blade"))
    after = post(done, order, 18)
    assert "stopped_for_all" in keys(after.findings)
    assert [lost(after.state, id) for id in ("bo", "cy")] == [0, 0]


def test_an_unsuited_defence_lets_the_blow_strike_the_protector_who_is_there() -> None:
    start = under_attack()
    ruling = by_master(Adequacy, attack="a1", defence=PARRY, adequate=False)
    done = saved(rule(start, ruling).state, PARRY, 18)
    assert "defence_inadequate" in keys(done.findings)
    assert [lost(done.state, id) for id in ("bo", "cy")] == [20, 0]


def test_a_null_defence_for_an_ally_takes_nothing_along() -> None:
    start = under_attack()
    order = turn("bo", protect(NULL, "a1", move=beside("cy"), tool="blade"))
    assert refusals(start, order) == {"takes_no_tool"}
    order = turn("bo", protect(CARRY, "a1", move=to(("ada", 6)), tool="blade"))
    assert refusals(start, order) == {"takes_no_tool"}
    order = turn("bo", protect(PARRY, "a1", move=beside("cy")))
    assert refusals(start, order) == {"tool_needed"}


def test_one_dodge_carries_one_ally() -> None:
    done = swing(team(mate("bo"), mate("cy"), mate("dan")), "cy", "dan")
    order = turn("bo", protect(CARRY, "a1", "a1b", move=to(("ada", 6))))
    assert refusals(done, order) == {"carries_one_ally"}


# ------------------------------------------------------------------- knocked back


@pytest.mark.parametrize("action", [GUARD, NULL])
def test_whoever_takes_the_blow_is_thrown_and_may_react(action: Action) -> None:
    ram = fit(potential=40, potential_bonus=4, effects=(Knockback(),))
    start = team(blow=ram)
    start = post(start, turn("ada", main=hit("cy", knock=Knock())), 6).state
    order = turn("bo", protect(action, "a1", move=beside("cy"), reacts=True))
    assert refusals(start, order) == set()
    done = post(start, order, 24, 1)
    assert found(done.findings, "thrown")[0]["target"] == "Bo"
    assert "reaction_failed" in keys(done.findings) or "reaction_succeeded" in keys(done.findings)


@pytest.mark.parametrize(("action", "faces"), [(GUARD, (24,)), (NULL, (24,)), (PARRY, (18,))])
def test_a_protector_is_thrown_from_between(action: Action, faces: tuple[int, ...]) -> None:
    ram = fit(potential=60, potential_bonus=4, effects=(Knockback(),))
    start = post(team(blow=ram), turn("ada", main=hit("cy", knock=Knock())), 6).state
    needs = {"tool": "blade"} if action is PARRY else {}
    move = to(("ada", 4), ("cy", 1))
    done = post(start, turn("bo", protect(action, "a1", move=move, **needs)), *faces)
    thrown = found(done.findings, "thrown")[0]
    assert (thrown["target"], thrown["before"]) == ("Bo", 4)
    assert done.state.metres("ada", "bo") == 4 + thrown["metres"]


def test_a_protector_thrown_away_before_is_not_between_any_more() -> None:
    ram = fit(potential=40, potential_bonus=4, effects=(Knockback(),))
    start = scene(
        entrant("ada", ram), entrant("eva", fit(), team="ada"), mate("bo"), mate("cy"), first="ada"
    )
    start = post(start, turn("ada", main=hit("bo", knock=Knock())), 6).state
    start = post(start, turn("eva", main=hit("cy")), 6).state
    order = turn("bo", suffer("a1"), protect(GUARD, "a2", move=beside("cy")))
    done = post(start, order, 24)
    assert one(done.findings, "move_annulled")["action"] is GUARD
    assert {"ally_not_reached", "thrown"} <= keys(done.findings)
    assert "moved" not in keys(done.findings)
    assert [blow.target for blow in done.state.incoming] == ["cy"]


def test_a_guard_beside_an_ally_is_no_own_guard() -> None:
    start = under_attack()
    assert refusals(start, turn("bo", guard("a1"))) >= {"attack_not_incoming"}
    assert refusals(start, turn("bo", parry("a1", tool="blade"))) >= {"attack_not_incoming"}


# ------------------------------------------------------------------- a protector out of sight


def told(start: Scene, done: Any, author: str, seat: str) -> list[Finding]:
    """Give what a seat is told of a decision."""
    veil = veil_over(GUIDA.veils(start, done.state, author, Said((), done.findings)), (seat,))
    return list(findings_seen(done.findings, veil))


@pytest.mark.parametrize(
    ("action", "faces", "suffers"), [(GUARD, (7,), 10), (NULL, (4,), 20), (PARRY, (9,), 0)]
)
def test_an_attacker_knows_that_somebody_unseen_met_its_blow_and_posts_what_it_did(
    action: Action, faces: tuple[int, ...], suffers: int
) -> None:
    start = hiding(under_attack(), ("bo", "ada"))
    done = saved(start, action, *faces)
    facts = [str(fact) for one in told(start, done, "bo", "ada") for fact in one.facts.values()]
    assert "Bo" not in facts
    (met,) = (one for one in told(start, done, "bo", "ada") if one.key == "ally_met_unseen")
    assert met.facts == {"attacker": "Ada", "target": "Cy", "name": "Blade"}
    after = post(done.state, turn("cy")).state
    assert is_hidden(after, "bo", "ada")
    posted = post(after, turn("ada"))
    mine = found(told(after, posted, "ada", "ada"), "posted_hp")
    assert [(one["target"], one["amount"], one["working"]) for one in mine] == (
        [("???", suffers, None)] if suffers else []
    )
    for language in LANGUAGES:
        for facts in mine:
            assert "???" in say(language, "guida", "findings", "posted_hp", facts)
    assert all(line.posted for line in posted.state.who("bo").lines)


def test_a_protector_in_sight_or_too_late_is_no_riddle() -> None:
    assert "ally_met_unseen" not in keys(saved(under_attack(), GUARD, 7).findings)
    start = hiding(under_attack(), ("bo", "ada"))
    assert "ally_met_unseen" not in keys(saved(start, GUARD, 5).findings)


def test_whoever_is_carried_away_by_somebody_unseen_was_not_struck_by_chance() -> None:
    start = hiding(under_attack(), ("bo", "ada"))
    done = saved(start, CARRY, 18)
    assert "ally_met_unseen" in {one.key for one in told(start, done, "bo", "ada")}


def test_what_unseen_limbs_are_bound_with_is_posted_without_the_sum() -> None:
    net = Constraint(binds=(Bind.ARM_BLOCK,), deals_damage=True)
    start = under_attack(blow=fit(potential_bonus=4, effects=(net,)))
    done = saved(hiding(start, ("bo", "ada")), NULL, 4)
    posted = post(post(done.state, turn("cy")).state, turn("ada"))
    (bound,) = (one for one in found(posted.findings, "posted_effect"))
    assert (bound["target"], bound["working"]) == ("???", None)
    for language in LANGUAGES:
        assert "{" not in say(language, "guida", "findings", "posted_effect", bound)
