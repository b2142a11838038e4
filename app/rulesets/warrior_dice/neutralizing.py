"""Attack phases that are missed: Neutralize, Neutralize Self, the Demon Lord's roar (WD-23)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, assert_never

from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.readings import NeutralizeStack
from app.rulesets.warrior_dice.state import Fighter

MISSED: Final = 2  # WD-23; WD-25: nothing raises it to 4


def neutralize(options: DuelOptions, fighter: Fighter) -> Fighter:
    """Let a warrior miss its next Attack phases (AMB-WD-11)."""
    match options.neutralize_stack:
        case NeutralizeStack.REFRESH:
            return replace(fighter, skip=max(fighter.skip, MISSED))
        case NeutralizeStack.ADD:
            return replace(fighter, skip=fighter.skip + MISSED)
        case NeutralizeStack.IGNORE:
            return replace(fighter, skip=fighter.skip or MISSED)
        case stack:
            assert_never(stack)


def miss(fighter: Fighter) -> Fighter:
    """Take off the Attack phase that is missed now (WD-26: Defence phases are not)."""
    return replace(fighter, skip=fighter.skip - 1)
