"""Counterattacks and parries: both halves, clashes of power, and what is left of either.

Bo's answer is 1d18 + 10 against a hit score of 10, or of 20 where a tie or a loss is wanted; Ada's
blade comes with 20 + 10, category B, so 3 points of difference halve and 6 leave intact.
"""

from __future__ import annotations

from typing import Any

import pytest

from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Continuation,
    Independent,
)
from app.rulesets.guida.places import (
    Distance,
)
from app.rulesets.guida.readings import (
    BeyondRange,
    PowerCarried,
    TieDamage,
)
from app.rulesets.guida.rulings import (
    Place,
)
from app.rulesets.guida.sheet import StatPoints
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action, Aim, Change, Limb, Stack, Stat
from tests.unit.guida.build import (
    boost,
    by_master,
    coming,
    counter,
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
    shield,
    to,
    tool,
    turn,
    unbalance,
)

DIRECT = Action.DIRECT_COUNTERATTACK
HASTE = StatPoints(stat=Stat.STRENGTH, points=1, turns=2)


def facing(*underway: Any, bo: Any = None, cy: bool = False, **more: Any) -> Scene:
    """Put Bo before attacks of Ada, and of Cy on her side."""
    others = (entrant("cy", team="ada"),) if cy else ()
    fighters = (entrant("ada"), bo or entrant("bo"), *others)
    return scene(*fighters, underway=underway, first="bo", **more)


def armed(potential: int, **more: Any) -> Any:
    """Give Bo a blade of this potential."""
    return entrant("bo", tool(potential=potential), **more)


# ------------------------------------------------------------------- a counterattack's halves


def test_a_counter_that_goes_on_intact_is_launched_with_two_more() -> None:
    done = post(facing(coming(), bo=armed(26)), turn("bo", counter("a1")), 18, 7)
    (attack,) = done.state.incoming
    assert (attack.attacker, attack.target, attack.die) == ("bo", "ada", 7)
    assert attack.hit.total == 2 + 10 + 2  # distance, Dexterity, GC-4.70
    assert attack.power.total == 36
    assert due(done.state, "bo") == []


def test_a_counter_that_goes_on_halved_keeps_its_bonus() -> None:
    done = post(facing(coming(), bo=armed(24)), turn("bo", counter("a1")), 18, 7)
    (attack,) = done.state.incoming
    assert one(done.findings, "power_comparison")["defence_after"] == "halved"
    assert (attack.potential, attack.stat_bonus, attack.power.total) == (12, 10, 22)


def test_a_counter_annulled_with_the_attack_ends_there() -> None:
    done = post_any(facing(coming(), bo=armed(22)), turn("bo", counter("a1")), 18, 7)
    assert one(done.findings, "power_comparison")["attack_after"] == "annulled"
    assert done.state.incoming == ()
    assert due(done.state, "bo") == []
    assert "no_main_action" in keys(done.findings)


def test_a_counter_wins_a_tie() -> None:
    done = post(facing(coming(modifier=14), bo=armed(26)), turn("bo", counter("a1")), 10, 7)
    assert "speed_tie" in keys(done.findings)
    assert len(done.state.incoming) == 1


def test_a_lost_counter_suffers_the_attack_costs_nothing_and_goes_nowhere() -> None:
    bo = entrant("bo", tool(ep=4))
    done = post_any(facing(coming(modifier=14), bo=bo), turn("bo", counter("a1")), 9, 7)
    assert due(done.state, "bo") == [-20]
    assert due(done.state, "bo", Change.EP) == []
    assert done.state.who("bo").uses_of("blade") == 0
    assert done.state.incoming == ()
    assert "offensive_lost" in keys(done.findings)


def test_a_counter_overcome_by_power_was_still_carried_out() -> None:
    bo = entrant("bo", tool(potential=10, ep=4))
    done = post_any(facing(coming(), bo=bo), turn("bo", counter("a1")), 18, 7)
    assert "defence_overcome" in keys(done.findings)
    assert due(done.state, "bo") == [-20]
    assert due(done.state, "bo", Change.EP) == [-4]
    assert done.state.who("bo").uses_of("blade") == 1
    assert done.state.incoming == ()


