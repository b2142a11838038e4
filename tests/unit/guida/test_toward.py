"""One counterattack against several opponents: toward whom it goes on, and when it is paid for.

Bo's answer is 1d18 + 10 against hit scores of 10; his axe of 40 + 10 outlasts both blades.
"""

from __future__ import annotations

from typing import Any

import pytest

from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Continuation,
    Generic,
    Movement,
)
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action, Change
from tests.unit.guida.build import (
    coming,
    counter,
    dodge,
    due,
    entrant,
    found,
    hit,
    keys,
    one,
    post,
    post_any,
    reading,
    scene,
    to,
    tool,
    turn,
)

GENERIC = Action.GENERIC_COUNTERATTACK
AXE = tool("axe", potential=40, ep=3)
BALM = tool("balm", attacks=False, generic=True)


def two(first: int = 6, second: int = 6, **more: Any) -> Scene:
    """Put Bo before an attack of Ada's and one of Cy's."""
    fighters = (entrant("ada"), entrant("bo", AXE), entrant("cy", team="ada"))
    underway = (coming(first), coming(second, by="cy"))
    return scene(*fighters, underway=underway, first="bo", **more)


def both(toward: str | None = None) -> Any:
    """Counter both with one axe."""
    return turn("bo", counter("a1", "axe", "a2", then=Continuation(toward=toward)))


@pytest.mark.parametrize(("toward", "target"), [(None, "ada"), ("ada", "ada"), ("cy", "cy")])
def test_it_goes_on_toward_the_first_it_beat_or_the_one_named(
    toward: str | None, target: str
) -> None:
    start = two()
    names = [asked.targets for asked in GUIDA.plan(start, both(toward)).asked]
    assert names == [("Ada", "Cy"), (target.title(),)]
    done = post(start, both(toward), 18, 7)
    (attack,) = done.state.incoming
    assert (attack.attacker, attack.target) == ("bo", target)
    assert [len(found(done.findings, "power_comparison"))] == [2]
    assert due(done.state, "bo", Change.EP) == [-3]  # it is one action
    assert "label_superseded" not in keys(done.findings)


def test_what_the_clashes_leave_goes_on_and_not_what_the_first_left() -> None:
    done = post(
        two(),
        turn("bo", counter("a1", "axe", "a2", then=Continuation(toward="ada"))),
        18,
        7,
    )
    last = found(done.findings, "power_comparison")[-1]
    assert done.state.incoming[0].power.total == last["remaining"]


def opened(first: int = 6, second: int = 6) -> Scene:
    """Let Ada, then Cy, launch a balm before Bo: success scores of their dice and ten."""
    start = scene(
        entrant("ada", tool(), BALM), entrant("cy", tool(), BALM, team="ada"), entrant("bo", AXE)
    )
    start = post(start, turn("ada", main=Generic(tool="balm")), first).state
    return post(start, turn("cy", main=Generic(tool="balm")), second).state


def against_both(toward: str | None = None) -> Any:
    """Counter both balms with one axe."""
    then = Continuation(toward=toward)
    return turn("bo", counter("g1", "axe", "g2", action=GENERIC, then=then))


@pytest.mark.parametrize(
    ("first", "second", "toward", "target", "bonus"),
    [
        (6, 6, None, "ada", 2),
        (6, 6, "cy", "cy", 2),
        (12, 6, None, "cy", 2),  # the first is not stopped
        (6, 12, "cy", "ada", 2),  # the one named is not stopped
        (12, 12, None, "ada", -2),
        (12, 12, "cy", "cy", -2),
    ],
)
def test_a_generic_counter_goes_toward_one_whose_action_it_stopped(
    first: int, second: int, toward: str | None, target: str, bonus: int
) -> None:
    done = post(opened(first, second), against_both(toward), 8, 7)
    (attack,) = done.state.incoming
    assert attack.target == target
    assert attack.hit.total == 2 + 10 + bonus
    lost = [fact["why"] for fact in found(done.findings, "label_superseded")]
    meant = toward or "ada"
    assert lost == (["toward_other"] if target != meant else ["counter_lost"] if bonus < 0 else [])
    held = {pending.actor for pending in done.state.pending if pending.held}
    assert held == {who for who, die in (("ada", first), ("cy", second)) if die == 6}
    assert due(done.state, "bo", Change.EP) == [-3]


