"""Gittata (AMB-25) at the launch: what a move that did not happen leaves out of reach (GC-2.28)."""

from __future__ import annotations

from dataclasses import replace

from app.engine.findings import Facts, Finding
from app.rulesets.guida.attack import (
    Blow,
)
from app.rulesets.guida.moves import distance_after
from app.rulesets.guida.orders import (
    Generic,
)
from app.rulesets.guida.places import (
    Move,
)
from app.rulesets.guida.senses import is_hidden
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import AttackKind
from app.rulesets.guida.uses import is_beyond


def in_reach(scene: Scene, attacker: str, blow: Blow) -> tuple[Blow | None, list[Finding]]:
    """Give an attack with those of its targets that it reaches where everybody stands by now.

    The post had all of them in reach: whoever is not was to be brought there by something that
    did not happen. An attack that reaches nobody is not launched, and costs nothing (GC-14.9).
    """
    if blow.misses or blow.blind:
        return blow, []
    # An area attack falls around its first target, whatever else is inside (GC-13.5).
    around = blow.tool.attack_kind is AttackKind.AREA
    far = [
        target
        for target in (blow.targets[:1] if around else blow.targets)
        if _is_far(scene, attacker, target, blow.tool, blow.move)
    ]
    left = [target for target in blow.targets if target not in far]
    findings = [
        _out_of_reach(scene, attacker, target, blow.tool, blow.move, spent=blow.carried)
        for target in far
    ]
    if not left or (far and around):
        return None, findings
    suspends = None if blow.target in far else blow.suspends
    return replace(blow, target=left[0], also=tuple(left[1:]), suspends=suspends), findings


def helps(scene: Scene, id: str, main: Generic) -> list[Finding]:
    """Say why a generic action does not reach whom it is to benefit (GC-7.1)."""
    tool, whom = scene.who(id).sheet.tool(main.tool), main.beneficiary
    if tool is None or whom in (None, id) or not _is_far(scene, id, whom, tool, main.move):
        return []
    return [_out_of_reach(scene, id, whom, tool, main.move, spent=False)]


def _is_far(scene: Scene, who: str, other: str, tool: Tool, move: Move | None) -> bool:
    known = not is_hidden(scene, other, who)  # how far the unseen are nobody tells
    return known and is_beyond(scene.options, tool, distance_after(scene, who, other, move))


def _out_of_reach(
    scene: Scene, who: str, other: str, tool: Tool, move: Move | None, *, spent: bool
) -> Finding:
    facts: Facts = {
        "bearer": scene.who(who).sheet.name,
        "target": scene.who(other).sheet.name,
        "name": tool.name,
        "metres": distance_after(scene, who, other, move),
        "max_m": tool.max_m,
        "spent": spent,
    }
    return Finding("GC-2.28", "out_of_reach", facts, "AMB-25")
