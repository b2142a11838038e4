"""Constraints of a scene that is taken up in mid-fight: who is held by what, and how strongly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from app.engine.findings import Violation
from app.engine.tally import Tally, Term
from app.rulesets.guida.bond_rulings import ask_techniques
from app.rulesets.guida.combatants import (
    Bond,
)
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.tables import TYPE_4
from app.rulesets.guida.terms import Bind


def check_held(ids: tuple[str, ...], entrant: Entrant, field: str) -> Iterator[Violation]:
    """List what is wrong with the constraints that an entrant comes with (GC-8.3, GC-8.6)."""
    if entrant.bound is None:
        return
    if entrant.bound.loosening % 2:
        yield Violation("GC-8.21", "loosening_odd", f"{field}.bound.loosening")
    for place, held in enumerate(entrant.bound.by):
        at = f"{field}.bound.by.{place}"
        if held.user not in ids or held.user == entrant.id:
            yield Violation("GC-8.1", "unknown_combatant", f"{at}.user", {"id": held.user})
        if len(set(held.binds)) != len(held.binds):
            yield Violation("GC-8.13", "bind_repeated", f"{at}.binds")
        if Bind.DISTANCE_LIMIT in held.binds and held.max_range_m is None:
            yield Violation(
                "GC-8.6", "constraint_range_missing", f"{at}.max_range_m", {"tool": held.name}
            )


def hold(scene: Scene, entrant: Entrant) -> Scene:
    """Put the constraints of an entrant on the combatant, with the value they have by now.

    Fire and frost belong to the first that ends with its stacks (GC-14.23).
    """
    if entrant.bound is None:
        return scene
    free = scene.who(entrant.id)
    bonds = tuple(
        Bond(
            id=f"{entrant.id}-{place}",
            user=held.user,
            name=held.name,
            binds=held.binds,
            max_range_m=held.max_range_m,
            since=0,
            stacked=held.stacked,
        )
        for place, held in enumerate(entrant.bound.by)
    )
    stacked = next((bond.id for bond in bonds if bond.stacked), None)
    scene = scene.put(
        replace(
            free,
            bonds=bonds,
            bond_value=Tally((Term("GC-8.2", "as_declared", entrant.bound.value),)),
            loosening=entrant.bound.loosening,
            overlap=scene.options.constraint_overlap,
            lots=tuple(
                replace(lot, condition=stacked) if lot.stack in TYPE_4 else lot for lot in free.lots
            ),
        )
    )
    for bond in bonds:
        scene, _ = ask_techniques(scene, free, bond)
        free = replace(free, bonds=(*free.bonds, bond))
    return scene
