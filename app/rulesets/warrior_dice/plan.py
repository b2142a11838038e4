"""The dice that an order certainly needs; what they lead to is drawn as it comes (WD-8, WD-10)."""

from __future__ import annotations

from collections.abc import Iterator

from app.engine.dice import Address
from app.engine.ruleset import Asked, Plan
from app.rulesets.warrior_dice.ground import ground_of
from app.rulesets.warrior_dice.opening import BATTLEFIELD_DIE, die_of
from app.rulesets.warrior_dice.orders import (
    DuelAnswer,
    DuelOrder,
    DuelTurn,
    LapseOfTime,
    ReadyForDuel,
)
from app.rulesets.warrior_dice.readings import IntruderEvery
from app.rulesets.warrior_dice.state import Duel
from app.rulesets.warrior_dice.telling import asked, place_of
from app.rulesets.warrior_dice.terms import Phase, Stage
from app.rulesets.warrior_dice.waiting import asking, awaits


def plan(duel: Duel, order: DuelOrder) -> Plan:
    """Declare the dice of an order; nothing of it is settled beforehand."""
    asking_now = asking(duel) is not None
    match order:
        case DuelTurn():
            return Plan(asked=tuple(_of_turn(duel)), findings=(), draws=True)
        case DuelAnswer():
            return Plan(asked=(), findings=(), draws=True)
        case ReadyForDuel():
            dice = tuple(_of_opening(duel, order.by))
            return Plan(asked=dice, findings=(), draws=bool(dice))
        case LapseOfTime() if duel.stage is Stage.FIGHT:
            dice = () if asking_now else tuple(_of_turn(duel))
            return Plan(asked=dice, findings=(), draws=True)
        case LapseOfTime() if duel.stage is Stage.OPENING:
            dice = tuple(_of_opening(duel, order.combatant or awaits(duel).seats[0]))
            return Plan(asked=dice, findings=(), draws=bool(dice))
        case _:
            return Plan(asked=(), findings=())


def _of_turn(duel: Duel) -> Iterator[Asked]:
    """Ask for the bystanders' die of every turn up to the first with an attack, and for its die."""
    number, attacker = duel.turn, duel.who(duel.next)
    skips = {one.id: one.skip for one in duel.fighters}
    for turn in range(duel.options.turn_cap - duel.turn):
        number += 1
        bystanders = duel.battlefield is not None and ground_of(duel.battlefield).bystanders
        if bystanders and (duel.options.intruder_every is IntruderEvery.TURN or number % 2):
            yield asked(Address(place_of(turn, Phase.BYSTANDERS)), Phase.BYSTANDERS, attacker.id)
        defender = duel.other(attacker.id)
        if not skips[attacker.id]:
            at = Address(place_of(turn, Phase.ATTACK))
            yield asked(at, Phase.ATTACK, attacker.id, (defender.id,))
            return
        skips[attacker.id] -= 1
        attacker = defender


def _of_opening(duel: Duel, seat: str) -> Iterator[Asked]:
    if not all(one.ready or one.id == seat for one in duel.fighters):
        return
    if duel.rolls_battlefield:
        yield asked(BATTLEFIELD_DIE, "battlefield", seat)
    for place, one in enumerate(duel.fighters if duel.rolls_first else ()):
        yield asked(die_of(place, 0), "opening", one.id)
