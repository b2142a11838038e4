"""How a declared defence meets one attack: gate, speed, tie rule, comparison, consequences."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from app.engine.dice import Address
from app.engine.findings import Facts, Finding
from app.engine.tally import Tally, Term
from app.rulesets.guida.clash import after as after_clash
from app.rulesets.guida.clash import settle_comparison
from app.rulesets.guida.damage import Hit
from app.rulesets.guida.defence import (
    Declared,
    Force,
    Going,
    Phase,
    activate,
    check_label,
    names_of,
    tally_of,
    tools_of,
)
from app.rulesets.guida.moves import apply_shifts, halfway
from app.rulesets.guida.options import Cover, PowerCarried, TieDamage, Undeclared
from app.rulesets.guida.orders import Defence
from app.rulesets.guida.power import Power, tally_power
from app.rulesets.guida.state import Incoming, Scene
from app.rulesets.guida.strike import Earned, power_of, spend, stamp, strike, weakened
from app.rulesets.guida.success import is_in_time, settle_speed
from app.rulesets.guida.tables import COUNTER_BONUS, COUNTER_LOST, TIE_RULE, UNBALANCED
from app.rulesets.guida.terms import Action, Outcome, Stack


def resolve_attack(
    phase: Phase, attack: Incoming, declared: Declared | None, face: int | None
) -> tuple[Phase, list[Finding]]:
    """Resolve one incoming attack: adequacy, speed, tie rule, comparison, gate.

    ``face`` is the natural die of the defence, None where nothing is rolled or needed.
    """
    if declared is None:
        return _undeclared(phase, attack)
    if declared.defence.action is Action.NULL_DEFENCE:
        scene, struck = strike(phase.scene, attack, Hit.FULL)  # GC-4.46: cannot fail
        return replace(phase, scene=scene), [_met(phase, attack, declared, "GC-4.46"), *struck]
    if phase.failed and not _apart(phase, declared):  # GC-2.11
        scene, struck = strike(phase.scene, attack, Hit.FULL)
        lost = replace(phase, scene=scene, lost=phase.lost | {declared.index})
        return lost, [_met(phase, attack, declared, "GC-2.11", "defence_auto_failed"), *struck]
    if _spent(phase, declared):  # GC-14.2: an annulled counter covers nothing any more
        scene, struck = strike(phase.scene, attack, Hit.FULL)
        met = _met(phase, attack, declared, "GC-14.2", "cover_spent")
        return replace(phase, scene=scene), [met, *struck]
    if face is None:
        raise ValueError(f"{declared.defence.action} needs its die")
    return _speed(phase, attack, declared, face)


def _apart(phase: Phase, declared: Declared) -> bool:
    """Say whether a defence that lost one attack still meets the next on its own (AMB-15)."""
    each = phase.scene.options.multi_cover_resolution is Cover.EACH_INDEPENDENT
    return each and phase.lost == {declared.index}


def _spent(phase: Phase, declared: Declared) -> bool:
    carried = phase.scene.options.covering_defence_power is PowerCarried.CARRIED
    return carried and Force(declared.index, None) in phase.forces


def _speed(
    phase: Phase, attack: Incoming, declared: Declared, face: int
) -> tuple[Phase, list[Finding]]:
    scene, defence = phase.scene, declared.defence
    tally = tally_of(phase, attack.target, declared, attack)
    at = Address(declared.index)
    relabelled = check_label(phase, attack.target, defence.action, at, attack, tally)
    tally = tally.plus(*declared.correction)
    outcome = settle_speed(attack.hit_score, face + tally.total)
    found = _check(scene, attack, defence, outcome, face, tally)
    in_time = is_in_time(scene.options, defence.action, outcome)
    phase, halted = _halt_anyway(phase, attack, declared)
    anyway = in_time or _is_launched_anyway(phase, declared)
    phase, findings = activate(phase, attack.target, declared, attack.attacker, in_time=anyway)
    findings = [*relabelled, found, *halted, *findings]
    ruled = ((r.attack, r.defence, r.adequate) for r in scene.ruled)
    if (attack.id, defence.action, False) in ruled:
        facts: Facts = {**found.facts, "outcome": outcome}
        findings.append(Finding("GC-4.5", "defence_inadequate", facts, "AMB-34"))
        return _lose(phase, attack, declared, findings)
    if not in_time:  # GC-3.3, GC-2.13
        phase = _direct_anyway(phase, attack, declared)
        return _lose(phase, attack, declared, findings)
    return _win(phase, attack, declared, outcome, findings)


def _is_launched_anyway(phase: Phase, declared: Declared) -> bool:
    direct = declared.defence.action is Action.DIRECT_COUNTERATTACK
    return direct and phase.scene.options.failed_direct_counter_is_launched  # AMB-45


def _direct_anyway(phase: Phase, attack: Incoming, declared: Declared) -> Phase:
    if not _is_launched_anyway(phase, declared):
        return phase
    bonus = Term("AMB-45", "counter_lost", Fraction(COUNTER_LOST))
    going = Going(index=declared.index, opponent=attack.attacker, bonus=bonus, despite=True)
    return replace(phase, going=(*phase.going, going))


def _lose(
    phase: Phase, attack: Incoming, declared: Declared, findings: list[Finding]
) -> tuple[Phase, list[Finding]]:
    """Let an attack strike that a defence did not stop; nothing defends after it (GC-4.67)."""
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
    tie = outcome is Outcome.TIE
    match declared.defence.action:
        case Action.GUARD:  # GC-4.48, GC-4.49
            return _halved(phase, attack, declared, findings, Hit.GUARDED)
        case Action.DODGE | Action.PARRY | Action.UNBALANCE if tie:
            return _tie(phase, attack, declared, findings)
        case Action.UNBALANCE:  # GC-4.62
            scene, stamped = _unbalance(phase.scene, attack)
            avoided = replace(phase, scene=spend(scene, attack))
            return avoided, [*findings, _avoided(scene, attack, "GC-4.62"), stamped]
        case Action.PARRY | Action.COUNTERATTACK:  # GC-5.1, GC-5.2: these two, and no other
            return _clash(phase, attack, declared, findings)
        case Action.DIRECT_COUNTERATTACK:  # GC-4.73; the attack's move is not halved (GC-4.18)
            scene, struck = strike(phase.scene, attack, Hit.FULL)
            phase = _go_on(replace(phase, scene=scene), attack, declared, None)
            return phase, [*findings, *struck]
        case _:  # GC-4.57
            scene = spend(phase.scene, attack)
            found = _avoided(phase.scene, attack, "GC-4.57")
            return replace(phase, scene=scene), [*findings, found]


def _halved(
    phase: Phase, attack: Incoming, declared: Declared, findings: list[Finding], hit: Hit
) -> tuple[Phase, list[Finding]]:
    """Let an attack strike halved; whether that counts as a success is a ruling (AMB-18)."""
    options = phase.scene.options
    counts = (
        options.guard_success_counts_as_success
        if hit is Hit.GUARDED
        else options.half_damage_tie_counts_as_success
    )
    scene, struck = strike(phase.scene, attack, hit, TIE_RULE.get(declared.defence.action))
    if counts:
        return replace(phase, scene=scene), [*findings, *struck]
    found = Finding("GC-2.14", "not_annulled_is_failure", names_of(scene, attack), "AMB-18")
    lost = phase.lost | {declared.index}
    return replace(phase, scene=scene, failed=True, lost=lost), [*findings, *struck, found]


def _tie(
    phase: Phase, attack: Incoming, declared: Declared, findings: list[Finding]
) -> tuple[Phase, list[Finding]]:
    """Settle a half-damage tie: in place of the win, or together with it (AMB-41, GC-14.6)."""
    alongside = phase.scene.options.tie_half_damage_mode is TieDamage.ALONGSIDE_WIN
    action = declared.defence.action
    if not alongside:
        if action is Action.DODGE:  # displacement is a dodge's win
            phase = replace(phase, still=phase.still | {declared.index})
        return _halved(phase, attack, declared, findings, Hit.TIED)
    if action is Action.UNBALANCE:
        scene, stamped = _unbalance(phase.scene, attack)
        phase, findings = replace(phase, scene=scene), [*findings, stamped]
    if action is Action.PARRY:
        phase, findings, left = _compare(phase, attack, declared, findings)
        if left is not None:
            return _overcome(phase, left, declared, findings)
    return _halved(phase, attack, declared, findings, Hit.TIED)


def _unbalance(scene: Scene, attack: Incoming) -> tuple[Scene, Finding]:
    earned = Earned("GC-4.62", Stack.OFF_BALANCE, UNBALANCED)
    return stamp(scene, attack.attacker, earned, attack)


def _clash(
    phase: Phase, attack: Incoming, declared: Declared, findings: list[Finding]
) -> tuple[Phase, list[Finding]]:
    """Let a parry or counterattack that is in time meet the attack's power (GC-4.53, GC-4.66)."""
    phase, findings, left = _compare(phase, attack, declared, findings)
    if left is not None:
        return _overcome(phase, left, declared, findings)
    scene = spend(phase.scene, attack)
    phase = replace(phase, scene=scene)
    findings = [*findings, _avoided(scene, attack, "GC-5.10")]
    # GC-4.54: a parry ends here, and leaves the Offensive Phase free.
    if declared.defence.action is Action.COUNTERATTACK:
        if phase.scene.options.half_move_requires_successful_counter:
            scene, halted = halt(phase.scene, attack)  # GC-4.17, GC-14.12
            phase = replace(phase, scene=scene)
            findings += halted
        force = next(f.power for f in phase.forces if f.index == declared.index)
        if force is None:
            phase = _go_no_further(phase, declared)
        else:
            phase = _go_on(phase, attack, declared, force)
    return phase, findings


