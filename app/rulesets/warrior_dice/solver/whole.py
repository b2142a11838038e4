"""The odds of a duel as those of any game: exact ones of a set-up (WD-6, WD-8, WD-A3)."""

from __future__ import annotations

from app.engine.odds import Estimate, Method, Odds
from app.rulesets.warrior_dice.setup import start
from app.rulesets.warrior_dice.solver.graph import TooLarge
from app.rulesets.warrior_dice.solver.odds import odds
from app.rulesets.warrior_dice.state import DuelSetup


def solve(setup: DuelSetup) -> Odds | None:
    """Give the exact odds of a sound set-up by standing orders; None where they are out of reach.

    A battlefield that is still to be rolled for is none that a law could be taken from, and one
    duel in each is for a simulation.
    """
    duel = start(setup)
    if duel.rolls_battlefield:
        return None
    try:
        found = odds(duel)
    except TooLarge:
        return None
    first, second = (one.id for one in duel.fighters)
    return Odds(
        method=Method.EXACT,
        wins=((first, Estimate(found.first)), (second, Estimate(found.second))),
        draws=Estimate(found.draw),
        capped=Estimate(found.capped),
        turns=Estimate(found.length),
    )
