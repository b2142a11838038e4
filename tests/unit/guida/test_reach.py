"""What a move that did not happen leaves out of reach is annulled at its launch (GC-2.28, AMB-25).

Bo's bow reaches 10 metres; Ada's attack has a hit score of 10, or of 20.
"""

from __future__ import annotations

from typing import Any

from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Generic,
)
from app.rulesets.guida.places import (
    Distance,
)
from app.rulesets.guida.readings import (
    BeyondRange,
    TieDamage,
)
from app.rulesets.guida.rulings import (
    Place,
)
from app.rulesets.guida.sheet import Heal
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action, Change
from tests.unit.guida.build import (
    by_master,
    coming,
    counter,
    dodge,
    due,
    entrant,
    hit,
    keys,
    one,
    post,
    post_any,
    reading,
    refusals,
    rule,
    scene,
    to,
    tool,
    turn,
)

BOW = tool("bow", max_m=10, ep=2)


def facing(*tools: Any, metres: int = 15, die: int = 6, modifier: int = 4, **more: Any) -> Scene:
    """Put Bo, fifteen metres away, before an attack of Ada's."""
    bo = entrant("bo", *(tools or (BOW,)))
    underway = (coming(die, modifier),)
    return scene(entrant("ada"), bo, metres=metres, underway=underway, first="bo", **more)


NEARER = turn("bo", dodge("a1", move=to(("ada", 9))), main=hit("ada", tool="bow"))


def test_a_dodge_that_moves_brings_the_attack_in_reach() -> None:
    done = post(facing(), NEARER, 7, 6)
    assert len(done.state.incoming) == 1
    assert due(done.state, "bo", Change.EP) == [-2]


def test_a_tied_dodge_leaves_it_out_of_reach_and_it_costs_nothing() -> None:
    start = facing(die=7, modifier=10)
    done = post_any(start, NEARER, 7, 6)
    assert done.state.metres("ada", "bo") == 15
    assert done.state.incoming == ()
    told = one(done.findings, "out_of_reach")
    assert (told["metres"], told["max_m"], told["spent"]) == (15, 10, False)
    assert due(done.state, "bo", Change.EP) == []
    assert done.state.who("bo").uses_of("bow") == 0
    assert keys(done.findings) & {"attack_launched", "label_superseded"} == set()


def test_a_tie_that_is_also_the_win_moves_and_reaches() -> None:
    start = facing(die=7, modifier=10, **reading(tie_half_damage_mode=TieDamage.ALONGSIDE_WIN))
    assert len(post(start, NEARER, 7, 6).state.incoming) == 1


def test_range_that_only_costs_launches_it_all_the_same() -> None:
    start = facing(die=7, modifier=10, **reading(beyond_max_range=BeyondRange.ALLOW))
    done = post(start, NEARER, 7, 6)
    assert len(done.state.incoming) == 1
    assert "label_superseded" in keys(done.findings)


def approached() -> Scene:
    """Let Ada come from 40 metres to 5 with an attack."""
    start = scene(
        entrant("ada"), entrant("bo", tool("bow", max_m=10, ep=2, potential=40)), metres=40
    )
    return post(start, turn("ada", main=hit(move=to(("bo", 5)))), 1).state


def test_a_counter_whose_target_it_stopped_half_way_does_not_reach_it_any_more() -> None:
    start = approached()
    order = turn("bo", counter("a1", "bow"))
    done = post_any(start, order, 18, 6)
    assert done.state.metres("ada", "bo") == 40 - 17
    assert done.state.incoming == ()
    assert one(done.findings, "out_of_reach")["spent"] is True
    assert due(done.state, "bo", Change.EP) == [-2]


def test_a_lost_generic_counter_that_does_not_reach_costs_nothing() -> None:
    balm = tool("balm", attacks=False, generic=True)
    start = scene(entrant("ada", tool(), balm), entrant("bo", BOW), metres=15)
    start = post(start, turn("ada", main=Generic(tool="balm")), 12).state
    order = turn(
        "bo", counter("g1", "bow", action=Action.GENERIC_COUNTERATTACK, move=to(("ada", 9)))
    )
    done = post_any(start, order, 1, 6)
    assert one(done.findings, "out_of_reach")["spent"] is False
    assert due(done.state, "bo", Change.EP) == []


def test_of_several_targets_those_in_reach_are_attacked() -> None:
    start = scene(
        entrant("ada"),
        entrant("bo", BOW),
        entrant("cy", team="ada"),
        metres=10,
        underway=(coming(7, 10),),
        first="bo",
    )
    start = rule(start, by_master(Place, distances=(Distance(a="bo", b="ada", metres=11),))).state
    order = turn("bo", dodge("a1", move=to(("ada", 9))), main=hit("ada", tool="bow", also=("cy",)))
    assert {attack.target for attack in post(start, order, 8, 6).state.incoming} == {"ada", "cy"}
    done = post(start, order, 7, 6)
    (attack,) = done.state.incoming
    assert (attack.target, attack.volley) == ("cy", None)
    assert "several_targets" not in {term.key for term in attack.hit.terms}
    assert one(done.findings, "out_of_reach")["target"] == "Ada"


# ------------------------------------------------------------------- a heal on somebody else


BALM = tool("balm", attacks=False, generic=True, max_m=10, ep=2, effects=(Heal(),))


def healing(metres: int, **more: Any) -> Scene:
    """Put Ada, with a balm that reaches ten metres, so far from her friend Cy."""
    cy = entrant("cy", team="ada", hp=50)
    return scene(entrant("ada", BALM), cy, entrant("bo"), metres=metres, **more)


def test_a_heal_reaches_as_far_as_its_technique() -> None:
    order = turn("ada", main=Generic(tool="balm", beneficiary="cy"))
    assert refusals(healing(10), order) == set()
    assert refusals(healing(11), order) == {"beyond_max_range"}
    assert refusals(healing(11, **reading(beyond_max_range=BeyondRange.ALLOW)), order) == set()
    assert refusals(healing(11), turn("ada", main=Generic(tool="balm", beneficiary="ada"))) == set()
    near = Generic(tool="balm", beneficiary="cy", move=to(("cy", 10)))
    assert refusals(healing(11), turn("ada", main=near)) == set()
    (offered,) = GUIDA.choices(healing(11), "ada").generics
    assert offered.too_far == ("cy", "bo")
    (offered,) = GUIDA.choices(healing(10), "ada").generics
    assert offered.too_far == ()


def test_a_heal_that_a_tied_dodge_leaves_out_of_reach_is_annulled() -> None:
    start = healing(15, underway=(coming(7, 10, at="ada", by="bo"),))
    order = turn(
        "ada",
        dodge("a1", move=to(("cy", 10))),
        main=Generic(tool="balm", beneficiary="cy"),
    )
    assert len(post(start, order, 8, 6).state.pending) == 1
    done = post_any(start, order, 7, 6)
    assert done.state.pending == ()
    assert one(done.findings, "out_of_reach")["target"] == "Cy"
