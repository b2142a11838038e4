"""What warriors gain and lose between duels: XP, purchases, reforming, banishment (WD-49 to WD-69).

Pure functions over sheets: a scene starts from a sheet, and ends with the sheet that it has become.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Final, assert_never

from app.rulesets.warrior_dice.design import points_of
from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.orders import Purchase
from app.rulesets.warrior_dice.readings import PointsBasis
from app.rulesets.warrior_dice.sheet import FaceOption, Warrior
from app.rulesets.warrior_dice.terms import Buy, Kind

PRICE: Final = 10  # WD-52: in XP; and what a purchase is worth, in points (WD-54)
STEP: Final = 10
LEAST_HITS: Final = 10  # WD-A5


def value_of(options: DuelOptions, warrior: Warrior) -> int:
    """Give the points value that XP compare (WD-48, AMB-WD-15)."""
    if options.points_basis is PointsBasis.DECLARED and warrior.declared is not None:
        return warrior.declared
    return points_of(warrior).total


def earned(winner: int, loser: int) -> int:
    """Give the XP for defeating a warrior, by both points values (WD-49, WD-50, WD-51)."""
    if loser < winner:
        return 1
    return 5 if loser == winner else 10


def purchases_in(xp: int) -> int:
    """Count the purchases that so many XP pay for (WD-52)."""
    return xp // PRICE


def yield_threshold(start_hits: int) -> int:
    """Give the hits at or below which a Shadow being may yield (WD-61, WD-A4)."""
    if start_hits % 100 == 0:
        return start_hits // 10
    return 10 * ceil(Fraction(ceil(Fraction(start_hits, 10)), 10))


def may_yield(hits: int, start_hits: int) -> bool:
    """Say whether hits are low enough to yield, and not gone (WD-61, WD-63)."""
    return 0 < hits <= yield_threshold(start_hits)


def buy(warrior: Warrior, purchase: Purchase) -> Warrior:
    """Trade 10 XP for one thing; the points value rises by 10 (WD-52, WD-54).

    What reforming has cost is bought back in the same way (WD-66).
    """
    match purchase.what:
        case Buy.HITS:
            bought = replace(warrior, hits=warrior.hits + STEP)
        case Buy.RAISE:
            option = warrior.option(purchase.face, purchase.option)
            if option is None or option.force is None:
                raise ValueError("nothing to raise; check comes first")
            bought = warrior.put(option, replace(option, force=option.force + STEP))
        case Buy.NEW_ATTACK | Buy.NEW_DEFENCE:
            # WD-53: it shares a face with what is there; WD-60: so does what widens an ability.
            new = FaceOption(
                face=purchase.face,
                name=purchase.name or purchase.absorbs,
                kind=Kind.ATTACK if purchase.what is Buy.NEW_ATTACK else Kind.DEFENCE,
                force=STEP,  # WD-69: an absorbed trait starts there too
                trait=bool(purchase.absorbs),
            )
            bought = replace(warrior, options=(*warrior.options, new))
        case what:
            assert_never(what)
    return replace(bought, xp=warrior.xp - PRICE, declared=_moved(warrior, STEP))


def may_cut_force(force: int | None) -> bool:
    """Say whether a Force can be cut: a numeric one of at least 10 (WD-A5)."""
    return force is not None and force >= STEP


def may_cut_hits(hits: int) -> bool:
    """Say whether starting hits can be cut: they never fall below 10 (WD-A5)."""
    return hits - STEP >= LEAST_HITS


def cut_option(warrior: Warrior, option: FaceOption) -> Warrior:
    """Reform with 10 off a Force; an option at 0 keeps its place (WD-64, WD-65, WD-A5)."""
    weaker = warrior.put(option, replace(option, force=(option.force or 0) - STEP))
    return replace(weaker, declared=_moved(warrior, -STEP))


def cut_hits(warrior: Warrior) -> Warrior:
    """Reform with 10 off the starting hits (WD-64, WD-65)."""
    return replace(warrior, hits=warrior.hits - STEP, declared=_moved(warrior, -STEP))


def default_cut(warrior: Warrior) -> FaceOption | None:
    """Give the option that a passed deadline cuts, None for starting hits (WD-A5)."""
    if may_cut_hits(warrior.hits):
        return None
    found = [one for one in warrior.options if may_cut_force(one.force)]
    return min(found, key=lambda one: (one.force, one.face)) if found else None


def is_spent(warrior: Warrior) -> bool:
    """Say whether a being has nothing left to lose (WD-A5)."""
    return default_cut(warrior) is None and not may_cut_hits(warrior.hits)


def reformed_value(points: int) -> int:
    """Give the points value after reforming (WD-65)."""
    return points - STEP


def is_banished(options: DuelOptions, points: int) -> bool:
    """Say whether a points value is too low to stay in the world (WD-67, AMB-WD-21)."""
    return points < options.banish_below


def _moved(warrior: Warrior, by: int) -> int | None:
    return None if warrior.declared is None else max(0, warrior.declared + by)
