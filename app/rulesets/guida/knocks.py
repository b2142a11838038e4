"""Sbalzo (GC-10) in a Defensive Phase: a defence throws back, a failed reaction closes doors."""

from __future__ import annotations

from dataclasses import replace

from app.engine.findings import Finding
from app.rulesets.guida.allies import works_as
from app.rulesets.guida.asking import ask_thrown
from app.rulesets.guida.clashes import own_power
from app.rulesets.guida.defence import Declared, Phase, tools_of
from app.rulesets.guida.knockback import facts_of
from app.rulesets.guida.power import potential_bonus
from app.rulesets.guida.readings import (
    TieDamage,
)
from app.rulesets.guida.terms import Action, Outcome
from app.rulesets.guida.throws import throw_back
from app.rulesets.guida.underway import (
    Incoming,
    Throw,
)


def knock_back(
    phase: Phase, attack: Incoming, declared: Declared, face: int, outcome: Outcome
) -> tuple[Phase, list[Finding]]:
    """Let a defence that is in time, and that no comparison annulled, throw the attacker back.

    It lands in the attacker's next turn, who may recover then; at once where nobody may (AMB-79),
    unless the Master has to say first whether it meets something (GC-10.2).
    """
    knock = declared.defence.knock
    tool, _ = tools_of(phase.scene.who(phase.defender), declared.defence)
    if knock is None or tool is None or not _is_left(phase, declared, outcome):
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
        id=f"{attack.id}-back",
    )
    scene, throw, asked = ask_thrown(phase.scene, throw)
    reacts = scene.options.reaction_to_defence_knockback
    if not (reacts or asked):
        scene, thrown, _ = throw_back(scene, throw, None)
        return replace(phase, scene=scene), thrown
    key = "throw_waits" if reacts else "throw_waits_for_master"
    found = Finding("GC-10.8", key, facts_of(scene, throw), "AMB-79")
    scene = replace(scene, throws=(*scene.throws, throw))
    return replace(phase, scene=scene), [found, *asked]


def _is_left(phase: Phase, declared: Declared, outcome: Outcome) -> bool:
    """Say whether anything is left of a defence that is in time, to throw somebody with.

    A parry or a counterattack that the comparison annulled does nothing more (GC-5.4), and a
    parry's tie halves the damage and does nothing else (AMB-41).
    """
    action = works_as(phase.scene.options, declared.defence.action)
    if action not in (Action.PARRY, Action.COUNTERATTACK):
        return True
    replaces = phase.scene.options.tie_half_damage_mode is TieDamage.REPLACES_WIN
    if action is Action.PARRY and outcome is Outcome.TIE and replaces:
        return False
    return any(one.index == declared.index and one.power is not None for one in phase.forces)


def gate_reaction(phase: Phase, struck: list[Finding]) -> Phase:
    """Close the Offensive Phase after a failed reaction, or later defences too (AMB-78)."""
    if not any(found.key == "reaction_failed" for found in struck):
        return phase
    cascades = phase.scene.options.failed_reaction_cascades
    return replace(phase, blocked=True, thrown=True, failed=phase.failed or cascades)
