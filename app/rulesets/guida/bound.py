"""What a bound combatant may still do (GC-14.21, GC-14.22): as declared, and when it is done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from app.engine.findings import Facts, Finding, Obstacle, Violation
from app.rulesets.guida.attempts import check_attempts, freed_after
from app.rulesets.guida.bond_rulings import is_spared, question_about
from app.rulesets.guida.bonds import clamp_to_limit, forbids
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.constraints import check_binding
from app.rulesets.guida.forms import size_change
from app.rulesets.guida.liberation import is_proper
from app.rulesets.guida.orders import (
    Attack,
    Continuation,
    Defence,
    Generic,
    Main,
    Movement,
    Turn,
)
from app.rulesets.guida.places import (
    Move,
)
from app.rulesets.guida.readings import (
    BeyondRange,
)
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.tables import COUNTERS
from app.rulesets.guida.terms import Action, Means

# GC-14.21: a dodge is a change of place; guards and unbalancing need the arms.
NEEDS_PLACE: Final = (Action.DODGE, Action.ALLY_DODGE)
NEEDS_ARMS: Final = (Action.GUARD, Action.UNBALANCE, Action.ALLY_GUARD)


def check_bound(opened: Scene, turn: Turn, main: Main | None) -> Iterator[Obstacle]:
    """List what constraints forbid of a post, and what is wrong with those it declares.

    What comes after an attempt to break free is legal for now: it hangs on that (GC-14.22).
    """
    yield from check_attempts(opened, turn, main)
    yield from _bindings(opened, turn, main)
    who = opened.who(turn.by)
    free = freed_after(opened, turn, main)
    for index, defence in enumerate(turn.defences):
        if free is None or index < free:
            yield from _defence(opened, who, defence, f"defences.{index}")
    for index, independent in enumerate(turn.independents):
        if free is None or _place_of(turn, independent.against) < free:
            yield from check_part(opened, who, independent.tool, f"independents.{index}.tool")
    if free is None and main is not None:
        yield from _main(opened, who, main)


def check_part(scene: Scene, who: Combatant, id: str | None, field: str) -> Iterator[Obstacle]:
    """List why a bound combatant cannot use a weapon, or not before the Master says so."""
    tool = who.sheet.tool(id) if id else None
    if tool is None or not _may_need_part(scene, who, tool):
        return
    facts: Facts = {"tool": tool.name}
    if tool.means is Means.WEAPON:
        if forbids(scene, who.id).arms:
            yield Violation("GC-14.21", "weapon_bound", field, facts)
        return
    allowed = is_spared(who, tool)
    if allowed is False:
        yield Violation("GC-14.21", "technique_bound", field, facts)
    elif allowed is None:
        asked = question_about(scene, who.id, tool)
        if asked is not None:
            yield asked


def check_place(scene: Scene, who: Combatant, move: Move | None, field: str) -> Iterator[Violation]:
    """List why a bound combatant cannot change place, or not so far (GC-8.6, GC-8.7)."""
    if move is None:
        return
    if forbids(scene, who.id).place:
        yield Violation("GC-8.7", "move_bound", field)
        return
    for index, reach in enumerate(move.distances):
        if reach.to == who.id or not scene.has(reach.to):
            continue
        limit = clamp_to_limit(scene, who.id, reach.to, Fraction(reach.metres))
        if limit < reach.metres:
            facts: Facts = {
                "metres": reach.metres,
                "limit": limit,
                "user": scene.who(reach.to).sheet.name,
            }
            yield Violation("GC-8.6", "beyond_distance_limit", f"{field}.distances.{index}", facts)


def bars_action(scene: Scene, id: str, action: Action) -> bool:
    """Say whether constraints forbid a kind of defence whatever it is made with."""
    held = forbids(scene, id)
    dodges = action in NEEDS_PLACE and scene.options.blocked_position_forbids_dodge  # AMB-63
    return (dodges and held.place) or (action in NEEDS_ARMS and held.arms)


def bars_tool(scene: Scene, id: str, tool: Tool | None) -> bool:
    """Say whether a weapon or technique cannot be used any more, once dice have fallen.

    What the Master has not ruled on by then goes ahead.
    """
    who = scene.who(id)
    if tool is None or not _may_need_part(scene, who, tool):
        return False
    if tool.means is Means.WEAPON:
        return forbids(scene, id).arms
    return is_spared(who, tool) is False


def bars_defence(scene: Scene, id: str, defence: Defence) -> bool:
    """Say whether a declared defence is annulled by the constraints there are by now (GC-14.22)."""
    tools = (scene.who(id).sheet.tool(used) for used in (defence.tool, *defence.support) if used)
    return bars_action(scene, id, defence.action) or any(
        bars_tool(scene, id, tool) for tool in tools
    )


def bars_move(scene: Scene, id: str, move: Move | None) -> bool:
    """Say whether constraints keep a declared change of place from happening."""
    return any(True for _ in check_place(scene, scene.who(id), move, ""))


def fit_main(scene: Scene, id: str, main: Main | None) -> tuple[Main | None, list[Finding]]:
    """Leave of a main action what constraints let happen, or nothing of it (GC-14.22)."""
    if main is None:
        return None, []
    who = scene.who(id)
    facts: Facts = {"bearer": who.sheet.name, "action": main.kind}
    annulled = [Finding("GC-14.22", "bound_annulled", facts)]
    own = who.sheet.tool(main.tool) if isinstance(main, Attack | Generic) else None
    if bars_tool(scene, id, own):
        return None, annulled
    findings: list[Finding] = []
    barred = tuple(one for one in main.support if bars_tool(scene, id, who.sheet.tool(one)))
    if barred:
        main = replace(main, support=tuple(one for one in main.support if one not in barred))
        findings.append(Finding("GC-14.22", "bound_without_support", facts))
    if bars_move(scene, id, main.move):
        if isinstance(main, Movement):
            return None, annulled
        main = replace(main, move=None)
        if isinstance(main, Attack) and _is_out_of_reach(scene, who, main):
            return None, annulled
        findings.append(Finding("GC-14.22", "bound_without_move", facts))
    return main, findings


def _is_out_of_reach(scene: Scene, who: Combatant, attack: Attack) -> bool:
    tool = who.sheet.tool(attack.tool)
    reject = scene.options.beyond_max_range is BeyondRange.REJECT
    if tool is None or tool.max_m is None or not reject:
        return False
    return scene.metres(who.id, attack.target) > tool.max_m


def _may_need_part(scene: Scene, who: Combatant, tool: Tool) -> bool:
    """Say whether a blocked part could be needed; breaking free and changing form need none."""
    free = is_proper(tool) or bool(size_change(who, tool))
    return forbids(scene, who.id).parts and not free


def _place_of(turn: Turn, attack: str) -> int:
    """Give the place among the defences of what is done against one incoming attack."""
    for index, defence in enumerate(turn.defences):
        if attack in defence.against:
            return index
    return -1


def _defence(scene: Scene, who: Combatant, defence: Defence, field: str) -> Iterator[Obstacle]:
    if bars_action(scene, who.id, defence.action):
        facts: Facts = {"action": defence.action}
        yield Violation("GC-14.21", "defence_bound", f"{field}.action", facts)
    yield from check_part(scene, who, defence.tool, f"{field}.tool")
    for place, id in enumerate(defence.support):
        yield from check_part(scene, who, id, f"{field}.support.{place}")
    yield from check_place(scene, who, defence.move, f"{field}.move")


def _main(scene: Scene, who: Combatant, main: Main) -> Iterator[Obstacle]:
    if isinstance(main, Attack | Generic):
        yield from check_part(scene, who, main.tool, "main.tool")
    for place, id in enumerate(main.support):
        yield from check_part(scene, who, id, f"main.support.{place}")
    yield from check_place(scene, who, main.move, "main.move")


def _bindings(scene: Scene, turn: Turn, main: Main | None) -> Iterator[Violation]:
    """List what the constraints that a post means to apply lack (GC-8.13)."""
    who = scene.who(turn.by)
    if isinstance(main, Attack):
        yield from _binding(scene, who, main.tool, main.support, main, "main.binds", "main")
    for index, defence in enumerate(turn.defences):
        if defence.action in (*COUNTERS, Action.ALLY_COUNTERATTACK) and defence.tool:
            then, at = defence.then or Continuation(), f"defences.{index}"
            binds = f"{at}.then.binds"
            yield from _binding(scene, who, defence.tool, defence.support, then, binds, at)


def _binding(
    scene: Scene,
    who: Combatant,
    id: str,
    support: tuple[str, ...],
    blow: Attack | Continuation,
    field: str,
    at: str,
) -> Iterator[Violation]:
    tool = who.sheet.tool(id)
    if tool is not None:
        yield from check_binding(scene.regulation, tool, blow.binds, field, f"{at}.tool")
    for place, one in enumerate(support):
        added = who.sheet.tool(one)
        if added is not None:
            where = f"{at}.support.{place}"
            yield from check_binding(scene.regulation, added, (), where, where)
