"""The dice that an order certainly needs; what they lead to is drawn as it comes (WD-8, WD-10)."""

from __future__ import annotations

from collections.abc import Iterator

from app.engine.dice import Address
from app.engine.ruleset import Asked, Plan
from app.engine.tally import Tally
from app.rulesets.warrior_dice.ground import ground_of
from app.rulesets.warrior_dice.opening import BATTLEFIELD_DIE, die_of
from app.rulesets.warrior_dice.orders import DuelOrder, DuelTurn, ReadyForDuel
from app.rulesets.warrior_dice.readings import IntruderEvery
from app.rulesets.warrior_dice.state import Duel
from app.rulesets.warrior_dice.telling import SIDES, place_of
from app.rulesets.warrior_dice.terms import Phase


def plan(duel: Duel, order: DuelOrder) -> Plan:
    """Declare the dice of an order; nothing of it is settled beforehand."""
    match order:
        case DuelTurn():
            return Plan(asked=tuple(_of_turn(duel)), findings=())
        case ReadyForDuel():
            return Plan(asked=tuple(_of_opening(duel, order.by)), findings=())
        case _:
            return Plan(asked=(), findings=())


def _of_turn(duel: Duel) -> Iterator[Asked]:
    """Ask for the bystanders' die of every turn up to the first with an attack, and for its die."""
    turn, attacker = duel.turn, duel.who(duel.next)
    skips = {one.id: one.skip for one in duel.fighters}
    while turn < duel.options.turn_cap:
        turn += 1
        bystanders = duel.battlefield is not None and ground_of(duel.battlefield).bystanders
        if bystanders and (duel.options.intruder_every is IntruderEvery.TURN or turn % 2):
            yield _die(Address(place_of(turn, Phase.BYSTANDERS)), Phase.BYSTANDERS, attacker.id)
        defender = duel.other(attacker.id)
        if not skips[attacker.id]:
            at = Address(place_of(turn, Phase.ATTACK))
            yield _die(at, Phase.ATTACK, attacker.id, (defender.id,))
            return
        skips[attacker.id] -= 1
        attacker = defender


def _of_opening(duel: Duel, seat: str) -> Iterator[Asked]:
    if not all(one.ready or one.id == seat for one in duel.fighters):
        return
    if duel.rolls_battlefield:
        yield _die(BATTLEFIELD_DIE, "battlefield", seat)
    for place, one in enumerate(duel.fighters if duel.rolls_first else ()):
        yield _die(die_of(place, 0), "opening", one.id)


def _die(at: Address, phase: str, actor: str, targets: tuple[str, ...] = ()) -> Asked:
    return Asked(
        address=at,
        sides=SIDES,
        phase=phase,
        action=phase,
        actor=actor,
        targets=targets,
        items=(),
        tally=Tally(),
    )
