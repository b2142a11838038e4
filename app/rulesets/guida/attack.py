"""Fase Offensiva (GC-2.16, GC-4.45): an attack is launched and waits for its target's answer."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.engine.findings import Facts, Finding, Question
from app.engine.tally import Tally, Term
from app.rulesets.guida.defence import Going
from app.rulesets.guida.effects import begin_on_user, riders_of
from app.rulesets.guida.moves import apply_move, distance_after, shifts_of, steps_moved
from app.rulesets.guida.options import Measured, Scope
from app.rulesets.guida.orders import Attack, Continuation, Defence, Move
from app.rulesets.guida.power import Power, tally_power
from app.rulesets.guida.register import pay
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import Combatant, Incoming, Scene
from app.rulesets.guida.success import counted_use, tally_hit
from app.rulesets.guida.terms import Aim, Claim, Limb, Means


@dataclass(frozen=True, slots=True, kw_only=True)
class Blow:
    """What is launched in an Offensive Phase: a new attack, or a counterattack that goes on.

    ``carried`` is a counter's: paid for and counted in its defensive half, with the power that
    clashes left it.
    """

    target: str
    tool: Tool
    support: tuple[Tool, ...]
    aim: Aim
    limb: Limb | None
    move: Move | None
    claims: tuple[Claim, ...]
    bonuses: tuple[Term, ...] = ()
    power: Power | None = None
    carried: bool = False
    suspends: str | None = None
    misses: bool = False


def blow_of(who: Combatant, attack: Attack, bonuses: tuple[Term, ...]) -> Blow:
    """Read the attack that a post declares."""
    return Blow(
        target=attack.target,
        tool=_tool(who, attack.tool),
        support=who.sheet.tools_by_id(attack.support),
        aim=attack.aim,
        limb=attack.limb,
        move=attack.move,
        claims=attack.claims,
        bonuses=bonuses,
    )


def continuation_of(who: Combatant, defence: Defence, going: Going) -> Blow:
    """Read how a counterattack goes on (GC-4.69): its costs weigh on this half only (GC-14.13)."""
    then = defence.then or Continuation()
    return Blow(
        target=going.opponent,
        tool=_tool(who, defence.tool or ""),
        support=who.sheet.tools_by_id(defence.support),
        aim=then.aim,
        limb=then.limb,
        move=None,
        claims=then.claims,
        bonuses=(going.bonus,) if going.bonus else (),
        power=going.power,
        carried=True,
        suspends=going.suspends,
        misses=going.misses,
    )


def prepare(scene: Scene, attacker: str, blow: Blow) -> tuple[Scene, Tally, list[Finding]]:
    """Begin the secondary actions of an attack and add up its modifiers, before any die (GC-4.1).

    A secondary action of the Offensive Phase stands as soon as its attack is carried out
    (GC-14.10), so what it grants counts for the attack itself.
    """
    findings: list[Finding] = []
    beginning = (blow.tool,) if blow.carried else (*blow.support, blow.tool)
    for used in beginning:
        scene, begun = begin_on_user(scene, attacker, used)
        findings += begun
    moved = distance_after(scene, attacker, blow.target, blow.move)
    still = scene.metres(attacker, blow.target)
    after = scene.options.distance_measured is Measured.AFTER_MOVE  # AMB-27
    hit = tally_hit(
        scene.options,
        scene.regulation,
        scene.who(attacker),
        blow.tool,
        blow.support,
        metres=moved if after else still,
        moved_steps=steps_moved(scene, attacker, blow.move),
        aim=blow.aim,
        claims=counted_claims(scene, attacker, blow),
        bonuses=blow.bonuses,
    )
    return scene, hit, findings


def counted_claims(scene: Scene, attacker: str, blow: Blow) -> tuple[Claim, ...]:
    """Give the bonuses that count: those claimed, and a place behind already held (GC-4.30)."""
    held = scene.is_behind(attacker, blow.target)
    return (*blow.claims, *((Claim.FROM_BEHIND,) if held else ()))


def launch(scene: Scene, attacker: str, blow: Blow, face: int) -> tuple[Scene, list[Finding]]:
    """Launch an attack: pay for it, move, fix its score and power, and leave it pending."""
    behind = scene.is_behind(attacker, blow.target)
    scene, hit, findings = prepare(scene, attacker, blow)
    who = scene.who(attacker)
    if not blow.carried:
        scene, paid = pay(scene, attacker, (blow.tool, *blow.support))
        findings += paid
    shifts = shifts_of(scene, attacker, blow.move)
    scene, moved = apply_move(scene, attacker, blow.move, "GC-4.16")
    use, scene = _count(scene, attacker, blow)
    power = blow.power or tally_power(scene.options, scene.regulation, who, blow.tool)
    incoming = Incoming(
        id=f"a{scene.posts}",
        attacker=attacker,
        target=blow.target,
        tool=blow.tool,
        potential=power.potential,
        stat_bonus=power.stat_bonus,
        power=power.tally,
        category=power.category,
        die=face,
        hit=hit,
        aim=blow.aim,
        limb=blow.limb,
        use=use,
        shifts=shifts,
        suspends=blow.suspends,
        riders=riders_of((blow.tool, *blow.support)),
        claims=blow.claims,
        behind=behind,
    )
    findings += [*moved, _launched(scene, incoming)]
    if blow.misses:  # GC-4.44: launched, but its target is gone
        names: Facts = {"attacker": who.sheet.name, "name": blow.tool.name}
        return scene, [*findings, Finding("GC-4.44", "hits_nothing", names)]
    scene = replace(scene, incoming=(*scene.incoming, incoming))
    scene, asked = _ask_claims(scene, incoming)
    return scene, [*findings, *asked]


def _tool(who: Combatant, id: str) -> Tool:
    tool = who.sheet.tool(id)
    if tool is None:
        raise ValueError(f"{id} is not on the sheet; check comes first")
    return tool


def _count(scene: Scene, attacker: str, blow: Blow) -> tuple[int, Scene]:
    """Count a technique's use (GC-4.31); a plain weapon is not counted (AMB-32)."""
    opponent = blow.target if scene.options.predictability_scope is Scope.OPPONENT else None
    before = scene.who(attacker).uses_of(blow.tool.id, opponent)
    if blow.carried:  # its use was counted in the defensive half
        return counted_use(scene.options, blow.tool, before - 1), scene
    if blow.tool.means is Means.TECHNIQUE:
        scene = scene.put(scene.who(attacker).used(blow.tool.id, blow.target))
    return counted_use(scene.options, blow.tool, before), scene


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
        # A suspended action's owner may confirm it and suffer the counter, so the claim binds both.
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
