"""What constraints leave to choose, and what may be chosen to put or to break them (GC-8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from app.engine.findings import Obstacle, Violation
from app.rulesets.guida.attempts import check_attempts, check_form
from app.rulesets.guida.bonds import break_bonds, clamp_to_limit, forbids
from app.rulesets.guida.bound import bars_action, check_part
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.constraints import check_binding, may_be_bound
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.liberation import has_tried, is_proper
from app.rulesets.guida.offers import LimitChoice
from app.rulesets.guida.orders import (
    Attack,
    LiberationAttempt,
    Turn,
)
from app.rulesets.guida.senses import is_hidden
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action, Bind, Stat

ANYWHERE: Final = Fraction(100_000)  # farther than any distance of a scene


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
    if has_tried(who) or not may_be_bound(scene, who.id):
        return False
    doubling = Attack(target="", tool=tool.id, frees=True)
    return not any(check_attempts(scene, Turn(by=who.id), doubling))


def liberations(scene: Scene, who: Combatant) -> Iterator[Tool]:
    """Go through the techniques one may try to break free with, as a secondary action (GC-8.17)."""
    if has_tried(who) or not may_be_bound(scene, who.id):
        return
    for tool in who.sheet.tools:
        attempt = Turn(by=who.id, liberation=LiberationAttempt(tool=tool.id))
        serves = is_proper(tool) and tool.ep <= who.ep_now
        if serves and not any(check_attempts(scene, attempt, None)):
            yield tool


def is_left(scene: Scene, who: Combatant, action: Action) -> bool:
    """Say whether a kind of defence is left to whoever is bound (GC-14.21)."""
    return not bars_action(scene, who.id, action)


def hampered(scene: Scene, who: Combatant, tool: Tool) -> tuple[Obstacle, ...]:
    """List why whoever is bound cannot use a weapon or technique now (GC-14.21, GC-8.28)."""
    return (*check_part(scene, who, tool.id, ""), *check_form(scene, who, tool, ""))


def stays(scene: Scene, who: Combatant) -> bool:
    """Say whether constraints keep a combatant where it stands (GC-8.7)."""
    return forbids(scene, who.id).place


def preparation_reach(scene: Scene, who: Combatant) -> Fraction:
    """Give how far a preparation moves whoever makes it (GC-4.37), if anywhere (GC-14.21)."""
    if stays(scene, who):
        return Fraction(0)
    return max(Fraction(0), total_level(who, Stat.DEXTERITY).total)


def limits(scene: Scene, who: Combatant) -> Iterator[LimitChoice]:
    """Go through those from whom constraints do not let one get farther than so far (GC-8.6)."""
    for other in scene.combatants:
        if other.id == who.id or is_hidden(scene, other.id, who.id):
            continue  # GC-9.1: where somebody hidden is, and so how far one could go, is not told
        far = clamp_to_limit(scene, who.id, other.id, ANYWHERE)
        if far < ANYWHERE:
            yield LimitChoice(user=other.id, user_name=other.sheet.name, metres=far)


def as_freed(scene: Scene, who: Combatant) -> Scene | None:
    """Give the scene in which an attempt has worked; None where none matters or can be made.

    What is declared after an attempt hangs on it (GC-14.22).
    """
    if not who.bonds or not _may_try(scene, who):
        return None
    freed = break_bonds(scene, who.id)[0]
    return freed.put(replace(freed.who(who.id), freed_turn=who.turn))  # GC-8.17: one a turn


def _may_try(scene: Scene, who: Combatant) -> bool:
    return any(True for _ in liberations(scene, who)) or any(
        can_free(scene, who, tool) for tool in who.sheet.tools if not hampered(scene, who, tool)
    )
