"""Sbalzo e Reazione (GC-10): how far somebody is thrown, and what a reaction has to reach."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from app.engine.findings import Facts
from app.engine.tally import Tally, Term
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.places import (
    Distance,
)
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.tables import KNOCKBACK_MODIFIER
from app.rulesets.guida.terms import Stat
from app.rulesets.guida.underway import (
    Throw,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flight:
    """How far a throw carries, in metres, and whether it ends against an object (GC-14.25)."""

    metres: Fraction
    crashes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """A reaction: its natural die, the scores it compares, and whether it succeeded (GC-10.10)."""

    die: int
    tally: Tally
    against: Tally

    @property
    def value(self) -> Fraction:
        """Give the reaction value (GC-10.9)."""
        return self.die + self.tally.total

    @property
    def succeeds(self) -> bool:
        """Say whether it reaches the knockback value."""
        return self.value >= self.against.total


def tally_distance(options: Options, throw: Throw, strength: Tally) -> Tally:
    """Work out the greatest distance of a throw, in metres, never below zero (GC-10.4)."""
    working = Tally((_die(options, throw, "GC-10.5"),)).plus(
        throw.potential_bonus,
        Term("GC-3.7", "stat_bonus", throw.stat_bonus),
        Term("GC-10.4", "target_strength", -strength.total),
    )
    if working.total < 0:
        return working.plus(Term("AMB-3", "not_below_zero", -working.total))
    times = KNOCKBACK_MODIFIER[throw.category]
    if times != 1:
        more = working.total * (times - 1)
        working = working.plus(Term("GC-10.6", "knockback_modifier", more, name=throw.category))
    whole = _metres(options, working.total)
    return working.plus(
        Term("AMB-2", "rounding", whole - working.total) if whole != working.total else None
    )


def tally_value(options: Options, throw: Throw) -> Tally:
    """Work out the value that a reaction has to reach; halves stay exact (GC-10.7, AMB-75)."""
    added = KNOCKBACK_MODIFIER[throw.category]
    return Tally((_die(options, throw, "GC-10.5"),)).plus(
        Term("GC-10.7", "knockback_modifier", added, name=throw.category),
        Term("GC-3.7", "stat_bonus", throw.stat_bonus),
    )


def tally_reaction(who: Combatant) -> Tally:
    """Give everything but the die of a reaction: the Dexterity of the moment (GC-10.11)."""
    level = total_level(who, Stat.DEXTERITY)
    return Tally((Term("GC-10.9", "dexterity", level.total, parts=level),))


def settle_flight(options: Options, greatest: Fraction, throw: Throw, *, broken: bool) -> Flight:
    """Settle how far a throw carries (GC-10.3, GC-14.25); ``broken`` by a reaction (GC-10.10).

    A distance that was wished for is capped to the greatest one; an object ends the flight, and
    hurts if it is reached and no reaction helped.
    """
    wished = throw.knock.metres
    metres = greatest if wished is None else min(Fraction(wished), greatest)
    if broken:
        metres = _metres(options, options.arithmetic.divide(metres, 2))
    stands = throw.knock.object_m
    reached = stands is not None and metres > 0 and stands <= metres
    if stands is not None and reached:
        metres = Fraction(stands)
    return Flight(metres=metres, crashes=reached and not broken)


def settle_recovery(options: Options, throw: Throw, who: Combatant, die: int) -> Recovery:
    """Hold a reaction against the knockback (GC-10.10)."""
    return Recovery(die=die, tally=tally_reaction(who), against=tally_value(options, throw))


def fly(scene: Scene, throw: Throw, metres: Fraction) -> tuple[Distance, ...]:
    """Give the distances of the one who is thrown straight away from the thrower.

    Where everybody else stands follows from the triangle of the three; the place of a thrown one
    who stood on the thrower has no direction, and is taken to go away from all.
    """
    start = scene.metres(throw.thrower, throw.thrown)
    changed = [Distance(a=throw.thrown, b=throw.thrower, metres=start + metres)]
    for place in _places(scene, throw):
        near = scene.metres(throw.thrown, place)
        if start:
            far = scene.metres(throw.thrower, place)
            # Both triangles share the angle at the one who is thrown.
            square = near**2 + metres**2 + metres * (start**2 + near**2 - far**2) / start
            landed = _root(scene.options, max(Fraction(0), square))
        else:
            landed = near + metres
        changed.append(Distance(a=throw.thrown, b=place, metres=landed))
    return tuple(changed)


def facts_of(scene: Scene, throw: Throw) -> Facts:
    """Give the names that every sentence about a throw needs."""
    return {
        "attacker": scene.who(throw.thrower).sheet.name,
        "target": scene.who(throw.thrown).sheet.name,
        "name": throw.name,
    }


def _places(scene: Scene, throw: Throw) -> list[str]:
    own = {throw.thrown, throw.thrower}
    found = {
        id for one in scene.distances for id in (one.a, one.b) if throw.thrown in (one.a, one.b)
    }
    return sorted(found - own)


def _die(options: Options, throw: Throw, rule: str) -> Term:
    die = Fraction(throw.die)
    if not throw.by_defence:
        return Term(rule, "natural_die", die)
    return Term(rule, "half_die", options.arithmetic.divide(die, 2))


def _metres(options: Options, metres: Fraction) -> Fraction:
    return Fraction(options.arithmetic.whole(metres)) if options.round_distances else metres


def _root(options: Options, square: Fraction) -> Fraction:
    """Give a square root to the millimetre, or in whole metres where distances are whole."""
    scale = 1_000_000
    root = Fraction(isqrt(square.numerator * scale // square.denominator), 1000)
    return _metres(options, root)
