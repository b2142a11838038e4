"""A defence's own move (GC-4.10, GC-13.10): made where its defence stands in the sequence."""

from __future__ import annotations

from dataclasses import replace

from app.engine.findings import Facts, Finding
from app.rulesets.guida.allies import carry, is_between, works_as
from app.rulesets.guida.areas import created_with, past_border
from app.rulesets.guida.bound import bars_move
from app.rulesets.guida.defence import Declared, Made, Phase, tools_of
from app.rulesets.guida.effects import begin_on_user
from app.rulesets.guida.liberation import transform
from app.rulesets.guida.moves import apply_move, steps_moved
from app.rulesets.guida.orders import (
    Defence,
)
from app.rulesets.guida.places import (
    Move,
)
from app.rulesets.guida.state import (
    Scene,
    launched_as,
)
from app.rulesets.guida.tables import COUNTERS
from app.rulesets.guida.terms import Action
from app.rulesets.guida.underway import (
    Incoming,
)
from app.rulesets.guida.uses import covered, dodge_reach


def move_with(phase: Phase, declared: Declared, met: str) -> tuple[Phase, list[Finding]]:
    """Make the move of a defence that stands, once the last action it covers is met (GC-14.25).

    A throw that the same attack brings starts from where the move ends.
    """
    index = declared.index
    stands = index in phase.active and index not in phase.lost
    if not stands or _covers_more(phase.scene, declared.defence, met):
        return phase, []
    return _carry_out(phase, index, declared.defence)


def step_between(
    phase: Phase, declared: Declared, attack: Incoming
) -> tuple[Phase, list[Finding], bool]:
    """Put a protector who is in time in front of an ally; say whether it gets there (GC-13.10)."""
    move = declared.defence.move
    if move is None or _made(phase, declared.index):
        return phase, [], True
    fits = is_between(phase.scene, phase.defender, attack, move)
    if not fits or bars_move(phase.scene, phase.defender, move):
        phase, annulled = _annul(phase, declared.index, declared.defence)
        return phase, annulled, False
    phase, moved = _carry_out(phase, declared.index, declared.defence, "GC-13.10")
    return phase, moved, True


def close_defences(
    phase: Phase, defender: str, defences: tuple[Defence, ...], freeing: int | None = None
) -> tuple[Scene, list[Finding]]:
    """Carry out what hangs on a defence that succeeded: its secondary actions, a move still due.

    ``freeing`` is the die of an attempt by a change of form (GC-8.26).

    What hangs on one that failed is annulled with it (GC-2.28). An order says by its shape what
    builds on what, so that nothing is left to GC-14.11 but the sequence of the main defences.
    """
    findings: list[Finding] = []
    for index, defence in enumerate(defences):
        if index in phase.arrived and index in phase.lost:
            # Overcome, but there: the step in front of the ally was made (GC-14.38).
            phase, moved = _carry_out(phase, index, defence, "GC-13.10")
            findings += moved
        if index not in phase.active or index in phase.lost:
            continue
        tool, support = tools_of(phase.scene.who(defender), defence)
        own = (tool,) if tool and defence.action not in COUNTERS else ()
        changed = transform(phase.scene, defender, (*own, *support), freeing)
        scene = changed.scene
        findings += changed.findings
        for used in changed.stand:  # GC-2.24, GC-14.10
            scene, begun = begin_on_user(scene, defender, used)
            findings += begun
        phase, moved = _carry_out(replace(phase, scene=scene), index, defence)
        findings += moved
    return phase.scene, findings


def _made(phase: Phase, index: int) -> bool:
    return any(one.index == index for one in phase.made)


def _covers_more(scene: Scene, defence: Defence, met: str) -> bool:
    """Say whether a defence has still something to meet; what rides on an attack is met with it."""
    waiting = [one.id for one in scene.incoming]
    waiting += [one.id for one in scene.pending if one.rides not in defence.against]
    left = [id for id in defence.against if id in waiting and id != met]
    return any(launched_as(id) > launched_as(met) for id in left)


def _carry_out(
    phase: Phase, index: int, defence: Defence, rule: str = "GC-4.10"
) -> tuple[Phase, list[Finding]]:
    """Make a declared move, once, from where one stands by now."""
    if defence.move is None or _made(phase, index):
        return phase, []
    out = defence.action is Action.DODGE and created_with(phase.scene, defence.against)
    if bars_move(phase.scene, phase.defender, defence.move) or not _reaches(phase, defence):
        return _annul(phase, index, defence)
    if index in phase.still and rule == "GC-4.10" and not out:
        return replace(phase, made=(*phase.made, Made(index, 0))), []
    # AMB-96: a tie is enough to get out.
    move = past_border(phase.scene, defence.move, defence.against) if out else defence.move
    steps = steps_moved(phase.scene, phase.defender, defence.move)
    scene, findings = apply_move(phase.scene, phase.defender, move, rule)
    if rule == "GC-4.10":
        scene, along = _carry_along(phase, scene, index, defence, defence.move)
        findings += along
    return replace(phase, scene=scene, made=(*phase.made, Made(index, steps))), findings


def _annul(phase: Phase, index: int, defence: Defence) -> tuple[Phase, list[Finding]]:
    """Let a move fall that was planned from elsewhere, and say so (GC-2.28)."""
    steps = steps_moved(phase.scene, phase.defender, defence.move)
    name = phase.scene.who(phase.defender).sheet.name
    facts: Facts = {"bearer": name, "action": defence.action}
    made = (*phase.made, Made(index, steps))
    annulled = replace(phase, made=made, still=phase.still | {index})
    return annulled, [Finding("GC-2.28", "move_annulled", facts)]


def _reaches(phase: Phase, defence: Defence) -> bool:
    """Say whether a dodge gets as far as it names from where one stands by now (GC-4.13)."""
    scene, who = phase.scene, phase.scene.who(phase.defender)
    if works_as(scene.options, defence.action) is not Action.DODGE or defence.move is None:
        return True
    reach = dodge_reach(scene, who, defence.action)
    return all(metres <= reach for _, metres in covered(scene, who, defence.move))


def _carry_along(
    phase: Phase, scene: Scene, index: int, defence: Defence, move: Move
) -> tuple[Scene, list[Finding]]:
    """Take the ally along whom a dodge carries out of an attack (GC-13.18)."""
    dodges = works_as(scene.options, defence.action) is Action.DODGE
    findings: list[Finding] = []
    for place, ally in phase.allies:
        if place == index and dodges:
            scene, moved = carry(scene, phase.defender, ally, move)
            findings += moved
    return scene, findings