def test_a_counter_that_goes_on_is_paid_and_counted_once() -> None:
    bo = entrant("bo", tool(potential=26, ep=4))
    done = post(facing(coming(), bo=bo), turn("bo", counter("a1")), 18, 7)
    assert due(done.state, "bo", Change.EP) == [-4]
    assert done.state.who("bo").uses_of("blade") == 1
    assert done.state.incoming[0].use == 1


def test_the_continuation_has_the_aim_it_was_given() -> None:
    then = Continuation(aim=Aim.LIMBS, limb=Limb.ARMS)
    done = post(facing(coming(), bo=armed(26)), turn("bo", counter("a1", then=then)), 18, 7)
    (attack,) = done.state.incoming
    assert (attack.aim, attack.limb, attack.hit.total) == (Aim.LIMBS, Limb.ARMS, 13)


@pytest.mark.parametrize(("first", "target"), [(None, "ada"), (0, "ada"), (1, "cy")])
def test_of_two_counters_the_marked_one_goes_on(first: int | None, target: str) -> None:
    start = facing(coming(), coming(by="cy"), bo=armed(26), cy=True)
    counters = (
        counter(attack, then=Continuation(first=first == place))
        for place, attack in enumerate(("a1", "a2"))
    )
    done = post_any(start, turn("bo", *counters), 18, 7, 18, 8)
    (attack,) = done.state.incoming
    assert attack.target == target
    assert "counter_ends" in keys(done.findings)


def test_a_later_failure_loses_the_continuation() -> None:
    start = facing(coming(), coming(modifier=40), bo=armed(26))
    done = post_any(start, turn("bo", counter("a1"), guard("a2")), 18, 7, 1)
    assert due(done.state, "bo") == [-20]
    assert done.state.incoming == ()
    assert "offensive_annulled" in keys(done.findings)


def test_an_attack_caught_on_its_way_stops_half_way() -> None:
    start = post(scene(), turn("ada", main=hit(move=to(("bo", 15)))), 6).state
    done = post_any(start, turn("bo", counter("a1")), 18, 7)
    assert done.state.metres("ada", "bo") == 10


# ---------------------------------------------------------------------- direct counterattacks


def test_a_direct_counter_suffers_the_attack_and_goes_on_with_three_more() -> None:
    start = post(scene(), turn("ada", main=hit(move=to(("bo", 15)))), 6).state
    done = post(start, turn("bo", counter("a1", action=DIRECT)), 18, 7)
    assert due(done.state, "bo") == [-20]
    assert done.state.metres("ada", "bo") == 15  # GC-4.18
    (attack,) = done.state.incoming
    assert attack.hit.total == -2 + 10 + 3  # two ranges off, GC-4.74
    assert attack.power.total == 30
    assert "power_comparison" not in keys(done.findings)


def test_a_lost_direct_counter_is_a_failure() -> None:
    done = post_any(facing(coming(modifier=14)), turn("bo", counter("a1", action=DIRECT)), 9, 7)
    assert due(done.state, "bo") == [-20]
    assert done.state.incoming == ()


def test_a_lost_direct_counter_goes_on_with_two_less_where_the_board_says_so() -> None:
    start = facing(coming(modifier=14), **reading(failed_direct_counter_is_launched=True))
    done = post_any(start, turn("bo", counter("a1", action=DIRECT)), 9, 7)
    (attack,) = done.state.incoming
    assert attack.hit.total == 2 + 10 - 2
    assert one(done.findings, "label_superseded")["difference"] == -5


# ------------------------------------------------------------------------------------- range


