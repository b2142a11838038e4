"""Creazione di Aree (GC-12.10 to 12.13): an area begins to form, forms, or comes to nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from app.engine.findings import Facts, Finding, Violation
from app.engine.ruleset import SPECTATOR
from app.rulesets.guida.areas import (
    MOST_RADIUS_M,
    area_of,
    is_inside,
    potential_of,
    radius_of,
    remove_area,
    static_potential,
)
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.options import (
    Regulation,
)
from app.rulesets.guida.orders import (
    AreaPlan,
)
from app.rulesets.guida.places import (
    Distance,
)
from app.rulesets.guida.readings import (
    StatBonus,
)
from app.rulesets.guida.senses import unseen_by
from app.rulesets.guida.sheet import Area, Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.success import tally_success
from app.rulesets.guida.terms import Action, AreaForm, Means
from app.rulesets.guida.underway import (
    ControlArea,
    Forming,
    Pending,
)

LETTERS = "cdefhijk"  # of creations that ride on something; ``a`` and ``g`` are what they ride on


def area_effects(tool: Tool) -> tuple[Area, ...]:
    """List the areas that a technique says it creates; no other does (GC-12.10)."""
    return tuple(effect for effect in tool.effects if isinstance(effect, Area))


def check_area(regulation: Regulation, tool: Tool, field: str) -> Iterator[Violation]:
    """List what the area of a technique lacks to be worked out (GC-12.2 to GC-12.6)."""
    named: Facts = {"tool": tool.name}
    for effect in area_effects(tool):
        if effect.form is AreaForm.STATIC:
            yield from _check_static(regulation, tool, effect, field)
        elif not effect.saturation:
            yield Violation("GC-12.5", "area_saturation_missing", field, named)
        if effect.curtain is not None and effect.form is AreaForm.STATIC:
            facts: Facts = {"tool": tool.name, "curtain": effect.curtain}
            yield Violation("GC-12.20", "curtain_is_expansive", field, facts)
        if tool.means is Means.WEAPON or tool.stat_bonus is not None:  # AMB-94
            continue
        if regulation.stat_bonus_source is StatBonus.INPUT:
            yield Violation("GC-3.7", "stat_bonus_missing", field, named)
        elif tool.governing is None:
            yield Violation("GC-3.7", "governing_stat_missing", field, named)


def _check_static(
    regulation: Regulation, tool: Tool, effect: Area, field: str
) -> Iterator[Violation]:
    if not effect.radius_m:
        yield Violation("GC-12.3", "area_radius_missing", field, {"tool": tool.name})
    elif effect.radius_m > MOST_RADIUS_M:  # AMB-89
        facts: Facts = {"tool": tool.name, "metres": effect.radius_m, "most": MOST_RADIUS_M}
        yield Violation("GC-12.3", "area_too_large", field, facts)
    if _potential(regulation, tool) is None:
        yield Violation("GC-3.6", "potential_missing", field, {"tool": tool.name})


def outline(
    scene: Scene, actor: str, tools: Iterable[Tool], plans: tuple[AreaPlan, ...], around: str
) -> tuple[Scene, tuple[Forming, ...]]:
    """Put the areas that these techniques create where the post wants them, still forming.

    Where the post says nothing they are ``around`` somebody.
    """
    creates: list[Forming] = []
    for tool in tools:
        plan = next((one for one in plans if one.tool == tool.id), AreaPlan(tool=tool.id))
        for effect in area_effects(tool):
            area = _draft(scene, scene.who(actor), tool, effect, len(creates))
            creates.append(Forming(area=area, feeds=plan.feeds))
            if plan.feeds is None:
                scene = _place(scene, area.id, plan, around)
    return scene, tuple(creates)


def begin(
    scene: Scene,
    actor: str,
    tools: Iterable[Tool],
    plans: tuple[AreaPlan, ...],
    *,
    around: str,
    die: int,
    rides: str,
) -> tuple[Scene, list[Finding]]:
    """Let areas begin to form by a secondary action, with the die of what they ride on (GC-12.11).

    Nothing is paid here: they are paid for with the action they ride on.
    """
    creating = [tool for tool in tools if area_effects(tool)]
    if not creating:
        return scene, []
    scene, creates = outline(scene, actor, creating, plans, around)
    who = scene.who(actor)
    pending = Pending(
        id=_free(scene),
        actor=actor,
        action=Action.GENERIC_ACTION,
        tool=creating[0],
        die=die,
        score=tally_success(
            scene.options, who, Action.GENERIC_ACTION, creating[0], (), moved_steps=0
        ),
        move=None,
        beneficiary=None,
        support=(),
        waits=tuple(one.id for one in scene.opponents(actor)),
        creates=creates,
        rides=rides,
    )
    facts: Facts = {
        "bearer": who.sheet.name,
        "name": creating[0].name,
        "success_score": pending.success_score,
        "success_die": die,
        "success": pending.score,
    }
    scene = replace(scene, pending=(*scene.pending, pending))
    return scene, [Finding("GC-12.11", "area_forming", facts)]


def form(scene: Scene, pending: Pending) -> tuple[Scene, list[Finding]]:
    """Let the areas form that nobody kept from it, or feed those that stand (GC-14.18)."""
    findings: list[Finding] = []
    hidden = unseen_by(scene, SPECTATOR)
    for forming in pending.creates:
        if forming.feeds is None:
            scene = replace(scene, areas=(*scene.areas, forming.area))
            findings += _formed(scene, forming.area, hidden)
        else:
            scene, found = _feed(scene, forming, forming.feeds)
            findings.append(found)
    return scene, findings


def drop(scene: Scene, pending: Pending) -> Scene:
    """Forget the areas of a creation that came to nothing, and the places they were to have."""
    for forming in pending.creates:
        if forming.feeds is None:
            scene = remove_area(scene, forming.area.id)
    return scene


def fall_with(scene: Scene, action: str) -> tuple[Scene, list[Finding]]:
    """Stop the creations that ride on an action that a counter intercepted (AMB-93)."""
    findings: list[Finding] = []
    for pending in scene.pending:
        if pending.rides == action:
            rest = tuple(one for one in scene.pending if one.id != pending.id)
            scene = replace(drop(scene, pending), pending=rest)
            names = {
                "bearer": scene.who(pending.actor).sheet.name,
                "name": pending.tool.name if pending.tool else "",
            }
            findings.append(Finding("GC-12.13", "creation_falls", names, "AMB-93"))
    return scene, findings


def _draft(scene: Scene, creator: Combatant, tool: Tool, effect: Area, others: int) -> ControlArea:
    taken = others + sum(1 for area in scene.areas if area.id.split("-")[0] == f"area{scene.posts}")
    taken += sum(
        1
        for pending in scene.pending
        for one in pending.creates
        if one.area.id.split("-")[0] == f"area{scene.posts}"
    )
    potential = Fraction(0)
    if effect.form is AreaForm.STATIC:
        printed = _potential(scene.regulation, tool)
        reduced = static_potential(scene.options, printed or Fraction(0), effect.radius_m or 0)
        potential = reduced or Fraction(0)
    return ControlArea(
        id=f"area{scene.posts}-{taken + 1}" if taken else f"area{scene.posts}",
        creator=creator.id,
        tool=tool.id,
        name=tool.name,
        form=effect.form,
        curtain=effect.curtain,
        radius_m=effect.radius_m or 0,
        saturation=effect.saturation,
        potential=potential,
        stat_bonus=_stat_bonus(creator, tool),
        fed=creator.turn,
    )


def _potential(regulation: Regulation, tool: Tool) -> Fraction | None:
    table = regulation.potential_by_category
    if tool.potential is not None:
        return tool.potential
    return table.of(tool.category) if table is not None and tool.category is not None else None


def _stat_bonus(creator: Combatant, tool: Tool) -> Fraction:
    """Give what an area's power owes to its creator: nothing where equipment makes it (AMB-94)."""
    if tool.means is Means.WEAPON:
        return Fraction(0)
    if tool.stat_bonus is not None:
        return tool.stat_bonus
    return total_level(creator, tool.governing).total if tool.governing else Fraction(0)


