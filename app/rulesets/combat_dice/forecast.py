"""What a decision leads to, exactly, where one die or two decide it (CD-33, CD-38, CD-80)."""

from __future__ import annotations

from fractions import Fraction

from app.engine import chances
from app.engine.ruleset import Chance, Forecast, Law
from app.rulesets.combat_dice.injuries import ways
from app.rulesets.combat_dice.orders import BuildFighter, CombatOrder, CombatOrders, OpenCombat
from app.rulesets.combat_dice.ranged import rounds_of
from app.rulesets.combat_dice.readings import DamageDice
from app.rulesets.combat_dice.state import Combat
from app.rulesets.combat_dice.tables import DAMAGE_TABLE


def forecast(combat: Combat, order: CombatOrder) -> Forecast:
    """Give the exact laws of a decision; a turn tells what a blow that draws blood does besides.

    Who hits whom depends on too many dice to be told at once, and is left to the duel solver.
    """
    match order:
        case BuildFighter():
            return Forecast((_die("hit_points"), _die("specialty_dice")))
        case OpenCombat():
            law = chances.merged((rounds_of(face), each) for face, each in chances.die(6).items())
            rows = tuple(Chance((("rounds", Fraction(one)),), each) for one, each in law.items())
            return Forecast((Law("ranged_rounds", (), rows),))
        case CombatOrders() if combat.options.damage_dice is not DamageDice.OFF:
            injuries = chances.merged(
                (DAMAGE_TABLE[total][1], Fraction(count, 36)) for total, count in ways().items()
            )
            told = tuple(Chance((("injury", one),), each) for one, each in injuries.items())
            return Forecast((Law("injury", (), told),))
        case _:
            return Forecast(())


def _die(key: str) -> Law:
    rows = tuple(Chance(((key, Fraction(face)),), each) for face, each in chances.die(6).items())
    return Law(key, (), rows)
