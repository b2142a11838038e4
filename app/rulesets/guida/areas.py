"""Aree di Controllo (GC-12): how large and strong they are, who is inside, who sees whom."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from app.engine.findings import Facts, Finding
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.places import (
    Move,
)
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.tables import (
    AREA_POTENTIAL_MAX,
    EXPANSIVE_RADIUS_M,
    POISON_CURTAIN_STACKS,
    SMOKE_CLEAR_M,
    STATIC_AREA_COST,
)
from app.rulesets.guida.terms import Action, AreaForm, Curtain
from app.rulesets.guida.underway import (
    ControlArea,
    Pending,
    Shift,
)

MOST_RADIUS_M: Final = STATIC_AREA_COST[-1][0]


def static_potential(options: Options, potential: Fraction, radius_m: int) -> Fraction | None:
    """Give the potential of a static area; None where it is too large (GC-12.3, GC-12.4).

    A radius between two rows pays as the larger (AMB-89), in points per modifier (AMB-9).
    """
    for bound, modifiers in STATIC_AREA_COST:
        if radius_m <= bound:
            return max(Fraction(0), potential - modifiers * options.potential_points_per_modifier)
    return None


def radius_of(area: ControlArea) -> int:
    """Give the radius in metres: a static area's own, else that of its saturation (GC-12.5)."""
    if area.form is AreaForm.STATIC:
        return area.radius_m
    return EXPANSIVE_RADIUS_M.at(area.saturation or 0)


def potential_of(area: ControlArea) -> Fraction:
    """Give the potential of an area: its technique's, else its saturation (GC-12.4, GC-12.6)."""
    if area.form is AreaForm.STATIC:
        return area.potential
    return Fraction(min(area.saturation or 0, AREA_POTENTIAL_MAX))


def power_of(options: Options, area: ControlArea) -> Fraction:
    """Give the power of an area, with its creator's stat bonus or without (GC-12.14, AMB-94)."""
    bonus = area.stat_bonus if options.area_power_includes_stat_bonus else Fraction(0)
    return potential_of(area) + bonus


def poison_stacks(saturation: int) -> int:
    """Give the poison stacks of a poison curtain in one turn (GC-12.23)."""
    return POISON_CURTAIN_STACKS.at(saturation)


def area_of(scene: Scene, id: str) -> ControlArea | None:
    """Find a formed area by its id."""
    return next((area for area in scene.areas if area.id == id), None)


def is_inside(scene: Scene, area: ControlArea, who: str) -> bool:
    """Say whether a combatant is in an area: no farther from its centre than its radius."""
    return scene.metres(area.id, who) <= radius_of(area)


def areas_around(scene: Scene, who: str) -> tuple[ControlArea, ...]:
    """List the areas that a combatant is in (GC-12.1)."""
    return tuple(area for area in scene.areas if is_inside(scene, area, who))


def smoke_between(scene: Scene, observer: str, other: str) -> tuple[ControlArea, ...]:
    """List the curtains that keep one combatant from seeing another (GC-12.20, GC-12.21).

    One inside sees nobody farther than five metres; one outside sees nobody that far who is
    inside. What matters is whether either of them is, so that it is the same for both. From what
    distance on one is hidden besides is another matter (AMB-98).
    """
    if scene.metres(observer, other) <= SMOKE_CLEAR_M:
        return ()
    return tuple(
        area
        for area in scene.areas
        if blinds(scene.options, area)
        and (is_inside(scene, area, observer) or is_inside(scene, area, other))
    )


def is_smoked(scene: Scene, observer: str, other: str) -> bool:
    """Say whether a curtain makes a combatant blinded against another (GC-14.29)."""
    return bool(smoke_between(scene, observer, other))


def blinds(options: Options, area: ControlArea) -> bool:
    """Say whether an area takes the sight: smoke does, poison by option only (AMB-99)."""
    if area.curtain is Curtain.POISON:
        return options.poison_curtain_blinds
    return area.curtain is Curtain.SMOKE


def encloses(scene: Scene, pending: Pending, who: str) -> bool:
    """Say whether a combatant stands where an area of this action is to form (GC-12.12)."""
    return any(
        one.feeds is None and scene.metres(one.area.id, who) <= radius_of(one.area)
        for one in pending.creates
    )


def can_answer(scene: Scene, pending: Pending, who: str, action: Action) -> bool:
    """Say whether one may meet a generic action in this way (GC-4.75, GC-12.12).

    What rides on another action is countered with it (AMB-93); only those around whom an area is
    to form dodge it.
    """
    if action is Action.DODGE:
        return encloses(scene, pending, who)
    return action is Action.GENERIC_COUNTERATTACK and pending.rides is None


def created_with(scene: Scene, against: tuple[str, ...]) -> tuple[Pending, ...]:
    """List the creations that one defence answers: their own, or that of what they ride on."""
    return tuple(
        one for one in scene.pending if one.creates and (one.id in against or one.rides in against)
    )


def past_border(scene: Scene, move: Move | None, against: tuple[str, ...]) -> Move | None:
    """Let a dodge that reaches the border of a forming area end one metre beyond (AMB-96)."""
    if move is None:
        return None
    radii = {
        one.area.id: radius_of(one.area)
        for pending in created_with(scene, against)
        for one in pending.creates
    }
    reaches = tuple(
        replace(reach, metres=max(reach.metres, radii[reach.to] + 1))
        if reach.to in radii and reach.metres >= radii[reach.to]
        else reach
        for reach in move.distances
    )
    return replace(move, distances=reaches)


def clamped(scene: Scene, shifts: Iterable[Shift]) -> tuple[Shift, ...]:
    """Stop an intercepted mover at the border of the area it was leaving (GC-12.18, GC-14.34)."""
    radii = {area.id: radius_of(area) for area in scene.areas}
    return tuple(
        replace(shift, after=min(shift.after, Fraction(radii[shift.other])))
        if shift.other in radii and shift.before <= radii[shift.other]
        else shift
        for shift in shifts
    )


def crossed(scene: Scene, who: str, shifts: Iterable[Shift]) -> list[Finding]:
    """Tell whose borders a change of place crosses, inwards and outwards (GC-12.1)."""
    findings = []
    for shift in shifts:
        area = area_of(scene, shift.other)
        if area is None:
            continue
        before, after = shift.before <= radius_of(area), shift.after <= radius_of(area)
        if before is not after:
            facts: Facts = {"bearer": scene.who(who).sheet.name, "name": area.name}
            findings.append(Finding("GC-12.1", "area_entered" if after else "area_left", facts))
    return findings


def remove_area(scene: Scene, id: str) -> Scene:
    """Take an area out of the scene, its centre with it."""
    return replace(
        scene,
        areas=tuple(area for area in scene.areas if area.id != id),
        distances=frozenset(one for one in scene.distances if id not in (one.a, one.b)),
    )
