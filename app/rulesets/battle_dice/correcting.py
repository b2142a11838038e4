"""What the Master corrects by hand in a battle: how many dice a side has left of a kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from app.engine.findings import Facts, Finding, Violation
from app.engine.ruleset import GM, Resolution
from app.rulesets.battle_dice.orders import SetTroop
from app.rulesets.battle_dice.state import Battle, Troop
from app.rulesets.battle_dice.terms import Kind


def check_troop(battle: Battle, order: SetTroop) -> Iterator[Violation]:
    """List why a troop cannot be set now, or not to that; sealed orders may be in already."""
    if order.by != GM:
        yield Violation("BD-9", "set_by_the_master", "by")
    if not battle.mustered:
        yield Violation("BD-9", "no_army_to_set")
        return
    if battle.paused is not None:  # it is played anew from its beginning, and must find it as it is
        yield Violation("AMB-BD-23", "set_after_the_choice")
    if order.change is Kind.D20:
        yield Violation("BD-10", "heroes_not_set", "change")
    place = battle.place(order.combatant)
    if place < 0:
        yield Violation("BD-1", "not_an_army", "combatant", {"id": order.combatant})
        return
    side = battle.sides[place]
    now = side.count(order.change)
    if order.value == now:
        facts: Facts = {"side": side.name, "kind": order.change, "count": now}
        yield Violation("BD-9", "troop_is_so_already", "value", facts)
    elif not order.value and side.total == now:
        yield Violation("BD-2", "last_dice_not_taken", "value", {"side": side.name})


def set_troop(battle: Battle, order: SetTroop) -> Resolution[Battle]:
    """Set how many are left of a kind; whatever comes or goes is lost dice no more, or is so now.

    Fewer lost dice than that can come back: an army may have been put down too small at first.
    """
    place = battle.place(order.combatant)
    side = battle.sides[place]
    now = side.count(order.change)
    lost = sum(troop.count for troop in side.lost if troop.kind is order.change)
    after = replace(
        side,
        troops=_with(side.troops, order.change, order.value),
        lost=_with(side.lost, order.change, max(0, lost + now - order.value)),
    )
    facts: Facts = {
        "bearer": side.name,
        "change": order.change,
        "before": now,
        "value": order.value,
        "total": after.total,
        "reason": order.reason,
    }
    return Resolution(battle.put(place, after), (Finding("BD-9", "value_set", facts),))


def _with(troops: tuple[Troop, ...], kind: Kind, count: int) -> tuple[Troop, ...]:
    """Give troops in the order of their kinds, with so many of one."""
    others = [troop for troop in troops if troop.kind is not kind]
    changed = [*others, Troop(kind=kind, count=count)] if count else others
    return tuple(sorted(changed, key=lambda troop: tuple(Kind).index(troop.kind)))
