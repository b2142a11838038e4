"""Sbalzo (GC-10) in a Defensive Phase: a defence throws back, a failed reaction closes doors."""

from __future__ import annotations

from dataclasses import replace

from app.engine.findings import Finding
from app.rulesets.guida.clashes import own_power
from app.rulesets.guida.defence import Declared, Phase, tools_of
from app.rulesets.guida.knockback import facts_of
from app.rulesets.guida.power import potential_bonus
from app.rulesets.guida.throws import throw_back
from app.rulesets.guida.underway import (
    Incoming,
    Throw,
)


def knock_back(
    phase: Phase, attack: Incoming, declared: Declared, face: int
) -> tuple[Phase, list[Finding]]:
    """Let a defence that is in time throw the attacker back.

    It lands in the attacker's next turn, who may recover then; at once where nobody may (AMB-79).
    """
    knock = declared.defence.knock
    tool, _ = tools_of(phase.scene.who(phase.defender), declared.defence)
    if knock is None or tool is None:
        return phase, []
    power = own_power(phase, declared)
    throw = Throw(
        thrower=phase.defender,
        thrown=attack.attacker,
        name=tool.name,
        die=face,
        category=power.category,
        potential_bonus=potential_bonus(phase.scene.regulation, tool),
        stat_bonus=power.stat_bonus,
        knock=knock,
        by_defence=True,
        post=phase.scene.posts,
    )
    if not phase.scene.options.reaction_to_defence_knockback:
        scene, thrown, _ = throw_back(phase.scene, throw, None)
        return replace(phase, scene=scene), thrown
    waiting = (*phase.scene.throws, throw)
    found = Finding("GC-10.8", "throw_waits", facts_of(phase.scene, throw), "AMB-79")
    return replace(phase, scene=replace(phase.scene, throws=waiting)), [found]


def gate_reaction(phase: Phase, struck: list[Finding]) -> Phase:
    """Close the Offensive Phase after a failed reaction, or later defences too (AMB-78)."""
    if not any(found.key == "reaction_failed" for found in struck):
        return phase
    cascades = phase.scene.options.failed_reaction_cascades
    return replace(phase, blocked=True, failed=phase.failed or cascades)