def _compare(
    phase: Phase, attack: Incoming, declared: Declared, findings: list[Finding]
) -> tuple[Phase, list[Finding], Incoming | None]:
    """Compare powers; give the attack as it goes on, or None where it is annulled."""
    scene = phase.scene
    force = next((f.power for f in phase.forces if f.index == declared.index), None)
    carried = scene.options.covering_defence_power is PowerCarried.CARRIED
    own = force if force is not None and carried else _own_power(scene, attack.target, declared)
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
    return replace(phase, scene=scene), findings, weaker


def _overcome(
    phase: Phase, attack: Incoming, declared: Declared, findings: list[Finding]
) -> tuple[Phase, list[Finding]]:
    """Let an attack that a comparison could not stop strike with what is left of it (GC-2.14)."""
    scene, struck = strike(phase.scene, attack, Hit.FULL)
    facts: Facts = {**names_of(scene, attack), "action": declared.defence.action}
    found = Finding("GC-5.10", "defence_overcome", facts, "AMB-19")
    phase = replace(phase, scene=scene, lost=phase.lost | {declared.index})
    phase = _go_no_further(phase, declared)
    if scene.options.overpowered_defence_blocks_offensive:  # AMB-19
        phase = replace(phase, failed=True)
    return phase, [*findings, found, *struck]


