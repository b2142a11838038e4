"""The exact law of a plain turn: who goes first, and what either blow deals.

A turn is plain where no order has to be given and no condition comes or goes: both fight with a
weapon at close quarters, and blows take hit points only. Its law then depends on what the two bear
and not on their hit points. Rolls that come to the same scores are counted together; the scores,
the comparisons and the choice to rethrow are the engine's own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import factorial, prod
from typing import Final, TypeAlias, TypeVar

from app.rulesets.combat_dice.orders import CombatOrders
from app.rulesets.combat_dice.roll import wants_better, who_is_first, who_may_rethrow
from app.rulesets.combat_dice.scores import (
    COMPARED,
    OF_FIRST_ROLL,
    Blow,
    compare,
    dice_of,
    first_scores_of,
)
from app.rulesets.combat_dice.state import PLACES, Combat, CombatDie, CombatRound, CombatSide, other
from app.rulesets.combat_dice.tables import SYMBOLS
from app.rulesets.combat_dice.terms import Score

Exchange: TypeAlias = "tuple[int | None, int, int]"
"""Who goes first, None on a tie; the damage of the blow of place 0, and of that of place 1."""
Half: TypeAlias = "tuple[int, int]"
"""Attack and Damage of a blow, or Dodge and Armor against one."""
Opening: TypeAlias = "tuple[int | None, int | None, int, int]"
"""Who goes first, who may rethrow, and how many other dice each of the two has."""
Pair: TypeAlias = "tuple[int, int]"
"""A blow and a guard of one fighter, each by its number."""

Code: TypeAlias = "tuple[int, bool]"
"""The damage of a blow against a guard, and whether its fighter would rather throw again."""
Tables: TypeAlias = "tuple[list[list[int]], list[list[int]]]"
"""For each place the codes of its blows by number, guard by guard of the other."""
Outcomes: TypeAlias = "list[list[Code]]"
"""What each blow of one comes to, guard by guard of the other."""
Key = TypeVar("Key", int, Pair)
_DICE: Final = {symbol: CombatDie(face=face) for face, symbol in enumerate(SYMBOLS, 1)}
_OPENERS: Final = tuple(score for score in Score if score in OF_FIRST_ROLL)


@dataclass(frozen=True, slots=True)
class _Rolls:
    """What one fighter may roll.

    ``opening`` gives the chance of each Initiative, Maneuver and number of dice that show neither;
    ``rest`` the chance of each blow and guard that so many other dice make. ``fresh`` is that of a
    whole roll. ``blows`` and ``guards`` are told by their number.
    """

    opening: Mapping[tuple[int, int, int], float]
    rest: tuple[Mapping[Pair, float], ...]
    fresh: Mapping[Pair, float]
    blows: tuple[Half, ...]
    guards: tuple[Half, ...]


def law_of(combat: Combat) -> dict[Exchange, float]:
    """Give the law of a plain turn, of a combat that stands between two turns."""
    plain = CombatSide(orders=CombatOrders())
    combat = replace(combat, round=CombatRound(sides=(plain, plain)))
    first, second = combat.fighters
    mirrored = replace(second, id=first.id, sheet=first.sheet) == first
    mine = _rolls(combat, 0)
    rolls = (mine, mine if mirrored else _rolls(combat, 1))
    struck = _outcomes(combat, 0, rolls)
    outcomes = (struck, struck if mirrored else _outcomes(combat, 1, rolls))
    codes = sorted({code for table in outcomes for row in table for code in row})
    rolls, tables = _merged(rolls, outcomes, codes)
    both = [(one, two) for one in codes for two in codes]
    openings = _openings(rolls)
    law: defaultdict[Exchange, float] = defaultdict(float)
    met: dict[tuple[int, int], list[float]] = {}
    for (goes, may, *rests), chance in openings.items():
        at = (rests[0], rests[1])
        if at not in met:
            met[at] = _met(rolls[0].rest[at[0]], rolls[1].rest[at[1]], tables, len(codes))
        for blows, share in zip(both, met[at], strict=True):
            if share and (may is None or not blows[may][1]):
                law[goes, blows[0][0], blows[1][0]] += chance * share
    for place in PLACES:
        lying = _left_lying(place, openings, rolls, tables, codes)
        thrown = (rolls[0].fresh, lying) if place == 0 else (lying, rolls[1].fresh)
        shares = _met(thrown[0], thrown[1], tables, len(codes))
        for blows, share in zip(both, shares, strict=True):
            if share:
                law[place, blows[0][0], blows[1][0]] += share
    return dict(law)


def _openings(rolls: tuple[_Rolls, _Rolls]) -> dict[Opening, float]:
    """Give the law of the Initiative and Maneuver phases (CD-12 to CD-14)."""
    law: defaultdict[Opening, float] = defaultdict(float)
    for (mine, skill, rest), chance in rolls[0].opening.items():
        for (theirs, their_skill, their_rest), their_chance in rolls[1].opening.items():
            first = who_is_first(mine, theirs)
            may = who_may_rethrow(first, (skill, their_skill))
            law[first, may, rest, their_rest] += chance * their_chance
    return law


def _left_lying(
    place: int,
    openings: Mapping[Opening, float],
    rolls: tuple[_Rolls, _Rolls],
    tables: Tables,
    codes: list[Code],
) -> dict[Pair, float]:
    """Give the chance of each roll of the opponent against which a fighter throws again."""
    table, foe = tables[place], other(place)
    law: defaultdict[Pair, float] = defaultdict(float)
    for (_, may, *rests), chance in openings.items():
        if may != place:
            continue
        blows = _summed(
            (blow, share) for (blow, _), share in rolls[place].rest[rests[place]].items()
        )
        wanted = [
            sum(share for blow, share in blows.items() if codes[table[guard][blow]][1])
            for guard in range(len(table))
        ]
        for pair, share in rolls[foe].rest[rests[foe]].items():
            law[pair] += chance * share * wanted[pair[1]]
    return law


def _met(
    mine: Mapping[Pair, float],
    theirs: Mapping[Pair, float],
    tables: Tables,
    count: int,
) -> list[float]:
    """Let every roll of one meet every roll of the other; give the law of what both blows do.

    It is told by the code of the first blow times ``count``, plus that of the second.
    """
    law = [0.0] * (count * count)
    struck = [(blow, tables[1][guard], share) for (blow, guard), share in mine.items()]
    for (blow, guard), share in theirs.items():
        hits = [code * count for code in tables[0][guard]]
        for own, back, chance in struck:
            law[hits[own] + back[blow]] += share * chance
    return law


def _outcomes(combat: Combat, place: int, rolls: tuple[_Rolls, _Rolls]) -> Outcomes:
    """Tell what each blow of a fighter does against each guard of the other, guard by guard."""
    wanted: dict[Blow, bool] = {}
    table: Outcomes = []
    for dodge, armor in rolls[other(place)].guards:
        theirs = {Score.DODGE: dodge, Score.ARMOR: armor}
        row: list[Code] = []
        for attack, damage in rolls[place].blows:
            mine = {Score.ATTACK: attack, Score.DAMAGE: damage}
            comes = compare(combat, place, mine, theirs)
            if comes not in wanted:
                wanted[comes] = wants_better(combat, place, comes)
            row.append((comes.damage, wanted[comes]))
        table.append(row)
    return table


def _merged(
    rolls: tuple[_Rolls, _Rolls], outcomes: tuple[Outcomes, Outcomes], codes: list[Code]
) -> tuple[tuple[_Rolls, _Rolls], Tables]:
    """Count as one the blows that do the same against every guard, and guards against all blows."""
    number = {code: place for place, code in enumerate(codes)}
    same_blows: list[list[int]] = []
    same_guards: list[list[int]] = []
    tables: list[list[list[int]]] = []
    for table in outcomes:
        rows, of_guards = _alike([tuple(number[code] for code in row) for row in table])
        columns, of_blows = _alike(list(zip(*rows, strict=True)))
        same_blows.append(of_blows)
        same_guards.append(of_guards)
        tables.append([list(row) for row in zip(*columns, strict=True)])
    first, second = (
        _renumbered(rolls[place], same_blows[place], same_guards[other(place)]) for place in PLACES
    )
    return (first, second), (tables[0], tables[1])


def _alike(lines: list[tuple[int, ...]]) -> tuple[list[tuple[int, ...]], list[int]]:
    """List different lines once, and for each line the place of its like."""
    places: dict[tuple[int, ...], int] = {}
    where = [places.setdefault(line, len(places)) for line in lines]
    return list(places), where


def _renumbered(rolls: _Rolls, blows: list[int], guards: list[int]) -> _Rolls:
    def of(law: Mapping[Pair, float]) -> dict[Pair, float]:
        return _summed(
            ((blows[blow], guards[guard]), share) for (blow, guard), share in law.items()
        )

    return replace(rolls, rest=tuple(map(of, rolls.rest)), fresh=of(rolls.fresh))


def _rolls(combat: Combat, place: int) -> _Rolls:
    """Sort all rolls of a fighter by the scores that they come to."""
    count = dice_of(combat.options, combat.fighters[place])
    opening: defaultdict[tuple[int, int, int], float] = defaultdict(float)
    for shown, ways in _ways(_OPENERS, range(count + 1)):
        scores = first_scores_of(combat, place, _lying(shown))
        left = count - sum(shown.values())
        chance = ways * len(COMPARED) ** left * _choose(count, left) / len(SYMBOLS) ** count
        opening[scores[Score.INITIATIVE], scores[Score.MANEUVER], left] += chance
    blows: dict[Half, int] = {}
    guards: dict[Half, int] = {}
    rest: list[defaultdict[Pair, float]] = [defaultdict(float) for _ in range(count + 1)]
    for shown, ways in _ways(COMPARED, range(count + 1)):
        scores = first_scores_of(combat, place, _lying(shown))
        blow = scores[Score.ATTACK], scores[Score.DAMAGE]
        guard = scores[Score.DODGE], scores[Score.ARMOR]
        pair = blows.setdefault(blow, len(blows)), guards.setdefault(guard, len(guards))
        dice = sum(shown.values())
        rest[dice][pair] += ways / len(COMPARED) ** dice
    shares = _summed((left, chance) for (_, _, left), chance in opening.items())
    fresh = _summed(
        (pair, shares[dice] * chance)
        for dice, law in enumerate(rest)
        for pair, chance in law.items()
    )
    return _Rolls(opening, tuple(rest), fresh, tuple(blows), tuple(guards))


def _ways(
    symbols: tuple[Score, ...], dice: Iterable[int]
) -> Iterator[tuple[dict[Score, int], int]]:
    """Go through what so many dice of these symbols may show, and in how many ways each."""
    for count in dice:
        for counts in _splits(count, len(symbols)):
            ways = factorial(count) // prod(map(factorial, counts))
            yield dict(zip(symbols, counts, strict=True)), ways


def _splits(count: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (count,)
        return
    for first in range(count + 1):
        for rest in _splits(count - first, parts - 1):
            yield (first, *rest)


def _choose(count: int, left: int) -> int:
    return factorial(count) // (factorial(left) * factorial(count - left))


def _lying(shown: Mapping[Score, int]) -> list[CombatDie]:
    return [_DICE[symbol] for symbol, count in shown.items() for _ in range(count)]


def _summed(weighted: Iterable[tuple[Key, float]]) -> dict[Key, float]:
    law: defaultdict[Key, float] = defaultdict(float)
    for key, chance in weighted:
        law[key] += chance
    return law
