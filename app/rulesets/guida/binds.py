"""Effetti della Costrizione (GC-8.6 to 8.12): what is blocked, and what it costs in Dexterity."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from app.engine.tally import Term
from app.rulesets.guida.combatants import (
    Bond,
    Combatant,
)
from app.rulesets.guida.readings import (
    Overlap,
)
from app.rulesets.guida.tables import (
    ARMS_BLOCKED,
    BIND_MALUS,
    CONTAINED,
    LEGS_BLOCKED,
    PLACE_BLOCKED,
)
from app.rulesets.guida.terms import Bind


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """What a bound combatant cannot do: change place, use the arms, the legs, anything at all."""

    place: bool = False
    arms: bool = False
    legs: bool = False
    all: bool = False

    @property
    def parts(self) -> bool:
        """Say whether a part of the body is blocked, which some technique may need (GC-14.21)."""
        return self.arms or self.legs

    def exceeds(self, other: Forbidden) -> bool:
        """Say whether more of the body is blocked than before."""
        return (self.arms and not other.arms) or (self.legs and not other.legs)


def bonds_in_force(who: Combatant) -> tuple[Bond, ...]:
    """List the constraints that hamper a combatant by now (AMB-61)."""
    return tuple(bond for bond in who.bonds if bond.since <= who.turn)


def settle_forbidden(binds: Iterable[Bind]) -> Forbidden:
    """Say what effects of constraints forbid, whatever else they add up to (GC-14.21)."""
    held = set(binds)
    return Forbidden(
        place=bool(held & PLACE_BLOCKED),
        arms=bool(held & ARMS_BLOCKED),
        legs=bool(held & LEGS_BLOCKED),
        all=Bind.TOTAL_BLOCK in held,
    )


def settle_malus(binds: Iterable[Bind], overlap: Overlap) -> tuple[Term, ...]:
    """Add up what effects of constraints take from Dexterity (GC-8.12, AMB-62).

    What a stronger one contains adds nothing; or all of it counts; or only the strongest does.
    """
    held = list(binds)
    match overlap:
        case Overlap.SUBSUME:
            held = [bind for bind in dict.fromkeys(held) if not _is_contained(bind, held)]
        case Overlap.STRONGEST:
            held = sorted(held, key=lambda bind: BIND_MALUS[bind][1])[:1]
        case Overlap.SUM:
            pass
    terms = ((BIND_MALUS[bind], bind) for bind in held)
    return tuple(Term(rule, bind, Fraction(points)) for (rule, points), bind in terms if points)


def malus_of(who: Combatant) -> tuple[Term, ...]:
    """Give what a combatant's constraints take from its Dexterity now."""
    binds = (bind for bond in bonds_in_force(who) for bind in bond.binds)
    return settle_malus(binds, who.overlap or Overlap.SUBSUME)


def _is_contained(bind: Bind, held: Iterable[Bind]) -> bool:
    return any(bind in CONTAINED.get(stronger, ()) for stronger in held)
