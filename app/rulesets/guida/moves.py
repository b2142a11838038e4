"""Spostamenti inside an action (GC-4.8 to 4.18): ranges crossed, and where one stands then."""

from __future__ import annotations

from dataclasses import replace

from app.engine.findings import Finding
from app.rulesets.guida.orders import Behind, Distance, Move
from app.rulesets.guida.state import Scene


def steps_moved(scene: Scene, who: str, move: Move | None) -> int:
    """Count the ranges a move crosses: the most that any distance it names changes by (GC-4.15)."""
    if move is None:
        return 0
    return max(
        scene.regulation.steps(scene.metres(who, reach.to), reach.metres)
        for reach in move.distances
    )


def distance_after(scene: Scene, who: str, other: str, move: Move | None) -> int:
    """Give the metres between two combatants once a move is made (GC-4.8)."""
    for reach in move.distances if move is not None else ():
        if reach.to == other:
            return reach.metres
    return scene.metres(who, other)


def apply_move(scene: Scene, who: str, move: Move | None, rule: str) -> tuple[Scene, list[Finding]]:
    """Change the distances a move names; nobody stays behind anybody whose distance changed."""
    if move is None:
        return scene, []
    named = {reach.to for reach in move.distances}
    kept = {
        behind
        for behind in scene.behind
        if not (
            (behind.who == who and behind.whom in named)
            or (behind.whom == who and behind.who in named)
        )
    }
    gained = {Behind(who=who, whom=whom) for whom in move.behind}
    before = {reach.to: scene.metres(who, reach.to) for reach in move.distances}
    changed = [Distance(a=who, b=reach.to, metres=reach.metres) for reach in move.distances]
    scene = scene.placed(changed, frozenset(kept | gained))
    findings = [
        Finding(
            rule,
            "moved",
            {
                "who": scene.who(who).sheet.name,
                "other": scene.who(reach.to).sheet.name,
                "before": before[reach.to],
                "metres": reach.metres,
                "behind": reach.to in move.behind,
            },
        )
        for reach in move.distances
    ]
    return scene, findings


def leave_place(scene: Scene, who: str) -> Scene:
    """Forget who stands behind a combatant that is no longer there, and whom it stood behind."""
    kept = frozenset(b for b in scene.behind if who not in (b.who, b.whom))
    return replace(scene, behind=kept)
