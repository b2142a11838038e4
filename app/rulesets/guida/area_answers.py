"""Fuga dalle Aree in formazione (GC-12.12, GC-12.15): a dodge that ends outside."""

from __future__ import annotations

from dataclasses import replace

from app.engine.dice import Address, Dice
from app.engine.findings import Facts, Finding
from app.rulesets.guida.area_actions import area_effects, begin
from app.rulesets.guida.areas import past_border, radius_of
from app.rulesets.guida.defence import Declared, Phase, activate, tally_of, tools_of
from app.rulesets.guida.moves import distance_after
from app.rulesets.guida.orders import (
    Independent,
    Turn,
)
from app.rulesets.guida.places import (
    Move,
)
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.success import die_of, is_in_time, settle_speed
from app.rulesets.guida.tables import COUNTERS
from app.rulesets.guida.terms import Action, Outcome
from app.rulesets.guida.underway import (
    Pending,
)


def dodge(
    phase: Phase, defender: str, pending: Pending, declared: Declared, face: int
) -> tuple[Phase, list[Finding]]:
    """Resolve a dodge against a creation (GC-12.15); a tie is the dodger's (AMB-96).

    One that dodges the attack a creation rides on has answered both (GC-14.18).
    """
    if pending.rides in declared.defence.against:
        return phase, []
    names: Facts = {
        "attacker": phase.scene.who(pending.actor).sheet.name,
        "target": phase.scene.who(defender).sheet.name,
        # A movement has no technique of its own: then it is the area that has a name.
        "name": pending.tool.name if pending.tool else pending.creates[0].area.name,
    }
    if phase.failed:
        after = replace(phase, lost=phase.lost | {declared.index})
        return after, [Finding("GC-2.11", "creation_dodge_auto_failed", names)]
    tally = tally_of(phase, defender, declared, pending)
    score = face + tally.total
    outcome = settle_speed(pending.success_score, score)
    won = is_in_time(phase.scene.options, Action.DODGE, outcome)
    phase, paid = activate(phase, defender, declared, pending.actor, in_time=won)
    facts: Facts = {
        **names,
        "success_score": pending.success_score,
        "success_die": pending.die,
        "success": pending.score,
        "defend_score": score,
        "defend_die": face,
        "defend": tally,
    }
    if not won:
        after = replace(phase, failed=True, lost=phase.lost | {declared.index})
        return after, [Finding("GC-12.15", "creation_not_dodged", facts), *paid]
    out = ends_outside(phase.scene, defender, pending, declared.defence.move)
    key = "creation_dodged" if out else "creation_dodge_short"
    ruling = "AMB-96" if outcome is Outcome.TIE else None
    return phase, [Finding("GC-12.15", key, facts, ruling), *paid]


def ends_outside(scene: Scene, who: str, pending: Pending, move: Move | None) -> bool:
    """Say whether a dodge ends outside every area that a creation is to form (GC-12.15)."""
    against = (pending.id,)
    beyond = past_border(scene, move, against)
    return all(
        distance_after(scene, who, one.area.id, beyond) > radius_of(one.area)
        for one in pending.creates
        if one.feeds is None
    )


def begin_by_defences(
    scene: Scene, turn: Turn, phase: Phase, dice: Dice
) -> tuple[Scene, list[Finding]]:
    """Let areas begin to form by what was tied to a defence that stands, with its die (GC-12.11).

    What a counterattack itself creates rides on the half that is launched.
    """
    findings: list[Finding] = []
    for index, defence in enumerate(turn.defences):
        sides = die_of(scene.options, defence.action)
        if index not in phase.active or index in phase.lost or sides is None:
            continue
        tool, support = tools_of(scene.who(turn.by), defence)
        own = (tool,) if tool and defence.action not in COUNTERS else ()
        tools = tuple(one for one in (*own, *support) if area_effects(one))
        if tools:
            face = dice.face(Address(index), sides)
            scene, found = begin(
                scene,
                turn.by,
                tools,
                turn.areas,
                around=turn.by,
                die=face,
                rides=f"defences.{index}",
            )
            findings += found
    return scene, findings


def begin_beside(
    phase: Phase, turn: Turn, independent: Independent, face: int, found: list[Finding]
) -> tuple[Phase, list[Finding]]:
    """Let an area begin to form by an independent secondary that was in time, with its own die."""
    tool = phase.scene.who(turn.by).sheet.tool(independent.tool)
    if tool is None or not any(one.key == "independent_in_time" for one in found):
        return phase, []
    scene, begun = begin(
        phase.scene,
        turn.by,
        (tool,),
        turn.areas,
        around=turn.by,
        die=face,
        rides=f"independents.{tool.id}",
    )
    return replace(phase, scene=scene), begun
