"""What lasts no longer goes, with its line of the register (GC-11.4, GC-11.10)."""

from __future__ import annotations

from app.engine.findings import Facts, Finding
from app.rulesets.guida.combatants import (
    Line,
    Lot,
)
from app.rulesets.guida.conditions import expire_halves
from app.rulesets.guida.state import (
    Scene,
    add_line,
)
from app.rulesets.guida.tables import TYPE_2
from app.rulesets.guida.terms import Change


def past_defences(scene: Scene, id: str) -> tuple[Scene, list[Finding]]:
    """End the Defensive Phase: stacks that act no longer than that go (AMB-82)."""
    bearer, gone = expire_halves(scene.who(id))
    return let_go(scene.put(bearer), id, gone)


def let_go(scene: Scene, id: str, gone: tuple[Lot, ...]) -> tuple[Scene, list[Finding]]:
    """Write down the stacks that have lasted their time (GC-11.4, GC-11.10)."""
    findings = []
    for lot in gone:
        rule = "GC-11.10" if lot.stack in TYPE_2 else "GC-11.4"
        line = Line(
            id=0,
            change=Change.STACKS,
            amount=-lot.count,
            rule=rule,
            key="stacks_end",
            stack=lot.stack,
        )
        scene = add_line(scene, id, line)
        name = scene.who(id).sheet.name
        facts: Facts = {"bearer": name, "stack": lot.stack, "amount": lot.count}
        findings.append(Finding(rule, "stacks_end", facts))
    return scene, findings
