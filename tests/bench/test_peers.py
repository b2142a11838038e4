"""Ratios of the turn engine against a dice roller; printed, never a reason to fail."""

from __future__ import annotations

import json
import secrets
from typing import Any

import pytest

from app.engine.dice import draw
from app.persistence.codec import encode
from app.posts.dice_tag import read_tag
from app.posts.phrases import say
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import Order, Turn
from app.rulesets.guida.state import Scene
from app.services.games import read_order
from tests.bench.ratios import compare
from tests.bench.test_engine import fight, guards

d20 = pytest.importorskip("d20", reason="make bench installs it")

ATTACK = "1d18+12"
GUARD = "1d24+12"
TAG = "[dice=1d18+12]Attacco [Lama] (A vs B): (+2 [Raggio Corto] +10 [Destrezza])[/dice]"
SIZE = 100


def cold(*expressions: str) -> None:
    """Roll with a roller that has parsed nothing yet."""
    for expression in expressions:
        d20.Roller().roll(expression)


def warm(*expressions: str) -> None:
    """Roll with the roller that keeps what it has parsed."""
    for expression in expressions:
        d20.roll(expression)


def parse_and_roll() -> None:
    """Read a dice tag and throw its die with a source nobody can foresee."""
    tag = read_tag(TAG)
    assert tag.faces is not None
    secrets.randbelow(tag.faces)


def play(scene: Scene, turn: Order) -> Any:
    """Plan, throw and resolve one post."""
    plan = GUIDA.plan(scene, turn)
    dice = draw(((die.address, die.sides) for die in plan.asked), secrets.randbelow)
    return GUIDA.resolve(scene, turn, dice)


def whole_turn(scene: Scene, data: str) -> None:
    """Take a turn from its JSON to the sentences that explain it."""
    turn = read_order(GUIDA, json.loads(data))
    assert not GUIDA.check(scene, turn)
    for found in play(scene, turn).findings:
        say("it", "guida", "findings", found.key, found.facts)


def test_the_ratios_against_a_roller_are_printed() -> None:
    scene = fight(1)
    turn: Turn = guards(scene)
    data = json.dumps(encode(turn, Order))

    def times(what: Any, *given: Any) -> Any:
        return lambda: [what(*given) for _ in range(SIZE)]

    print()
    print(
        compare(
            "P1  tag read and rolled / cold d20",
            times(parse_and_roll),
            times(cold, ATTACK),
            "≤ 0.15",
        )
    )
    print(
        compare(
            "P2  one exchange / two warm d20",
            times(play, scene, turn),
            times(warm, ATTACK, GUARD),
            "≤ 10",
        )
    )
    print(
        compare(
            "P3  a turn from JSON to text / two cold d20",
            times(whole_turn, scene, data),
            times(cold, ATTACK, GUARD),
            "≤ 5",
        )
    )
    print("P4  against boardgame.io: not measured, it is optional and needs Node")
