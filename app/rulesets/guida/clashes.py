"""Two powers meet (GC-5): what is left of the attack, and whether the counterattack goes on."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from app.engine.findings import Facts, Finding
from app.engine.tally import Term
from app.rulesets.guida.allies import works_as
from app.rulesets.guida.clash import after as after_clash
from app.rulesets.guida.clash import settle_comparison
from app.rulesets.guida.defence import Declared, Force, Going, Phase, tools_of
from app.rulesets.guida.moves import apply_shifts, cut_short
from app.rulesets.guida.power import Power, tally_power
from app.rulesets.guida.readings import (
    PowerCarried,
)
from app.rulesets.guida.state import names_of
from app.rulesets.guida.stops import weaken
from app.rulesets.guida.strike import power_of, weakened
from app.rulesets.guida.tables import COUNTER_BONUS
from app.rulesets.guida.terms import Action, Fate
from app.rulesets.guida.toward import take_up
from app.rulesets.guida.underway import (
    Incoming,
)


def compare(
    phase: Phase, attack: Incoming, declared: Declared, findings: list[Finding]
) -> tuple[Phase, list[Finding], Incoming | None]:
    """Compare powers; give the attack as it goes on, or None where it is annulled."""
    scene = phase.scene
    force = next((f.power for f in phase.forces if f.index == declared.index), None)
    carried = scene.options.covering_defence_power is PowerCarried.CARRIED
    own = force if force is not None and carried else own_power(phase, declared)
    theirs = power_of(attack)
    result = settle_comparison(theirs, own)
    rest = [f for f in phase.forces if f.index != declared.index]
    kept = after_clash(scene.options, scene.regulation, own, result.second)
    phase = replace(phase, forces=(*rest, Force(declared.index, kept)))
    left = after_clash(scene.options, scene.regulation, theirs, result.first)
    going_on = left or kept
    facts: Facts = {
        **names_of(scene, attack),
        "action": declared.defence.action,
        "attack_power": theirs.total,
        "attack_working": theirs.tally,
        "defence_power": own.total,
        "defence_working": own.tally,
        "difference": result.difference,
        "category": result.category or "",
        "attack_after": result.first,
        "defence_after": result.second,
        "remaining": going_on.total if going_on else None,
    }
    findings = [*findings, Finding(result.rule, "power_comparison", facts)]
    if left is None:
        return phase, findings, None
    scene, weaker = weakened(scene, attack, left)
    if result.first is Fate.HALVED:
        scene, others = weaken(scene, weaker)
        findings += others
    return replace(phase, scene=scene), findings, weaker


def own_power(phase: Phase, declared: Declared) -> Power:
    """Give the power a parry or a counterattack opposes to an attack (GC-5.1)."""
    scene = phase.scene
    who = scene.who(phase.defender)
    tool, _ = tools_of(who, declared.defence)
    if tool is None:
        raise ValueError(f"{declared.defence.action} needs a tool; check comes first")
    return tally_power(scene.options, scene.regulation, who, tool)


def halt_anyway(phase: Phase, attack: Incoming, declared: Declared) -> tuple[Phase, list[Finding]]:
    """Halve the move of an attack that was countered at all, where the options say so (AMB-29)."""
    needs_success = phase.scene.options.half_move_requires_successful_counter
    action = works_as(phase.scene.options, declared.defence.action)
    if needs_success or action is not Action.COUNTERATTACK:
        return phase, []
    return halt(phase, attack)


def halt(phase: Phase, attack: Incoming) -> tuple[Phase, list[Finding]]:
    """Stop the move of an attack that was intercepted half way (GC-4.17)."""
    if not attack.shifts:
        return phase, []
    stopped = cut_short(phase.scene, attack.attacker, attack.shifts)
    scene, moved = apply_shifts(phase.scene, attack.attacker, stopped, "GC-4.17")
    return replace(phase, scene=scene), moved


def go_on(phase: Phase, attack: Incoming, declared: Declared, power: Power | None) -> Phase:
    """Let a counterattack go on toward its opponent in the Offensive Phase (GC-4.68, GC-4.73).

    Whether one does that was made from afar, for an ally, is for the Master to say (GC-13.16).
    """
    rule, value = COUNTER_BONUS[declared.defence.action]
    going = Going(
        index=declared.index,
        opponent=attack.attacker,
        bonus=Term(rule, "counter_won", Fraction(value)),
        power=power,
        asks=declared.defence.action is Action.ALLY_COUNTERATTACK and declared.defence.move is None,
    )
    return take_up(phase, declared, going)


def go_no_further(phase: Phase, declared: Declared) -> Phase:
    """Stop a counter that a later clash annulled, though an earlier one had let it pass."""
    going = tuple(one for one in phase.going if one.index != declared.index)
    return replace(phase, going=going)
