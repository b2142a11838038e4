"""What the Master corrects by hand in a combat: hit points, with a public reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from app.engine.findings import Fact, Finding, Violation
from app.rulesets.combat_dice.orders import CombatOrders, SetHitPoints
from app.rulesets.combat_dice.state import Combat, CombatFighter
from app.rulesets.combat_dice.terms import Stage


def check_hit_points(combat: Combat, order: SetHitPoints) -> Iterator[Violation]:
    """List why hit points cannot be set now, or not to that; sealed orders may be in already."""
    if combat.stage is not Stage.ORDERS:  # no fight yet, or a turn with dice on the table
        yield Violation("CD-2", "only_between_turns", "", {"stage": combat.stage})
    place = combat.place_of(order.combatant)
    if place is None:
        yield Violation("CD-1", "not_in_combat", "combatant", {"by": order.combatant})
        return
    who = combat.fighters[place]
    if order.value > who.max_hp:
        facts: dict[str, Fact] = {"name": who.name, "hp": order.value, "most": who.max_hp}
        yield Violation("CD-21", "hp_above_most", "value", facts)
    if order.value == who.hp:
        facts = {"name": who.name, "hp": who.hp}
        yield Violation("CD-21", "hp_is_so_already", "value", facts)


def set_hit_points(combat: Combat, order: SetHitPoints) -> tuple[Combat, list[Finding]]:
    """Set the hit points, and tell what they were, what they are and why."""
    place = combat.place_of(order.combatant)
    assert place is not None
    who = combat.fighters[place]
    facts: dict[str, Fact] = {
        "bearer": who.name,
        "change": order.change,
        "before": who.hp,
        "value": order.value,
        "reason": order.reason,
    }
    combat = combat.put(place, replace(who, hp=order.value))
    return combat, [Finding("CD-21", "value_set", facts)]


def affordable(who: CombatFighter, orders: CombatOrders) -> CombatOrders:
    """Give orders with no more adrenaline than is left to pay for it (AMB-CD-22).

    Orders that are sealed stay as they are when hit points are set, so that nothing of them shows;
    the last hit point is kept for all that.
    """
    most = max(0, who.hp - 1)
    return orders if orders.adrenaline <= most else replace(orders, adrenaline=most)
