"""How a declared defence meets one attack: gate, speed, tie rule, comparison, consequences."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from app.engine.dice import Address
from app.engine.findings import Facts, Finding
from app.engine.tally import Tally, Term
from app.rulesets.guida.allies import met_unseen, shelters, take_place, works_as
from app.rulesets.guida.area_actions import fall_with
from app.rulesets.guida.clashes import compare, go_no_further, go_on, halt, halt_anyway
from app.rulesets.guida.damage import Hit
from app.rulesets.guida.defence import (
    Declared,
    Force,
    Going,
    Phase,
    activate,
    tally_of,
)
from app.rulesets.guida.freeing import free_by_defence, hold_still, is_annulled
from app.rulesets.guida.knocks import gate_reaction, knock_back
from app.rulesets.guida.orders import (
    Defence,
)
from app.rulesets.guida.own_moves import move_with, step_between
from app.rulesets.guida.readings import (
    AllyNullDamage,
    Cover,
    PowerCarried,
    TieDamage,
    Undeclared,
)
from app.rulesets.guida.relabel import check_label
from app.rulesets.guida.state import (
    Scene,
    names_of,
)
from app.rulesets.guida.stops import stop
from app.rulesets.guida.strike import Earned, spend, stamp, strike
from app.rulesets.guida.success import is_in_time, settle_speed
from app.rulesets.guida.tables import COUNTER_LOST, TIE_RULE, UNBALANCED
from app.rulesets.guida.terms import Action, Outcome, Stack
from app.rulesets.guida.toward import take_up
from app.rulesets.guida.underway import (
    Incoming,
)


def resolve_attack(
    phase: Phase,
    attack: Incoming,
    declared: Declared | None,
    face: int | None,
    reaction: int | None = None,
    freeing: int | None = None,
) -> tuple[Phase, list[Finding]]:
    """Resolve one incoming attack: adequacy, speed, tie rule, comparison, gate.

    ``face`` is the natural die of the defence, None where nothing is rolled or needed;
    ``reaction`` that of an attempt to recover, if the attack knocks back (GC-10.8), ``freeing`` the
    die apart of a defence that doubles as an attempt to break free (GC-8.23).
    """
    if declared is None:
        return _undeclared(phase, attack)
    if declared.defence.action is Action.NULL_DEFENCE:
        # GC-4.46: a null defence cannot fail, the recovery after it can.
        scene, struck = strike(phase.scene, attack, Hit.FULL, reaction=reaction)
        after = gate_reaction(replace(phase, scene=scene), struck)
        return after, [_met(phase, attack, declared, "GC-4.46"), *struck]
    if phase.failed and not _apart(phase, declared):  # GC-2.11
        key = "defence_auto_failed" if attack.target == phase.defender else "ally_auto_failed"
        met = _met(phase, attack, declared, "GC-2.11", key)
        return _suffer(replace(phase, lost=phase.lost | {declared.index}), attack, [met])
    if _spent(phase, declared):  # GC-14.2: an annulled counter covers nothing any more
        key = "cover_spent" if attack.target == phase.defender else "ally_cover_spent"
        return _suffer(phase, attack, [_met(phase, attack, declared, "GC-14.2", key)])
    if face is None:
        raise ValueError(f"{declared.defence.action} needs its die")
    if is_annulled(phase, declared):  # GC-14.22: an annulled defence is a failed one
        met = _met(phase, attack, declared, "GC-14.22", "defence_annulled")
        return _lose(phase, attack, declared, [met])
    return _speed(hold_still(phase, declared), attack, declared, face, reaction, freeing)


def _apart(phase: Phase, declared: Declared) -> bool:
    """Say whether a defence that lost one attack still meets the next on its own (AMB-15)."""
    each = phase.scene.options.multi_cover_resolution is Cover.EACH_INDEPENDENT
    return each and phase.lost == {declared.index}


def _spent(phase: Phase, declared: Declared) -> bool:
    carried = phase.scene.options.covering_defence_power is PowerCarried.CARRIED
    return carried and Force(declared.index, None) in phase.forces


def _speed(
    phase: Phase,
    attack: Incoming,
    declared: Declared,
    face: int,
    reaction: int | None,
    freeing: int | None,
) -> tuple[Phase, list[Finding]]:
    scene, defence = phase.scene, declared.defence
    tally = tally_of(phase, phase.defender, declared, attack)
    at = Address(declared.index)
    relabelled = check_label(phase, phase.defender, defence.action, at, attack, tally)
    tally = tally.plus(*declared.correction)
    outcome = settle_speed(attack.hit_score, face + tally.total)
    own = replace(attack, target=phase.defender)  # whoever it was meant for, this one defends
    in_time = is_in_time(scene.options, defence.action, outcome)
    found = _check(scene, own, defence, outcome, face, tally)
    if outcome is Outcome.TIE and not in_time:  # AMB-24, read the other way
        found = replace(found, key=f"speed_{Outcome.ATTACKER_WINS}", ruling="AMB-24")
    phase, halted = halt_anyway(phase, attack, declared)
    before = phase
    phase, findings = activate(phase, phase.defender, declared, attack.attacker, in_time=in_time)
    findings = [*relabelled, found, *halted, *findings]
    if in_time:
        phase, tried = free_by_defence(before, phase, declared, face, freeing)
        findings += tried
    if in_time:
        phase, attack, arrived, there = _arrive(phase, attack, declared)
        findings += arrived
        if not there:  # GC-2.28: what was to be done in front of the ally is annulled
            return _lose(phase, attack, declared, findings)
    ruled = ((r.attack, r.defence, r.adequate) for r in scene.ruled)
    if (attack.id, defence.action, False) in ruled:
        facts: Facts = {**found.facts, "outcome": outcome}
        findings.append(Finding("GC-4.5", "defence_inadequate", facts, "AMB-34"))
        return _lose(phase, attack, declared, findings)
    if not in_time:  # GC-3.3, GC-2.13
        phase = _direct_anyway(phase, attack, declared)
        return _lose(phase, attack, declared, findings)
    phase, findings = _win(phase, attack, declared, outcome, findings, reaction)
    phase, moved = move_with(phase, declared, attack.id)
    phase, thrown = knock_back(phase, attack, declared, face, outcome)
    return phase, [*findings, *moved, *thrown]


def _is_launched_anyway(phase: Phase, declared: Declared) -> bool:
    direct = declared.defence.action is Action.DIRECT_COUNTERATTACK
    return direct and phase.scene.options.failed_direct_counter_is_launched  # AMB-45


def _direct_anyway(phase: Phase, attack: Incoming, declared: Declared) -> Phase:
    if not _is_launched_anyway(phase, declared):
        return phase
    bonus = Term("AMB-45", "counter_lost", Fraction(COUNTER_LOST))
    going = Going(
        index=declared.index, opponent=attack.attacker, bonus=bonus, won=False, despite=True
    )
    return take_up(phase, declared, going)


def _lose(
    phase: Phase, attack: Incoming, declared: Declared, findings: list[Finding]
) -> tuple[Phase, list[Finding]]:
    """Let an attack strike that a defence did not stop; nothing defends after it (GC-4.67)."""
    lost = phase.lost | {declared.index}
    return _suffer(replace(phase, failed=True, lost=lost), attack, findings)


def _suffer(phase: Phase, attack: Incoming, findings: list[Finding]) -> tuple[Phase, list[Finding]]:
    """Let an attack strike in full; one that was meant for an ally is still coming (GC-14.38)."""
    if attack.target != phase.defender:
        names: Facts = {
            **names_of(phase.scene, attack),
            "protector": phase.scene.who(phase.defender).sheet.name,
        }
        return phase, [*findings, Finding("GC-14.38", "ally_not_reached", names, "AMB-105")]
    scene, struck = strike(phase.scene, attack, Hit.FULL)
    return replace(phase, scene=scene), [*findings, *struck]


def _arrive(
    phase: Phase, attack: Incoming, declared: Declared
) -> tuple[Phase, Incoming, list[Finding], bool]:
    """Let a protector who is in time stand between attacker and ally (GC-13.10, GC-14.38).

    Say whether it is there: thrown away before, it may have got nowhere near (GC-14.25).
    """
    if attack.target == phase.defender:
        return phase, attack, [], True
    moved: list[Finding] = []
    if works_as(phase.scene.options, declared.defence.action) is not Action.DODGE:
        phase, moved, there = step_between(phase, declared, attack)
        if not there:
            return phase, attack, moved, False
    phase = replace(phase, arrived=phase.arrived | {declared.index})
    moved = [*met_unseen(phase.scene, attack, phase.defender), *moved]
    if not shelters(phase.scene.options, declared.defence.action):
        return phase, attack, moved, True
    moves = declared.defence.move is not None
    scene, attack, found = take_place(phase.scene, attack, phase.defender, moves=moves)
    return replace(phase, scene=scene), attack, [found, *moved], True


def _win(
    phase: Phase,
    attack: Incoming,
    declared: Declared,
    outcome: Outcome,
    findings: list[Finding],
    reaction: int | None,
) -> tuple[Phase, list[Finding]]:
    tie = outcome is Outcome.TIE
    match works_as(phase.scene.options, declared.defence.action):
        case Action.NULL_DEFENCE:
            return _endure(phase, attack, declared, findings, reaction)
        case Action.GUARD:  # GC-4.48, GC-4.49
            return _halved(phase, attack, declared, findings, Hit.GUARDED, reaction)
        case Action.DODGE | Action.PARRY | Action.UNBALANCE if tie:
            return _tie(phase, attack, declared, findings)
        case Action.UNBALANCE:  # GC-4.62
            scene, stamped = _unbalance(phase.scene, attack)
            phase, avoided = _avoid(replace(phase, scene=scene), attack, declared, "GC-4.62")
            return phase, [*findings, *avoided, stamped]
        case Action.PARRY | Action.COUNTERATTACK:  # GC-5.1, GC-5.2: these two, and no other
            return _clash(phase, attack, declared, findings)
        case Action.DIRECT_COUNTERATTACK:  # GC-4.73; the attack's move is not halved (GC-4.18)
            phase, moved = move_with(phase, declared, attack.id)
            scene, struck = strike(phase.scene, attack, Hit.FULL)
            phase = go_on(replace(phase, scene=scene), attack, declared, None)
            return phase, [*findings, *moved, *struck]
        case _:  # GC-4.57
            phase, avoided = _avoid(phase, attack, declared, "GC-4.57")
            return phase, [*findings, *avoided]


def _endure(
    phase: Phase,
    attack: Incoming,
    declared: Declared,
    findings: list[Finding],
    reaction: int | None,
) -> tuple[Phase, list[Finding]]:
    """Suffer what was meant for an ally, in full or as through a guard (GC-13.13, AMB-105)."""
    if phase.scene.options.ally_null_damage is AllyNullDamage.HALVED:
        return _halved(phase, attack, declared, findings, Hit.GUARDED, reaction)
    scene, struck = strike(phase.scene, attack, Hit.FULL, reaction=reaction)
    return gate_reaction(replace(phase, scene=scene), struck), [*findings, *struck]


def _halved(
    phase: Phase,
    attack: Incoming,
    declared: Declared,
    findings: list[Finding],
    hit: Hit,
    reaction: int | None = None,
) -> tuple[Phase, list[Finding]]:
    """Let an attack strike halved; whether that counts as a success is a ruling (AMB-18)."""
    options = phase.scene.options
    counts = (
        options.guard_success_counts_as_success
        if hit is Hit.GUARDED
        else options.half_damage_tie_counts_as_success
    )
    halved_by = TIE_RULE.get(works_as(options, declared.defence.action))
    recovers = reaction if attack.target == phase.defender else None
    if counts:
        phase, moved = move_with(phase, declared, attack.id)
        findings = [*findings, *moved]
    scene, struck = strike(phase.scene, attack, hit, halved_by, recovers)
    phase = gate_reaction(replace(phase, scene=scene), struck)
    if counts:
        return phase, [*findings, *struck]
    found = Finding("GC-2.14", "not_annulled_is_failure", names_of(scene, attack), "AMB-18")
    lost = phase.lost | {declared.index}
    return replace(phase, failed=True, lost=lost), [*findings, *struck, found]


def _tie(
    phase: Phase, attack: Incoming, declared: Declared, findings: list[Finding]
) -> tuple[Phase, list[Finding]]:
    """Settle a half-damage tie: in place of the win, or together with it (AMB-41, GC-14.6)."""
    alongside = phase.scene.options.tie_half_damage_mode is TieDamage.ALONGSIDE_WIN
    action = works_as(phase.scene.options, declared.defence.action)
    if not alongside:
        if action is Action.DODGE:  # displacement is a dodge's win
            phase = replace(phase, still=phase.still | {declared.index})
        return _halved(phase, attack, declared, findings, Hit.TIED)
    if action is Action.UNBALANCE:
        scene, stamped = _unbalance(phase.scene, attack)
        phase, findings = replace(phase, scene=scene), [*findings, stamped]
    if action is Action.PARRY:
        phase, findings, left = compare(phase, attack, declared, findings)
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
    phase, findings, left = compare(phase, attack, declared, findings)
    if left is not None:
        return _overcome(phase, left, declared, findings)
    phase, avoided = _avoid(phase, attack, declared, "GC-5.10")
    findings = [*findings, *avoided]
    # GC-4.54: a parry ends here, and leaves the Offensive Phase free.
    if works_as(phase.scene.options, declared.defence.action) is Action.COUNTERATTACK:
        scene, fallen = fall_with(phase.scene, attack.volley or attack.id)
        phase, findings = replace(phase, scene=scene), [*findings, *fallen]
        if phase.scene.options.half_move_requires_successful_counter:
            phase, halted = halt(phase, attack)  # GC-4.17, GC-14.12
            findings += halted
        force = next(f.power for f in phase.forces if f.index == declared.index)
        if force is None:
            phase = go_no_further(phase, declared)
        else:
            phase = go_on(phase, attack, declared, force)
    return phase, findings


def _overcome(
    phase: Phase, attack: Incoming, declared: Declared, findings: list[Finding]
) -> tuple[Phase, list[Finding]]:
    """Let an attack that a comparison could not stop strike with what is left of it (GC-2.14)."""
    scene, struck = strike(phase.scene, attack, Hit.FULL)
    facts: Facts = {**names_of(scene, attack), "action": declared.defence.action}
    found = Finding("GC-5.10", "defence_overcome", facts, "AMB-19")
    phase = replace(phase, scene=scene, lost=phase.lost | {declared.index})
    phase = go_no_further(phase, declared)
    if scene.options.overpowered_defence_blocks_offensive:  # AMB-19
        phase = replace(phase, failed=True)
    return phase, [*findings, found, *struck]


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


def _avoid(
    phase: Phase, attack: Incoming, declared: Declared, rule: str
) -> tuple[Phase, list[Finding]]:
    """Take an attack out that hit nobody, and perhaps those launched with it (GC-13.3)."""
    found = Finding(rule, "attack_avoided", names_of(phase.scene, attack))
    scene = spend(phase.scene, attack)
    scene, stopped = stop(scene, attack, works_as(scene.options, declared.defence.action))
    return replace(phase, scene=scene), [found, *stopped]


def _check(
    scene: Scene, attack: Incoming, defence: Defence, outcome: Outcome, face: int, tally: Tally
) -> Finding:
    rule = {
        Outcome.ATTACKER_WINS: "GC-3.3",
        Outcome.DEFENDER_WINS: "GC-3.4",
        Outcome.TIE: TIE_RULE.get(defence.action, "GC-3.4"),  # AMB-24: none for allies
    }[outcome]
    score = face + tally.total
    facts: Facts = {
        **names_of(scene, attack),
        "action": defence.action,
        # GC-14.6: a parry that has its win besides may be overcome, and then nothing is halved.
        "compares": works_as(scene.options, defence.action) is Action.PARRY
        and scene.options.tie_half_damage_mode is TieDamage.ALONGSIDE_WIN,
        "hit_score": attack.hit_score,
        "hit_die": attack.die,
        "hit": attack.hit,
        "defend_score": score,
        "defend_die": face,
        "defend": tally,
        "margin": Fraction(score - attack.hit_score),
    }
    return Finding(rule, f"speed_{outcome}", facts)
