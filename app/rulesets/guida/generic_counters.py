"""Contrattacco Generico (GC-4.75 to 4.79): an action that sends no attack is met."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from app.engine.dice import Address
from app.engine.findings import Facts, Finding
from app.engine.tally import Term
from app.rulesets.guida.defence import Declared, Going, Phase, activate, tally_of
from app.rulesets.guida.freeing import free_by_defence, hold_still, is_annulled
from app.rulesets.guida.generic import can_be_caught, is_creation, names_of, score_of, stop
from app.rulesets.guida.relabel import check_label
from app.rulesets.guida.success import is_in_time, settle_speed
from app.rulesets.guida.tables import COUNTER_BONUS, COUNTER_LOST
from app.rulesets.guida.terms import Action, Outcome
from app.rulesets.guida.toward import take_up
from app.rulesets.guida.underway import (
    Pending,
)


def counter(
    phase: Phase,
    defender: str,
    pending: Pending,
    declared: Declared,
    face: int,
    freeing: int | None = None,
) -> tuple[Phase, list[Finding]]:
    """Resolve a counterattack on a generic action (GC-4.75 to GC-4.79).

    ``freeing`` is the die apart of one that doubles as an attempt to break free (GC-8.23).
    """
    barred = _barred(phase, defender, pending, declared)
    if barred is not None:  # it is never launched
        return replace(phase, lost=phase.lost | {declared.index}), [barred]
    phase = hold_still(phase, declared)
    moving = can_be_caught(phase.scene, pending)
    tally = tally_of(phase, defender, declared, pending)
    at = Address(declared.index)
    relabelled = check_label(phase, defender, declared.defence.action, at, pending, tally)
    tally = tally.plus(*declared.correction)
    score = face + tally.total
    # GC-4.76: a tie is the counterattacker's; with a movement no rule says so (AMB-24).
    answered = Action.MOVEMENT if moving else declared.defence.action
    outcome = settle_speed(pending.success_score, score)
    won = is_in_time(phase.scene.options, answered, outcome)
    before = phase
    # A lost one is launched in its offensive half at the earliest, and paid for then (GC-14.9).
    phase, paid = activate(phase, defender, declared, pending.actor, in_time=won)
    phase, tried = free_by_defence(before, phase, declared, face, freeing)
    paid += tried
    facts: Facts = {
        **names_of(phase.scene, pending),
        **score_of(pending),
        "countering": phase.scene.who(defender).sheet.name,
        "counter_score": score,
        "counter_die": face,
        "counter": tally,
    }
    if won and is_creation(pending):
        return _intercept(
            phase,
            pending,
            declared,
            [*relabelled, Finding("GC-12.13", "creation_intercepted", facts), *paid],
        )
    if won:
        rule = "GC-4.76" if outcome is Outcome.TIE else "GC-4.77"
        found = Finding(rule, "generic_countered", facts)
        phase, halted = _won(phase, pending, declared, moving=moving)
        return phase, [*relabelled, found, *paid, *halted]
    found = Finding("GC-4.78", "generic_not_countered", facts)
    return _lost(phase, pending, declared), [*relabelled, found, *paid]


def _barred(phase: Phase, defender: str, pending: Pending, declared: Declared) -> Finding | None:
    """Say why a counterattack is not even tried: a failure before it, or a constraint."""
    names: Facts = {
        **names_of(phase.scene, pending),
        "countering": phase.scene.who(defender).sheet.name,
    }
    if phase.failed:  # GC-2.11: it fails like every later defence
        return Finding("GC-2.11", "counter_auto_failed", names)
    if is_annulled(phase, declared):
        return Finding("GC-14.22", "counter_annulled", names)
    return None


def _lost(phase: Phase, pending: Pending, declared: Declared) -> Phase:
    """Let an action go its way: the counterattack may still be launched, with less (GC-4.78)."""
    going = Going(
        index=declared.index,
        opponent=pending.actor,
        bonus=Term("GC-4.79", "counter_lost", Fraction(COUNTER_LOST)),
        misses=can_be_caught(phase.scene, pending),
        won=False,
    )
    blocks = phase.scene.options.failed_generic_counter_blocks_offensive  # AMB-20
    # What stopped another opponent's action before has not been in vain (GC-14.2).
    vain = declared.index not in phase.active
    phase = replace(
        phase,
        blocked=phase.blocked or blocks,
        lost=phase.lost | {declared.index} if vain else phase.lost,
    )
    return take_up(phase, declared, going)


def _intercept(
    phase: Phase, pending: Pending, declared: Declared, findings: list[Finding]
) -> tuple[Phase, list[Finding]]:
    """Stop a creation for good: there is nothing to confirm (GC-12.13, GC-14.18).

    Its author has to defend from the counter.
    """
    rule, value = COUNTER_BONUS[declared.defence.action]
    bonus = Term(rule, "counter_won", Fraction(value))
    going = Going(index=declared.index, opponent=pending.actor, bonus=bonus)
    scene, _ = stop(phase.scene, pending)
    after = replace(phase, scene=scene, lost=phase.lost - {declared.index})
    return take_up(after, declared, going), findings


def _won(
    phase: Phase, pending: Pending, declared: Declared, *, moving: bool
) -> tuple[Phase, list[Finding]]:
    rule, value = COUNTER_BONUS[declared.defence.action]
    won = Term(rule, "counter_won", Fraction(value))
    going = Going(
        index=declared.index,
        opponent=pending.actor,
        bonus=won,
        suspends=None if moving else pending.id,
    )
    scene, moved = stop(phase.scene, pending)
    after = replace(phase, scene=scene, lost=phase.lost - {declared.index})
    return take_up(after, declared, going), moved
