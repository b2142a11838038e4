"""Spostamenti inside an action (GC-4.8 to 4.18): ranges crossed, and where one stands then."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from app.engine.findings import Finding, Question
from app.rulesets.guida.areas import clamped, crossed
from app.rulesets.guida.places import (
    Distance,
    Move,
)
from app.rulesets.guida.state import (
    Scene,
    ask,
)
from app.rulesets.guida.underway import (
    Shift,
)


def steps_moved(scene: Scene, who: str, move: Move | None) -> int:
    """Count the ranges a move crosses: the most that any distance it names changes by (GC-4.15)."""
    if move is None:
        return 0
    return max(
        (
            scene.regulation.steps(shift.before, shift.after)
            for shift in shifts_of(scene, who, move)
        ),
        default=0,
    )


def distance_after(scene: Scene, who: str, other: str, move: Move | None) -> Fraction:
    """Give the metres between two combatants once a move is made (GC-4.8)."""
    for reach in move.distances if move is not None else ():
        if reach.to == other:
            return Fraction(reach.metres)
    return scene.metres(who, other)


def shifts_of(scene: Scene, who: str, move: Move | None) -> tuple[Shift, ...]:
    """List the distances a move changes, before and after; an area may be gone by then."""
    if move is None:
        return ()
    return tuple(
        Shift(other=reach.to, before=scene.metres(who, reach.to), after=Fraction(reach.metres))
        for reach in move.distances
        if scene.has_place(reach.to)
    )


def halfway(scene: Scene, shifts: Iterable[Shift]) -> tuple[Shift, ...]:
    """Stop a move half way: half of the planned distance, in whole metres (GC-4.17, AMB-2).

    Whoever was leaving an area gets no farther than its border (GC-14.34).
    """
    options = scene.options
    stopped = []
    for shift in shifts:
        half = options.arithmetic.divide(abs(shift.after - shift.before), 2)
        covered = Fraction(options.arithmetic.whole(half)) if options.round_distances else half
        sign = 1 if shift.after > shift.before else -1
        stopped.append(replace(shift, after=shift.before + sign * covered))
    return clamped(scene, stopped)


def cut_short(scene: Scene, who: str, shifts: Iterable[Shift]) -> tuple[Shift, ...]:
    """Take back half of a move that was made (GC-4.17); what moved either of them since stands."""
    known = {other for place in scene.distances for other in (place.a, place.b)}
    made = tuple(shift for shift in shifts if shift.other in known)  # an area may be gone
    cut = []
    for half, planned in zip(halfway(scene, made), made, strict=True):
        metres = scene.metres(who, half.other) + half.after - planned.after
        cut.append(replace(half, after=max(Fraction(0), metres)))
    return tuple(cut)


def apply_move(scene: Scene, who: str, move: Move | None, rule: str) -> tuple[Scene, list[Finding]]:
    """Change the distances a move names; nobody stays behind anybody whose distance changed.

    A place behind that the mover claims is the Master's to grant.
    """
    if move is None:
        return scene, []
    scene, moved = apply_shifts(scene, who, shifts_of(scene, who, move), rule)
    scene, asked = _ask_behind(scene, who, move.behind)
    return scene, [*moved, *asked]


def apply_shifts(
    scene: Scene, who: str, shifts: tuple[Shift, ...], rule: str
) -> tuple[Scene, list[Finding]]:
    """Set distances as a move, or half a move, leaves them."""
    shifts = tuple(shift for shift in shifts if scene.has_place(shift.other))
    named = {shift.other for shift in shifts}
    kept = {
        place
        for place in scene.behind
        if not (
            (place.who == who and place.whom in named) or (place.whom == who and place.who in named)
        )
    }
    changed = [Distance(a=who, b=shift.other, metres=shift.after) for shift in shifts]
    scene = scene.placed(changed, frozenset(kept))
    findings = [
        Finding(
            rule,
            "moved",
            {
                "who": scene.who(who).sheet.name,
                "other": scene.name_of(shift.other),
                "before": shift.before,
                "metres": shift.after,
            },
        )
        for shift in shifts
        if shift.before != shift.after
    ]
    return scene, [*findings, *crossed(scene, who, shifts)]


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
        scene = ask(scene, question)
        findings.append(Finding("GC-4.28", "asked_place_behind", names))
    return scene, findings


def leave_place(scene: Scene, who: str) -> Scene:
    """Forget who stands behind a combatant that is no longer there, and whom it stood behind."""
    kept = frozenset(b for b in scene.behind if who not in (b.who, b.whom))
    return replace(scene, behind=kept)
