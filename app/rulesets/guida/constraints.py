"""Costrizione (GC-8.1 to 8.16): what an attack binds its target with, and how strongly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from app.engine.findings import Facts, Finding, Violation
from app.engine.tally import Tally, Term
from app.rulesets.guida.bond_rulings import ask_overlap, ask_techniques
from app.rulesets.guida.bonds import bond_line
from app.rulesets.guida.combatants import (
    Bond,
)
from app.rulesets.guida.options import (
    Options,
    Regulation,
)
from app.rulesets.guida.power import (
    check_potential_bonus,
    check_stat_bonus,
    potential_bonus,
    stat_bonus,
)
from app.rulesets.guida.readings import (
    ConstraintStart,
)
from app.rulesets.guida.sheet import Constraint, StackEffect, Tool
from app.rulesets.guida.state import (
    Scene,
    add_line,
)
from app.rulesets.guida.tables import TYPE_4
from app.rulesets.guida.terms import Bind
from app.rulesets.guida.underway import (
    Incoming,
    Rider,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """What one landed attack binds its target with: a technique's constraint, or an improper one.

    ``id`` names the constraint that comes of it.
    ``stacked``: Type-4 stacks come with it. Where no constraint is named they are one without
    effects (GC-14.23).
    """

    id: str
    tool: Tool
    binds: tuple[Bind, ...]
    max_range_m: int | None
    improper: bool = False
    stacked: bool = False


def binds_of(tool: Tool) -> Constraint | None:
    """Find the constraint among a technique's effects."""
    return next((effect for effect in tool.effects if isinstance(effect, Constraint)), None)


def is_harmless(tool: Tool) -> bool:
    """Say whether an attack only binds: a constraint technique does no damage of itself (AMB-64).

    An improper constraint comes with the damage of its attack (GC-8.16).
    """
    constraint = binds_of(tool)
    return constraint is not None and not constraint.deals_damage


def brings_bond(tool: Tool) -> bool:
    """Say whether a technique's effects put a constraint on whoever it hits (GC-8.1)."""
    return binds_of(tool) is not None or any(
        isinstance(effect, StackEffect) and effect.stack in TYPE_4 for effect in tool.effects
    )


def may_be_bound(scene: Scene, id: str) -> bool:
    """Say whether a combatant is bound, or will be if something that is coming lands."""
    return bool(scene.who(id).bonds) or any(_binds(one) for one in scene.against(id))


def _binds(attack: Incoming) -> bool:
    return bool(attack.binds) or any(
        isinstance(rider.effect, Constraint) or _is_type_4(rider) for rider in attack.riders
    )


def check_binding(
    regulation: Regulation, tool: Tool, binds: tuple[Bind, ...], field: str, at: str
) -> Iterator[Violation]:
    """List what a constraint lacks, declared as improper or brought by a technique (GC-8.13).

    ``field`` is where ``binds`` are declared, ``at`` where the technique is named.
    """
    if len(set(binds)) != len(binds):
        yield Violation("GC-8.13", "bind_repeated", field)
    constraint = binds_of(tool)
    if binds and constraint is not None:
        yield Violation("GC-8.13", "constraint_is_proper", field, {"tool": tool.name})
    if binds or brings_bond(tool):
        yield from check_potential_bonus(regulation, tool, at)
        yield from check_stat_bonus(regulation, tool, at)
    limited = Bind.DISTANCE_LIMIT in (*binds, *(constraint.binds if constraint else ()))
    ranged = tool.max_m is not None or (constraint and constraint.max_range_m is not None)
    if limited and not ranged:
        yield Violation("GC-8.6", "constraint_range_missing", at, {"tool": tool.name})


def bindings_of(scene: Scene, attack: Incoming) -> tuple[Binding, ...]:
    """List what an attack binds its target with, each technique once (GC-8.1, GC-14.23)."""
    found: dict[str, Binding] = {}
    for rider in attack.riders:
        tool = _tool(scene, attack, rider.tool)
        constraint = rider.effect if isinstance(rider.effect, Constraint) else None
        if tool is None or not (constraint or _is_type_4(rider)):
            continue
        made = found.get(tool.id) or _binding(attack, len(found), tool)
        if constraint is not None:
            limit = tool.max_m if constraint.max_range_m is None else constraint.max_range_m
            made = _with(made, constraint.binds, limit)
        found[tool.id] = replace(made, stacked=made.stacked or _is_type_4(rider))
    if attack.binds:
        made = found.get(attack.tool.id) or _binding(attack, len(found), attack.tool)
        made = replace(made, improper=True)
        found[attack.tool.id] = _with(made, attack.binds, attack.tool.max_m)
    return tuple(found.values())


