"""Odds are exact: they sum to 1 and are those of playing every face."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import TypeAlias

import pytest
from hypothesis import assume, given

from app.engine.dice import RecordedDice, Roll
from app.engine.ruleset import Asked, Law
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.initial import open_turn
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Independent,
    Turn,
)
from app.rulesets.guida.sheet import ArmourEffect
from app.rulesets.guida.state import (
    Scene,
    Setup,
)
from app.rulesets.guida.terms import Action, Phase
from tests.property.strategies import RANDOMS, examples, legal_turn, setups, step
from tests.unit.guida.build import boost, coming, counter, entrant, parry, tool, unbalance
from tests.unit.guida.build import scene as facing

Ends: TypeAlias = dict[tuple[Fraction, str], Fraction]

MANY = 12 * 24  # as many ways for dice to fall are played, at most


def told(law: Law) -> Ends:
    """Give a law as a table of its ends."""
    ends: Ends = {}
    for chance in law.chances:
        facts = dict(chance.outcome)
        ends[Fraction(facts["hp_lost"]), str(facts["offensive"])] = chance.probability
    assert sum(ends.values()) == 1
    assert len(ends) == len(law.chances)
    return ends


def every_roll(asked: tuple[Asked, ...]) -> Iterator[tuple[Roll, ...]]:
    """Go through every way in which dice can fall."""
    for faces in product(*(range(1, one.sides + 1) for one in asked)):
        yield tuple(
            Roll(one.address, one.sides, face) for one, face in zip(asked, faces, strict=True)
        )


def played(scene: Scene, turn: Turn) -> Ends:
    """Give the ends of a Defensive Phase by playing each of its faces; the main action is left."""
    alone = replace(turn, main=None, loose=())
    asked = GUIDA.plan(scene, alone).asked
    rolls = list(every_roll(tuple(one for one in asked if one.phase == Phase.DEFENSIVE)))
    later = tuple(Roll(one.address, one.sides, 1) for one in asked if one.phase != Phase.DEFENSIVE)
    opened = open_turn(scene, alone).scene
    ends: Ends = {}
    for fallen in rolls:
        done = GUIDA.resolve(scene, alone, RecordedDice((*fallen, *later)))
        lost = any(one.key in ("offensive_lost", "offensive_annulled") for one in done.findings)
        # What is struck in the Defensive Phase, and not what heals at the end of the turn.
        struck = -sum(
            line.amount
            for line in done.state.who(turn.by).lines
            if line.id > opened.serial and line.key in ("damage", "additional")
        )
        end = Fraction(struck), "lost" if lost else "held"
        ends[end] = ends.get(end, Fraction(0)) + Fraction(1, len(rolls))
    return ends


@examples(15)
@given(setups(2, 2, at=("ada", "bo")), RANDOMS)
def test_the_odds_of_a_defensive_phase_are_those_of_playing_it(setup: Setup, pick: Random) -> None:
    scene = GUIDA.start(setup)
    turn = legal_turn(pick, scene, scene.next)
    dice = [one for one in GUIDA.plan(scene, turn).asked if one.phase == Phase.DEFENSIVE]
    assume(dice and prod(one.sides for one in dice) <= MANY)
    law = next(law for law in GUIDA.forecast(scene, turn).laws if law.key == "defence")
    assert told(law) == played(scene, turn)


@examples(3)
@given(setups(most_tools=2, most_underway=0), RANDOMS)
def test_the_odds_of_an_attack_are_those_of_launching_and_answering_it(
    setup: Setup, pick: Random
) -> None:
    scene = GUIDA.start(setup)
    for _ in range(pick.choice((0, 1, 2))):  # also where energy and damage are due already
        if not GUIDA.awaits(scene).blocked:
            scene = step(scene, legal_turn(pick, scene, scene.next), pick).after
    assume(not GUIDA.awaits(scene).blocked)
    turn = legal_turn(pick, scene, scene.next)
    # An answer to what comes in oneself is the other law's matter, and so is a generic action.
    assume(isinstance(turn.main, Attack) and not scene.against(turn.by) and not scene.pending)
    laws = {dict(law.about)["action"]: law for law in GUIDA.forecast(scene, turn).laws}
    assert set(laws) == {Action.NULL_DEFENCE, Action.GUARD, Action.DODGE}
    for action in (Action.NULL_DEFENCE, Action.GUARD, Action.DODGE):
        ends: Ends = {}
        for fallen in every_roll(GUIDA.plan(scene, turn).asked):
            after = GUIDA.resolve(scene, turn, RecordedDice(fallen)).state
            attack = after.incoming[-1]
            after = replace(after, incoming=(attack,))
            answer = Defence(action=action, against=(attack.id,))
            for end, chance in played(after, Turn(by=attack.target, defences=(answer,))).items():
                ends[end] = ends.get(end, Fraction(0)) + chance / 12
        assert told(laws[action]) == ends


WITH_ONE_DIE = {
    Action.PARRY: parry("a1", tool="blade"),
    Action.UNBALANCE: unbalance("a1"),
    Action.COUNTERATTACK: counter("a1"),
    Action.DIRECT_COUNTERATTACK: counter("a1", action=Action.DIRECT_COUNTERATTACK),
}


@pytest.mark.parametrize("helped", [False, True])
@pytest.mark.parametrize("action", WITH_ONE_DIE)
def test_the_odds_of_each_defence_are_those_of_playing_it(action: Action, helped: bool) -> None:
    # Ada's 20 + 10 beats Bo's 16 + 10 by enough to go on halved; a tie at 20 is one face of each.
    haste = boost("haste", ArmourEffect(potential=Fraction(6), turns=2))
    bo = entrant("bo", tool(potential=16, parries=True), haste)
    scene = facing(entrant("ada"), bo, underway=(coming(modifier=10),), first="bo")
    independents = (Independent(tool="haste", against="a1"),) if helped else ()
    turn = Turn(by="bo", defences=(WITH_ONE_DIE[action],), independents=independents)
    assert GUIDA.check(scene, turn) == ()
    (law,) = (law for law in GUIDA.forecast(scene, turn).laws if law.key == "defence")
    ends = played(scene, turn)
    assert told(law) == ends
    assert len(ends) > (1 if action is not Action.DIRECT_COUNTERATTACK else 0)
