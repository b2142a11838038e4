"""A turn in its five phases (CD-2), from both orders to the end, with the pauses in between."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from app.engine.findings import Fact, Finding
from app.rulesets.combat_dice.actions import settle_actions
from app.rulesets.combat_dice.blows import (
    Exchange,
    settle_attacks,
    settle_bleeding,
    settle_blows,
    settle_throws,
)
from app.rulesets.combat_dice.correcting import affordable
from app.rulesets.combat_dice.endings import coming_of, settle_end
from app.rulesets.combat_dice.orders import CombatOrders
from app.rulesets.combat_dice.ranged import settle_range
from app.rulesets.combat_dice.roll import (
    declare,
    settle_initiative,
    settle_recovery,
    settle_rethrow,
    throw_all,
)
from app.rulesets.combat_dice.state import (
    PLACES,
    Combat,
    CombatRound,
    CombatSide,
    other,
)
from app.rulesets.combat_dice.terms import Action, Phase, Stage
from app.rulesets.combat_dice.throws import Throws

MOST_TURNS_AT_ONCE: Final = 10  # orders may stand for so many turns; none plays on beyond that
LOW: Final = 3
EVENTS: Final = frozenset(
    {
        *("spell_cast", "damage", "injured", "cursed", "sanded", "grappled", "netted"),
        *("paralysed", "falls", "bleeds", "scores_fall"),
    }
)


def post(combat: Combat, place: int, orders: CombatOrders) -> Combat:
    """Keep sealed orders until both are in; the last ones posted count."""
    first, second = combat.posted
    return replace(combat, posted=(orders, second) if place == 0 else (first, orders))


def are_in(combat: Combat) -> bool:
    """Say whether both orders of the turn are in."""
    return None not in combat.posted


def conduct(combat: Combat, throws: Throws) -> tuple[Combat, list[Finding]]:
    """Play turns while both orders are in; orders that stand for several play on by themselves."""
    findings: list[Finding] = []
    played = 0
    while combat.stage is Stage.ORDERS and are_in(combat):
        if played == MOST_TURNS_AT_ONCE:
            return replace(combat, posted=(None, None)), findings
        if played:
            throws.next_turn()
        played += 1
        combat, told = _begin(combat, throws)
        findings += told
    return combat, findings


def after_rethrow(combat: Combat, throws: Throws) -> tuple[Combat, list[Finding]]:
    """Go on with the actions, as soon as the dice of the rethrow lie (CD-A20)."""
    if combat.playing().asked:
        combat = replace(combat, round=replace(combat.playing(), asked=()))
    combat, findings = settle_actions(combat)
    if combat.stage is Stage.ACT and combat.playing().asked:
        return combat, findings
    combat, told = _fight(combat, throws)
    return combat, [*findings, *told]


def go_on(combat: Combat, throws: Throws, told: Iterable[Finding]) -> tuple[Combat, list[Finding]]:
    """Go on after a pause, and with the turns that orders stand for after it."""
    findings = list(told)
    throws.next_turn()
    combat, more = conduct(combat, throws)
    return combat, [*findings, *more]


def end_turn(
    combat: Combat, throws: Throws, findings: list[Finding]
) -> tuple[Combat, list[Finding]]:
    """Settle the range, and let the next turn begin (CD-83)."""
    combat, told = settle_range(combat, throws)
    findings = [*findings, *told]
    if combat.stage is Stage.STAY:
        return combat, findings
    eventful = _is_eventful(combat, findings)
    standing = [_standing(side.orders, eventful) for side in combat.playing().sides]
    return replace(
        combat,
        turn=combat.turn + 1,
        round=None,
        stage=Stage.ORDERS,
        posted=(standing[0], standing[1]),
    ), findings


def _begin(combat: Combat, throws: Throws) -> tuple[Combat, list[Finding]]:
    """Play the Combat Roll, Initiative and Maneuver phases (CD-10 to CD-15)."""
    first, second = combat.posted
    if first is None or second is None:
        raise ValueError("a turn begins when both orders are in")
    one, two = combat.fighters
    sides = (
        CombatSide(orders=affordable(one, first)),
        CombatSide(orders=affordable(two, second)),
    )
    combat = replace(combat, posted=(None, None), round=CombatRound(sides=sides), draws=())
    findings: list[Finding] = []
    for phase in (declare, throw_all):
        combat, told = phase(combat, throws)
        findings += told
    for settle in (settle_recovery, settle_initiative):
        combat, told = settle(combat)
        findings += told
    combat, told = settle_rethrow(combat, throws)
    findings += told
    if combat.stage is Stage.RETHROW:
        return combat, findings
    combat, told = after_rethrow(combat, throws)
    return combat, [*findings, *told]


def _fight(combat: Combat, throws: Throws) -> tuple[Combat, list[Finding]]:
    """Play the Attack and Damage phases and the end of the turn (CD-16 to CD-24)."""
    exchange, findings = settle_attacks(combat)
    coming = (coming_of(combat, 0), coming_of(combat, 1))
    combat, told = settle_bleeding(combat)
    findings += told
    combat, coming, dealt, told = settle_blows(combat, exchange, coming, throws)
    findings += told
    combat, told = settle_throws(combat, exchange)
    findings += told
    for place in PLACES:
        extra = _after_feint(combat, exchange, place)
        findings += extra
        have = replace(coming[place], extra=len(extra)) if extra else coming[place]
        combat = combat.put(place, combat.fighters[place].with_conditions(have))
    combat = replace(combat, quiet=0 if dealt else combat.quiet + 1)  # CD-A13
    combat, told = settle_end(combat)
    findings += told
    if combat.stage is Stage.ENDED:
        return combat, findings
    return end_turn(combat, throws, findings)


def _after_feint(combat: Combat, exchange: Exchange, place: int) -> list[Finding]:
    """Give one more die next turn to whoever feinted and was not hit (CD-65)."""
    feints = combat.playing().sides[place].action is Action.FEINT
    if not feints or exchange.hits[other(place)]:
        return []
    facts: dict[str, Fact] = {"fighter": combat.fighters[place].name}
    return [Finding("CD-65", "feint_works", facts, phase=Phase.DAMAGE)]


def _is_eventful(combat: Combat, findings: Iterable[Finding]) -> bool:
    """Say whether something happened that orders which stand until then wait for."""
    low = any(one.hp <= LOW for one in combat.fighters)
    return low or any(one.key in EVENTS for one in findings)


def _standing(orders: CombatOrders, eventful: bool) -> CombatOrders | None:
    """Give what orders say for the next turn; nothing is declared anew without its player."""
    over = eventful if orders.until_event else orders.turns == 1
    if over:
        return None
    return replace(
        orders,
        weapon=None,
        spell=None,
        target=None,
        aid_type=None,
        adrenaline=0,
        turns=max(1, orders.turns - 1),
    )
