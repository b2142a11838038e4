"""Ratios of the pure engine; printed, never a reason to fail (run with ``make bench``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

from app.engine.dice import RecordedDice, Roll
from app.engine.history import Decision, replay
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Order,
    Turn,
)
from app.rulesets.guida.places import (
    Distance,
)
from app.rulesets.guida.sheet import Armour, Sheet, Stats, Tool
from app.rulesets.guida.state import (
    Scene,
    Setup,
    Underway,
)
from app.rulesets.guida.terms import Action, Category
from tests.bench.ratios import compare

BLADE = Tool(
    id="blade",
    name="Blade",
    attacks=True,
    potential=20,
    category=Category.B,
    stat_bonus=10,
)
SHEET = Sheet(
    name="X",
    max_hp=99999,
    max_ep=100,
    stats=Stats(strength=10, dexterity=10, constitution=10, intelligence=10),
    tools=(BLADE,),
    armour=Armour(name="Mail", potential=8),
)


def fight(attacks: int = 0) -> Scene:
    """Start a duel, with so many attacks already on their way to B."""
    coming = Underway(attacker="a", target="b", tool="blade", die=6, modifier=12)
    return GUIDA.start(
        Setup(
            entrants=(
                Entrant(id="a", team="a", sheet=replace(SHEET, name="A")),
                Entrant(id="b", team="b", sheet=replace(SHEET, name="B")),
            ),
            distances=(Distance(a="a", b="b", metres=4),),
            underway=(coming,) * attacks,
            first="b" if attacks else "a",
        )
    )


def guards(scene: Scene) -> Turn:
    """Answer every incoming attack with a guard of its own."""
    return Turn(
        by="b",
        defences=tuple(
            Defence(action=Action.GUARD, against=(attack.id,)) for attack in scene.incoming
        ),
    )


def posts(count: int) -> tuple[Decision[Order], ...]:
    """Play a duel of so many posts and give its log."""
    scene = fight()
    log: list[Decision[Order]] = []
    for number in range(1, count + 1):
        seat, target = ("a", "b") if scene.next == "a" else ("b", "a")
        defences = tuple(
            Defence(action=Action.DODGE, against=(attack.id,)) for attack in scene.against(seat)
        )
        turn = Turn(by=seat, defences=defences, main=Attack(target=target, tool="blade"))
        rolls = tuple(
            Roll(die.address, die.sides, 1 + (number * 7) % die.sides)
            for die in GUIDA.plan(scene, turn).asked
        )
        log.append(Decision(number=number, order=turn, rolls=rolls))
        scene = GUIDA.resolve(scene, turn, RecordedDice(rolls)).state
    return tuple(log)


def naive(scene: Scene, turn: Turn) -> Callable[[], object]:
    """Enumerate every face of a turn through ``resolve``: what the forecast must beat."""

    def enumerate_faces() -> object:
        asked = GUIDA.plan(scene, turn).asked
        law: dict[int, int] = {}
        for faces in product(*(range(1, die.sides + 1) for die in asked)):
            rolls = tuple(
                Roll(die.address, die.sides, face) for die, face in zip(asked, faces, strict=True)
            )
            end = GUIDA.resolve(scene, turn, RecordedDice(rolls)).state.who("b").hp_now
            law[end] = law.get(end, 0) + 1
        return law

    return enumerate_faces


def test_the_ratios_of_the_engine_are_printed() -> None:
    one, eight = fight(1), fight(8)
    single, many = guards(one), guards(eight)
    log = posts(200)
    setup = Setup(
        entrants=(
            Entrant(id="a", team="a", sheet=replace(SHEET, name="A")),
            Entrant(id="b", team="b", sheet=replace(SHEET, name="B")),
        ),
        distances=(Distance(a="a", b="b", metres=4),),
    )
    last = replay(GUIDA, setup, log[:199]).state
    turn = log[199].order
    assert turn is not None
    dice = RecordedDice(log[199].rolls)

    def one_by_one() -> None:
        for _ in range(200):
            GUIDA.resolve(last, turn, dice)

    print()
    print(
        compare(
            "P5  forecast / naive enumeration, one guard",
            lambda: GUIDA.forecast(one, single),
            naive(one, single),
            "≤ 0.125",
        )
    )
    print(
        compare(
            "P25 forecast of 8 attacks / of 1",
            lambda: GUIDA.forecast(eight, many),
            lambda: GUIDA.forecast(one, single),
            "≤ 12",
        )
    )
    print(
        compare(
            "P26 replay of 200 posts / 200 × one resolve",
            lambda: replay(GUIDA, setup, log),
            one_by_one,
            "≤ 1.3",
        )
    )
