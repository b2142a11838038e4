"""Attempts to break free in a Defensive Phase (GC-8.17, GC-14.22), each where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from app.engine.dice import Address, Dice
from app.engine.findings import Finding
from app.engine.ruleset import Asked
from app.engine.tally import Tally
from app.rulesets.guida.attempts import (
    APART,
    BESIDE_MAIN,
    FREEING_INDEX,
    attempts_in,
    changes_form,
    needs_die,
)
from app.rulesets.guida.attempts import Declared as Attempted
from app.rulesets.guida.bonds import break_bonds
from app.rulesets.guida.bound import bars_defence, bars_move
from app.rulesets.guida.defence import Declared, Phase, tools_of
from app.rulesets.guida.forms import size_change
from app.rulesets.guida.liberation import (
    effort_of,
    free_besides,
    size_category,
    tally_liberation,
    transform,
    try_liberation,
)
from app.rulesets.guida.orders import (
    Attack,
    Generic,
    Main,
    Turn,
)
from app.rulesets.guida.register import pay
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.tables import LIBERATION_DIE
from app.rulesets.guida.terms import Action
from app.rulesets.guida.terms import Phase as Phases
from app.rulesets.guida.underway import (
    Incoming,
    Pending,
)

TRIED: Final = ("liberation_won", "liberation_failed")


def has_failed(found: list[Finding]) -> bool:
    """Say whether an attempt to break free was made in vain (GC-8.18)."""
    return any(one.key == "liberation_failed" for one in found)


def is_due(phase: Phase, turn: Turn, declared: Declared | None) -> bool:
    """Say whether the attempt of a post stands before what is met next (GC-14.22)."""
    if turn.liberation is None or phase.tried:
        return False
    after = turn.liberation.after
    return after == 0 or (declared is not None and declared.index >= after)


def free_before(
    phase: Phase, turn: Turn, declared: Declared | None, dice: Dice
) -> tuple[Phase, list[Finding]]:
    """Make the attempt of a post if its place in the sequence has come."""
    return free_now(phase, turn, dice) if is_due(phase, turn, declared) else (phase, [])


def free_now(phase: Phase, turn: Turn, dice: Dice) -> tuple[Phase, list[Finding]]:
    """Make the attempt of a post, if it has one that is not made yet."""
    if turn.liberation is None or phase.tried:
        return phase, []
    face = dice.face(APART, LIBERATION_DIE)
    scene, found = try_liberation(phase.scene, turn.by, turn.liberation, face)
    vain = phase.vain or has_failed(found)
    return replace(phase, scene=scene, tried=True, vain=vain), by_die(APART, found)


def attempt_dice(
    phase: Phase, turn: Turn, met: Incoming | Pending, declared: Declared | None
) -> tuple[Address, ...]:
    """List where the dice of attempts stand that meeting an incoming action may ask for."""
    dice: list[Address] = []
    if is_due(phase, turn, declared):
        dice.append(APART)
    if declared is not None and declared.defence.frees:
        tool, _ = tools_of(phase.scene.who(turn.by), declared.defence)
        if tool is not None and needs_die(phase.scene, tool):
            dice.append(Address(declared.index, FREEING_INDEX))
    alone = any(one.against == met.id for one in turn.independents)
    if alone and APART not in dice and changes_form(phase.scene, turn, None):
        dice.append(APART)
    return tuple(dice)


def freeing_die(scene: Scene, id: str, declared: Declared | None, dice: Dice) -> int | None:
    """Give the die apart of a defence that doubles as an attempt, where it has one (AMB-65)."""
    if declared is None or not declared.defence.frees:
        return None
    tool, _ = tools_of(scene.who(id), declared.defence)
    if tool is None or not needs_die(scene, tool):
        return None
    return dice.face(Address(declared.index, FREEING_INDEX), LIBERATION_DIE)


def free_by_defence(
    before: Phase, phase: Phase, declared: Declared, face: int, freeing: int | None
) -> tuple[Phase, list[Finding]]:
    """Let a defence that has just been launched double as an attempt (GC-8.23, GC-14.22).

    ``face`` is its own die, ``freeing`` the die apart.
    """
    launched = declared.index in phase.active and declared.index not in before.active
    tool, _ = tools_of(phase.scene.who(phase.defender), declared.defence)
    if not (launched and declared.defence.frees) or tool is None:
        return phase, []
    die = face if freeing is None else freeing
    scene, found = free_besides(phase.scene, phase.defender, tool, die, defensive=True)
    if freeing is not None:
        found = by_die(Address(declared.index, FREEING_INDEX), found)
    return replace(phase, scene=scene, vain=phase.vain or has_failed(found)), found


def hold_still(phase: Phase, declared: Declared) -> Phase:
    """Let a defence that is made stay where it is, if constraints keep it from moving."""
    if not bars_move(phase.scene, phase.defender, declared.defence.move):
        return phase
    return replace(phase, still=phase.still | {declared.index})


def is_annulled(phase: Phase, declared: Declared) -> bool:
    """Say whether a declared defence is annulled by constraints (GC-14.22)."""
    return bars_defence(phase.scene, phase.defender, declared.defence)


def form_die(scene: Scene, turn: Turn, main: Main | None, dice: Dice) -> int | None:
    """Give the die of an attempt by a change of form, if a post makes one (GC-8.26)."""
    if not changes_form(scene, turn, main):
        return None
    return dice.face(APART, LIBERATION_DIE)


def change_form(
    scene: Scene, id: str, main: Main, face: int | None
) -> tuple[Scene, Main | None, list[Finding]]:
    """Let the changes of form of a main action break one's constraints, or fall (GC-8.27).

    What was tried is paid for, also where it is annulled (GC-14.9).
    """
    sheet = scene.who(id).sheet
    own = sheet.tool(main.tool) if isinstance(main, Attack | Generic) else None
    support = tuple(tool for one in main.support if (tool := sheet.tool(one)) is not None)
    changed = transform(scene, id, (own, *support) if own else support, face)
    scene, paid = pay(changed.scene, id, changed.annulled)
    gone = {tool.id for tool in changed.annulled}
    findings = [*changed.findings, *paid]
    if own is not None and own.id in gone:
        return scene, None, findings
    left = tuple(one for one in main.support if one not in gone)
    return scene, replace(main, support=left), findings


def free_by_attack(
    scene: Scene, id: str, attack: Attack, face: int, dice: Dice
) -> tuple[Scene, list[Finding]]:
    """Let an attack that has just been launched double as an attempt (GC-8.23)."""
    tool = scene.who(id).sheet.tool(attack.tool)
    if not attack.frees or tool is None:
        return scene, []
    apart = needs_die(scene, tool)
    die = dice.face(BESIDE_MAIN, LIBERATION_DIE) if apart else face
    scene, found = free_besides(scene, id, tool, die, defensive=False)
    return scene, by_die(BESIDE_MAIN, found) if apart else found


def free_as_expected(phase: Phase, turn: Turn, place: int) -> Phase:
    """Break bonds as a post has it before its defence of this place, once (GC-2.29, GC-14.22).

    What binds its user after that is not broken by it.
    """
    placed = [one.after for one in attempts_in(phase.scene, turn, None) if one.after is not None]
    if phase.tried or not any(after <= place for after in placed):
        return phase
    return replace(phase, scene=break_bonds(phase.scene, turn.by)[0], tried=True)


def asked_attempts(scene: Scene, turn: Turn, main: Main | None) -> Iterator[Asked]:
    """List the dice apart of attempts to break free, wherever they stand (GC-8.19, GC-8.23)."""
    who = scene.who(turn.by)
    meets = bool(scene.against(turn.by) or scene.counterable(turn.by))
    for one in attempts_in(scene, turn, main):
        if one.tool is None or (one.beside and not needs_die(scene, one.tool)):
            continue
        yield Asked(
            address=one.address,
            sides=LIBERATION_DIE,
            phase=Phases.DEFENSIVE if meets and one.after is not None else Phases.OFFENSIVE,
            action=Action.LIBERATION,
            actor=who.sheet.name,
            targets=(),
            items=(one.tool.name,),
            tally=written_effort(scene, turn.by, one),
        )


def written_effort(scene: Scene, id: str, one: Attempted) -> Tally:
    """Add up everything but the die of a declared attempt."""
    if one.tool is None:
        return Tally()
    if not one.form:
        return effort_of(scene, id, one.tool).tally
    letter = size_category(size_change(scene.who(id), one.tool))
    return tally_liberation(scene, id, one.tool, improper=False, category=letter)


def by_die(at: Address, found: list[Finding]) -> list[Finding]:
    """Say by which die an attempt was decided."""
    return [replace(one, die=at) if one.key in TRIED else one for one in found]
