"""Whole battles, order by order: what stands in the way, what is told, who sees what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.engine.findings import Fact, Finding
from app.engine.ruleset import GM, SPECTATOR, Said
from app.engine.tally import Tally
from app.ops.battle_dice.rounds import result_of, units_of
from app.ops.battle_dice.wire import read_options
from app.ops.drawn import QueueDice
from app.ops.given import Given
from app.persistence.codec import Malformed, decode, encode, union_of
from app.rulesets.battle_dice.game import BATTLE_DICE
from app.rulesets.battle_dice.orders import Order
from app.rulesets.battle_dice.state import Battle, Setup


def battle(given: Given) -> dict[str, object]:
    """Play ``orders`` one after the other, each with the ``dice`` that it needs.

    Setup and orders are written as the API has them; ``options`` may stand beside the setup. A
    refused order changes nothing. What is told lists match whole, so a case that writes it down
    for each step is closed.
    """
    try:
        setup = decode(Setup, given.raw("setup"), "setup")
    except Malformed as wrong:
        return {"malformed": [f"{one.field}: {one.code}" for one in wrong.mistakes]}
    if given.has("options"):
        setup = replace(setup, options=read_options(given))
    if obstacles := BATTLE_DICE.check_setup(setup):
        return {"codes": [one.code for one in obstacles]}
    scene = BATTLE_DICE.start(setup)
    steps: list[dict[str, object]] = []
    for part in given.parts("orders"):
        scene, told = _step(scene, part)
        steps.append(told)
    return {"codes": [], "steps": steps, **_standing(scene)}


def _step(scene: Battle, part: Given) -> tuple[Battle, dict[str, object]]:
    try:
        order: Order = decode(union_of(BATTLE_DICE.orders), part.raw("order"), "order")
    except Malformed as wrong:
        return scene, {"malformed": [f"{one.field}: {one.code}" for one in wrong.mistakes]}
    if obstacles := BATTLE_DICE.check(scene, order):
        return scene, {"codes": [one.code for one in obstacles]}
    dice = QueueDice.read(part)
    plan = BATTLE_DICE.plan(scene, order)
    resolution = BATTLE_DICE.resolve(scene, order, dice)
    dice.finish()
    said = Said(plan.asked, resolution.findings)
    veils = BATTLE_DICE.veils(scene, resolution.state, order.by, said)
    return resolution.state, {
        "codes": [],
        "certain": len(plan.asked),
        "told": [_finding(one) for one in resolution.findings],
        "keys": [one.key for one in resolution.findings],
        "hidden_from": [one.seat for one in veils],
        "awaited": BATTLE_DICE.awaits(resolution.state).seats,
        "result": result_of(resolution.state),
    }


def _standing(scene: Battle) -> dict[str, object]:
    return {
        "turn": scene.turn,
        "result": result_of(scene),
        "units": {side.id: units_of(side) for side in scene.sides},
        "awaited": BATTLE_DICE.awaits(scene).seats,
        "views": {
            seat: encode(BATTLE_DICE.view(scene, seat)) for seat in (*_seats(scene), GM, SPECTATOR)
        },
        "choices": {
            seat: encode(BATTLE_DICE.choices(scene, seat)) for seat in (*_seats(scene), GM)
        },
    }


def _seats(scene: Battle) -> tuple[str, ...]:
    return tuple(side.id for side in scene.sides)


def _finding(one: Finding) -> dict[str, object]:
    told = {"key": one.key, "rule": one.rule, **_facts(one.facts)}
    return told if one.ruling is None else {**told, "ruling": one.ruling}


def _facts(facts: Mapping[str, Fact]) -> dict[str, object]:
    return {
        key: {term.key: term.value for term in value.terms} if isinstance(value, Tally) else value
        for key, value in facts.items()
    }
