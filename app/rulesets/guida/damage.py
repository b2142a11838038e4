"""Calcolo dei Danni (GC-6): from remaining power to the hit points that go on record."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from app.engine.tally import Tally, Term
from app.rulesets.guida.levels import in_force
from app.rulesets.guida.options import ArmourStacking, Doubling, Options, SemiPureArmour
from app.rulesets.guida.sheet import ArmourEffect
from app.rulesets.guida.state import Combatant
from app.rulesets.guida.tables import CRITICAL_FROM
from app.rulesets.guida.terms import Aim, DamageType


class Hit(StrEnum):
    """In what measure an attack struck: in full, through a guard, or on a half-damage tie."""

    FULL = "full"
    GUARDED = "guarded"
    TIED = "tied"


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """What one hit does: the working, the whole hit points, and whether it beat the armour."""

    working: Tally
    armour_value: Fraction | None
    armour_beaten: bool

    @property
    def amount(self) -> int:
        """Give the hit points lost."""
        return int(self.working.total)


HALVING = {Hit.GUARDED: "GC-4.49", Hit.TIED: "GC-4.58"}


def armour_of(options: Options, combatant: Combatant) -> Tally | None:
    """Give the potential of the armour in force, or None (GC-6.4); the strongest alone (AMB-51)."""
    if combatant.armour_down:
        return None
    worn = combatant.sheet.armour
    terms = [Term("GC-6.4", "armour", worn.potential, name=worn.name)] if worn else []
    terms += [
        Term("GC-6.4", "armour", running.effect.potential, name=running.name)
        for running in in_force(combatant)
        if isinstance(running.effect, ArmourEffect)
    ]
    if not terms:
        return None
    if options.armour_stacking is ArmourStacking.STRONGEST:
        terms = [max(terms, key=lambda term: term.value)]
    return Tally(tuple(terms))


def is_critical(options: Options, aim: Aim, die: int, hit: Hit) -> str | None:
    """Give the rule by which a natural die doubles the damage of a landed attack, or None."""
    row = CRITICAL_FROM[aim]
    if row is None or die < row[1]:
        return None
    if hit is Hit.TIED and not options.riders_on_tie:  # AMB-42
        return None
    if hit is Hit.GUARDED and not options.guard_criticals:  # GC-14.7
        return None
    return row[0]


def settle_damage(
    options: Options,
    kind: DamageType,
    *,
    power: Tally,
    stat_bonus: Fraction,
    resistance: Tally,
    armour: Tally | None,
    critical: str | None,
    hit: Hit,
) -> Damage:
    """Settle one hit: formula of its type, critical, halving, floor, one rounding (AMB-43)."""
    before = critical if options.critical_multiplies is Doubling.POWER else None
    struck = power.plus(Term(before, "critical", power.total) if before else None)
    stat_bonus = 2 * stat_bonus if before else stat_bonus
    match kind:
        case DamageType.NORMAL:
            working, beaten = _normal(options, struck, resistance, armour)
        case DamageType.PURE:
            working, beaten = _pure(options, struck, stat_bonus), False
        case DamageType.SEMI_PURE:
            keep = armour if options.semi_pure_armour is SemiPureArmour.NORMAL_HALF else None
            working, beaten = _semi_pure(options, struck, stat_bonus, resistance, keep)
    if critical and before is None:
        working = working.plus(Term(critical, "critical", working.total))
    if hit in HALVING:
        half = options.arithmetic.divide(working.total, 2)
        working = working.plus(Term(HALVING[hit], f"half_{hit}", half - working.total))
    whole = options.arithmetic.whole(working.total)
    if whole != working.total:
        working = working.plus(Term("AMB-1", "rounding", whole - working.total))
    value = armour.total + resistance.total if armour else None
    return Damage(working=working, armour_value=value, armour_beaten=beaten)


def _normal(
    options: Options, power: Tally, resistance: Tally, armour: Tally | None
) -> tuple[Tally, bool]:
    """Take resistance, then armour, from the power (GC-6.5 to GC-6.7, GC-6.10)."""
    taken = power.plus(Term("GC-6.3", "resistance", -resistance.total, parts=_negative(resistance)))
    if armour is None:
        return _floored(taken), False
    margin = power.total - (armour.total + resistance.total)
    if margin > 0:  # GC-6.7
        half = options.arithmetic.divide(armour.total, 2)
        name = armour.terms[0].name
        return _floored(_floored(taken).plus(Term("GC-6.7", "armour_half", -half, name=name))), True
    stopped = _floored(taken)
    rule = "GC-6.5" if margin < 0 else "GC-6.6"
    if stopped.total:
        stopped = stopped.plus(
            Term(rule, "armour_stops", -stopped.total, name=armour.terms[0].name)
        )
    return stopped, margin == 0


def _pure(options: Options, power: Tally, stat_bonus: Fraction) -> Tally:
    """Keep the potential and a fifth of the stat bonus; nothing of the target counts (GC-6.11)."""
    fifth = options.arithmetic.divide(stat_bonus, 5)
    return _floored(power.plus(Term("GC-6.11", "four_fifths_less", fifth - stat_bonus)))


def _semi_pure(
    options: Options,
    power: Tally,
    stat_bonus: Fraction,
    resistance: Tally,
    armour: Tally | None,
) -> tuple[Tally, bool]:
    """Halve both formulas, each worked out for itself, and add them up (GC-6.13)."""
    normal, beaten = _normal(options, power, resistance, armour)
    pure = _pure(options, power, stat_bonus)
    halves = [
        Term("GC-6.13", key, half.total, parts=half)
        for key, half in (
            ("normal_half", _halved(options, normal)),
            ("pure_half", _halved(options, pure)),
        )
    ]
    return Tally(tuple(halves)), beaten


def _halved(options: Options, whole: Tally) -> Tally:
    half = options.arithmetic.divide(whole.total, 2)
    return whole.plus(Term("GC-6.13", "half", half - whole.total))


def _floored(tally: Tally) -> Tally:
    """Let a result not fall below zero (AMB-3)."""
    if tally.total >= 0:
        return tally
    return tally.plus(Term("AMB-3", "not_below_zero", -tally.total))


def _negative(tally: Tally) -> Tally:
    return Tally(
        tuple(Term(t.rule, t.key, -t.value, name=t.name, board=t.board) for t in tally.terms)
    )
