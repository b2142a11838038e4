"""Fase Difensiva (GC-2.7 to 2.15): one attack after the other meets the defence declared for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from app.engine.findings import Facts, Finding
from app.engine.tally import Tally
from app.rulesets.guida.damage import Hit
from app.rulesets.guida.effects import begin_on_user
from app.rulesets.guida.moves import apply_move, steps_moved
from app.rulesets.guida.options import Cover, Scope, Undeclared
from app.rulesets.guida.orders import Defence
from app.rulesets.guida.register import pay
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import Combatant, Incoming, Scene
from app.rulesets.guida.strike import spend, strike
from app.rulesets.guida.success import counted_use, settle_speed, tally_defend
from app.rulesets.guida.terms import Action, Means, Outcome


@dataclass(frozen=True, slots=True)
class Use:
    """Which use of its technique a declared defence is, as counted for one opponent or for all."""

    index: int
    opponent: str
    before: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A Defensive Phase under way: the scene, and how the declared defences have fared so far.

    ``lost`` defences failed, ``active`` ones were in time, ``still`` ones do not move: a tie is
    in place of a dodge's win, and the displacement is part of that win (AMB-41, GC-14.6).
    """

    scene: Scene
    failed: bool = False
    lost: frozenset[int] = frozenset()
    active: frozenset[int] = frozenset()
    still: frozenset[int] = frozenset()
    uses: tuple[Use, ...] = ()


@dataclass(frozen=True, slots=True)
class Declared:
    """A defence with its place among those declared."""

    index: int
    defence: Defence


def declared_for(defences: tuple[Defence, ...], attack: str) -> Declared | None:
    """Find the defence declared against an attack."""
    for index, defence in enumerate(defences):
        if attack in defence.against:
            return Declared(index, defence)
    return None


def uses_before(phase: Phase, defender: str, declared: Declared, opponent: str) -> int:
    """Count the uses before this one; a defence that covers several attacks is one (AMB-32)."""
    scoped = phase.scene.options.predictability_scope is Scope.OPPONENT
    for use in phase.uses:
        if use.index == declared.index and (not scoped or use.opponent == opponent):
            return use.before
    tool = declared.defence.tool
    who = phase.scene.who(defender)
    return who.uses_of(tool, opponent if scoped else None) if tool else 0


def tally_of(phase: Phase, defender: str, declared: Declared, attack: Incoming) -> Tally:
    """Add up everything but the die of a declared defence against one attack (GC-4.2)."""
    scene, defence = phase.scene, declared.defence
    who = scene.who(defender)
    tool, support = tools_of(who, defence)
    before = uses_before(phase, defender, declared, attack.attacker)
    return tally_defend(
        who,
        defence.action,
        tool,
        support,
        moved_steps=steps_moved(scene, defender, defence.move),
        enemy_use=attack.use,
        own_use=counted_use(scene.options, tool, before),
    )


def tools_of(who: Combatant, defence: Defence) -> tuple[Tool | None, tuple[Tool, ...]]:
    """Give what a defence is made with, and the secondary actions tied to it."""
    tool = who.sheet.tool(defence.tool) if defence.tool else None
    support = tuple(used for id in defence.support if (used := who.sheet.tool(id)) is not None)
    return tool, support


def resolve_attack(
    phase: Phase, attack: Incoming, declared: Declared | None, face: int | None
) -> tuple[Phase, list[Finding]]:
    """Resolve one incoming attack: adequacy, speed, tie rule, gate (legality is settled).

    ``face`` is the natural die of the defence, None where nothing is rolled or needed.
    """
    if declared is None:
        return _undeclared(phase, attack)
    if declared.defence.action is Action.NULL_DEFENCE:
        scene, struck = strike(phase.scene, attack, Hit.FULL)  # GC-4.46: cannot fail
        return replace(phase, scene=scene), [_met(phase, attack, declared, "GC-4.46"), *struck]
    if phase.failed and not _apart(phase, declared):  # GC-2.11
        scene, struck = strike(phase.scene, attack, Hit.FULL)
        after = replace(phase, scene=scene, lost=phase.lost | {declared.index})
        return after, [_met(phase, attack, declared, "GC-2.11", "defence_auto_failed"), *struck]
    if face is None:
        raise ValueError(f"{declared.defence.action} needs its die")
    return _speed(phase, attack, declared, face)


def close_defences(
    phase: Phase, defender: str, defences: tuple[Defence, ...]
) -> tuple[Scene, list[Finding]]:
    """Carry out what hangs on a defence that succeeded: its move, its secondary actions."""
    scene = phase.scene
    findings: list[Finding] = []
    for index, defence in enumerate(defences):
        if index not in phase.active or index in phase.lost:
            continue
        tool, support = tools_of(scene.who(defender), defence)
        for used in (tool, *support) if tool else support:  # GC-2.24, GC-14.10
            scene, begun = begin_on_user(scene, defender, used)
            findings += begun
        if index not in phase.still:
            scene, moved = apply_move(scene, defender, defence.move, "GC-4.10")
            findings += moved
    return scene, findings


def _apart(phase: Phase, declared: Declared) -> bool:
    """Say whether a defence that lost one attack still meets the next on its own (AMB-15)."""
    each = phase.scene.options.multi_cover_resolution is Cover.EACH_INDEPENDENT
    return each and phase.lost == {declared.index}


