"""Azioni Secondarie Indipendenti (GC-2.22 to 2.27): in time or not, on a die of their own."""

from __future__ import annotations

from dataclasses import replace

from app.engine.dice import Address
from app.engine.findings import Facts, Finding
from app.engine.tally import Tally, Term
from app.rulesets.guida.bound import bars_tool
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.defence import Phase, count_use, prepared_defence
from app.rulesets.guida.effects import begin_on_user
from app.rulesets.guida.liberation import transform
from app.rulesets.guida.orders import (
    Independent,
)
from app.rulesets.guida.readings import Scope
from app.rulesets.guida.register import pay
from app.rulesets.guida.relabel import check_label
from app.rulesets.guida.senses import smoke_terms
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import (
    Scene,
    names_of,
)
from app.rulesets.guida.success import counted_use, settle_speed, tally_defend
from app.rulesets.guida.terms import Action, Outcome
from app.rulesets.guida.underway import (
    Incoming,
)


def resolve_independent(
    phase: Phase,
    defender: str,
    attack: Incoming,
    independent: Independent,
    at: Address,
    face: int,
    freeing: int | None = None,
    correction: tuple[Term, ...] = (),
) -> tuple[Phase, list[Finding]]:
    """Resolve an independent secondary on its own roll; failing it costs nothing (GC-4.56).

    How the main defence fares has no say in it (GC-2.27), and it none in the others (GC-2.22).
    """
    who = phase.scene.who(defender)
    tool = who.sheet.tool(independent.tool)
    if tool is None:
        raise ValueError(f"{independent.tool} is not on the sheet; check comes first")
    tally = tally_independent(phase.scene, who, tool, attack)
    relabelled = check_label(phase, defender, Action.INDEPENDENT_SECONDARY, at, attack, tally)
    tally = tally.plus(*correction)
    outcome = settle_speed(attack.hit_score, face + tally.total)
    facts: Facts = {
        **names_of(phase.scene, attack),
        "secondary": tool.name,
        "hit_score": attack.hit_score,
        "defend_score": face + tally.total,
        "defend_die": face,
        "defend": tally,
    }
    barred = phase.failed and not phase.scene.options.independent_secondary_survives_failure
    if barred or outcome is Outcome.ATTACKER_WINS:
        rule = "GC-2.11" if barred else "GC-2.26"
        said: Facts = {**facts, "barred": barred}
        return phase, [*relabelled, Finding(rule, "independent_outpaced", said, "AMB-17")]
    found = Finding("GC-4.55", "independent_in_time", facts)
    if bars_tool(phase.scene, defender, tool):  # GC-14.22
        names: Facts = {"bearer": who.sheet.name, "action": Action.INDEPENDENT_SECONDARY}
        return phase, [*relabelled, found, Finding("GC-14.22", "bound_annulled", names)]
    scene, paid = pay(phase.scene, defender, (tool,))
    scene = count_use(scene, defender, tool, attack.attacker)
    changed = transform(scene, defender, (tool,), freeing)
    scene, findings = changed.scene, [*relabelled, found, *paid, *changed.findings]
    for used in changed.stand:
        scene, begun = begin_on_user(scene, defender, used)
        findings += begun
    return replace(phase, scene=scene), findings


def tally_independent(scene: Scene, who: Combatant, tool: Tool, attack: Incoming) -> Tally:
    """Add up everything but the die of an independent secondary action (GC-4.55, GC-14.3)."""
    scoped = attack.attacker if scene.options.predictability_scope is Scope.OPPONENT else None
    return tally_defend(
        scene.options,
        who,
        Action.INDEPENDENT_SECONDARY,
        tool,
        (),
        moved_steps=0,
        enemy_use=attack.use,
        own_use=counted_use(scene.options, tool, who.uses_of(tool.id, scoped)),
        prepared=prepared_defence(scene, who, first=False),
    ).plus(*smoke_terms(scene, who.id, attack.attacker))
