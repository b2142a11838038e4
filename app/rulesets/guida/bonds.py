"""Costrizione (GC-8.6, 8.22, 14.23): what a bound combatant cannot do, and how bonds end."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from app.engine.findings import Facts, Finding, Question
from app.engine.tally import Tally
from app.rulesets.guida.binds import Forbidden, bonds_in_force, settle_forbidden
from app.rulesets.guida.combatants import (
    Bond,
    Line,
    Lot,
)
from app.rulesets.guida.state import (
    Scene,
    add_line,
)
from app.rulesets.guida.tables import TYPE_4
from app.rulesets.guida.terms import Change

RULED = ("bound_techniques", "bound_technique", "constraint_overlap")


def forbids(scene: Scene, id: str) -> Forbidden:
    """Say what a combatant's constraints forbid it now (GC-8.7 to GC-8.11, GC-14.21)."""
    return settle_forbidden(bind for bond in bonds_in_force(scene.who(id)) for bind in bond.binds)


def clamp_to_limit(scene: Scene, who: str, other: str, metres: Fraction) -> Fraction:
    """Keep a distance within what a constraint allows its target from its user (GC-8.6, GC-14.26).

    Whoever is farther already, because the user went away, may stay as far.
    """
    limits = [
        Fraction(bond.max_range_m)
        for bond in bonds_in_force(scene.who(who))
        if bond.user == other and bond.max_range_m is not None
    ]
    if not limits:
        return metres
    return min(metres, max(min(limits), scene.metres(who, other)))


def end_bond(scene: Scene, id: str, bond: str) -> tuple[Scene, list[Finding]]:
    """End one constraint with the stacks that belong to it (GC-11.19, GC-14.23).

    Value and loosening stay until none is left.
    """
    bearer = scene.who(id)
    ended = next((one for one in bearer.bonds if one.id == bond), None)
    if ended is None:
        return scene, []
    left = tuple(one for one in bearer.bonds if one.id != bond)
    gone = tuple(lot for lot in bearer.lots if lot.condition == bond)
    scene = scene.put(
        replace(
            bearer,
            bonds=left,
            lots=tuple(lot for lot in bearer.lots if lot not in gone),
            bond_value=bearer.bond_value if left else None,
            loosening=bearer.loosening if left else 0,
            overlap=bearer.overlap if left else None,
            spared=bearer.spared if left else (),
        )
    )
    value = bearer.bond_value or Tally()
    scene = add_line(scene, id, bond_line(ended, "bond_ends", value, "GC-14.23"))
    facts: Facts = {
        "bearer": bearer.sheet.name,
        "name": ended.name,
        "left": Fraction(len(left)),
    }
    findings = [Finding("GC-14.23", "bond_ends", facts)]
    for lot in gone:
        scene, found = _lose(scene, id, lot)
        findings.append(found)
    if not left:
        asked = tuple(one for one in scene.questions if not is_about_bonds(one, id))
        scene = replace(scene, questions=asked)
    return scene, findings


def break_bonds(scene: Scene, id: str) -> tuple[Scene, list[Finding]]:
    """Free a combatant from every constraint and all that hangs on them (GC-8.22, GC-11.19).

    Fire and frost that the Master wrote in by hand hang on whatever there is.
    """
    findings: list[Finding] = []
    for bond in scene.who(id).bonds:
        scene, ended = end_bond(scene, id, bond.id)
        findings += ended
    bearer = scene.who(id)
    loose = tuple(lot for lot in bearer.lots if lot.stack in TYPE_4)
    scene = scene.put(replace(bearer, lots=tuple(lot for lot in bearer.lots if lot not in loose)))
    for lot in loose:
        scene, found = _lose(scene, id, lot)
        findings.append(found)
    return scene, findings


def end_spent(scene: Scene, id: str) -> tuple[Scene, list[Finding]]:
    """End the constraints all of whose stacks are gone, whatever took them (GC-11.20, GC-14.23)."""
    findings: list[Finding] = []
    kept = {lot.condition for lot in scene.who(id).lots}
    for bond in scene.who(id).bonds:
        if bond.stacked and bond.id not in kept:
            scene, ended = end_bond(scene, id, bond.id)
            findings += ended
    return scene, findings


def is_about_bonds(asked: Question, id: str) -> bool:
    """Say whether a question is about a combatant's constraints, and moot once they are gone."""
    return asked.code in RULED and asked.by == id


def bond_line(bond: Bond, key: str, value: Tally, rule: str) -> Line:
    """Write the register line of a constraint: what it is called, and the value of all."""
    return Line(
        id=0,
        change=Change.EFFECT,
        amount=0,
        rule=rule,
        key=key,
        name=bond.name,
        subject="constraint",
        figure=value.total,
        working=value,
    )


def _lose(scene: Scene, id: str, lot: Lot) -> tuple[Scene, Finding]:
    line = Line(
        id=0,
        change=Change.STACKS,
        amount=-lot.count,
        rule="GC-11.19",
        key="stacks_removed",
        stack=lot.stack,
    )
    facts: Facts = {
        "bearer": scene.who(id).sheet.name,
        "stack": lot.stack,
        "amount": Fraction(lot.count),
    }
    return add_line(scene, id, line), Finding("GC-11.19", "stacks_go", facts)
