"""Who enters a fight that goes on, subordinates and summons too (GC-2.19), and whose turn follows.

The combatants of a scene stand in the order of their turns, so that a round follows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from app.engine.findings import Facts, Finding, Obstacle, Violation
from app.engine.ruleset import GM, SPECTATOR, Resolution
from app.rulesets.guida.midfight import check_held, hold
from app.rulesets.guida.rulings import (
    Join,
    TurnOrder,
)
from app.rulesets.guida.setup import (
    check_behind,
    check_distances,
    check_entrant,
    check_hidden,
    check_master,
    enter,
)
from app.rulesets.guida.state import (
    Scene,
)

MOST_FIGHTING: Final = 12
MOST_IN_SCENE: Final = 40  # whoever is out stays on record, and whoever enters needs a distance


def check_join(scene: Scene, order: Join) -> Iterator[Obstacle]:
    """List everything that keeps somebody from entering the fight."""
    entrant = order.entrant
    people = scene.combatants
    ids = tuple(one.id for one in people)
    areas = areas_in(scene)
    if entrant.id in (*ids, *areas, GM, SPECTATOR):
        yield Violation("GC-2.1", "id_taken", "entrant.id", {"id": entrant.id})
    if not has_room(scene):
        facts: Facts = {"fighting": MOST_FIGHTING, "most": MOST_IN_SCENE}
        yield Violation("GC-2.1", "scene_full", "entrant", facts)
    yield from check_entrant(entrant, scene.options, "entrant")
    yield from check_held((*ids, entrant.id), entrant, "entrant")
    yield from _check_master(scene, order)
    yield from check_distances((*ids, *areas, entrant.id), order.distances)
    yield from check_behind((*ids, entrant.id), order.behind)
    yield from check_hidden((*people, entrant), order.hidden)
    yield from _about_others(order)
    for other in (*ids, *areas):
        if not any(distance.joins(entrant.id, other) for distance in order.distances):
            facts = {"a": entrant.id, "b": other}
            yield Violation("GC-4.8", "distance_missing", "distances", facts)
    if order.after is not None:
        yield from _fighting(scene, order.after, "after")


def has_room(scene: Scene) -> bool:
    """Say whether one more can enter."""
    fighting = sum(1 for one in scene.combatants if one.active)
    return fighting < MOST_FIGHTING and len(scene.combatants) < MOST_IN_SCENE


def join(scene: Scene, order: Join) -> Resolution[Scene]:
    """Let somebody enter, with a turn and a main action of its own (GC-2.19)."""
    entrant = order.entrant
    newcomer = enter(scene.options, entrant)
    ids = [one.id for one in scene.combatants]
    place = len(ids) if order.after is None else ids.index(order.after) + 1
    people = (*scene.combatants[:place], newcomer, *scene.combatants[place:])
    scene = replace(scene, combatants=people, hidden=scene.hidden | frozenset(order.hidden))
    scene = scene.placed(order.distances, scene.behind | frozenset(order.behind))
    scene = hold(scene, entrant)
    facts: Facts = {
        "bearer": entrant.sheet.name,
        "team": entrant.team,
        "master": "" if entrant.master is None else scene.who(entrant.master).sheet.name,
        "reason": order.reason,
    }
    return Resolution(scene, (Finding("GC-2.19", "joined", facts),))


def check_turn_order(scene: Scene, order: TurnOrder) -> Iterator[Obstacle]:
    """List what is wrong with an order of turns: each who fights has one place in it."""
    sequence = order.sequence
    for index, id in enumerate(sequence):
        yield from _fighting(scene, id, f"sequence.{index}")
        if id in sequence[:index]:
            yield Violation("GC-2.2", "order_repeated", f"sequence.{index}", {"id": id})
    missing = tuple(
        one.sheet.name for one in scene.combatants if one.active and one.id not in sequence
    )
    if missing:
        yield Violation("GC-2.2", "order_incomplete", "sequence", {"missing": missing})
    if order.next is not None:
        yield from _fighting(scene, order.next, "next")


def set_turn_order(scene: Scene, order: TurnOrder) -> Resolution[Scene]:
    """Put those who fight into an order, and perhaps somebody at its head for now."""
    fighting = tuple(scene.who(id) for id in order.sequence)
    out = tuple(one for one in scene.combatants if not one.active)
    scene = replace(scene, combatants=(*fighting, *out), next=order.next or scene.next)
    facts: Facts = {
        "order": tuple(one.sheet.name for one in fighting),
        "next": scene.who(scene.next).sheet.name,
        "reason": order.reason,
    }
    return Resolution(scene, (Finding("GC-2.2", "turn_order_set", facts),))


def areas_in(scene: Scene) -> tuple[str, ...]:
    """List the control areas whose centres have distances: those that stand, those that form."""
    forming = (one for pending in scene.pending for one in pending.creates if one.feeds is None)
    return (*(area.id for area in scene.areas), *(one.area.id for one in forming))


def _check_master(scene: Scene, order: Join) -> Iterator[Violation]:
    master = order.entrant.master
    found = tuple(check_master(order.entrant, scene.combatants, "entrant.master"))
    yield from found
    if master is not None and not found:
        yield from _fighting(scene, master, "entrant.master")


def _about_others(order: Join) -> Iterator[Violation]:
    """List what an entry says about the others, who stand where they stood."""
    named = (
        *((f"distances.{at}", {one.a, one.b}) for at, one in enumerate(order.distances)),
        *((f"behind.{at}", {one.who, one.whom}) for at, one in enumerate(order.behind)),
        *((f"hidden.{at}", {one.who, one.observer}) for at, one in enumerate(order.hidden)),
    )
    for field, ids in named:
        if order.entrant.id not in ids:
            facts: Facts = {"bearer": order.entrant.sheet.name}
            yield Violation("GC-4.8", "not_about_entrant", field, facts)


def _fighting(scene: Scene, id: str, field: str) -> Iterator[Violation]:
    if not scene.has(id):
        yield Violation("GC-2.1", "unknown_combatant", field, {"id": id})
    elif not scene.who(id).active:
        who = scene.who(id)
        facts: Facts = {"bearer": who.sheet.name, "standing": who.standing}
        yield Violation("GC-2.1", "not_fighting", field, facts)
