"""Attack phases that are missed: Neutralize, Neutralize Self, the Demon Lord's roar (WD-23)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, assert_never

from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.ranking import CANCELS_NEUTRALIZE
from app.rulesets.warrior_dice.readings import NeutralizeStack
from app.rulesets.warrior_dice.state import Fighter

MISSED: Final = 2  # WD-23; WD-25: nothing raises it to 4


def neutralize(options: DuelOptions, fighter: Fighter) -> Fighter:
    """Let a warrior miss its next Attack phases."""
    return replace(fighter, skip=neutralized(options, fighter.skip))


def neutralized(options: DuelOptions, skip: int) -> int:
    """Count the Attack phases to miss from now on, when ``skip`` were left (AMB-WD-11)."""
    match options.neutralize_stack:
        case NeutralizeStack.REFRESH:
            return max(skip, MISSED)
        case NeutralizeStack.ADD:
            return skip + MISSED
        case NeutralizeStack.IGNORE:
            return skip or MISSED
        case stack:
            assert_never(stack)


def lands(stopped: int) -> bool:
    """Say whether a Neutralize takes effect against a Defence of so much (WD-23, WD-24)."""
    return stopped < CANCELS_NEUTRALIZE


def miss(fighter: Fighter) -> Fighter:
    """Take off the Attack phase that is missed now (WD-26: Defence phases are not)."""
    return replace(fighter, skip=fighter.skip - 1)
