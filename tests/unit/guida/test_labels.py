"""Labels are written as if all that comes before them in the post works (GC-2.29).

Where it does, what counts is the label; where it does not and the die counts all the same, the
finding says so with both sums. Bo stands 5 m from everybody; a guard is 1d24 + 2 + 10.
"""

from __future__ import annotations

from typing import Any

import pytest

from app.engine.ruleset import Resolution
from app.rulesets.guida.entrants import Uses
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Independent,
    Movement,
    Turn,
)
from app.rulesets.guida.readings import (
    MovementCounter,
)
from app.rulesets.guida.sheet import StatPoints
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action, Phase, Stat
from tests.unit.guida.build import (
    boost,
    coming,
    counter,
    dodge,
    entrant,
    found,
    guard,
    hit,
    post,
    post_any,
    reading,
    scene,
    to,
    tool,
    turn,
)

GENERIC = Action.GENERIC_COUNTERATTACK
HASTE = boost("haste", StatPoints(stat=Stat.DEXTERITY, points=3, turns=2))


def running_away(**more: Any) -> Scene:
    """Let Ada run from 5 m to 25, and Cy of her side attack: Bo answers both."""
    start = scene(entrant("ada"), entrant("cy", team="ada"), entrant("bo"), **more)
    start = post(start, turn("ada", main=Movement(move=to(("bo", 25)))), 6).state
    return post(start, turn("cy", main=hit()), 6).state


def charged(bo: Any, **more: Any) -> Scene:
    """Let Ada charge from 25 m to 5, and Cy of her side attack: Bo answers both."""
    start = scene(entrant("ada"), entrant("cy", team="ada"), bo, metres=25, **more)
    start = post(start, turn("ada", main=hit(move=to(("bo", 5)))), 6).state
    return post(start, turn("cy", main=hit()), 6).state


def labels(start: Scene, order: Turn) -> list[Any]:
    """List the labels of a post in the order of its dice."""
    return [asked.tally.total for asked in GUIDA.plan(start, order).asked]


def met_by(done: Resolution[Scene], action: Action) -> Any:
    """Give the modifiers that a defence counted with."""
    told = [f.facts for f in done.findings if f.key.startswith("speed_")]
    (speed,) = [facts for facts in told if facts["action"] is action]
    return speed["defend"].total


def superseded(done: Resolution[Scene]) -> list[tuple[Any, ...]]:
    """List what is said about labels that do not count."""
    told = found(done.findings, "label_superseded")
    assert all(fact["difference"] == fact["counts"].total - fact["written"].total for fact in told)
    return [(f["phase"], f["action"], f["written"].total, f["counts"].total) for f in told]


def whys(done: Resolution[Scene]) -> list[Any]:
    """List the reasons that are given for it."""
    return [fact["why"] for fact in found(done.findings, "label_superseded")]


# ------------------------------------------------------------- a movement that is caught

AWAY = turn("bo", counter("g1", action=GENERIC), guard("a2", move=to(("ada", 15))))


def test_a_defence_after_a_counter_starts_where_the_movement_was_caught() -> None:
    start = running_away()
    assert labels(start, AWAY)[2] == 2 + 10  # Ada is at 15 m then: no range is crossed
    done = post(start, AWAY, 18, 7, 20)
    assert met_by(done, Action.GUARD) == 2 + 10
    assert superseded(done) == []


def test_a_defence_whose_label_built_on_a_lost_counter_says_what_counts() -> None:
    done = post(running_away(), AWAY, 1, 7, 20)
    assert met_by(done, Action.GUARD) == 2 + 10 - 4  # Ada is still at 5 m: two ranges
    assert whys(done) == ["defence_failed", "counter_lost"]
    assert superseded(done) == [
        (Phase.DEFENSIVE, Action.GUARD, 12, 8),
        # Bo has gone to 15 m, and the counter was not won.
        (Phase.OFFENSIVE, GENERIC, 10, 6),
    ]


def test_a_movement_that_is_only_suspended_has_gone_nowhere() -> None:
    start = running_away(**reading(movement_counter_mode=MovementCounter.SUSPENDED_ACTION))
    assert labels(start, AWAY)[2] == 2 + 10 - 4
    assert superseded(post(start, AWAY, 18, 7, 20)) == []


# ------------------------------------------------- the move inside an attack that is met


def test_a_defence_after_a_counter_starts_where_the_attack_was_caught() -> None:
    start = charged(entrant("bo", tool(potential=60)))
    order = turn("bo", counter("a1"), guard("a2", move=to(("ada", 15))))
    # 15 m are two ranges off, for the counterattack too.
    assert labels(start, order) == [10, 10 + 2 - 2, 2 + 10]
    done = post(start, order, 18, 7, 20)
    assert met_by(done, Action.GUARD) == 2 + 10
    assert superseded(done) == []


def test_a_defence_after_a_counter_that_stopped_nothing_says_what_counts() -> None:
    start = charged(
        entrant("bo", tool(potential=1)), **reading(overpowered_defence_blocks_offensive=False)
    )
    order = turn("bo", counter("a1"), guard("a2", move=to(("ada", 15))))
    done = post_any(start, order, 18, 7, 20)
    assert met_by(done, Action.GUARD) == 2 + 10 - 4
    assert superseded(done) == [(Phase.DEFENSIVE, Action.GUARD, 12, 8)]
    assert whys(done) == ["defence_failed"]


def test_a_tie_that_does_not_move_is_the_reason_it_gives() -> None:
    start = scene(
        entrant("ada"), entrant("bo"), underway=(coming(die=7, modifier=10),), first="bo", metres=15
    )
    order = turn("bo", dodge("a1", move=to(("ada", 5))), main=hit("ada"))
    done = post(start, order, 7, 6)
    assert superseded(done) == [(Phase.OFFENSIVE, Action.ATTACK, 12, 8)]
    assert whys(done) == ["not_moved"]