def offered_against(start: Scene, action: Action) -> dict[tuple[str, ...], Any]:
    """List what a counterattack may be made with, by what it answers."""
    ways = [one for one in GUIDA.choices(start, "bo").defences if one.action is action]
    return {
        one.against: (
            [tool.id for tool in one.tools],
            [(far.tool.id, far.max_m) for far in one.after_move],
        )
        for one in ways
    }


@pytest.mark.parametrize("action", [Action.COUNTERATTACK, DIRECT])
def test_a_counter_is_offered_for_each_opponent_with_what_reaches_it(action: Action) -> None:
    bo = entrant("bo", tool(max_m=10), tool("bow", max_m=30), tool("stare"))
    start = facing(coming(), coming(by="cy"), bo=bo, cy=True)
    places = (Distance(a="bo", b="ada", metres=11), Distance(a="bo", b="cy", metres=10))
    start = rule(start, by_master(Place, distances=places)).state
    assert offered_against(start, action) == {
        ("a1",): (["bow", "stare"], [("blade", 10)]),
        ("a2",): (["blade", "bow", "stare"], []),
    }
    too_far = turn("bo", counter("a1", action=action))
    assert refusals(start, too_far) == {"beyond_max_range"}
    nearer = turn("bo", counter("a1", action=action, move=to(("ada", 10))))
    assert refusals(start, nearer) == set()
    assert refusals(start, turn("bo", counter("a2", action=action))) == set()
    assert refusals(start, turn("bo", counter("a1", "bow", action=action))) == set()


def test_range_that_only_costs_hides_no_tool() -> None:
    bo = entrant("bo", tool(max_m=5))
    start = facing(coming(), bo=bo, metres=6, **reading(beyond_max_range=BeyondRange.ALLOW))
    assert offered_against(start, DIRECT) == {("a1",): (["blade"], [])}
    assert refusals(start, turn("bo", counter("a1", action=DIRECT))) == set()


# ------------------------------------------------------------------------------------ parries


def parrying(*potentials: int, **more: Any) -> Any:
    """Give Bo something to parry with."""
    (potential,) = potentials
    return entrant(
        "bo", tool(), shield("buckler", guards=False, parries=True, potential=potential), **more
    )


def test_a_parry_leaves_the_offensive_phase_free() -> None:
    start = facing(coming(), bo=parrying(26))
    done = post(start, turn("bo", parry("a1", tool="buckler"), main=hit("ada")), 18, 7)
    assert due(done.state, "bo") == []
    (attack,) = done.state.incoming
    assert attack.hit.total == 12  # no bonus: a parry does not go on


def test_a_parry_halves_what_it_cannot_stop() -> None:
    done = post_any(facing(coming(), bo=parrying(16)), turn("bo", parry("a1", tool="buckler")), 18)
    assert one(done.findings, "power_comparison")["attack_after"] == "halved"
    assert due(done.state, "bo") == [-10]  # 10 + 10 - 10


@pytest.mark.parametrize(
    ("potential", "carried", "damage"),
    [
        (26, PowerCarried.CARRIED, []),  # 36 stays intact twice
        (24, PowerCarried.CARRIED, [-20]),  # 34 is halved to 22, which 30 beats by 8
        (24, PowerCarried.FULL, []),
    ],
)
def test_a_parry_meets_the_next_attack_with_what_is_left(
    potential: int, carried: PowerCarried, damage: list[int]
) -> None:
    start = facing(
        coming(), coming(), bo=parrying(potential), **reading(covering_defence_power=carried)
    )
    done = post(start, turn("bo", parry("a1", "a2", tool="buckler")), 18)
    assert due(done.state, "bo") == damage


def test_a_covering_parry_that_is_spent_covers_nothing_more() -> None:
    start = facing(coming(), coming(), bo=parrying(20))
    done = post(start, turn("bo", parry("a1", "a2", tool="buckler")), 18)
    assert "cover_spent" in keys(done.findings)
    assert due(done.state, "bo") == [-20]


