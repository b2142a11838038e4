"""What the Master corrects by hand in a duel: the hits of a fighter, with a public reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from app.engine.findings import Facts, Finding, Violation
from app.engine.ruleset import Resolution
from app.rulesets.warrior_dice.orders import SetHits
from app.rulesets.warrior_dice.state import Duel
from app.rulesets.warrior_dice.terms import Stage
from app.rulesets.warrior_dice.waiting import asking


def check_hits(duel: Duel, order: SetHits) -> Iterator[Violation]:
    """List why hits cannot be set now, or not to that; a duel that rests may well be put right."""
    if duel.stage is not Stage.FIGHT:
        yield Violation("WD-9", "not_fighting")
    asked = asking(duel)
    if asked is not None:  # a paused turn is played anew from its beginning, and must find it as is
        yield Violation("WD-9", "answer_is_awaited", "", {"name": duel.who(asked.seat).name})
    if not duel.has(order.combatant):
        yield Violation("WD-1", "not_a_duellist", "combatant", {"seat": order.combatant})
        return
    who = duel.who(order.combatant)
    if order.value > who.start_hits:
        facts: Facts = {"hits": order.value, "most": who.start_hits}
        yield Violation("WD-28", "hits_above_start", "value", facts)
    if order.value == who.hits:
        facts = {"name": who.name, "hits": who.hits}
        yield Violation("WD-6", "hits_are_so_already", "value", facts)


def set_hits(duel: Duel, order: SetHits) -> Resolution[Duel]:
    """Set the hits, and tell what they were, what they are and why."""
    who = duel.who(order.combatant)
    facts: Facts = {
        "bearer": who.name,
        "change": order.change,
        "before": who.hits,
        "value": order.value,
        "reason": order.reason,
    }
    after = duel.put(replace(who, hits=order.value))
    return Resolution(after, (Finding("WD-6", "value_set", facts),))
