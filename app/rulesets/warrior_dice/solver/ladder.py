"""The common duel without a cap, solved on a ladder of hits: what the matrix of all is made of.

It says the same as ``limit`` for duels in which nothing changes but hits and phases to miss, and is
many times as fast: each row of values is a list, and each turn a product of two rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import gcd
from operator import mul, sub
from typing import Final, TypeAlias

from app.rulesets.warrior_dice.ground import ground_of
from app.rulesets.warrior_dice.neutralizing import MISSED, neutralized
from app.rulesets.warrior_dice.readings import HealTiming, NeutralizeStack
from app.rulesets.warrior_dice.reforging import may_reforge
from app.rulesets.warrior_dice.solver.limit import MOST_PASSES, SINGULAR, inverted
from app.rulesets.warrior_dice.solver.turns import Turns, matters
from app.rulesets.warrior_dice.state import Duel, Fighter
from app.rulesets.warrior_dice.terms import ReforgeOrder, TradeOrder, YieldOrder

MOST_RUNGS: Final = 60
STILL: Final = 1e-13
MEMORY: Final = 6
RIDGE: Final = 1e-14
WAITS: Final = MISSED + 1  # a defender may have so many different counts of phases to miss
Row: TypeAlias = list[float]
Plan: TypeAlias = "tuple[float, list[tuple[tuple[float, ...], Row, int, int]]]"
Place: TypeAlias = tuple[int, int]  # who attacks, and how many phases the defender is to miss


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """Turns that differ in their damage alone: rungs that come back, who attacks then.

    ``damage`` tells how likely so many rungs are lost, ``kills`` how likely at least so many.
    """

    own: int
    theirs: int
    after: tuple[Place, ...]
    damage: tuple[float, ...]
    kills: tuple[float, ...]


@dataclass(slots=True)
class Table:
    """Values of a place, by the hits of either fighter first: ``by[0]`` by those of the first."""

    by: tuple[list[Row], list[Row]]


def fits(duel: Duel) -> bool:
    """Say whether a duel is a common one."""
    options, ground = duel.options, ground_of(duel.battlefield)
    return (
        not ground.bystanders
        and options.neutralize_stack is not NeutralizeStack.ADD
        and options.heal_timing is HealTiming.ON_ROLL
        and all(_is_common(duel, one) for one in duel.fighters)
        and max(one.start_hits // rung(duel) for one in duel.fighters) <= MOST_RUNGS
    )


def _is_common(duel: Duel, one: Fighter) -> bool:
    reforges = may_reforge(replace(one, skip=0)) and one.standing.reforge is not ReforgeOrder.NEVER
    trades = one.standing.trade in (TradeOrder.ALWAYS, TradeOrder.IF_LOST_20)
    yields = duel.shadow and one.standing.surrender is YieldOrder.ALWAYS
    trading = ground_of(duel.battlefield).unholy and trades
    return not reforges and not trading and not yields and one.skip <= MISSED


def rung(duel: Duel) -> int:
    """Give the hits of one rung: every Force, Adder and Regain is a multiple of it."""
    step = 10
    for one in duel.fighters:
        step = gcd(step, one.hits, one.start_hits)
        for option in one.warrior.options:
            step = gcd(step, option.force or 0)
    return step


class Ladder:
    """The values of a common duel: how likely the first of the two wins, from every state.

    States with the same hits of one fighter are a line, solved as a whole. Hits come back one turn
    at a time, so if only the other fighter ever regains any, one pass over the lines is exact.
    """

    def __init__(self, duel: Duel, turns: Turns, still: float = STILL) -> None:
        self.duel = duel
        self.turns = turns
        self.step = rung(duel)
        self.tops = tuple(one.start_hits // self.step for one in duel.fighters)
        self.ranks = tuple(tuple(self._ranks(place)) for place in (0, 1))
        self.ways: dict[tuple[int, int, int], tuple[Way, ...]] = {}
        self.waits = 1 + max(one.skip for one in duel.fighters)
        for up in (0, 1):
            for own in set(self.ranks[up]):
                for theirs in set(self.ranks[1 - up]):
                    self.ways[up, own, theirs] = tuple(self._ways(up, own, theirs))
        self.places: list[Place] = [(up, wait) for up in (0, 1) for wait in range(self.waits)]
        self.tables = {place: self._table() for place in self.places}
        regains = [self._regains(place) for place in (0, 1)]
        self.along = 0 if regains[0] > regains[1] else 1  # whose hits differ in a line
        self.across = 1 - self.along
        self.lines: dict[object, Line] = {}
        self.plans: dict[int, list[Plan]] = {}
        self._solve(still, again=all(regains))

    def _regains(self, place: int) -> float:
        """Weigh how often a fighter regains hits."""
        return sum(
            way.kills[0]
            for (up, _, _), ways in self.ways.items()
            for way in ways
            if (way.own if up == place else way.theirs)
        )

    def _ranks(self, place: int) -> Iterator[int]:
        """Tell for every rung how many lost hits matter to what its owner does."""
        one = self.duel.fighters[place]
        for hits in range(self.tops[place] + 1):
            yield matters(replace(one, hits=hits * self.step))

    def _table(self) -> Table:
        one, other = (top + 1 for top in self.tops)
        return Table(([[0.0] * other for _ in range(one)], [[0.0] * one for _ in range(other)]))

    def _ways(self, up: int, own: int, theirs: int) -> Iterator[Way]:
        attacker, defender = self.duel.fighters[up], self.duel.fighters[1 - up]
        attacker = replace(attacker, hits=attacker.start_hits - own)
        defender = replace(defender, hits=defender.start_hits - theirs)
        most = self.tops[1 - up]
        rows: dict[tuple[int, int, bool, bool], Row] = {}
        for effect, chance in self.turns.law(attacker, defender).items():
            key = (
                effect.heals_attacker // self.step,
                effect.heals_defender // self.step,
                effect.stuns_attacker,
                effect.stuns_defender,
            )
            row = rows.setdefault(key, [0.0] * (most + 1))
            row[min(most, effect.damage // self.step)] += chance
        for (back, given, stuns_own, stuns_theirs), row in rows.items():
            if stuns_own or stuns_theirs:
                self.waits = WAITS
            kills = list(row)
            for at in range(most - 1, -1, -1):
                kills[at] += kills[at + 1]
            after = tuple(self._after(up, wait, stuns_own, stuns_theirs) for wait in range(WAITS))
            yield Way(own=back, theirs=given, after=after, damage=tuple(row), kills=tuple(kills))

    def _after(self, up: int, wait: int, stuns_own: bool, stuns_theirs: bool) -> Place:
        """Say who attacks next, and what the other has to miss then."""
        options = self.duel.options
        own = neutralized(options, 0) if stuns_own else 0
        theirs = neutralized(options, wait) if stuns_theirs else wait
        return _pass(1 - up, [own, theirs] if up == 0 else [theirs, own])

    def _solve(self, still: float, *, again: bool) -> None:
        if not again:
            self._passed()
            return
        # One pass is a linear map of the values: its fixed point is sought among combinations of
        # what the last passes have found (Anderson's acceleration).
        before = self._values()
        gaps: list[Row] = []
        news: list[Row] = []
        last: tuple[Row, Row] | None = None
        for _ in range(MOST_PASSES):
            if self._passed() < still:
                break
            new = self._values()
            gap = list(map(sub, new, before))
            if last is not None:
                gaps, news = gaps[1 - MEMORY :], news[1 - MEMORY :]
                gaps.append(list(map(sub, gap, last[0])))
                news.append(list(map(sub, new, last[1])))
            last = (gap, new)
            before = new
            for share, one in zip(_shares(gaps, gap), news, strict=True):
                before = [value - share * more for value, more in zip(before, one, strict=True)]
            self._put(before)

    def _passed(self) -> float:
        return max(self._settle(hits) for hits in range(1, self.tops[self.across] + 1))

    def _values(self) -> Row:
        tables = (self.tables[place].by[self.across] for place in self.places)
        return [value for table in tables for row in table for value in row]

    def _put(self, values: Row) -> None:
        """Take values over; plans hold on to the rows, so these stay the same lists."""
        at = iter(values)
        for place in self.places:
            rows, others = self.tables[place].by[self.across], self.tables[place].by[self.along]
            for row in rows:
                row[:] = islice(at, self.tops[self.along] + 1)
            for other, column in zip(others, zip(*rows, strict=True), strict=True):
                other[:] = column

    def _settle(self, hits: int) -> float:
        """Solve a line, given the others; tell how far its values have moved."""
        rungs = range(self.tops[self.along], 0, -1)
        found = iter(self._line(hits).solved(self._known(hits)))
        moved = 0.0
        tables = [self.tables[place] for place in self.places]
        for at in rungs:
            for table in tables:
                value = next(found)
                row = table.by[self.across][hits]
                moved = max(moved, abs(value - row[at]))
                row[at] = value
                table.by[self.along][at][hits] = value
        return moved

    def _known(self, hits: int) -> Row:
        """Add up what the states of a line gain from ends of the duel, and from other lines."""
        plans = self.plans.get(hits)
        if plans is None:
            rungs = range(self.tops[self.along], 0, -1)
            plans = [self._plan(place, at, hits) for at in rungs for place in self.places]
            self.plans[hits] = plans
        found = []
        for total, terms in plans:
            for chances, row, top, bottom in terms:
                total += sum(map(mul, chances, row[top:bottom:-1]))
            found.append(total)
        return found

    def _plan(self, place: Place, at: int, hits: int) -> Plan:
        """Say what a state wins at once, and which products of rows are added to it."""
        up, wait = place
        along, across = self.along, self.across
        total = 0.0
        terms = []
        if up == along:
            for way in self.ways[up, self.ranks[along][at], self.ranks[across][hits]]:
                most = min(self.tops[across], hits + way.theirs)
                if up == 0:
                    total += way.kills[most]
                row = self.tables[way.after[wait]].by[along][min(self.tops[along], at + way.own)]
                back = most - hits
                terms.append((way.damage[back + 1 : most], row, hits - 1, 0))
                if back:
                    terms.append((way.damage[:back], row, most, hits))
        else:
            for way in self.ways[up, self.ranks[across][hits], self.ranks[along][at]]:
                most = min(self.tops[along], at + way.theirs)
                if up == 0:
                    total += way.kills[most]
                mine = min(self.tops[across], hits + way.own)
                if mine != hits:
                    row = self.tables[way.after[wait]].by[across][mine]
                    terms.append((way.damage, row, most, 0))
        return total, [one for one in terms if any(one[0])]

    def _line(self, hits: int) -> Line:
        """Give the equations of a line among its own states; most lines have the same."""
        top = self.tops[self.across]
        key = (hits == top, self.ranks[self.across][hits])
        line = self.lines.get(key)
        if line is None:
            line = self.lines[key] = Line(self._matrix(hits))
        return line

    def _matrix(self, hits: int) -> list[Row]:
        along, across = self.along, self.across
        top, width = self.tops[along], len(self.places)
        numbers = {place: number for number, place in enumerate(self.places)}
        matrix = []
        for at in range(top, 0, -1):
            for up, wait in self.places:
                row = [0.0] * (top * width)
                row[(top - at) * width + numbers[up, wait]] = 1.0
                ranks = (self.ranks[along][at], self.ranks[across][hits])
                for way in self.ways[(up, *(ranks if up == along else ranks[::-1]))]:
                    then = numbers[way.after[wait]]
                    if up == along:
                        back = min(self.tops[across], hits + way.theirs) - hits
                        mine = min(top, at + way.own)
                        if back < len(way.damage):
                            row[(top - mine) * width + then] -= way.damage[back]
                    elif min(self.tops[across], hits + way.own) == hits:
                        most = min(top, at + way.theirs)
                        for lost in range(most):
                            row[(top - most + lost) * width + then] -= way.damage[lost]
                matrix.append(row)
        return matrix

    def wins(self, first: int) -> float:
        """Give the chance that the first of the two wins, when one of them begins."""
        fighters = self.duel.fighters
        up, wait = _pass(first, [one.skip for one in fighters])
        one, other = (fighter.hits // self.step for fighter in fighters)
        return self.tables[up, wait].by[0][one][other]


class Line:
    """Equations solved by elimination, the highest hits first: that fills in next to nothing."""

    def __init__(self, matrix: list[Row]) -> None:
        size = len(matrix)
        self.takes: list[tuple[int, int, float]] = []
        for column in range(size):
            top = matrix[column]
            if abs(top[column]) < SINGULAR:  # nothing ever leaves these states
                top[column] = 1.0
            for place in range(column + 1, size):
                row = matrix[place]
                if row[column]:
                    times = row[column] / top[column]
                    self.takes.append((place, column, times))
                    row[column:] = [
                        one - times * up for one, up in zip(row[column:], top[column:], strict=True)
                    ]
        self.rows = [(row[:place:-1], 1 / row[place]) for place, row in enumerate(matrix)][::-1]

    def solved(self, known: Row) -> Row:
        """Solve for known terms; the answers stand in their order."""
        for place, column, times in self.takes:
            known[place] -= times * known[column]
        found: Row = []
        for (row, share), value in zip(self.rows, reversed(known), strict=True):
            found.append((value - sum(map(mul, row, found))) * share)
        return found[::-1]


def _pass(up: int, skips: list[int]) -> Place:
    while skips[up]:
        skips[up] -= 1
        up = 1 - up
    return up, skips[1 - up]


def _shares(gaps: Sequence[Row], gap: Row) -> Row:
    """Combine earlier changes of the gap so that they cancel the present one as far as they can."""
    if not gaps:
        return []
    scale = sum(map(mul, gaps[-1], gaps[-1])) or 1.0
    products = [[sum(map(mul, one, other)) / scale for other in gaps] for one in gaps]
    for at, row in enumerate(products):
        row[at] *= 1 + RIDGE
    wanted = [sum(map(mul, one, gap)) / scale for one in gaps]
    return [sum(map(mul, row, wanted)) for row in inverted(products)]