def test_a_tied_parry_suffers_half_and_compares_nothing() -> None:
    start = facing(coming(modifier=14), bo=parrying(26))
    done = post(start, turn("bo", parry("a1", tool="buckler")), 10)
    assert due(done.state, "bo") == [-10]
    assert "power_comparison" not in keys(done.findings)


# ---------------------------------------------------------------------------------- unbalance


def test_unbalancing_avoids_the_attack_and_costs_its_author_balance() -> None:
    done = post(facing(coming()), turn("bo", unbalance("a1"), main=hit("ada")), 8, 6)
    assert due(done.state, "bo") == []
    assert due(done.state, "ada", Change.STACKS) == [2]
    assert [lot.stack for lot in done.state.who("ada").lots] == [Stack.OFF_BALANCE]


@pytest.mark.parametrize(
    ("mode", "stacks"), [(TieDamage.REPLACES_WIN, []), (TieDamage.ALONGSIDE_WIN, [2])]
)
def test_a_tied_unbalance_suffers_half_in_place_of_the_win_or_with_it(
    mode: TieDamage, stacks: list[int]
) -> None:
    start = facing(coming(die=6, modifier=11), **reading(tie_half_damage_mode=mode))
    done = post(start, turn("bo", unbalance("a1")), 7)
    assert due(done.state, "bo") == [-10]
    assert due(done.state, "ada", Change.STACKS) == stacks


def test_a_lost_unbalance_is_a_failure() -> None:
    done = post_any(facing(coming(modifier=40)), turn("bo", unbalance("a1"), main=hit("ada")), 8, 6)
    assert due(done.state, "bo") == [-20]
    assert done.state.incoming == ()


# ----------------------------------------------------------------- independents, costs of failure


def test_an_independent_action_in_time_is_paid_though_the_defence_fails() -> None:
    bo = entrant("bo", shield(ep=3), boost("haste", HASTE, ep=2))
    order = turn(
        "bo",
        guard("a1", tool="shield"),
        independents=(Independent(tool="haste", against="a1"),),
    )
    done = post(facing(coming(modifier=22), bo=bo), order, 1, 18)  # 28: 13 fails, 28 ties
    assert "independent_in_time" in keys(done.findings)
    assert due(done.state, "bo", Change.EP) == [-2]
    assert due(done.state, "bo", Change.POINTS) == [1]


def test_an_independent_action_too_late_costs_nothing_and_fails_nothing() -> None:
    bo = entrant("bo", tool(), boost("haste", HASTE, ep=2))
    order = turn(
        "bo",
        guard("a1"),
        independents=(Independent(tool="haste", against="a1"),),
        main=hit("ada"),
    )
    done = post(facing(coming(modifier=14), bo=bo), order, 24, 9, 6)
    assert "independent_outpaced" in keys(done.findings)
    assert due(done.state, "bo", Change.EP) == []
    assert done.state.who("bo").uses_of("haste") == 0
    assert len(done.state.incoming) == 1


def test_what_follows_a_failure_costs_nothing_and_is_not_counted() -> None:
    bo = entrant("bo", shield(ep=3), tool(ep=4), boost("haste", HASTE, ep=2))
    start = facing(coming(modifier=40), coming(), bo=bo)
    order = turn(
        "bo",
        guard("a1"),
        guard("a2", tool="shield", support=("haste",)),
        main=hit("ada"),
    )
    done = post_any(start, order, 1, 24, 6)
    assert due(done.state, "bo") == [-20, -20]
    assert due(done.state, "bo", Change.EP) == []
    bo_after = done.state.who("bo")
    assert [bo_after.uses_of(id) for id in ("shield", "blade", "haste")] == [0, 0, 0]
    assert found(done.findings, "defence_auto_failed")


def test_the_labels_of_both_dice_are_those_of_a_won_half() -> None:
    asked = GUIDA.plan(facing(coming()), turn("bo", counter("a1"))).asked
    assert [(die.sides, die.tally.total) for die in asked] == [(18, 10), (12, 14)]
