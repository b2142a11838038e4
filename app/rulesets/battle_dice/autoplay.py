"""How a battle plays itself by standing and default orders (BD-A1, BD-A3), and how it ended."""

from __future__ import annotations

from typing import Final

from app.engine.odds import Autoplay, Result
from app.engine.ruleset import GM
from app.rulesets.battle_dice.orders import Deadline, Order
from app.rulesets.battle_dice.state import Battle, Setup
from app.rulesets.battle_dice.terms import End

_LAPSE: Final = Deadline(by=GM)


def lapse(battle: Battle) -> Order | None:
    """Let the default orders be played; there is no default army (BD-A3)."""
    return _LAPSE if battle.mustered else None


def result(battle: Battle) -> Result | None:
    """Say how a battle ended."""
    ended = battle.ended
    if ended is None:
        return None
    capped = ended.how is End.TURN_CAP
    return Result(winner=ended.winner, capped=capped, turns=battle.turn - 1)


AUTOPLAY: Final[Autoplay[Setup, Battle, Order]] = Autoplay(lapse=lapse, result=result)
