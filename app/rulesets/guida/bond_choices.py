"""What constraints leave to choose, and what may be chosen to put or to break them (GC-8)."""

from __future__ import annotations

from collections.abc import Iterator

from app.engine.findings import Violation
from app.rulesets.guida.attempts import check_attempts
from app.rulesets.guida.bound import bars_action, bars_tool
from app.rulesets.guida.constraints import check_binding, may_be_bound
from app.rulesets.guida.liberation import is_proper
from app.rulesets.guida.orders import Attack, LiberationAttempt, Turn
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import Combatant, Scene
from app.rulesets.guida.terms import Action, Bind


def improper_binds(scene: Scene, tool: Tool) -> tuple[Bind, ...]:
    """List what an attack with a tool may be declared to bind with, each by itself (GC-8.13)."""
    return tuple(
        bind for bind in Bind if not any(check_binding(scene.regulation, tool, (bind,), "", ""))
    )


def lacks(scene: Scene, tool: Tool, use: str) -> tuple[Violation, ...]:
    """List what the constraint that an attack brings lacks to be worked out (GC-8.5, GC-8.6)."""
    return tuple(check_binding(scene.regulation, tool, (), "", "")) if use == "attacks" else ()


def can_free(scene: Scene, who: Combatant, tool: Tool) -> bool:
    """Say whether an action with a tool may double as an attempt to break free (GC-8.23)."""
    if not may_be_bound(scene, who.id):
        return False
    doubling = Attack(target="", tool=tool.id, frees=True)
    return not any(check_attempts(scene, Turn(by=who.id), doubling))


def liberations(scene: Scene, who: Combatant) -> Iterator[Tool]:
    """Go through the techniques one may try to break free with, as a secondary action (GC-8.17)."""
    if not may_be_bound(scene, who.id):
        return
    for tool in who.sheet.tools:
        attempt = Turn(by=who.id, liberation=LiberationAttempt(tool=tool.id))
        serves = is_proper(tool) and tool.ep <= who.ep_now
        if serves and not any(check_attempts(scene, attempt, None)):
            yield tool


def is_left(scene: Scene, who: Combatant, action: Action) -> bool:
    """Say whether a defence is left to whoever is bound, or to try after an attempt (GC-14.21)."""
    return not bars_action(scene, who.id, action) or _may_try(scene, who)


def is_free(scene: Scene, who: Combatant, tool: Tool) -> bool:
    """Say whether a weapon or technique is left to whoever is bound (GC-14.21, GC-14.22)."""
    return not bars_tool(scene, who.id, tool) or _may_try(scene, who)


def _may_try(scene: Scene, who: Combatant) -> bool:
    """Say whether an attempt could come first: what follows it hangs on that (GC-14.22)."""
    return any(True for _ in liberations(scene, who)) or any(
        can_free(scene, who, tool) for tool in who.sheet.tools if not bars_tool(scene, who.id, tool)
    )
