"""Fase Iniziale (GC-2.3, GC-2.4): what a turn opens with, before any die."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from app.engine.findings import Finding
from app.engine.tally import Term
from app.rulesets.guida import generic
from app.rulesets.guida.area_life import decay_own, poison
from app.rulesets.guida.bonds import end_spent
from app.rulesets.guida.effects import pay_upkeep
from app.rulesets.guida.orders import (
    Generic,
    Main,
    Turn,
)
from app.rulesets.guida.readings import (
    ArmourDown,
)
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.stealth import begin_turn
from app.rulesets.guida.tables import (
    PREPARED_ATTACK,
)
from app.rulesets.guida.template import (
    compare_figures,
    post_calculations,
    raise_armour,
    record_register,
)
from app.rulesets.guida.terms import Action
from app.rulesets.guida.terms import Phase as Phases
from app.rulesets.guida.ticks import tick


@dataclass(frozen=True, slots=True)
class Opened:
    """A turn after its Initial Phase."""

    scene: Scene
    findings: tuple[Finding, ...]


def open_turn(scene: Scene, turn: Turn) -> Opened:
    """Hold the Initial Phase: nothing in it is left to dice (GC-2.3, GC-2.4).

    Whoever owns a suspended action confirms or annuls it here, before defending (GC-4.80).
    """
    who = scene.who(turn.by)
    scene = replace(scene, posts=scene.posts + 1).put(replace(who, turn=who.turn + 1))
    scene, done = generic.overdue(scene, turn.by)
    scene = raise_armour(scene, turn.by, *ArmourDown)
    scene = tick(scene, turn.by)
    scene, spent = end_spent(scene, turn.by)
    scene, decayed = decay_own(scene, turn.by)
    scene, poisoned = poison(scene, turn.by)
    scene, upkeep = pay_upkeep(scene, turn.by)
    scene, uncovered = begin_turn(scene, turn.by)
    scene, header = record_register(scene, turn.by)
    differ = compare_figures(scene.who(turn.by), turn.figures)
    scene, posted = post_calculations(scene, turn.by)
    chosen: list[Finding] = []
    for pending in scene.suspended(turn.by):
        wishes = {choice.confirm for choice in turn.suspended if choice.action == pending.id}
        if len(wishes) == 1:  # both at once are no choice
            decide = generic.confirm if True in wishes else generic.annul
            scene, found = decide(scene, pending)
            chosen += found
    areas = (*decayed, *poisoned, *uncovered)
    return Opened(
        scene, told_in(Phases.INITIAL, header, differ, upkeep, spent, done, areas, posted, chosen)
    )


def main_of(turn: Turn) -> Main | None:
    """Give the main action: the one declared, else the most relevant secondary one (GC-2.21)."""
    if turn.main is not None or not turn.loose:
        return turn.main
    return Generic(tool=turn.loose[0], support=turn.loose[1:])


def prepared_attack(scene: Scene, turn: Turn) -> tuple[Term, ...]:
    """Give what a preparation adds to an attack after no defence, or only null ones (GC-4.40)."""
    who = scene.who(turn.by)
    answers = {defence.action for defence in turn.defences} - {Action.NULL_DEFENCE}
    if who.prepared != who.turn or answers or turn.independents:
        return ()
    return (Term("GC-4.40", "preparation", Fraction(PREPARED_ATTACK)),)


def told_in(phase: Phases, *found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Say of which phase findings are, since the post tells them there (GC-2.2)."""
    return tuple(replace(one, phase=phase) for findings in found for one in findings)
