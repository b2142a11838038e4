"""Lines of the register: what was spent, and what is written by hand and may wait (GC-1.4)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from app.engine.findings import Facts, Finding
from app.rulesets.guida.bonds import end_spent
from app.rulesets.guida.combatants import (
    Line,
    Running,
)
from app.rulesets.guida.conditions import apply_stacks, held, remove_stacks
from app.rulesets.guida.damage import armour_of
from app.rulesets.guida.healing import settle_regeneration
from app.rulesets.guida.levels import in_force
from app.rulesets.guida.sheet import Regeneration, StatPoints, Tool
from app.rulesets.guida.state import (
    Scene,
    add_line,
)
from app.rulesets.guida.terms import Change


def write_line(scene: Scene, combatant: str, line: Line) -> Scene:
    """Let a line count: points and stacks come into force, hp and ep with the next register."""
    bearer = scene.who(combatant)
    if line.change is Change.POINTS and line.stat is not None:
        running = Running(
            effect=StatPoints(stat=line.stat, points=line.amount),
            name=line.reason,
            tool=f"line-{scene.serial + 1}",
            user=combatant,
            since=bearer.turn,
            until=None,
        )
        bearer = replace(bearer, effects=(*bearer.effects, running))
    if line.change is Change.STACKS and line.stack is not None:
        before = held(bearer, line.stack)
        if line.amount > 0:
            bearer = apply_stacks(scene.options, bearer, line.stack, line.amount)
        else:
            bearer = remove_stacks(bearer, line.stack, -line.amount)
        # A cap may have kept some out: the register tells what really changed.
        line = replace(line, amount=held(bearer, line.stack) - before)
    scene = add_line(scene.put(bearer), combatant, replace(line, confirmed=True, proposal=""))
    return end_spent(scene, combatant)[0]


def confirm_line(scene: Scene, combatant: str, proposal: str) -> Scene:
    """Let a proposed line count, from now on."""
    line = next(line for line in scene.who(combatant).lines if line.proposal == proposal)
    return write_line(drop_line(scene, combatant, proposal), combatant, line)


def drop_line(scene: Scene, combatant: str, proposal: str) -> Scene:
    """Take a proposed line away; the log keeps that it was proposed."""
    bearer = scene.who(combatant)
    kept = tuple(line for line in bearer.lines if line.proposal != proposal)
    return scene.put(replace(bearer, lines=kept))


def pay(
    scene: Scene, user: str, tools: tuple[Tool, ...], *, recorded: bool = False
) -> tuple[Scene, list[Finding]]:
    """Charge the energy of what was carried out; it goes on record in the next post (GC-1.6).

    ``recorded``: in this one, as what takes effect before its register does.
    """
    findings: list[Finding] = []
    for tool in tools:
        if tool.ep:
            line = Line(
                id=0,
                change=Change.EP,
                amount=-tool.ep,
                rule="GC-2.6",
                key="expense",
                name=tool.name,
            )
            scene = add_line(scene, user, line)
            facts: Facts = {
                "bearer": scene.who(user).sheet.name,
                "name": tool.name,
                "ep": tool.ep,
                "recorded": recorded,
            }
            findings.append(Finding("GC-1.6", "energy_spent", facts))
    return scene, findings


def regenerate(scene: Scene, id: str) -> tuple[Scene, list[Finding]]:
    """Let the strongest regeneration restore hit points, once a turn (GC-7.8, GC-14.20)."""
    bearer = scene.who(id)
    worn = armour_of(scene.options, bearer)
    blocking = worn.against_pure if worn else None
    settled = [
        (settle_regeneration(scene.options, running.effect, bearer, blocking), running.name)
        for running in in_force(bearer)
        if isinstance(running.effect, Regeneration)
    ]
    if not settled:
        return scene, []
    working, name = max(settled, key=lambda one: one[0].total)
    line = Line(
        id=0,
        change=Change.HP,
        amount=int(working.total),
        rule="GC-7.9",
        key="regeneration",
        name=name,
        working=working,
    )
    facts: Facts = {
        "bearer": bearer.sheet.name,
        "name": name,
        "amount": working.total,
        "working": working,
        "unused": Fraction(len(settled) - 1),
    }
    return add_line(scene, id, line), [Finding("GC-7.8", "regenerated", facts, "AMB-11")]


def above_maximum(scene: Scene, id: str, change: Change) -> tuple[Finding, ...]:
    """Notice hit or energy points that were written in above the maximum of the sheet (AMB-4)."""
    who = scene.who(id)
    pairs = {
        Change.HP: (who.hp_now, who.sheet.max_hp),
        Change.EP: (who.ep_now, who.sheet.max_ep),
    }
    now, most = pairs.get(change, (0, 0))
    if now <= most:
        return ()
    facts: Facts = {"bearer": who.sheet.name, "change": change, "now": now, "most": most}
    return (Finding("GC-7.1", "above_maximum", facts, "AMB-4"),)


def amount_written(before: Scene, after: Scene, id: str) -> int:
    """Give the amount a line was written with: of stacks a cap may have kept some out (GC-11.2)."""
    return next(line.amount for line in after.who(id).lines if line.id == before.serial + 1)
