"""What a technique or weapon may be used for, and where an attack may be aimed."""

from __future__ import annotations

from collections.abc import Iterator

from app.engine.findings import Facts, Violation
from app.rulesets.guida.effects import check_effects
from app.rulesets.guida.options import Options, Regulation
from app.rulesets.guida.power import check_power
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.success import can_aim
from app.rulesets.guida.terms import Aim, Limb


def usable(regulation: Regulation, tool: Tool, field: str, use: str) -> Iterator[Violation]:
    """List why a tool cannot serve as ``attacks``, ``guards`` or ``supports``."""
    if not getattr(tool, use):
        yield Violation("GC-3.6", f"tool_not_for_{use}", field, {"tool": tool.name})
    if use == "attacks":
        yield from check_power(regulation, tool, field)
    # What settles on a target rides on attacks; a guard with the same weapon just has none.
    yield from check_effects(tool, field, attacking=True)


def check_aim(
    options: Options, tool: Tool, aim: Aim, limb: Limb | None, field: str
) -> Iterator[Violation]:
    """List what is wrong with an aim (GC-4.19, GC-4.24)."""
    if aim is not Aim.BODY and not can_aim(options, tool):
        facts: Facts = {"tool": tool.name, "attack_kind": tool.attack_kind}
        yield Violation("GC-4.19", "cannot_aim", f"{field}.aim", facts)
    if aim is Aim.LIMBS and limb is None:
        yield Violation("GC-4.24", "limb_missing", f"{field}.limb")
    if aim is not Aim.LIMBS and limb is not None:
        yield Violation("GC-4.24", "limb_without_aim", f"{field}.limb")
