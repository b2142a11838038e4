"""Odds are exact: they sum to 1 and are those of playing every face."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import TypeAlias

from hypothesis import assume, given

from app.engine.dice import RecordedDice, Roll
from app.engine.ruleset import Asked, Law
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import Defence, Turn
from app.rulesets.guida.state import Scene, Setup
from app.rulesets.guida.terms import Action, Phase
from tests.property.strategies import RANDOMS, examples, legal_turn, setups, step

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
    alone = Turn(by=turn.by, defences=turn.defences)
    asked = GUIDA.plan(scene, alone).asked
    rolls = list(every_roll(asked))
    ends: Ends = {}
    for fallen in rolls:
        done = GUIDA.resolve(scene, alone, RecordedDice(fallen))
        lost = any(one.key == "offensive_lost" for one in done.findings)
        before = _after_header(scene, turn.by)
        end = Fraction(before - done.state.who(turn.by).hp_now), "lost" if lost else "held"
        ends[end] = ends.get(end, Fraction(0)) + Fraction(1, len(rolls))
    return ends


def _after_header(scene: Scene, id: str) -> int:
    """Give the hit points once the register of a post is written (a floor may have lifted them)."""
    (vitals,) = [
        one.facts for one in GUIDA.plan(scene, Turn(by=id)).findings if one.key == "vitals"
    ]
    waiting = sum(
        line.amount
        for line in scene.who(id).lines
        if line.change == "hp" and line.confirmed and not line.posted
    )
    return int(str(vitals["hp"])) + waiting


@examples(12)
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
    met = tuple(attack.id for attack in scene.against(turn.by))
    suffered = (Defence(action=Action.NULL_DEFENCE, against=met),) if met else ()
    turn = Turn(by=turn.by, defences=suffered, main=turn.main)  # nothing keeps it from attacking
    assume(turn.main is not None and not GUIDA.check(scene, turn))
    laws = {dict(law.about).get("action"): law for law in GUIDA.forecast(scene, turn).laws}
    laws.pop(None, None)  # that of the own Defensive Phase
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
