"""Hits that come back: never more than were lost (WD-28, WD-76)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.engine.findings import Facts, Finding
from app.rulesets.warrior_dice.chain import Rolled, told
from app.rulesets.warrior_dice.ground import TRADE_FROM, TRADE_HEALS, Ground
from app.rulesets.warrior_dice.state import Fighter
from app.rulesets.warrior_dice.telling import Telling
from app.rulesets.warrior_dice.terms import Phase, Side, TradeOrder

REGAINS: Final = 10  # WD-28; WD-29: the other spelling means the same


def regain(telling: Telling, fighter: Fighter, rolled: Rolled, phase: Phase) -> Fighter:
    """Give back 10 lost hits, and what Adders add where they count (AMB-WD-3)."""
    amount = min(REGAINS + rolled.bonus, fighter.lost)
    option = "" if rolled.option is None else rolled.option.name
    healed = replace(fighter, hits=fighter.hits + amount)
    facts: Facts = {"name": fighter.name, "option": option, "amount": amount, "hits": healed.hits}
    telling.tell(Finding("WD-28", "regained", facts, "AMB-WD-9", phase))
    return healed


def trade(
    telling: Telling, ground: Ground, fighter: Fighter, rolled: Rolled, phase: Phase
) -> Fighter | None:
    """Give up a Defence of 40 or more for up to 20 lost hits, once in a battle (WD-76, WD-A10).

    None where it may not be done, or is not wanted.
    """
    option = rolled.option
    if option is None or not option.numeric or rolled.side is not Side.DEFENCE:
        return None
    if not may_trade(ground, fighter, rolled.total):
        return None
    order, wanted = fighter.standing.trade, wants_trade(fighter)
    answer = telling.decide(
        fighter.id,
        "unholy_trade",
        ("yes", "no"),
        "yes" if wanted else "no",
        (("name", fighter.name), ("option", told(option)), ("force", str(rolled.total))),
        asks=order is TradeOrder.ASK,
    )
    if answer == "no":
        return None
    amount = min(TRADE_HEALS, fighter.lost)
    healed = replace(fighter, hits=fighter.hits + amount, unholy_used=True)
    facts: Facts = {
        "name": fighter.name,
        "option": option.name,
        "force": rolled.force,
        "amount": amount,
        "hits": healed.hits,
    }
    telling.tell(Finding("WD-76", "traded", facts, "AMB-WD-19", phase))
    return healed


def may_trade(ground: Ground, fighter: Fighter, total: int) -> bool:
    """Say whether a Defence of so much can be given up here (WD-76)."""
    return ground.unholy and not fighter.unholy_used and total >= TRADE_FROM


def wants_trade(fighter: Fighter) -> bool:
    """Say whether the standing order gives a Defence up; unanswered it does not (WD-A7)."""
    order = fighter.standing.trade
    if order is TradeOrder.IF_LOST_20:
        return fighter.lost >= TRADE_HEALS
    return order is TradeOrder.ALWAYS