def _place(scene: Scene, id: str, plan: AreaPlan, around: str) -> Scene:
    centre = plan.around or around
    named = {reach.to: Fraction(reach.metres) for reach in plan.distances}
    places = []
    for one in scene.combatants:
        near = Fraction(0) if one.id == centre else scene.metres(centre, one.id)
        places.append(Distance(a=id, b=one.id, metres=named.get(one.id, near)))
    return scene.placed(places, scene.behind)


def _free(scene: Scene) -> str:
    taken = {one.id for one in scene.pending}
    return next(f"{x}{scene.posts}" for x in LETTERS if f"{x}{scene.posts}" not in taken)


def _formed(scene: Scene, area: ControlArea, hidden: frozenset[str]) -> Iterator[Finding]:
    """Tell that an area forms, and of each who is hidden apart: not all may know (GC-9.1)."""
    inside = [one for one in scene.combatants if is_inside(scene, area, one.id)]
    facts: Facts = {
        "bearer": scene.who(area.creator).sheet.name,
        "name": area.name,
        "radius": radius_of(area),
        "potential": potential_of(area),
        "inside": tuple(one.sheet.name for one in inside if one.id not in hidden),
    }
    yield Finding("GC-14.18", "area_formed", facts)
    for one in inside:
        if one.id in hidden:
            names: Facts = {"bearer": one.sheet.name, "name": area.name}
            yield Finding("GC-14.18", "area_formed_around", names)


def _feed(scene: Scene, forming: Forming, id: str) -> tuple[Scene, Finding]:
    area = area_of(scene, id)
    names: Facts = {"bearer": scene.who(forming.area.creator).sheet.name, "name": forming.area.name}
    if area is None:
        return scene, Finding("GC-12.7", "area_not_fed", names)
    saturation = (area.saturation or 0) + (forming.area.saturation or 0)
    fed = replace(area, saturation=saturation, fed=scene.who(area.creator).turn)
    areas = tuple(fed if one.id == id else one for one in scene.areas)
    facts: Facts = {**names, "name": area.name, "saturation": saturation, "radius": radius_of(fed)}
    return replace(scene, areas=areas), Finding("GC-12.8", "area_fed", facts, "AMB-91")
