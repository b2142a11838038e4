"""Spostamenti inside an action (GC-4.8 to 4.18): ranges crossed, and where one stands then."""

from __future__ import annotations

from dataclasses import replace

from app.engine.findings import Finding, Question
from app.rulesets.guida.orders import Distance, Move
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
    """Change the distances a move names; nobody stays behind anybody whose distance changed.

    A place behind that the mover claims is the Master's to grant.
    """
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
    before = {reach.to: scene.metres(who, reach.to) for reach in move.distances}
    changed = [Distance(a=who, b=reach.to, metres=reach.metres) for reach in move.distances]
    scene = scene.placed(changed, frozenset(kept))
    findings = [
        Finding(
            rule,
            "moved",
            {
                "who": scene.who(who).sheet.name,
                "other": scene.who(reach.to).sheet.name,
                "before": before[reach.to],
                "metres": reach.metres,
            },
        )
        for reach in move.distances
    ]
    scene, asked = _ask_behind(scene, who, move.behind)
    return scene, [*findings, *asked]


def _ask_behind(scene: Scene, who: str, whom: tuple[str, ...]) -> tuple[Scene, list[Finding]]:
    """Leave it to the Master whether a move really ends behind somebody (GC-4.28)."""
    findings = []
    for target in whom:
        names = {"who": scene.who(who).sheet.name, "other": scene.who(target).sheet.name}
        question = Question(
            id=f"q-a{scene.posts}-behind-{target}",
            rule="GC-4.30",
            code="place_behind",
            choices=("confirm", "deny"),
            about=target,
            by=who,
            details=tuple(names.items()),
        )
        scene = replace(scene, questions=(*scene.questions, question))
        findings.append(Finding("GC-4.28", "asked_place_behind", names))
    return scene, findings


def leave_place(scene: Scene, who: str) -> Scene:
    """Forget who stands behind a combatant that is no longer there, and whom it stood behind."""
    kept = frozenset(b for b in scene.behind if who not in (b.who, b.whom))
    return replace(scene, behind=kept)
