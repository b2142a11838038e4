"""Techniques that find, conceal and blind, and scenes in which somebody is hidden."""

from __future__ import annotations

from typing import Any

from app.engine.ruleset import GM
from app.rulesets.guida.places import (
    Unseen,
)
from app.rulesets.guida.rulings import (
    Place,
)
from app.rulesets.guida.sheet import Blinding, Camouflage, Masking, Perception, Tool
from app.rulesets.guida.state import (
    Scene,
)
from tests.unit.guida.build import entrant, rule, scene, tool


def radar(radius_m: int = 50, bonus: int = 5, *, passive: bool = False, **more: Any) -> Tool:
    """Make a technique that perceives: 1d12 + 5 within 50 m for 2 energy."""
    effects = (Perception(radius_m=radius_m, passive=passive),)
    given = {"attacks": False, "stat_bonus": bonus, "ep": 2, "effects": effects, **more}
    return tool("radar", **given)


def cloak(bonus: int = 5, turns: int | None = None, *, passive: bool = False, **more: Any) -> Tool:
    """Make a technique that camouflages: 1d12 + 5 for 3 energy."""
    effects = (Camouflage(turns=turns, passive=passive), *more.pop("besides", ()))
    given = {"attacks": False, "stat_bonus": bonus, "ep": 3, "effects": effects, **more}
    return tool("cloak", **given)


def mask(bonus: int = 5, turns: int | None = None) -> Tool:
    """Make a technique that masks: 1d12 + 5."""
    return tool("mask", attacks=False, stat_bonus=bonus, effects=(Masking(turns=turns),))


def flash(turns: int | None = None) -> Tool:
    """Make an attack that blinds whom it hits."""
    return tool("flash", effects=(Blinding(turns=turns),))


def seek(*tools: Tool, hider: tuple[Tool, ...] = (), metres: int = 30, **more: Any) -> Scene:
    """Let Ada, who has the tools, face Bo, who is hidden from her and has those of a hider."""
    ada = entrant("ada", tool(max_m=200), *tools)
    bo = entrant("bo", tool(max_m=200), *hider, **more.pop("bo", {}))
    third = (entrant("cy", tool(max_m=200)),) if more.pop("third", False) else ()
    return hiding(scene(ada, bo, *third, metres=metres, **more), ("bo", "ada"))


def hiding(made: Scene, *pairs: tuple[str, str]) -> Scene:
    """Hide each first of a pair from the second, and nobody else."""
    hidden = tuple(Unseen(who=who, observer=observer) for who, observer in pairs)
    return rule(made, Place(by=GM, hidden=hidden, reason="-")).state
