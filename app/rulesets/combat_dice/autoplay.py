"""How a combat plays itself by the default policies (CD-A21), and how it ended."""

from __future__ import annotations

from typing import Final

from app.engine.odds import Autoplay, Result
from app.engine.ruleset import GM
from app.rulesets.combat_dice.exact import solve
from app.rulesets.combat_dice.orders import CombatDeadline, CombatOrder
from app.rulesets.combat_dice.readings import Stalemate
from app.rulesets.combat_dice.state import Combat, CombatSetup
from app.rulesets.combat_dice.terms import Ending, Stage

_LAPSE: Final = CombatDeadline(by=GM, reason="odds")


def lapse(combat: Combat) -> CombatOrder | None:
    """Let the defaults be played; the kinds of specialty dice have none (CD-43)."""
    return None if combat.stage in (Stage.BUILD, Stage.FINISH) else _LAPSE


def result(combat: Combat) -> Result | None:
    """Say how a combat ended."""
    ended = combat.outcome
    if ended is None:
        return None
    capped = ended.ending is Ending.TURN_CAP
    return Result(winner=ended.winner, capped=capped, turns=combat.turn)


def remedy(setup: CombatSetup) -> tuple[tuple[str, str], ...]:
    """Offer to let Damage grow in a stalemate (CD-A13)."""
    if setup.options.stalemate is Stalemate.ESCALATE:
        return ()
    return (("stalemate", Stalemate.ESCALATE),)


AUTOPLAY: Final[Autoplay[CombatSetup, Combat, CombatOrder]] = Autoplay(
    lapse=lapse, result=result, solve=solve, remedy=remedy
)
