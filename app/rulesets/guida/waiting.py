"""Whose turn it is, and what of that a seat may know (GC-2.2, GC-9.1)."""

from __future__ import annotations

from dataclasses import replace

from app.engine.ruleset import Awaited, Played, Seat
from app.rulesets.guida.senses import unseen_by
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.veil import told_questions


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


def awaiting(scene: Scene) -> str:
    """Name what is awaited: the next turn of whoever is up."""
    turn = scene.who(scene.next).turn if scene.has(scene.next) else 0
    return f"{scene.next} {turn}"


def roster(scene: Scene) -> tuple[Played, ...]:
    """List the seats: one for each combatant, also played by whose subordinate it is (GC-2.19)."""
    return tuple(Played(seat=one.id, by=one.master, npc=one.npc) for one in scene.combatants)


def in_turn(scene: Scene, seat: Seat) -> Scene:
    """Give the scene as if it were a combatant's turn, to offer what it may do when it is."""
    return replace(scene, next=seat) if scene.has(seat) else scene


def awaits_for(scene: Scene, seat: Seat) -> Awaited:
    """Say of whose turn it is what a seat may know: nothing of anybody hidden from it (GC-9.1).

    Whoever waits for an answer to what the seat may not know seems simply to be up.
    """
    hidden = unseen_by(scene, seat)
    if not hidden:
        return awaits(scene)
    known = told_questions(scene, scene.questions, seat, hidden)
    awaited = awaits(replace(scene, questions=known))
    return replace(
        awaited,
        seats=tuple(id for id in awaited.seats if id not in hidden),
        blocked=tuple(id for id in awaited.blocked if id not in hidden),
    )