def land(scene: Scene, attack: Incoming) -> tuple[Scene, list[Finding]]:
    """Put every constraint of a landed attack on its target."""
    findings: list[Finding] = []
    for binding in bindings_of(scene, attack):
        scene, bound = apply_bond(scene, attack, binding)
        findings += bound
    return scene, findings


def condition_of(scene: Scene, attack: Incoming, tool: str) -> str | None:
    """Name the constraint that a technique's Type-4 stacks belong to (GC-11.18, GC-14.23)."""
    for binding in bindings_of(scene, attack):
        if binding.tool.id == tool:
            return binding.id
    return None


def settle_value(
    options: Options,
    current: Tally | None,
    *,
    die: int,
    bonus: Term,
    level: Term,
    improper: bool,
) -> Tally:
    """Settle the one value of all constraints on a target (GC-8.2 to GC-8.4, GC-8.15).

    The first to land gives it; each further one adds half of its potential bonus, no die and no
    stat bonus (``level``). An improper one halves its bonus, a further
    improper one halves it twice (AMB-60).
    """
    arithmetic = options.arithmetic
    if current is None:
        value = Tally((Term("GC-8.2", "bond_die", Fraction(die)), bonus))
        if improper:
            half = arithmetic.divide(bonus.value, 2)
            value = value.plus(Term("GC-8.15", "half_bonus", half - bonus.value))
        return value.plus(level)
    counted = arithmetic.divide(bonus.value, 2)
    if improper and options.improper_increment_halves_twice:
        counted = arithmetic.divide(counted, 2)
    return current.plus(Term("GC-8.4", "further_bond", counted, name=bonus.name))


def apply_bond(scene: Scene, attack: Incoming, binding: Binding) -> tuple[Scene, list[Finding]]:
    """Put a constraint on the target of an attack that landed (GC-8.1, AMB-61)."""
    before = scene.who(attack.target)
    user = scene.who(attack.attacker)
    own = binding.tool.id == attack.tool.id
    value = settle_value(
        scene.options,
        before.bond_value,
        die=attack.die if attack.bond_die is None else attack.bond_die,
        bonus=potential_bonus(scene.regulation, binding.tool),
        # GC-8.5: the stat bonus is the one that counts for the power.
        level=Term("GC-8.5", "stat_bonus", attack.stat_bonus)
        if own
        else stat_bonus(user, binding.tool),
        improper=binding.improper,
    )
    later = scene.options.constraint_start is ConstraintStart.NEXT_TURN
    bond = Bond(
        id=binding.id,
        user=attack.attacker,
        name=binding.tool.name,
        binds=binding.binds,
        max_range_m=binding.max_range_m,
        since=before.turn + later,
        stacked=binding.stacked,
    )
    after = replace(
        before,
        bonds=(*before.bonds, bond),
        bond_value=value,
        overlap=before.overlap or scene.options.constraint_overlap,
    )
    line = bond_line(bond, "bond_begins", value, "GC-8.2")
    line = replace(line, poster=attack.attacker, posted=False, attack=attack.id)
    scene = add_line(scene.put(after), attack.target, line)
    facts: Facts = {
        "attacker": user.sheet.name,
        "bearer": before.sheet.name,
        "name": binding.tool.name,
        "binds": tuple(binding.binds),
        "value": value.total,
        "working": value,
        "improper": binding.improper,
        "max_m": binding.max_range_m,
        "bonds": Fraction(len(after.bonds)),
    }
    rule = "GC-8.2" if before.bond_value is None else "GC-8.4"
    findings = [Finding(rule, "bond_begins", facts, "AMB-59")]
    scene, overlap = ask_overlap(scene, before, bond)
    scene, techniques = ask_techniques(scene, before, bond)
    return scene, [*findings, *overlap, *techniques]


def _tool(scene: Scene, attack: Incoming, id: str) -> Tool | None:
    """Find a technique of an attack; its own as it was when it was launched."""
    return attack.tool if id == attack.tool.id else scene.who(attack.attacker).sheet.tool(id)


def _is_type_4(rider: Rider) -> bool:
    return isinstance(rider.effect, StackEffect) and rider.effect.stack in TYPE_4


def _binding(attack: Incoming, place: int, tool: Tool) -> Binding:
    return Binding(id=f"{attack.id}-{place}", tool=tool, binds=(), max_range_m=None)


def _with(binding: Binding, binds: tuple[Bind, ...], metres: int | None) -> Binding:
    limit = metres if Bind.DISTANCE_LIMIT in binds else None
    return replace(binding, binds=binds, max_range_m=limit)
