"""Armour: what it stops, when a beaten one is down, and when it is up again."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from app.rulesets.guida.readings import (
    ArmourDown,
    ArmourStacking,
    SemiPureArmour,
)
from app.rulesets.guida.sheet import ArmourEffect
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import DamageType
from tests.unit.guida.build import (
    boost,
    coming,
    due,
    entrant,
    hit,
    keys,
    one,
    post,
    reading,
    scene,
    suffer,
    tool,
    turn,
)


def clad(potential: int, *underway: Any, ada: Any = None, **options: Any) -> Scene:
    """Put Bo in armour before attacks of Ada."""
    return scene(
        ada or entrant("ada"),
        entrant("bo", armour=potential),
        underway=underway or (coming(),),
        first="bo",
        **reading(**options),
    )


@pytest.mark.parametrize(
    ("potential", "damage", "down"),
    [
        (21, 0, False),  # 30 against 31
        (20, 0, True),  # 30 against 30
        (19, 10, True),  # 20 less 9.5
        (8, 16, True),
        (0, 20, True),
    ],
)
def test_an_armour_stops_what_does_not_exceed_it_and_goes_down_when_it_is_reached(
    potential: int, damage: int, down: bool
) -> None:
    done = post(clad(potential), turn("bo", suffer("a1")))
    assert one(done.findings, "damage_due")["amount"] == damage
    assert ("armour_down" in keys(done.findings)) is down
    assert done.state.who("bo").armour_down is down


@pytest.mark.parametrize(
    ("until", "damage", "down_after"),
    [
        (ArmourDown.OWNER_NEXT_TURN, [-16, -20], True),
        (ArmourDown.CURRENT_TURN_END, [-16, -20], False),
        (ArmourDown.SAME_ACTION, [-16, -16], False),
    ],
)
def test_a_beaten_armour_is_down_for_as_long_as_the_board_says(
    until: ArmourDown, damage: list[int], down_after: bool
) -> None:
    start = clad(8, coming(), coming(), armour_down_until=until)
    state = post(start, turn("bo", suffer("a1", "a2"))).state
    assert due(state, "bo") == damage
    assert state.who("bo").armour_down is down_after
    state = post(state, turn("ada", main=hit()), 6).state
    assert state.who("bo").armour_down is down_after  # somebody else's turn changes nothing
    state = post(state, turn("bo", suffer(state.incoming[0].id))).state
    assert due(state, "bo") == [-16]  # it protected again


@pytest.mark.parametrize("until", ArmourDown)
def test_an_armour_that_is_down_when_the_scene_is_taken_up_is_up_again_in_time(
    until: ArmourDown,
) -> None:
    bo = entrant("bo", armour=8, armour_down=True)
    state = scene(entrant("ada"), bo, first="bo", **reading(armour_down_until=until))
    state = post(state, turn("bo")).state
    state = post(state, turn("ada", main=hit()), 6).state
    state = post(state, turn("bo", suffer(state.incoming[0].id))).state
    assert due(state, "bo") == [-16]


def test_an_armour_stopped_at_a_margin_goes_on_protecting() -> None:
    state = post(clad(21, coming(), coming()), turn("bo", suffer("a1", "a2"))).state
    assert due(state, "bo") == [0, 0]


@pytest.mark.parametrize(
    ("stacking", "damage"), [(ArmourStacking.STRONGEST, 16), (ArmourStacking.SUM, 13)]
)
def test_two_armours_give_the_stronger_or_their_sum(stacking: ArmourStacking, damage: int) -> None:
    skin = boost("skin", ArmourEffect(potential=Fraction(6)))
    state = scene(
        entrant("ada"),
        entrant("bo", tool(), skin, armour=8),
        first="bo",
        **reading(armour_stacking=stacking),
    )
    state = post(state, turn("bo", main=hit("ada", support=("skin",))), 1).state
    state = post(state, turn("ada", suffer(state.incoming[0].id), main=hit()), 6).state
    state = post(state, turn("bo", suffer(state.incoming[0].id))).state
    assert due(state, "bo") == [-damage]


@pytest.mark.parametrize(
    ("kind", "reading_", "damage", "down"),
    [
        (DamageType.PURE, SemiPureArmour.NORMAL_HALF, 22, False),
        (DamageType.SEMI_PURE, SemiPureArmour.NORMAL_HALF, 19, True),  # (16 + 22) / 2
        (DamageType.SEMI_PURE, SemiPureArmour.NONE, 21, False),
    ],
)
def test_pure_damage_passes_through_armour(
    kind: DamageType, reading_: SemiPureArmour, damage: int, down: bool
) -> None:
    ada = entrant("ada", tool(damage=kind))
    done = post(clad(8, ada=ada, semi_pure_armour=reading_), turn("bo", suffer("a1")))
    assert one(done.findings, "damage_due")["amount"] == damage
    assert done.state.who("bo").armour_down is down