# ------------------------------------------------------- a lost one is paid when it is launched


def single(**options: Any) -> Scene:
    """Let Ada launch a balm of success score 22, and Cy's attack come after it."""
    start = scene(
        entrant("ada", tool(), BALM),
        entrant("cy", team="ada"),
        entrant("bo", AXE, tool("stone", ep=1)),
        **reading(**options),
    )
    start = post(start, turn("ada", main=Generic(tool="balm")), 12).state
    return post(start, turn("cy", main=hit()), 6).state


def test_a_lost_generic_counter_is_paid_and_counted_when_it_is_launched() -> None:
    start = post(single(), turn("bo", counter("g1", "axe", action=GENERIC)), 1, 7)
    told = [finding.key for finding in start.findings]
    assert told.index("energy_spent") > told.index("generic_not_countered")
    assert due(start.state, "bo", Change.EP) == [-3]
    assert start.state.who("bo").uses_of("axe") == 1


def test_a_lost_generic_counter_whose_phase_is_closed_costs_nothing() -> None:
    order = turn("bo", counter("g1", "axe", action=GENERIC), dodge("a2"))
    done = post_any(single(), order, 1, 7, 1)  # the dodge fails
    assert done.state.incoming == ()
    assert due(done.state, "bo", Change.EP) == []
    assert done.state.who("bo").uses_of("axe") == 0


def test_a_lost_generic_counter_that_blocks_the_phase_costs_nothing() -> None:
    start = single(failed_generic_counter_blocks_offensive=True)
    done = post_any(start, turn("bo", counter("g1", "axe", action=GENERIC)), 1, 7)
    assert due(done.state, "bo", Change.EP) == []
    assert done.state.who("bo").uses_of("axe") == 0


def test_a_lost_generic_counter_costs_nothing_where_another_goes_on() -> None:
    order = turn(
        "bo",
        counter("g1", "stone", action=GENERIC),
        counter("a2", "axe", then=Continuation(first=True)),
    )
    done = post_any(single(), order, 1, 7, 18, 7)
    assert due(done.state, "bo", Change.EP) == [-3]
    assert done.state.who("bo").uses_of("stone") == 0
    assert one(done.findings, "counter_ends")["action"] is GENERIC


def test_a_won_generic_counter_costs_though_its_continuation_is_lost() -> None:
    order = turn("bo", counter("g1", "axe", action=GENERIC), dodge("a2"))
    done = post_any(single(), order, 18, 7, 1)
    assert done.state.incoming == ()
    assert due(done.state, "bo", Change.EP) == [-3]
    assert done.state.who("bo").uses_of("axe") == 1


def test_a_lost_direct_counter_that_is_never_launched_costs_nothing() -> None:
    start = scene(
        entrant("ada"),
        entrant("bo", AXE, tool("stone", ep=1)),
        entrant("cy", team="ada"),
        underway=(coming(), coming(12, by="cy")),
        first="bo",
        **reading(failed_direct_counter_is_launched=True),
    )
    order = turn(
        "bo",
        counter("a1", "axe", then=Continuation(first=True)),
        counter("a2", "stone", action=Action.DIRECT_COUNTERATTACK),
    )
    done = post_any(start, order, 18, 7, 1, 7)
    assert due(done.state, "bo", Change.EP) == [-3, -1]  # after the failure only it goes on
    assert [attack.tool.id for attack in done.state.incoming] == ["stone"]


def test_a_mover_and_a_healer_are_both_met_by_one() -> None:
    start = scene(entrant("ada"), entrant("cy", tool(), BALM, team="ada"), entrant("bo", AXE))
    start = post(start, turn("ada", main=Movement(move=to(("bo", 11)))), 1).state
    start = post(start, turn("cy", main=Generic(tool="balm")), 6).state
    done = post(start, against_both("cy"), 18, 7)
    assert done.state.incoming[0].target == "cy"
    assert done.state.metres("ada", "bo") == 8
