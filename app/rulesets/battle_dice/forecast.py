"""Exact odds of the Roll step: how many dice of each kind will score (BD-14).

What the tables make of it has no small law; a battle's odds are simulated elsewhere.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from app.engine.ruleset import Chance, Forecast, Law
from app.rulesets.battle_dice.orders import Order, Turn
from app.rulesets.battle_dice.state import Battle, Side
from app.rulesets.battle_dice.tables import SCORES_FROM
from app.rulesets.battle_dice.terms import Kind


def forecast(battle: Battle, order: Order) -> Forecast:
    """Give the laws of both sides' successes in the roll that a turn begins with."""
    if not isinstance(order, Turn) or not battle.mustered:
        return Forecast(())
    return Forecast(
        tuple(_law(side, kind) for side in battle.sides for kind in Kind if side.count(kind))
    )


def _law(side: Side, kind: Kind) -> Law:
    """Give the binomial law of the dice of a kind that score."""
    dice = side.count(kind)
    hit = Fraction(kind.sides + 1 - SCORES_FROM[kind], kind.sides)
    return Law(
        key="scoring",
        about=(("side", side.name), ("kind", kind)),
        chances=tuple(
            Chance(
                outcome=(("scoring", Fraction(number)),),
                probability=comb(dice, number) * hit**number * (1 - hit) ** (dice - number),
            )
            for number in range(dice + 1)
        ),
    )
