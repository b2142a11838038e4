"""How a combatant leaves the fight, with all that was on its way to it or from it (GC-2.1)."""

from __future__ import annotations

from dataclasses import replace

from app.engine.findings import Facts, Finding, Question
from app.rulesets.guida.bonds import is_about_bonds
from app.rulesets.guida.generic import release
from app.rulesets.guida.moves import leave_place
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.stops import tidy
from app.rulesets.guida.terms import Standing
from app.rulesets.guida.turn import next_up


def take_out(scene: Scene, id: str, standing: Standing) -> tuple[Scene, list[Finding]]:
    """Take a combatant out of the fight; what flew at it or from it hits nobody any more."""
    who = scene.who(id)
    scene = leave_place(scene.put(replace(who, standing=standing)), id)
    gone = {one.id for one in scene.incoming if id in (one.attacker, one.target)}
    scene = replace(
        scene,
        incoming=tuple(one for one in scene.incoming if one.id not in gone),
        pending=tuple(one for one in scene.pending if one.actor != id),
        throws=tuple(one for one in scene.throws if one.thrown != id),
        ruled=tuple(one for one in scene.ruled if one.attack not in gone),
        questions=tuple(asked for asked in scene.questions if not _is_moot(asked, id, gone)),
    )
    scene = tidy(scene)
    if scene.next == id:
        scene = replace(scene, next=next_up(scene, id))
    scene, freed = release(scene, id)
    facts: Facts = {"bearer": who.sheet.name, "standing": standing, "reason": ""}
    findings = [Finding("GC-2.1", "out_of_fight", facts)]
    teams = {one.team for one in scene.combatants if one.active}
    if len(teams) <= 1:
        scene = replace(scene, ended=True)
        names = tuple(one.sheet.name for one in scene.combatants if one.active)
        findings.append(Finding("GC-2.1", "fight_over", {"standing": names}))
    return scene, [*findings, *freed]


def _is_moot(asked: Question, out: str, gone: set[str]) -> bool:
    """Say whether a question has lost its object with a combatant who is out."""
    if asked.code == "defeat":
        return asked.about == out
    if asked.code in ("place_behind", "hides"):
        return out in (asked.by, asked.about)
    if is_about_bonds(asked, out):
        return True
    if asked.code == "claim_object" and out in asked.blocks:
        return True
    if asked.code == "blind_radius_beyond":  # its attack is gone already
        return out in (asked.by, *asked.blocks)
    if asked.code == "annulled_for_all":  # what landed is still to be ruled on
        return out == asked.by
    return asked.about in gone