# ------------------------------------------------------------ independent secondary actions


def helped(*tools: Any) -> Scene:
    """Put Bo before an attack of score 20, with something quick to help."""
    bo = entrant("bo", tool(), HASTE, *tools)
    return scene(entrant("ada"), bo, underway=(coming(die=10, modifier=10),), first="bo")


@pytest.mark.parametrize(
    ("face", "counts", "told"),
    [(18, 15, []), (1, 12, [(Phase.DEFENSIVE, Action.GUARD, 15, 12)])],
)
def test_what_an_independent_action_begins_is_in_the_label_of_the_defence_after_it(
    face: int, counts: int, told: list[Any]
) -> None:
    start = helped()
    order = turn("bo", guard("a1"), independents=(Independent(tool="haste", against="a1"),))
    assert labels(start, order) == [2 + 10 + 3, 10]
    done = post(start, order, 20, face)
    assert met_by(done, Action.GUARD) == counts
    assert superseded(done) == told


def test_an_independent_action_counts_on_the_one_before_it() -> None:
    start = helped(boost("hop"))
    both = tuple(Independent(tool=id, against="a1") for id in ("haste", "hop"))
    order = turn("bo", independents=both)
    assert labels(start, order) == [10, 10 + 3]
    assert superseded(post(start, order, 18, 18)) == []
    assert superseded(post(start, order, 1, 18)) == [
        (Phase.DEFENSIVE, Action.INDEPENDENT_SECONDARY, 13, 10)
    ]


def test_what_a_main_action_starts_from_counts_independent_actions_too() -> None:
    start = helped()
    order = turn("bo", main=hit("ada"), independents=(Independent(tool="haste", against="a1"),))
    assert labels(start, order) == [10, 2 + 10 + 3]
    done = post(start, order, 1, 7)
    assert superseded(done) == [(Phase.OFFENSIVE, Action.ATTACK, 15, 12)]
    assert whys(done) == ["other"]


def test_an_independent_action_that_a_failure_bars_says_so() -> None:
    start = scene(
        entrant("ada"),
        entrant("bo", tool(), HASTE),
        underway=(coming(die=12, modifier=12), coming()),
        first="bo",
        **reading(independent_secondary_survives_failure=False),
    )
    late = (Independent(tool="haste", against="a2"),)
    done = post_any(start, turn("bo", guard("a1"), guard("a2"), independents=late), 1, 20, 18)
    (outpaced,) = found(done.findings, "independent_outpaced")
    assert outpaced["barred"] is True
    assert outpaced["defend_score"] > outpaced["hit_score"]
    slow = (Independent(tool="haste", against="a1"),)
    done = post_any(start, turn("bo", guard("a1"), independents=slow), 20, 1)
    assert found(done.findings, "independent_outpaced")[0]["barred"] is False


# --------------------------------------------------------- movements that nobody counters


def moving(*others: Any, **more: Any) -> Scene:
    """Let Ada run from 5 m to 25 before Bo, whose blade reaches 10 m and whose bow 30."""
    bo = entrant("bo", tool(max_m=10), tool("bow", max_m=30))
    start = scene(entrant("ada"), bo, *others, **more)
    return post(start, turn("ada", main=Movement(move=to(("bo", 25)))), 6).state


def in_reach(start: Scene) -> dict[str, bool]:
    """Say of each of Bo's weapons whether it is offered as reaching Ada."""
    attacks = GUIDA.choices(start, "bo").attacks
    return {one.tool.id: one.in_range for one in attacks if one.target == "ada"}


def test_an_attack_on_a_mover_who_is_let_pass_is_labelled_where_the_mover_still_is() -> None:
    start = moving()
    assert in_reach(start) == {"blade": True, "bow": True}
    order = turn("bo", main=hit("ada"))
    assert labels(start, order) == [10 + 2]  # at 5 m
    done = post(start, order, 7)
    assert superseded(done) == []
    assert done.state.incoming[0].hit.total == 10 + 2
    assert done.state.metres("ada", "bo") == 25


def test_a_movement_that_still_waits_for_somebody_else_has_gone_nowhere() -> None:
    start = moving(entrant("cy"))
    assert in_reach(start) == {"blade": True, "bow": True}
    order = turn("bo", main=hit("ada"))
    assert labels(start, order) == [10 + 2]
    assert superseded(post(start, order, 7)) == []


def test_what_a_counter_suspends_has_not_taken_effect_in_its_label() -> None:
    start = moving(**reading(movement_counter_mode=MovementCounter.SUSPENDED_ACTION))
    order = turn("bo", counter("g1", action=GENERIC))
    assert labels(start, order) == [10, 10 + 2 + 2]  # still at 5 m
    assert superseded(post(start, order, 18, 7)) == []
    assert superseded(post(start, order, 1, 7)) == [(Phase.OFFENSIVE, GENERIC, 14, 10)]


# ------------------------------------------------------------ one defence, several attacks


def test_a_defence_against_several_attacks_has_the_label_of_the_first() -> None:
    """What differs between them is not superseded: each score is shown (decision 3)."""
    stab = tool("stab")
    start = scene(
        entrant("ada", stab),
        entrant("cy", stab, team="ada", uses=(Uses(tool="stab", count=3),)),
        entrant("bo"),
    )
    start = post(start, turn("ada", main=hit(tool="stab")), 1).state
    start = post(start, turn("cy", main=hit(tool="stab")), 1).state
    done = post(start, turn("bo", guard("a1", "a2")), 24)
    scores = [fact["defend"].total for fact in found(done.findings, "speed_defender_wins")]
    assert scores[0] != scores[1]
    assert superseded(done) == []
