"""Calcolo dei Danni (GC-6): from remaining power to the hit points that go on record."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from app.engine.tally import Tally, Term
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.levels import in_force
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.readings import (
    ArmourStacking,
    Doubling,
    GuardHalves,
    SemiPureArmour,
)
from app.rulesets.guida.sheet import ArmourEffect
from app.rulesets.guida.tables import CRITICAL_FROM, ENVIRONMENTAL_SHARE
from app.rulesets.guida.terms import Aim, Category, DamageType


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


@dataclass(frozen=True, slots=True)
class Protection:
    """The armour in force: its potential, and what of it stops pure damage too (GC-14.19)."""

    potential: Tally
    against_pure: Tally | None


def armour_of(options: Options, combatant: Combatant) -> Protection | None:
    """Give the armour in force, or None (GC-6.4); the strongest alone (AMB-51)."""
    if combatant.armour_down:
        return None
    worn = combatant.sheet.armour
    found = [(_armour(worn.name, worn.potential), worn.blocks_pure)] if worn else []
    found += [
        (_armour(running.name, running.effect.potential), running.effect.blocks_pure)
        for running in in_force(combatant)
        if isinstance(running.effect, ArmourEffect)
    ]
    if not found:
        return None
    if options.armour_stacking is ArmourStacking.STRONGEST:
        found = [max(found, key=lambda one: one[0].value)]
    blocking = tuple(term for term, blocks in found if blocks)
    return Protection(
        potential=Tally(tuple(term for term, _ in found)),
        against_pure=Tally(blocking) if blocking else None,
    )


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
    armour: Protection | None,
    critical: str | None,
    hit: Hit,
    halved_by: str | None = None,
) -> Damage:
    """Settle one hit: formula of its type, critical, halving, floor, one rounding (AMB-43)."""
    before = critical if options.critical_multiplies is Doubling.POWER else None
    struck = power.plus(Term(before, "critical", power.total) if before else None)
    bonus = 2 * stat_bonus if before else stat_bonus
    working, beaten = _by_type(options, kind, struck, bonus, resistance, armour)
    if critical and before is None:
        working = working.plus(Term(critical, "critical", working.total))
    if hit in HALVING:
        rule = halved_by if halved_by and hit is Hit.TIED else HALVING[hit]
        working = working.plus(_half(options, working, rule, f"half_{hit}"))
    value = armour.potential.total + resistance.total if armour else None
    return Damage(working=_rounded(options, working), armour_value=value, armour_beaten=beaten)


def settle_additional(
    options: Options,
    kind: DamageType,
    *,
    power: Tally,
    stat_bonus: Fraction,
    resistance: Tally,
    armour: Protection | None,
    critical: str | None,
    hit: Hit,
) -> Damage:
    """Settle an additional damage: half of its own formula (GC-6.14, AMB-44)."""
    working, beaten = _by_type(options, kind, power, stat_bonus, resistance, armour)
    working = working.plus(_half(options, working, "GC-6.14", "half"))
    if critical and options.additional_can_be_critical:  # AMB-54
        working = working.plus(Term(critical, "critical", working.total))
    halves = hit is Hit.TIED or (
        hit is Hit.GUARDED and options.guard_halves is not GuardHalves.ATTACK_ONLY
    )
    if halves:
        working = working.plus(_half(options, working, HALVING[hit], f"half_{hit}"))
    return Damage(working=_rounded(options, working), armour_value=None, armour_beaten=beaten)


def environmental_potential(
    options: Options, die: int, category: Category, *, by_defence: bool
) -> Fraction:
    """Give the environmental potential of a die (GC-6.19), halved for a defence (GC-6.20)."""
    share = ENVIRONMENTAL_SHARE[category]
    potential = options.arithmetic.divide(die * share.numerator, share.denominator)
    return options.arithmetic.divide(potential, 2) if by_defence else potential


def settle_environmental(
    options: Options,
    *,
    die: int,
    category: Category,
    stat_bonus: Fraction,
    resistance: Tally,
    armour: Protection | None,
    by_defence: bool,
    guarded: bool,
) -> Tally:
    """Settle environmental damage: half of the normal formula, no criticals (GC-6.18, GC-6.21)."""
    potential = environmental_potential(options, die, category, by_defence=by_defence)
    power = Tally(
        (
            Term("GC-6.19", "environmental_potential", potential),
            Term("GC-3.7", "stat_bonus", stat_bonus),
        )
    )
    worn = armour if options.environmental_uses_armour else None  # AMB-56
    working, _ = _normal(options, power, resistance, worn)
    working = working.plus(_half(options, working, "GC-6.18", "half"))
    if guarded and options.guard_halves is GuardHalves.ALL:  # AMB-44
        working = working.plus(_half(options, working, "GC-4.49", "half_guarded"))
    return _rounded(options, working)


def _by_type(
    options: Options,
    kind: DamageType,
    power: Tally,
    stat_bonus: Fraction,
    resistance: Tally,
    armour: Protection | None,
) -> tuple[Tally, bool]:
    match kind:
        case DamageType.NORMAL:
            return _normal(options, power, resistance, armour)
        case DamageType.PURE:
            return _pure(options, power, stat_bonus, resistance, armour)
        case DamageType.SEMI_PURE:
            return _semi_pure(options, power, stat_bonus, resistance, armour)


def _normal(
    options: Options, power: Tally, resistance: Tally, armour: Protection | None
) -> tuple[Tally, bool]:
    """Take resistance, then armour, from the power (GC-6.5 to GC-6.7, GC-6.10)."""
    taken = power.plus(Term("GC-6.3", "resistance", -resistance.total, parts=_negative(resistance)))
    return _armoured(options, _floored(taken), power, resistance, armour)


def _pure(
    options: Options,
    power: Tally,
    stat_bonus: Fraction,
    resistance: Tally,
    armour: Protection | None,
) -> tuple[Tally, bool]:
    """Keep potential and a fifth of the stat bonus (GC-6.11).

    Of the target nothing counts (GC-6.12), but an armour that blocks pure damage (GC-14.19).
    """
    fifth = options.arithmetic.divide(stat_bonus, 5)
    pure = _floored(power.plus(Term("GC-6.11", "four_fifths_less", fifth - stat_bonus)))
    blocks = armour.against_pure if armour else None
    blocking = Protection(potential=blocks, against_pure=blocks) if blocks else None
    return _armoured(options, pure, power, resistance, blocking)


def _armoured(
    options: Options,
    working: Tally,
    power: Tally,
    resistance: Tally,
    armour: Protection | None,
) -> tuple[Tally, bool]:
    """Hold the power against the armour: it stops, stops and falls, or takes half and falls."""
    if armour is None:
        return working, False
    name = " + ".join(term.name or "" for term in armour.potential.terms)
    margin = power.total - (armour.potential.total + resistance.total)
    if margin > 0:  # GC-6.7
        half = options.arithmetic.divide(armour.potential.total, 2)
        return _floored(working.plus(Term("GC-6.7", "armour_half", -half, name=name))), True
    rule = "GC-6.5" if margin < 0 else "GC-6.6"
    if working.total:
        working = working.plus(Term(rule, "armour_stops", -working.total, name=name))
    return working, margin == 0


def _semi_pure(
    options: Options,
    power: Tally,
    stat_bonus: Fraction,
    resistance: Tally,
    armour: Protection | None,
) -> tuple[Tally, bool]:
    """Halve both formulas, each worked out for itself, and add them up (GC-6.13).

    Whether armour acts on the normal half is a ruling (AMB-53); on the pure half only one that
    blocks pure damage does, in any case (GC-14.19).
    """
    acts = options.semi_pure_armour is SemiPureArmour.NORMAL_HALF
    normal, beaten = _normal(options, power, resistance, armour if acts else None)
    pure, also = _pure(options, power, stat_bonus, resistance, armour)
    halves = [
        Term("GC-6.13", key, half.total, parts=half)
        for key, half in (
            ("normal_half", normal.plus(_half(options, normal, "GC-6.13", "half"))),
            ("pure_half", pure.plus(_half(options, pure, "GC-6.13", "half"))),
        )
    ]
    return Tally(tuple(halves)), beaten or also


def _half(options: Options, working: Tally, rule: str, key: str) -> Term:
    return Term(rule, key, options.arithmetic.divide(working.total, 2) - working.total)


def _rounded(options: Options, working: Tally) -> Tally:
    whole = options.arithmetic.whole(working.total)
    if whole == working.total:
        return working
    return working.plus(Term("AMB-1", "rounding", whole - working.total))


def _armour(name: str, potential: Fraction) -> Term:
    return Term("GC-6.4", "armour", potential, name=name)


def _floored(tally: Tally) -> Tally:
    """Let a result not fall below zero (AMB-3)."""
    if tally.total >= 0:
        return tally
    return tally.plus(Term("AMB-3", "not_below_zero", -tally.total))


def _negative(tally: Tally) -> Tally:
    return Tally(
        tuple(Term(t.rule, t.key, -t.value, name=t.name, board=t.board) for t in tally.terms)
    )
