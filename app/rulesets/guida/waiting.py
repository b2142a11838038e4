"""Whose turn it is, and what of that a seat may know (GC-2.2, GC-9.1)."""

from __future__ import annotations

from dataclasses import replace

from app.engine.ruleset import Awaited, Seat
from app.rulesets.guida.senses import unseen_by
from app.rulesets.guida.state import Scene
from app.rulesets.guida.veil import shows_question


def awaits(scene: Scene) -> Awaited:
    """Say whose turn it is, and what waits for the Master."""
    blocked = {seat for question in scene.questions for seat in question.blocks}
    over = scene.ended or scene.paused
    return Awaited(
        seats=() if over or scene.next in blocked else (scene.next,),
        questions=scene.questions,
        blocked=(scene.next,) if scene.next in blocked and not over else (),
        paused=scene.paused,
        ended=scene.ended,
    )


def awaits_for(scene: Scene, seat: Seat) -> Awaited:
    """Say of whose turn it is what a seat may know: nothing of anybody hidden from it (GC-9.1)."""
    hidden = unseen_by(scene, seat)
    awaited = awaits(scene)
    if not hidden:
        return awaited
    return replace(
        awaited,
        seats=tuple(id for id in awaited.seats if id not in hidden),
        blocked=tuple(id for id in awaited.blocked if id not in hidden),
        questions=tuple(
            asked for asked in awaited.questions if shows_question(scene, asked, seat, hidden)
        ),
    )
