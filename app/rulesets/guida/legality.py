"""What stands in the way of a turn: every obstacle at once, each with its rule and its field."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from app.engine.findings import Facts, Obstacle, Violation
from app.rulesets.guida.effects import check_effects
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.moves import distance_after
from app.rulesets.guida.options import BeyondRange
from app.rulesets.guida.orders import Attack, Defence, Move, Turn
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import Combatant, Scene
from app.rulesets.guida.terms import Action, Claim, Stat
from app.rulesets.guida.uses import check_aim, usable

DEFENCES = (Action.NULL_DEFENCE, Action.GUARD, Action.DODGE)


def check_seat(scene: Scene, id: str) -> Iterator[Obstacle]:
    """List why a seat may not post a turn now."""
    if scene.ended:
        yield Violation("GC-2.1", "scene_ended")
    elif scene.paused:
        yield Violation("GC-2.1", "scene_paused")
    if not scene.has(id):
        yield Violation("GC-2.1", "unknown_combatant", "by", {"id": id})
        return
    who = scene.who(id)
    if not who.active:
        facts: Facts = {"bearer": who.sheet.name, "standing": who.standing}
        yield Violation("GC-2.1", "not_fighting", "by", facts)
    elif scene.next != id and not scene.ended:
        next_name = scene.who(scene.next).sheet.name
        yield Violation("GC-2.2", "not_your_turn", "by", {"next": next_name})
    yield from (question for question in scene.questions if id in question.blocks)


def check_defences(opened: Scene, turn: Turn) -> Iterator[Obstacle]:
    """List the obstacles of a Defensive Phase; ``opened`` is the scene after the Initial one."""
    who = opened.who(turn.by)
    yield from _coverage(opened, turn)
    for index, defence in enumerate(turn.defences):
        yield from _defence(opened, who, defence, f"defences.{index}")


def check_main(defended: Scene, turn: Turn) -> Iterator[Obstacle]:
    """List the obstacles of the main action, from where the defences leave one (GC-2.29)."""
    if turn.main is not None:
        yield from _attack(defended, defended.who(turn.by), turn.main)


def check_whole(opened: Scene, turn: Turn) -> Iterator[Obstacle]:
    """List what is wrong with a turn as a whole: repeated techniques, energy that is not there."""
    yield from _supports_once(turn)
    yield from _energy(opened.who(turn.by), turn)


def cost_of(who: Combatant, turn: Turn) -> int:
    """Add up the energy of everything declared, as if all of it is carried out."""
    used = [defence.tool for defence in turn.defences]
    used += [id for defence in turn.defences for id in defence.support]
    if turn.main is not None:
        used += [turn.main.tool, *turn.main.support]
    tools = [who.sheet.tool(id) for id in used if id is not None]
    return sum(tool.ep for tool in tools if tool is not None)


def dodge_reach(scene: Scene, who: Combatant) -> Fraction:
    """Give how many metres a dodge covers at most (GC-4.13, AMB-28)."""
    level = total_level(who, Stat.DEXTERITY).total
    return max(Fraction(0), level * scene.options.dodge_metres_per_dexterity)


def _coverage(scene: Scene, turn: Turn) -> Iterator[Obstacle]:
    incoming = {attack.id for attack in scene.against(turn.by)}
    answered: set[str] = set()
    too_many = len(turn.defences) > len(incoming)
    if too_many:
        facts: Facts = {"defences": len(turn.defences), "attacks": len(incoming)}
        yield Violation("GC-2.9", "too_many_defences", "defences", facts)
    for index, defence in enumerate(turn.defences):
        field = f"defences.{index}.against"
        for attack in defence.against:
            if attack not in incoming:
                yield Violation("GC-2.7", "attack_not_incoming", field, {"attack": attack})
            elif attack in answered and not too_many:  # one fault, one name
                yield Violation("GC-14.1", "attack_answered_twice", field, {"attack": attack})
            answered.add(attack)


def _defence(scene: Scene, who: Combatant, defence: Defence, field: str) -> Iterator[Obstacle]:
    if defence.action not in DEFENCES:
        yield Violation("GC-2.7", "not_a_defence", f"{field}.action", {"action": defence.action})
        return
    null = defence.action is Action.NULL_DEFENCE
    if null and defence.move is not None:
        yield Violation("GC-4.11", "null_defence_with_move", f"{field}.move")
    if null and (defence.tool is not None or defence.support):
        yield Violation("GC-4.46", "null_defence_takes_nothing", f"{field}.tool")
    if defence.action is Action.DODGE and defence.tool is not None:
        yield Violation("GC-4.59", "dodge_takes_no_tool", f"{field}.tool")
    if defence.action is Action.GUARD and defence.tool is not None:
        yield from _tool(scene, who, defence.tool, f"{field}.tool", "guards")
    if not null:
        yield from _supports(who, defence.support, field, attacking=False)
    if defence.move is not None and not null:
        yield from _move(scene, who, defence.move, f"{field}.move")
        if defence.action is Action.DODGE:
            yield from _dodge_move(scene, who, defence.move, f"{field}.move")


def _attack(scene: Scene, who: Combatant, attack: Attack) -> Iterator[Obstacle]:
    if attack.target not in {one.id for one in scene.opponents(who.id)}:
        yield Violation("GC-4.45", "target_not_opponent", "main.target", {"id": attack.target})
        return
    yield from _tool(scene, who, attack.tool, "main.tool", "attacks")
    yield from _supports(who, attack.support, "main", attacking=True)
    if attack.move is not None:
        yield from _move(scene, who, attack.move, "main.move")
    tool = who.sheet.tool(attack.tool)
    if tool is not None:
        yield from check_aim(scene.options, tool, attack.aim, attack.limb, "main")
        yield from _reach(scene, who, tool, attack)
    yield from _claims(scene, who, attack)


def _tool(scene: Scene, who: Combatant, id: str, field: str, use: str) -> Iterator[Obstacle]:
    tool = who.sheet.tool(id)
    if tool is None:
        yield Violation("GC-3.6", "tool_not_on_sheet", field, {"tool": id})
    else:
        yield from usable(scene.regulation, tool, field, use)


def _supports(
    who: Combatant, ids: tuple[str, ...], field: str, *, attacking: bool
) -> Iterator[Obstacle]:
    for index, id in enumerate(ids):
        at = f"{field}.support.{index}"
        tool = who.sheet.tool(id)
        if tool is None:
            yield Violation("GC-2.20", "tool_not_on_sheet", at, {"tool": id})
            continue
        if not tool.supports:
            yield Violation("GC-2.20", "tool_not_for_supports", at, {"tool": tool.name})
        yield from check_effects(tool, at, attacking=attacking)


def _supports_once(turn: Turn) -> Iterator[Obstacle]:
    """Let a technique be a secondary action once, and never of itself (GC-2.20)."""
    seen: set[str] = set()
    used = [(f"defences.{index}", one) for index, one in enumerate(turn.defences)]
    for field, action in (*used, *((("main", turn.main),) if turn.main else ())):
        for place, id in enumerate(action.support):
            if id in seen or id == action.tool:
                facts: Facts = {"tool": id}
                yield Violation("GC-2.20", "support_repeated", f"{field}.support.{place}", facts)
            seen.add(id)


def _reach(scene: Scene, who: Combatant, tool: Tool, attack: Attack) -> Iterator[Obstacle]:
    metres = distance_after(scene, who.id, attack.target, attack.move)
    out = tool.max_m is not None and metres > tool.max_m
    if out and scene.options.beyond_max_range is BeyondRange.REJECT:
        facts: Facts = {"tool": tool.name, "metres": metres, "max_m": tool.max_m}
        yield Violation("AMB-25", "beyond_max_range", "main.tool", facts)


def _claims(scene: Scene, who: Combatant, attack: Attack) -> Iterator[Obstacle]:
    if len(set(attack.claims)) != len(attack.claims):
        yield Violation("GC-4.28", "claim_repeated", "main.claims")
    if Claim.FROM_BEHIND in attack.claims and scene.is_behind(who.id, attack.target):
        yield Violation("GC-4.30", "claim_already_counted", "main.claims")


def _move(scene: Scene, who: Combatant, move: Move, field: str) -> Iterator[Obstacle]:
    named = [reach.to for reach in move.distances]
    for index, id in enumerate(named):
        at = f"{field}.distances.{index}"
        if id == who.id or not scene.has(id):
            yield Violation("GC-4.8", "move_unknown_combatant", at, {"id": id})
        elif id in named[:index]:
            yield Violation("GC-4.8", "move_repeated", at, {"id": id})
    for index, id in enumerate(move.behind):
        if id not in named:
            yield Violation("GC-4.30", "behind_not_moved", f"{field}.behind.{index}", {"id": id})


def _dodge_move(scene: Scene, who: Combatant, move: Move, field: str) -> Iterator[Obstacle]:
    if move.behind:
        yield Violation("GC-4.14", "dodge_behind", f"{field}.behind")
    reach = dodge_reach(scene, who)
    for index, step in enumerate(move.distances):
        if step.to == who.id or not scene.has(step.to):
            continue
        covered = abs(step.metres - scene.metres(who.id, step.to))
        if covered > reach:
            facts: Facts = {"metres": covered, "reach": reach}
            yield Violation("GC-4.13", "dodge_too_far", f"{field}.distances.{index}", facts)


def _energy(who: Combatant, turn: Turn) -> Iterator[Obstacle]:
    cost = cost_of(who, turn)
    if cost > who.ep_now:
        facts: Facts = {"cost": cost, "ep": who.ep_now}
        yield Violation("GC-2.6", "not_enough_energy", "", facts)