def _own_power(scene: Scene, defender: str, declared: Declared) -> Power:
    who = scene.who(defender)
    tool, _ = tools_of(who, declared.defence)
    if tool is None:
        raise ValueError(f"{declared.defence.action} needs a tool; check comes first")
    return tally_power(scene.options, scene.regulation, who, tool)


def _halt_anyway(phase: Phase, attack: Incoming, declared: Declared) -> tuple[Phase, list[Finding]]:
    """Halve the move of an attack that was countered at all, where the options say so (AMB-29)."""
    needs_success = phase.scene.options.half_move_requires_successful_counter
    if needs_success or declared.defence.action is not Action.COUNTERATTACK:
        return phase, []
    scene, halted = halt(phase.scene, attack)
    return replace(phase, scene=scene), halted


def halt(scene: Scene, attack: Incoming) -> tuple[Scene, list[Finding]]:
    """Stop the move of an attack that was intercepted half way (GC-4.17)."""
    if not attack.shifts:
        return scene, []
    stopped = halfway(scene, attack.shifts)
    return apply_shifts(scene, attack.attacker, stopped, "GC-4.17")


def _go_on(phase: Phase, attack: Incoming, declared: Declared, power: Power | None) -> Phase:
    rule, value = COUNTER_BONUS[declared.defence.action]
    if any(going.index == declared.index for going in phase.going):
        rest = [going for going in phase.going if going.index != declared.index]
        old = next(going for going in phase.going if going.index == declared.index)
        return replace(phase, going=(*rest, replace(old, power=power)))
    going = Going(
        index=declared.index,
        opponent=attack.attacker,
        bonus=Term(rule, "counter_won", Fraction(value)),
        power=power,
    )
    return replace(phase, going=(*phase.going, going))


def _go_no_further(phase: Phase, declared: Declared) -> Phase:
    """Stop a counter that a later clash annulled, though an earlier one had let it pass."""
    going = tuple(one for one in phase.going if one.index != declared.index)
    return replace(phase, going=going)


def _undeclared(phase: Phase, attack: Incoming) -> tuple[Phase, list[Finding]]:
    scene, struck = strike(phase.scene, attack, Hit.FULL)
    fails = scene.options.undeclared_defence is Undeclared.FAILURE  # AMB-14
    found = Finding("GC-2.10", "undefended", names_of(scene, attack), "AMB-14")
    return replace(phase, scene=scene, failed=phase.failed or fails), [found, *struck]


def _met(
    phase: Phase, attack: Incoming, declared: Declared, rule: str, key: str = "null_defence"
) -> Finding:
    facts: Facts = {**names_of(phase.scene, attack), "action": declared.defence.action}
    return Finding(rule, key, facts)


def _avoided(scene: Scene, attack: Incoming, rule: str) -> Finding:
    return Finding(rule, "attack_avoided", names_of(scene, attack))


def _check(
    scene: Scene, attack: Incoming, defence: Defence, outcome: Outcome, face: int, tally: Tally
) -> Finding:
    rule = {
        Outcome.ATTACKER_WINS: "GC-3.3",
        Outcome.DEFENDER_WINS: "GC-3.4",
        Outcome.TIE: TIE_RULE[defence.action],
    }[outcome]
    score = face + tally.total
    facts: Facts = {
        **names_of(scene, attack),
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
