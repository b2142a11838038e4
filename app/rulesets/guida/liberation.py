"""Liberazione (GC-8.17 to 8.28): attempts to break one's constraints, proper and improper."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from app.engine.findings import Facts, Finding
from app.engine.tally import Tally, Term
from app.rulesets.guida.bonds import break_bonds
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.effects import begin_on_user
from app.rulesets.guida.forms import size_change
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.orders import (
    LiberationAttempt,
)
from app.rulesets.guida.power import potential_bonus, stat_bonus
from app.rulesets.guida.register import pay
from app.rulesets.guida.sheet import Liberation, Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.tables import LOOSENING, SIZE_CATEGORY
from app.rulesets.guida.terms import Category, Means


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """What an attempt is made with: everything but its die, and whether that die is halved."""

    tool: Tool
    tally: Tally
    halved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Transformed:
    """What comes of changes of form: the techniques that take effect, the others annulled."""

    scene: Scene
    stand: tuple[Tool, ...]
    annulled: tuple[Tool, ...]
    findings: list[Finding]


def is_proper(tool: Tool) -> bool:
    """Say whether a technique is made for breaking constraints, so that nothing is halved."""
    return any(isinstance(effect, Liberation) for effect in tool.effects)


def has_tried(who: Combatant) -> bool:
    """Say whether the one attempt of this turn is spent (GC-8.17)."""
    return who.freed_turn == who.turn


def size_category(difference: int) -> Category:
    """Give the category of a change of form by sizes of difference (GC-8.28, AMB-66)."""
    return SIZE_CATEGORY[min(abs(difference), max(SIZE_CATEGORY))]


def effort_of(scene: Scene, id: str, tool: Tool, *, defensive: bool = False) -> Effort:
    """Prepare an attempt with a technique: halved where that is not made for it (GC-8.24, 8.25)."""
    improper = not is_proper(tool)
    tally = tally_liberation(scene, id, tool, improper=improper)
    return Effort(tool=tool, tally=tally, halved=improper and defensive)


def tally_liberation(
    scene: Scene, id: str, tool: Tool, *, improper: bool, category: Category | None = None
) -> Tally:
    """Add up everything but the die of a liberation value (GC-8.18, GC-8.20, GC-8.21).

    ``category`` is the letter that a change of form has its bonus by (GC-8.28).
    """
    who = scene.who(id)
    bonus = potential_bonus(scene.regulation, tool, category)
    half = scene.options.arithmetic.divide(bonus.value, 2) - bonus.value
    return Tally((bonus,)).plus(
        Term("GC-8.24", "half_bonus", half) if improper else None,
        stat_bonus(who, tool),
        Term("GC-8.21", "loosening", Fraction(who.loosening)) if who.loosening else None,
    )


def liberation_value(options: Options, effort: Effort, face: int) -> Tally:
    """Give the liberation value of a die, halved for an improper defence (GC-8.18, GC-8.25)."""
    die = Tally((Term("GC-8.19", "liberation_die", Fraction(face)),))
    if effort.halved:
        half = options.arithmetic.divide(face, 2) - face
        die = die.plus(Term("GC-8.25", "half_die", half))
    return die.plus(*effort.tally.terms)


def attempt(scene: Scene, id: str, effort: Effort, face: int) -> tuple[Scene, list[Finding]]:
    """Hold a liberation value against the constraints; a tie breaks them all (GC-8.22)."""
    who = scene.who(id)
    bound = who.bond_value or Tally()
    value = liberation_value(scene.options, effort, face)
    freed = value.total >= bound.total
    loosened = replace(who, freed_turn=who.turn, loosening=who.loosening + LOOSENING)
    facts: Facts = {
        "bearer": who.sheet.name,
        "name": effort.tool.name,
        "value": value.total,
        "working": value,
        "bond_value": bound.total,
        "bond_working": bound,
        "loosening": Fraction(loosened.loosening),
    }
    scene = scene.put(loosened)
    if not freed:
        return scene, [Finding("GC-8.18", "liberation_failed", facts)]
    scene, broken = break_bonds(scene, id)
    return scene, [Finding("GC-8.22", "liberation_won", facts), *broken]


def try_liberation(
    scene: Scene, id: str, order: LiberationAttempt, face: int
) -> tuple[Scene, list[Finding]]:
    """Make the attempt that a post declares, where it stands in the sequence (GC-14.22).

    With nothing to break any more, or not yet, none is made.
    """
    who = scene.who(id)
    tool = who.sheet.tool(order.tool)
    if tool is None:
        raise ValueError(f"{order.tool} is not on the sheet; check comes first")
    if not who.bonds:
        return scene, [_nothing(who, tool)]
    user = who.bonds[0].user
    scene, paid = pay(scene, id, (tool,))
    if tool.means is Means.TECHNIQUE:
        scene = scene.put(scene.who(id).used(tool.id, user))
    scene, tried = attempt(scene, id, effort_of(scene, id, tool), face)
    if scene.who(id).bonds:
        return scene, [*paid, *tried]
    scene, begun = begin_on_user(scene, id, tool)
    return scene, [*paid, *tried, *begun]


def free_besides(
    scene: Scene, id: str, tool: Tool, face: int, *, defensive: bool
) -> tuple[Scene, list[Finding]]:
    """Let an action that was launched double as an attempt (GC-8.23, GC-14.22)."""
    who = scene.who(id)
    if not who.bonds or has_tried(who):
        return scene, [_nothing(who, tool)]
    return attempt(scene, id, effort_of(scene, id, tool, defensive=defensive), face)


def transform(scene: Scene, id: str, tools: tuple[Tool, ...], face: int | None) -> Transformed:
    """Let changes of form break the constraints of whoever changes (GC-8.26, GC-14.24).

    A change whose attempt fails is annulled (GC-8.27), one for which no attempt is left refused.
    Without a die the attempt works, as a post is written (GC-2.29).
    """
    stand: list[Tool] = []
    annulled: list[Tool] = []
    findings: list[Finding] = []
    for tool in tools:
        who = scene.who(id)
        change = size_change(who, tool)
        if not change or not who.bonds:
            stand.append(tool)
        elif face is None:
            scene, _ = break_bonds(scene, id)
            stand.append(tool)
        elif has_tried(who):
            annulled.append(tool)
            facts: Facts = {"bearer": who.sheet.name, "name": tool.name}
            findings.append(Finding("GC-14.24", "form_refused", facts))
        else:
            letter = size_category(change)
            tally = tally_liberation(scene, id, tool, improper=False, category=letter)
            scene, tried = attempt(scene, id, Effort(tool=tool, tally=tally), face)
            findings += tried
            if not scene.who(id).bonds:
                stand.append(tool)
                continue
            annulled.append(tool)
            facts = {"bearer": who.sheet.name, "name": tool.name}
            findings.append(Finding("GC-8.27", "form_annulled", facts))
    return Transformed(scene=scene, stand=tuple(stand), annulled=tuple(annulled), findings=findings)


def _nothing(who: Combatant, tool: Tool) -> Finding:
    facts: Facts = {"bearer": who.sheet.name, "name": tool.name}
    return Finding("GC-8.17", "nothing_to_break", facts)
