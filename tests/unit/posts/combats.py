"""Turns of Combat Dice for posts: played by the rules with dice of a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.engine.dice import ChanceDice, DrawnDice, Roll
from app.engine.ruleset import Asked, Resolution
from app.persistence.codec import decode
from app.posts.write import PostSource
from app.rulesets.combat_dice.game import COMBAT_DICE
from app.rulesets.combat_dice.orders import ActionWish, CombatOrders, OpenCombat
from app.rulesets.combat_dice.state import Combat, CombatSetup
from app.rulesets.combat_dice.terms import Action, Stage, When
from tests.unit.posts.fights import Told

NAMES = ("Priscus", "Verus")


@dataclass(frozen=True)
class Fought:
    """A decision with its dice, and where it leads."""

    resolution: Resolution[Combat]
    asked: tuple[Asked, ...]
    rolls: tuple[Roll, ...]

    def source(self, language: str, told: Told | None = None, turn: str = "abc-7") -> PostSource:
        """Give what its post is written from."""
        return PostSource(
            ruleset="combat_dice",
            language=language,
            findings=self.resolution.findings,
            asked=self.asked,
            rolls=self.rolls,
            narration=told,
            provenance="service",
            turn=turn,
        )


def opening(names: tuple[str, str] = NAMES, **options: Any) -> Combat:
    """Open a combat of a swordsman with a net fighter."""
    first, second = names
    entrants = [
        {"id": "a", "sheet": {"name": first}},
        {"id": "b", "sheet": {"name": second, "gladiator": "retiarius"}},
    ]
    return COMBAT_DICE.start(decode(CombatSetup, {"entrants": entrants, "options": options}))


def fight(combat: Combat, order: Any, chance: random.Random) -> Fought:
    """Decide one order."""
    assert COMBAT_DICE.check(combat, order) == ()
    dice = DrawnDice(lambda: ChanceDice(chance.randrange))
    asked = COMBAT_DICE.plan(combat, order).asked
    resolution = COMBAT_DICE.resolve(combat, order, dice)
    return Fought(resolution, resolution.drawn or asked, tuple(dice.rolls))


def whole(combat: Combat, chance: random.Random, most: int = 40, **orders: Any) -> Iterator[Fought]:
    """Play a combat decision by decision."""
    retreat = (ActionWish(action=Action.RETREAT, when=When.IF_HIT_TURNS_TO_MISS),)
    for _ in range(most):
        if combat.stage is Stage.ENDED:
            return
        order: Any = OpenCombat(by="a")
        if combat.stage is Stage.ORDERS:
            by = "a" if combat.posted[0] is None else "b"
            order = CombatOrders(by=by, **{"actions": retreat, "turns": 2, **orders})
        fought = fight(combat, order, chance)
        yield fought
        combat = fought.resolution.state
