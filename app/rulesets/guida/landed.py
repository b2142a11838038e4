"""What a blow of several left behind, so that it can be taken back (GC-14.36)."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.underway import (
    Incoming,
    Landed,
    Shift,
)

T = TypeVar("T")


def note_landed(
    before: Scene, after: Scene, attack: Incoming, hit: str, halved_by: str | None
) -> Scene:
    """Keep what an attack left on its target, while another target may still stop it for all."""
    if attack.volley is None:
        return after
    target = attack.target
    lines = tuple(line.id for line in after.who(target).lines if line.id > before.serial)
    known = {other for place in before.distances for other in (place.a, place.b)} - {target}
    shifts = tuple(
        Shift(other=other, before=before.metres(target, other), after=after.metres(target, other))
        for other in sorted(known)
        if _apart(before, target, other)
        and before.metres(target, other) != after.metres(target, other)
    )
    landed = Landed(
        attack=attack,
        hit=hit,
        halved_by=halved_by,
        lines=lines,
        before=replace(before.who(target), lines=()),
        after=replace(after.who(target), lines=()),
        shifts=shifts,
    )
    return replace(after, landed=(*after.landed, landed))


def take_back(scene: Scene, landed: Landed) -> Scene:
    """Undo damage, stacks, constraints and knockback; what was played since stands (GC-14.36)."""
    target = scene.who(landed.attack.target)
    scene = scene.put(_as_before(target, landed))
    moved = {
        place
        for place in scene.distances
        for shift in landed.shifts
        if place.joins(target.id, shift.other) and place.metres == shift.after
    }
    places = [
        replace(place, metres=shift.before)
        for place in moved
        for shift in landed.shifts
        if place.joins(target.id, shift.other)
    ]
    kept = tuple(one for one in scene.landed if one != landed)
    seconds = tuple(one for one in scene.seconds if one.line not in landed.lines)
    return replace(scene, landed=kept, seconds=seconds).placed(places, scene.behind)


def _as_before(target: Combatant, landed: Landed) -> Combatant:
    """Take what the blow brought, and put back what it replaced, where nothing changed since."""
    old, new = landed.before, landed.after
    return replace(
        target,
        lines=tuple(line for line in target.lines if line.id not in landed.lines),
        lots=_undone(target.lots, old.lots, new.lots),
        effects=_undone(target.effects, old.effects, new.effects),
        bonds=_undone(target.bonds, old.bonds, new.bonds),
        bond_value=old.bond_value if target.bond_value == new.bond_value else target.bond_value,
        loosening=old.loosening if target.loosening == new.loosening else target.loosening,
        overlap=old.overlap if target.overlap == new.overlap else target.overlap,
        armour_down=old.armour_down
        if target.armour_down == new.armour_down
        else target.armour_down,
    )


def _undone(now: tuple[T, ...], old: tuple[T, ...], new: tuple[T, ...]) -> tuple[T, ...]:
    """Take out what came with the change from old to new, and put back what went with it."""
    came, went = list(new), list(old)
    for one in old:
        if one in came:
            came.remove(one)
            went.remove(one)
    kept = list(now)
    for one in came:
        if one in kept:
            kept.remove(one)
    return (*kept, *(one for one in went if one not in kept))


def _apart(scene: Scene, one: str, other: str) -> bool:
    return any(place.joins(one, other) for place in scene.distances)
