"""How a duel plays itself by standing orders and defaults (WD-A7), and how it ended."""

from __future__ import annotations

from typing import Final

from app.engine.odds import Autoplay, Result
from app.engine.ruleset import GM
from app.rulesets.warrior_dice.orders import DuelOrder, LapseOfTime
from app.rulesets.warrior_dice.state import Duel, DuelSetup
from app.rulesets.warrior_dice.terms import Ending

_LAPSE: Final = LapseOfTime(by=GM)


def lapse(duel: Duel) -> DuelOrder | None:
    """Let whoever is awaited play by standing orders and defaults; a duel that rests does not."""
    return None if duel.paused else _LAPSE


def result(duel: Duel) -> Result | None:
    """Say how a duel ended; what is decided after it does not matter (WD-A7)."""
    if duel.ending is None:
        return None
    capped = duel.ending is Ending.TURN_CAP
    return Result(winner=duel.winner or None, capped=capped, turns=duel.turn)


AUTOPLAY: Final[Autoplay[DuelSetup, Duel, DuelOrder]] = Autoplay(lapse=lapse, result=result)
