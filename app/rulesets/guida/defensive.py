"""Fase Difensiva (GC-2.7 to 2.15): what is incoming, folded over the defences declared."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.engine.dice import Address, Dice
from app.engine.findings import Finding
from app.rulesets.guida.answers import resolve_attack
from app.rulesets.guida.area_answers import begin_beside, dodge
from app.rulesets.guida.defence import (
    Declared,
    Phase,
    begin_phase,
    declared_for,
)
from app.rulesets.guida.freeing import (
    form_die,
    free_before,
    free_now,
    freeing_die,
)
from app.rulesets.guida.generic_counters import counter
from app.rulesets.guida.independents import resolve_independent
from app.rulesets.guida.knocks import gate_reaction
from app.rulesets.guida.labels import INDEPENDENT_PLACE, Expected, incoming_at
from app.rulesets.guida.orders import (
    Turn,
)
from app.rulesets.guida.own_moves import move_with
from app.rulesets.guida.plan import (
    REACTION_INDEX,
    REACTION_PLACE,
)
from app.rulesets.guida.state import (
    Scene,
    names_of,
)
from app.rulesets.guida.success import die_of
from app.rulesets.guida.tables import (
    ACTION_DIE,
    REACTION_DIE,
)
from app.rulesets.guida.tags import correction
from app.rulesets.guida.terms import Action
from app.rulesets.guida.throws import throw_back
from app.rulesets.guida.underway import (
    Incoming,
    Pending,
)


def defend(scene: Scene, turn: Turn, written: Expected, dice: Dice) -> tuple[Phase, list[Finding]]:
    """Fold what is incoming, in its sequence, over the Defensive Phase (GC-2.15).

    Where nothing is, the phase is skipped (GC-2.8).
    """
    begun = replace(begin_phase(scene, turn.by, turn.defences), labels=written.labels)
    phase, findings = fall(begun, turn, dice)
    for incoming in incoming_at(scene, turn.by, turn.defences):
        phase, found = answer(phase, turn, incoming, dice)
        findings += found
    phase, found = free_now(phase, turn, dice)
    return phase, [*findings, *found]


def fall(phase: Phase, turn: Turn, dice: Dice) -> tuple[Phase, list[Finding]]:
    """Let the knockbacks land that opponents' defences caused, with their reactions (AMB-79)."""
    findings: list[Finding] = []
    thrown = [one for one in phase.scene.throws if one.thrown == turn.by]
    left = tuple(one for one in phase.scene.throws if one.thrown != turn.by)
    phase = replace(phase, scene=replace(phase.scene, throws=left))
    for place, throw in enumerate(thrown):
        at = Address(REACTION_PLACE, place)
        die = dice.face(at, REACTION_DIE) if turn.reacts else None
        scene, found, _ = throw_back(phase.scene, throw, die)
        phase = gate_reaction(replace(phase, scene=scene), found)
        findings += with_die(at, found, REACTED)
    return phase, findings


def answer(
    phase: Phase, turn: Turn, incoming: Incoming | Pending, dice: Dice
) -> tuple[Phase, list[Finding]]:
    """Meet one incoming action with what is declared for it, if nothing stopped it by then.

    An attempt to break free that stands before it is made first (GC-14.22).
    """
    declared = declared_for(turn.defences, incoming.id)
    phase, findings = free_before(phase, turn, declared, dice)
    if isinstance(incoming, Incoming):
        still = [one for one in phase.scene.incoming if one.id == incoming.id]
        if not still:
            findings.append(_stopped_before(phase, incoming))
            return _moved(phase, declared, incoming, findings)
        incoming = still[0]  # as an answer to another of the same attack may have left it
    sides = die_of(phase.scene.options, declared.defence.action) if declared else None
    face = dice.face(Address(declared.index), sides) if declared and sides else None
    freeing = freeing_die(phase.scene, turn.by, declared, dice)
    options = phase.scene.options
    if declared is not None:
        fix = correction(options, dice, Address(declared.index))
        declared = replace(declared, correction=fix)
    if isinstance(incoming, Pending):
        # AMB-93: with the attack that it rode on it may be gone by now.
        gone = all(one.id != incoming.id for one in phase.scene.pending)
        if gone or declared is None or face is None:
            return phase, findings
        if declared.defence.action is Action.DODGE:
            phase, found = dodge(phase, turn.by, incoming, declared, face)
        else:
            phase, found = counter(phase, turn.by, incoming, declared, face, freeing)
        findings += with_die(Address(declared.index), found)
        return _moved(phase, declared, incoming, findings)
    for place, independent in enumerate(turn.independents):
        if independent.against == incoming.id:
            at = Address(INDEPENDENT_PLACE + place)
            thrown = dice.face(at, ACTION_DIE[Action.INDEPENDENT_SECONDARY] or 0)
            form = form_die(phase.scene, turn, None, dice)
            fix = correction(options, dice, at)
            phase, found = resolve_independent(
                phase, turn.by, incoming, independent, at, thrown, form, fix
            )
            findings += with_die(at, found)
            phase, found = begin_beside(phase, turn, independent, thrown, found)
            findings += found
    at = Address(declared.index if declared else 0, REACTION_INDEX)
    reacts = declared is not None and declared.defence.reacts and incoming.knock is not None
    reaction = dice.face(at, REACTION_DIE) if reacts else None
    phase, found = resolve_attack(phase, incoming, declared, face, reaction, freeing)
    if declared is not None:
        found = with_die(Address(declared.index), with_die(at, found, REACTED))
    return phase, [*findings, *found]


def _moved(
    phase: Phase, declared: Declared | None, met: Incoming | Pending, findings: list[Finding]
) -> tuple[Phase, list[Finding]]:
    """Let a defence that has nothing left to meet make its move (GC-14.25)."""
    if declared is None:
        return phase, findings
    phase, moved = move_with(phase, declared, met.id)
    return phase, [*findings, *moved]


def _stopped_before(phase: Phase, attack: Incoming) -> Finding:
    """Tell of an attack that an answer to another of its targets' has stopped (GC-13.3)."""
    return Finding("GC-13.3", "stopped_before", names_of(phase.scene, attack))


# What a die decides: the finding that compares, or fixes, the score it belongs to.
SCORED: Final = (
    *("speed_defender_wins", "speed_tie", "speed_attacker_wins"),
    *("independent_in_time", "independent_outpaced"),
    *("generic_countered", "generic_not_countered", "creation_intercepted"),
    *("creation_dodged", "creation_dodge_short", "creation_not_dodged"),
    *("attack_launched", "blind_launched", "generic_launched"),
)


REACTED: Final = ("reaction_succeeded", "reaction_failed")


def with_die(at: Address, findings: list[Finding], keys: tuple[str, ...] = SCORED) -> list[Finding]:
    """Say by which die a score came about: the dice nothing names were thrown in vain (GC-2.28)."""
    return [replace(one, die=at) if one.key in keys else one for one in findings]
