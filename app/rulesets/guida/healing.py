"""Calcolo delle Cure (GC-7): what a main heal and a regeneration give back."""

from __future__ import annotations

from fractions import Fraction

from app.engine.tally import Tally, Term
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.power import Power
from app.rulesets.guida.readings import (
    HealArmour,
    HealCap,
)
from app.rulesets.guida.sheet import Regeneration
from app.rulesets.guida.tables import LEVELS_PER_HP


def settle_heal(
    options: Options, power: Power, beneficiary: Combatant, blocking: Tally | None
) -> Tally:
    """Settle a main heal (GC-7.5): half of what pure damage would be, never beyond the maximum.

    ``blocking`` is a worn armour that blocks pure damage (GC-7.3); resistance never counts
    (GC-7.2). The total is a whole number of hit points.
    """
    arithmetic = options.arithmetic
    fifth = arithmetic.divide(power.stat_bonus, 5)
    working = power.tally.plus(Term("GC-7.5", "four_fifths_less", fifth - power.stat_bonus))
    inside = options.heal_armour_subtraction is HealArmour.INSIDE  # AMB-58
    if blocking and inside:
        working = _less_armour(options, working, blocking)
    if options.main_heal_halved:  # AMB-57
        half = arithmetic.divide(working.total, 2)
        working = working.plus(Term("GC-7.5", "half", half - working.total))
    if blocking and not inside:
        working = _less_armour(options, working, blocking)
    return _recorded(options, _floored(working), beneficiary)


def settle_regeneration(
    options: Options, effect: Regeneration, bearer: Combatant, blocking: Tally | None
) -> Tally:
    """Settle one regeneration: a hit point for so many levels of its stat (GC-7.9, AMB-11)."""
    level = total_level(bearer, effect.stat).total
    amount = max(0, int(level // LEVELS_PER_HP[effect.category]))
    working = Tally((Term("GC-7.9", "regeneration", Fraction(amount)),))
    if blocking and options.regeneration_affected_by_armour:  # AMB-58
        working = _less_armour(options, working, blocking)
    return _recorded(options, working, bearer)


def _less_armour(options: Options, working: Tally, armour: Tally) -> Tally:
    half = options.arithmetic.divide(armour.total, 2)
    return _floored(working.plus(Term("GC-7.3", "armour_half", -half, name=armour.terms[0].name)))


def _floored(working: Tally) -> Tally:
    """Let a healing never hurt (AMB-3)."""
    if working.total >= 0:
        return working
    return working.plus(Term("AMB-3", "not_below_zero", -working.total))


def _recorded(options: Options, working: Tally, beneficiary: Combatant) -> Tally:
    whole = options.arithmetic.whole(working.total)
    if whole != working.total:
        working = working.plus(Term("AMB-1", "rounding", whole - working.total))
    room = max(0, beneficiary.sheet.max_hp - beneficiary.hp_now)
    if options.heal_cap is HealCap.MAX_HP and whole > room:  # AMB-4
        working = working.plus(Term("AMB-4", "up_to_maximum", Fraction(room - whole)))
    return working