def _speed(
    phase: Phase, attack: Incoming, declared: Declared, face: int
) -> tuple[Phase, list[Finding]]:
    scene, defence = phase.scene, declared.defence
    tally = tally_of(phase, attack.target, declared, attack)
    score = face + tally.total
    outcome = settle_speed(attack.hit_score, score)
    found = _check(scene, attack, defence, outcome, face, tally)
    phase, paid = _activate(phase, attack, declared, outcome)
    findings = [found, *paid]
    if any(
        (r.attack, r.defence, r.adequate) == (attack.id, defence.action, False) for r in scene.ruled
    ):
        facts: Facts = {**found.facts, "outcome": outcome}
        findings.append(Finding("GC-4.5", "defence_inadequate", facts, "AMB-34"))
        return _lose(phase, attack, declared, findings)
    if outcome is Outcome.ATTACKER_WINS:  # GC-3.3
        return _lose(phase, attack, declared, findings)
    return _win(phase, attack, declared, outcome, findings)


def _lose(
    phase: Phase, attack: Incoming, declared: Declared, findings: list[Finding]
) -> tuple[Phase, list[Finding]]:
    scene, struck = strike(phase.scene, attack, Hit.FULL)
    lost = phase.lost | {declared.index}
    return replace(phase, scene=scene, failed=True, lost=lost), [*findings, *struck]


def _win(
    phase: Phase,
    attack: Incoming,
    declared: Declared,
    outcome: Outcome,
    findings: list[Finding],
) -> tuple[Phase, list[Finding]]:
    options = phase.scene.options
    if declared.defence.action is Action.GUARD:  # GC-4.48, GC-4.49
        scene, struck = strike(phase.scene, attack, Hit.GUARDED)
        fails = not options.guard_success_counts_as_success  # AMB-18
    elif outcome is Outcome.TIE:  # GC-4.58
        scene, struck = strike(phase.scene, attack, Hit.TIED)
        fails = not options.half_damage_tie_counts_as_success  # AMB-18
        phase = replace(phase, still=phase.still | {declared.index})
    else:  # GC-4.57
        scene, struck = spend(phase.scene, attack), [_avoided(phase.scene, attack)]
        fails = False
    lost = phase.lost | {declared.index} if fails else phase.lost
    if fails:
        struck.append(
            Finding("GC-2.14", "not_annulled_is_failure", _names(scene, attack), "AMB-18")
        )
    after = replace(phase, scene=scene, failed=phase.failed or fails, lost=lost)
    return after, [*findings, *struck]


def _activate(
    phase: Phase, attack: Incoming, declared: Declared, outcome: Outcome
) -> tuple[Phase, list[Finding]]:
    """Charge a defence and count its use, once, when it was in time (GC-14.9, AMB-22)."""
    in_time = outcome is not Outcome.ATTACKER_WINS
    if in_time:
        phase = count_defence(phase, attack.target, declared, attack.attacker)
    pays = in_time or phase.scene.options.unactivated_defence_costs_ep
    if not pays or declared.index in phase.active:
        return phase, []
    scene = phase.scene
    tool, support = tools_of(scene.who(attack.target), declared.defence)
    used = (tool, *support) if tool else support
    scene, findings = pay(scene, attack.target, used)
    return replace(phase, scene=scene, active=phase.active | {declared.index}), findings


def count_defence(phase: Phase, defender: str, declared: Declared, opponent: str) -> Phase:
    """Count the use of a defence, once, or once for each opponent where uses are counted so."""
    scoped = phase.scene.options.predictability_scope is Scope.OPPONENT
    for use in phase.uses:
        if use.index == declared.index and (not scoped or use.opponent == opponent):
            return phase
    before = uses_before(phase, defender, declared, opponent)
    tool, _ = tools_of(phase.scene.who(defender), declared.defence)
    counted = count_use(phase.scene, defender, tool, opponent)
    uses = (*phase.uses, Use(declared.index, opponent, before))
    return replace(phase, scene=counted, uses=uses)


def count_use(scene: Scene, user: str, tool: Tool | None, opponent: str) -> Scene:
    """Count a technique that was carried out; plain weapons are not counted (AMB-32)."""
    if tool is None or tool.means is not Means.TECHNIQUE:
        return scene
    return scene.put(scene.who(user).used(tool.id, opponent))


def _undeclared(phase: Phase, attack: Incoming) -> tuple[Phase, list[Finding]]:
    scene, struck = strike(phase.scene, attack, Hit.FULL)
    fails = scene.options.undeclared_defence is Undeclared.FAILURE  # AMB-14
    found = Finding("GC-2.10", "undefended", _names(scene, attack), "AMB-14")
    return replace(phase, scene=scene, failed=phase.failed or fails), [found, *struck]


def _met(
    phase: Phase, attack: Incoming, declared: Declared, rule: str, key: str = "null_defence"
) -> Finding:
    facts: Facts = {**_names(phase.scene, attack), "action": declared.defence.action}
    return Finding(rule, key, facts)


def _avoided(scene: Scene, attack: Incoming) -> Finding:
    return Finding("GC-4.57", "attack_avoided", _names(scene, attack))


def _names(scene: Scene, attack: Incoming) -> dict[str, str]:
    return {
        "attacker": scene.who(attack.attacker).sheet.name,
        "target": scene.who(attack.target).sheet.name,
        "name": attack.tool.name,
    }


def _check(
    scene: Scene, attack: Incoming, defence: Defence, outcome: Outcome, face: int, tally: Tally
) -> Finding:
    rule = {
        Outcome.ATTACKER_WINS: "GC-3.3",
        Outcome.DEFENDER_WINS: "GC-3.4",
        Outcome.TIE: "GC-4.48" if defence.action is Action.GUARD else "GC-4.58",
    }[outcome]
    score = face + tally.total
    facts: Facts = {
        **_names(scene, attack),
        "action": defence.action,
        "hit_score": attack.hit_score,
        "hit_die": attack.die,
        "hit": attack.hit,
        "defend_score": score,
        "defend_die": face,
        "defend": tally,
        "margin": Fraction(score - attack.hit_score),
    }
    return Finding(rule, f"speed_{outcome}", facts)
