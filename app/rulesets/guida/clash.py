"""Confronto di Potenza (GC-5): two actions meet, and one may go on."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from app.engine.tally import Term
from app.rulesets.guida.options import (
    Options,
    Regulation,
)
from app.rulesets.guida.power import Power, category_of
from app.rulesets.guida.readings import (
    HalvingOf,
)
from app.rulesets.guida.tables import COMPARISON_MARGINS
from app.rulesets.guida.terms import Category, Fate


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How a power comparison ends; ``weaker`` is 1, 2, or None where the powers are equal."""

    difference: Fraction
    weaker: int | None
    category: Category | None
    rule: str
    first: Fate
    second: Fate


def settle_comparison(first: Power, second: Power) -> Comparison:
    """Decide a power comparison; the weaker action's category sets the margins (GC-5.3)."""
    difference = abs(first.total - second.total)
    if difference == 0:  # AMB-49: below every threshold
        return Comparison(
            difference=difference,
            weaker=None,
            category=None,
            rule="GC-5.3",
            first=Fate.ANNULLED,
            second=Fate.ANNULLED,
        )
    weaker = 1 if first.total < second.total else 2
    category = first.category if weaker == 1 else second.category
    fate = fate_of_stronger(category, difference)
    return Comparison(
        difference=difference,
        weaker=weaker,
        category=category,
        rule=COMPARISON_MARGINS[category].rule,
        first=Fate.ANNULLED if weaker == 1 else fate,
        second=Fate.ANNULLED if weaker == 2 else fate,
    )


def fate_of_stronger(weaker: Category, difference: Fraction) -> Fate:
    """Say what is left of the stronger action, by the category of the weaker (GC-5.4 to GC-5.8)."""
    margins = COMPARISON_MARGINS[weaker]
    if difference >= margins.intact:
        return Fate.INTACT
    return Fate.HALVED if difference >= margins.halved else Fate.ANNULLED


def halve(options: Options, regulation: Regulation, power: Power) -> Power:
    """Halve the potential and keep the stat bonus (GC-5.9), or halve both (AMB-48)."""
    arithmetic = options.arithmetic
    potential = arithmetic.divide(power.potential, 2)
    category = category_of(options, regulation, power.category, potential)
    lost = Term("GC-5.9", "halved_potential", potential - power.potential)
    if options.halving_applies_to is HalvingOf.POTENTIAL:
        tally = power.tally.plus(lost)
        return Power(
            potential=potential, stat_bonus=power.stat_bonus, category=category, tally=tally
        )
    bonus = arithmetic.divide(power.stat_bonus, 2)
    both = power.tally.plus(lost, Term("GC-5.9", "halved_bonus", bonus - power.stat_bonus))
    return Power(potential=potential, stat_bonus=bonus, category=category, tally=both)


def after(options: Options, regulation: Regulation, power: Power, fate: Fate) -> Power | None:
    """Give what a comparison leaves of a power; None once it is annulled (GC-5.10)."""
    match fate:
        case Fate.ANNULLED:
            return None
        case Fate.HALVED:
            return halve(options, regulation, power)
        case Fate.INTACT:
            return power
