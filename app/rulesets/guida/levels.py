"""Total levels and stacks in force: what every chapter reads of a combatant at a given moment."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from app.engine.tally import Tally, Term
from app.rulesets.guida.binds import malus_of
from app.rulesets.guida.combatants import (
    Combatant,
    Running,
)
from app.rulesets.guida.sheet import Blinding, StatPoints
from app.rulesets.guida.tables import (
    BLINDED_DEXTERITY,
    BURN_MALUS,
    FREEZING_MALUS,
    TYPE_2,
    TYPE_2_POINTS,
    TYPE_2_RULE,
)
from app.rulesets.guida.terms import Stack, Stat, Talent


def in_force(combatant: Combatant) -> Iterator[Running]:
    """Go through the effects that act in the bearer's current turn."""
    for running in combatant.effects:
        if running.since <= combatant.turn and (
            running.until is None or combatant.turn <= running.until
        ):
            yield running


def stacks_in_force(combatant: Combatant, stack: Stack) -> int:
    """Count the stacks of a condition that act in the bearer's current turn (GC-11.4, GC-11.10)."""
    return sum(
        lot.count
        for lot in combatant.lots
        if lot.stack is stack
        and lot.since <= combatant.turn
        and (lot.until is None or combatant.turn <= lot.until)
    )


def bonus_points(combatant: Combatant, stat: Stat) -> Tally:
    """Add up the signed bonus points on a stat at this moment (GC-1.3)."""
    terms = [
        Term("GC-1.3", "points", Fraction(running.effect.points), name=running.name)
        for running in in_force(combatant)
        if isinstance(running.effect, StatPoints) and running.effect.stat is stat
    ]
    for stack, maimed in TYPE_2.items():
        count = stacks_in_force(combatant, stack)
        if maimed is stat and count:
            terms.append(Term(TYPE_2_RULE[stack], stack, Fraction(TYPE_2_POINTS * count)))
    if stat is Stat.CONSTITUTION:
        burn = BURN_MALUS.at(stacks_in_force(combatant, Stack.BURN))  # GC-11.16
        if burn:
            terms.append(Term("GC-11.16", Stack.BURN, Fraction(burn)))
    if stat is Stat.DEXTERITY:
        frozen = FREEZING_MALUS.at(stacks_in_force(combatant, Stack.FREEZING))  # GC-11.24
        if frozen:
            terms.append(Term("GC-11.24", Stack.FREEZING, Fraction(frozen)))
        terms += malus_of(combatant)
        if is_sightless(combatant):
            terms.append(Term("GC-11.26", "blinded", Fraction(BLINDED_DEXTERITY)))
    return Tally(tuple(terms))


def is_sightless(combatant: Combatant) -> bool:
    """Say whether a combatant is blinded by a condition of its own (GC-11.26, GC-14.30)."""
    return not senses_otherwise(combatant) and any(
        isinstance(running.effect, Blinding) for running in in_force(combatant)
    )


def senses_otherwise(combatant: Combatant) -> bool:
    """Say whether a talent makes a combatant immune to blindness (GC-11.28)."""
    return Talent.ALTERNATIVE_SENSES_TO_SIGHT in combatant.sheet.talents


def total_level(combatant: Combatant, stat: Stat) -> Tally:
    """Give base level plus all bonus points of the moment (GC-4.33)."""
    base = Term("GC-1.3", "base_level", Fraction(combatant.sheet.stats.of(stat)))
    return Tally((base, *bonus_points(combatant, stat).terms))
