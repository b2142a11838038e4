"""What stands in the way of a turn where control areas are: their places, and leaving them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from app.engine.findings import Facts, Violation
from app.rulesets.guida.area_actions import area_effects, check_area
from app.rulesets.guida.areas import area_of, created_with, radius_of
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.orders import (
    AreaPlan,
    Attack,
    Defence,
    Generic,
    Main,
    Movement,
    Preparation,
    Turn,
)
from app.rulesets.guida.places import (
    Move,
)
from app.rulesets.guida.power import check_power
from app.rulesets.guida.readings import (
    BeyondRange,
    Coverage,
)
from app.rulesets.guida.sheet import Area, Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action
from app.rulesets.guida.underway import (
    ControlArea,
)
from app.rulesets.guida.uses import is_known


def check_areas(
    opened: Scene, defended: Scene, turn: Turn, main: Main | None
) -> Iterator[Violation]:
    """List what is wrong with the areas a post creates, destroys or leaves (GC-12.10 to 12.17).

    ``opened`` is the scene before the defences, ``defended`` after them.
    """
    yield from _plans(defended, turn, main)
    yield from _escapes(opened, defended, turn, main)
    if isinstance(main, Attack | Generic) and main.destroys is not None:
        yield from _destroys(defended, turn.by, main.tool, main.destroys, "main")
        tool = opened.who(turn.by).sheet.tool(main.tool)
        if isinstance(main, Generic) and tool is not None:  # an attack has its power checked anyway
            yield from check_power(opened.regulation, tool, "main.tool")
    for index, defence in enumerate(turn.defences):
        if defence.then is not None and defence.then.destroys is not None:
            field = f"defences.{index}.then"
            yield from _destroys(opened, turn.by, defence.tool, defence.then.destroys, field)
    yield from _numbers(opened, turn, main)
    if isinstance(main, Preparation):
        yield from _without_die(opened.who(turn.by), main)


def _numbers(scene: Scene, turn: Turn, main: Main | None) -> Iterator[Violation]:
    """Check the areas of secondary actions; those of what they are tied to are checked with it."""
    used = [
        (f"defences.{index}.support.{place}", id)
        for index, defence in enumerate(turn.defences)
        for place, id in enumerate(defence.support)
    ]
    used += [
        (f"independents.{index}.tool", one.tool) for index, one in enumerate(turn.independents)
    ]
    if main is not None:
        used += [(f"main.support.{place}", id) for place, id in enumerate(main.support)]
    for field, id in used:
        tool = scene.who(turn.by).sheet.tool(id)
        if tool is not None:
            yield from check_area(scene.regulation, tool, field)


def used_in(turn: Turn, main: Main | None) -> tuple[str, ...]:
    """List every technique or weapon that a post uses."""
    used = [defence.tool for defence in turn.defences if defence.tool is not None]
    used += [id for defence in turn.defences for id in defence.support]
    used += [independent.tool for independent in turn.independents]
    if isinstance(main, Attack | Generic):
        used.append(main.tool)
    if main is not None:
        used += main.support
    return tuple(used)


def can_feed(scene: Scene, who: Combatant, effect: Area, tool: str, area: ControlArea) -> bool:
    """Say whether an area is one that a technique adds saturation to (AMB-91).

    It takes one of the same kind that the own side made; of one without a common name only the
    same technique.
    """
    alike = effect.form is area.form and effect.curtain is area.curtain
    same = area.curtain is not None or area.tool == tool
    own = scene.who(area.creator).team == who.team
    return bool(effect.saturation) and area.saturation is not None and alike and same and own


def _plans(scene: Scene, turn: Turn, main: Main | None) -> Iterator[Violation]:
    who = scene.who(turn.by)
    used = used_in(turn, main)
    seen: set[str] = set()
    for index, plan in enumerate(turn.areas):
        field = f"areas.{index}"
        tool = who.sheet.tool(plan.tool)
        if tool is None or plan.tool not in used or not area_effects(tool):
            name = plan.tool if tool is None else tool.name
            yield Violation("GC-12.10", "area_not_created", f"{field}.tool", {"tool": name})
            continue
        if plan.tool in seen:
            yield Violation("GC-12.10", "area_planned_twice", f"{field}.tool", {"tool": tool.name})
        seen.add(plan.tool)
        if plan.feeds is not None:
            yield from _feeds(scene, who, tool, plan, field)
        else:
            yield from _centre(scene, who, tool, plan, field)


def _feeds(
    scene: Scene, who: Combatant, tool: Tool, plan: AreaPlan, field: str
) -> Iterator[Violation]:
    area = area_of(scene, plan.feeds or "")
    if area is None or not all(
        can_feed(scene, who, effect, tool.id, area) for effect in area_effects(tool)
    ):
        facts: Facts = {"tool": tool.name, "id": plan.feeds}
        yield Violation("GC-12.8", "area_cannot_be_fed", f"{field}.feeds", facts)
    if plan.around is not None or plan.distances:
        yield Violation("GC-12.8", "fed_area_has_place", field, {"tool": tool.name})


def _centre(
    scene: Scene, who: Combatant, tool: Tool, plan: AreaPlan, field: str
) -> Iterator[Violation]:
    # Where the unseen are nobody tells: naming them is naming nobody (GC-9.1).
    if plan.around is not None and not _is_seen(scene, who, plan.around):
        facts: Facts = {"id": plan.around}
        yield Violation("GC-12.10", "unknown_combatant", f"{field}.around", facts)
        return
    named: dict[str, int] = {}
    for index, reach in enumerate(plan.distances):
        at = f"{field}.distances.{index}"
        if not _is_seen(scene, who, reach.to):
            yield Violation("GC-12.10", "unknown_combatant", at, {"id": reach.to})
        elif reach.to in named:
            yield Violation("GC-4.8", "move_repeated", at, {"id": reach.to})
        named[reach.to] = reach.metres
    if tool.max_m is None or scene.options.beyond_max_range is not BeyondRange.REJECT:
        return
    centre = plan.around or who.id
    still = Fraction(0) if centre == who.id else scene.metres(who.id, centre)
    metres = named.get(who.id, still)
    if metres > tool.max_m:
        facts = {"tool": tool.name, "metres": metres, "max_m": tool.max_m}
        yield Violation("AMB-25", "beyond_max_range", field, facts)


def _is_seen(scene: Scene, who: Combatant, id: str) -> bool:
    return scene.has(id) and is_known(scene, who, id)


def _escapes(opened: Scene, defended: Scene, turn: Turn, main: Main | None) -> Iterator[Violation]:
    """Keep inside whom neither a movement nor a dodge of the creation takes out (GC-12.17).

    That is all there is to it: no area is an obstacle besides, smoke least of all (GC-12.22).
    """
    for index, defence in enumerate(turn.defences):
        out = _leaves(opened, defence)
        yield from _stays(opened, turn.by, defence.move, f"defences.{index}.move", out)
    if main is not None and not isinstance(main, Movement):  # GC-12.16
        yield from _stays(defended, turn.by, main.move, "main.move", ())


def _leaves(scene: Scene, defence: Defence) -> tuple[str, ...]:
    """List the forming areas that a defence may leave: those a dodge answers (GC-12.15)."""
    if defence.action is not Action.DODGE:
        return ()
    return tuple(
        one.area.id for pending in created_with(scene, defence.against) for one in pending.creates
    )


def _stays(
    scene: Scene, who: str, move: Move | None, field: str, out: tuple[str, ...]
) -> Iterator[Violation]:
    if move is None or scene.options.in_action_moves_escape_area:  # AMB-97
        return
    for index, reach in enumerate(move.distances):
        area = scene.area(reach.to)
        if area is None or reach.to in out or not is_known(scene, scene.who(who), reach.to):
            continue
        radius = radius_of(area)
        if scene.metres(area.id, who) <= radius < reach.metres:
            facts: Facts = {"name": area.name, "radius": radius, "metres": reach.metres}
            yield Violation("GC-12.17", "cannot_leave_area", f"{field}.distances.{index}", facts)


def can_destroy(scene: Scene, tool: Tool) -> bool:
    """Say whether what is done with a technique may be after a control area (GC-12.14)."""
    lacking = (*check_measure(scene, tool, ""), *check_power(scene.regulation, tool, ""))
    return not lacking


def check_measure(scene: Scene, tool: Tool, field: str) -> Iterator[Violation]:
    """Refuse to measure what a technique without a radius covers of an area (AMB-95)."""
    measured = scene.options.area_coverage_measure is not Coverage.INPUT
    if measured and tool.area_m is None:
        yield Violation("GC-12.14", "attack_radius_missing", field, {"tool": tool.name})


def _destroys(
    scene: Scene, who: str, id: str | None, target: str, field: str
) -> Iterator[Violation]:
    tool = scene.who(who).sheet.tool(id or "")
    if area_of(scene, target) is None:
        yield Violation("GC-12.14", "area_unknown", f"{field}.destroys", {"id": target})
    if tool is None:
        return
    yield from check_measure(scene, tool, f"{field}.tool")


def _without_die(who: Combatant, main: Preparation) -> Iterator[Violation]:
    """Refuse an area beside a preparation: there is no die for it to use (GC-12.11)."""
    for index, id in enumerate(main.support):
        tool = who.sheet.tool(id)
        if tool is not None and area_effects(tool):
            facts: Facts = {"tool": tool.name}
            yield Violation("GC-12.11", "area_needs_die", f"main.support.{index}", facts)
