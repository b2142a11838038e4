"""Fase Offensiva (GC-2.16, GC-4.45): an attack is launched and waits for its target's answer."""

from __future__ import annotations

from dataclasses import replace

from app.engine.findings import Facts, Finding, Question
from app.engine.tally import Tally
from app.rulesets.guida.effects import begin_on_user, riders_of
from app.rulesets.guida.moves import apply_move, distance_after, steps_moved
from app.rulesets.guida.options import Measured, Scope
from app.rulesets.guida.orders import Attack
from app.rulesets.guida.power import tally_power
from app.rulesets.guida.register import pay
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import Combatant, Incoming, Scene
from app.rulesets.guida.success import counted_use, tally_hit
from app.rulesets.guida.terms import Claim, Means


def tools_of(who: Combatant, attack: Attack) -> tuple[Tool, tuple[Tool, ...]]:
    """Give what an attack is made with, and the secondary actions tied to it."""
    tool = who.sheet.tool(attack.tool)
    if tool is None:
        raise ValueError(f"{attack.tool} is not on the sheet; check comes first")
    support = tuple(used for id in attack.support if (used := who.sheet.tool(id)) is not None)
    return tool, support


def prepare(scene: Scene, attacker: str, attack: Attack) -> tuple[Scene, Tally, list[Finding]]:
    """Begin the secondary actions of an attack and add up its modifiers, before any die (GC-4.1).

    A secondary action of the Offensive Phase stands as soon as its attack is carried out
    (GC-14.10), so what it grants counts for the attack itself.
    """
    findings: list[Finding] = []
    tool, support = tools_of(scene.who(attacker), attack)
    for used in (*support, tool):
        scene, begun = begin_on_user(scene, attacker, used)
        findings += begun
    moved = distance_after(scene, attacker, attack.target, attack.move)
    still = scene.metres(attacker, attack.target)
    after = scene.options.distance_measured is Measured.AFTER_MOVE  # AMB-27
    hit = tally_hit(
        scene.options,
        scene.regulation,
        scene.who(attacker),
        tool,
        support,
        metres=moved if after else still,
        moved_steps=steps_moved(scene, attacker, attack.move),
        aim=attack.aim,
        claims=counted_claims(scene, attacker, attack),
    )
    return scene, hit, findings


def counted_claims(scene: Scene, attacker: str, attack: Attack) -> tuple[Claim, ...]:
    """Give the bonuses that count: those claimed, and a place behind already held (GC-4.30)."""
    held = scene.is_behind(attacker, attack.target)
    return (*attack.claims, *((Claim.FROM_BEHIND,) if held else ()))


def launch(scene: Scene, attacker: str, attack: Attack, face: int) -> tuple[Scene, list[Finding]]:
    """Launch an attack: pay for it, move, fix its score and power, and leave it pending."""
    behind = scene.is_behind(attacker, attack.target)
    scene, hit, findings = prepare(scene, attacker, attack)
    who = scene.who(attacker)
    tool, support = tools_of(who, attack)
    scene, paid = pay(scene, attacker, (tool, *support))
    scene, moved = apply_move(scene, attacker, attack.move, "GC-4.16")
    use, scene = _count(scene, attacker, attack.target, tool)
    power = tally_power(scene.options, scene.regulation, who, tool)
    incoming = Incoming(
        id=f"a{scene.posts}",
        attacker=attacker,
        target=attack.target,
        tool=tool,
        potential=power.potential,
        stat_bonus=power.stat_bonus,
        power=power.tally,
        die=face,
        hit=hit,
        aim=attack.aim,
        limb=attack.limb,
        use=use,
        riders=riders_of((tool, *support)),
        claims=attack.claims,
        behind=behind,
    )
    scene = replace(scene, incoming=(*scene.incoming, incoming))
    scene, asked = _ask_claims(scene, incoming)
    return scene, [*findings, *paid, *moved, _launched(scene, incoming), *asked]


def _count(scene: Scene, attacker: str, target: str, tool: Tool) -> tuple[int, Scene]:
    """Count a technique's use (GC-4.31); a plain weapon is not counted (AMB-32)."""
    opponent = target if scene.options.predictability_scope is Scope.OPPONENT else None
    before = scene.who(attacker).uses_of(tool.id, opponent)
    if tool.means is Means.TECHNIQUE:
        scene = scene.put(scene.who(attacker).used(tool.id, target))
    return counted_use(scene.options, tool, before), scene


def _launched(scene: Scene, incoming: Incoming) -> Finding:
    facts: Facts = {
        "attacker": scene.who(incoming.attacker).sheet.name,
        "target": scene.who(incoming.target).sheet.name,
        "name": incoming.tool.name,
        "aim": incoming.aim,
        "hit_score": incoming.hit_score,
        "hit_die": incoming.die,
        "hit": incoming.hit,
        "power": incoming.power,
    }
    return Finding("GC-4.45", "attack_launched", facts)


def _ask_claims(scene: Scene, incoming: Incoming) -> tuple[Scene, list[Finding]]:
    findings: list[Finding] = []
    for claim in incoming.claims:
        names = {
            "attacker": scene.who(incoming.attacker).sheet.name,
            "target": scene.who(incoming.target).sheet.name,
            "name": incoming.tool.name,
        }
        rule = {Claim.SURPRISE: "GC-4.29", Claim.FROM_BEHIND: "GC-4.30"}[claim]
        question = Question(
            id=f"q-{incoming.id}-{claim}",
            rule=rule,
            code=f"claim_{claim}",
            choices=("confirm", "deny"),
            about=incoming.id,
            by=incoming.attacker,
            blocks=(incoming.target,),
            details=tuple(names.items()),
        )
        scene = replace(scene, questions=(*scene.questions, question))
        findings.append(Finding("GC-4.28", f"asked_{claim}", names, "AMB-31"))
    return scene, findings
