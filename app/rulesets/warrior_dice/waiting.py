"""Whose decision is next (WD-9, WD-A7)."""

from __future__ import annotations

from app.engine.ruleset import GM, Awaited, Seat
from app.rulesets.warrior_dice.orders import LapseOfTime
from app.rulesets.warrior_dice.state import Asking, Duel
from app.rulesets.warrior_dice.terms import Stage


def awaits(duel: Duel) -> Awaited:
    """Say who is to decide: whoever is asked, else whoever attacks next, or both at either end."""
    return Awaited(
        seats=() if duel.paused else _seats(duel),
        paused=duel.paused,
        ended=duel.stage is Stage.OVER,
    )


def awaits_for(duel: Duel, _seat: Seat) -> Awaited:
    """Say the same to everybody: what a player is asked is no secret, only the answer is."""
    return awaits(duel)


def asking(duel: Duel) -> Asking | None:
    """Give what a paused turn asks."""
    return duel.midway.asking if duel.midway else None


def awaiting(duel: Duel) -> str:
    """Name what is awaited; both players share one deadline at either end (WD-A7)."""
    asked = asking(duel)
    point = "" if asked is None else f" {asked.point}"
    return f"{duel.stage} {duel.turn}{point}"


def lapsing(_duel: Duel, reason: str) -> LapseOfTime:
    """Give the order that a passed deadline comes to (WD-A7)."""
    return LapseOfTime(by=GM, reason=reason)


def up_next(duel: Duel) -> Seat:
    """Say who has the next turn with an attack: a missed one awaits nobody (WD-A7)."""
    skips = {one.id: one.skip for one in duel.fighters}
    seat = duel.next
    while skips[seat]:
        skips[seat] -= 1
        seat = duel.other(seat).id
    return seat


def _seats(duel: Duel) -> tuple[Seat, ...]:
    asked = asking(duel)
    match duel.stage:
        case Stage.OPENING:
            return tuple(one.id for one in duel.fighters if not one.ready)
        case Stage.FIGHT:
            return (up_next(duel) if asked is None else asked.seat,)
        case Stage.AFTERMATH:
            return tuple(one.id for one in duel.fighters if one.xp_due or one.reform_due)
        case Stage.OVER:
            return ()
