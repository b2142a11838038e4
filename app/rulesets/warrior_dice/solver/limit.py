"""A duel without a turn cap: an absorbing Markov chain, solved block by block.

A block holds the states with the same hits, reforged blades and trades. Without Regain a duel never
comes back to a block that it has left, so one pass from the lowest hits up is exact. With Regain
the passes are repeated until nothing moves any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from app.rulesets.warrior_dice.solver.graph import Graph, State

STILL: Final = 1e-15
MOST_PASSES: Final = 20_000
SINGULAR: Final = 1e-13
LEAK: Final = 1e-9  # what never leaves a block gains nothing there, whatever little leaks out


@dataclass(frozen=True, slots=True)
class Block:
    """States that lead to each other directly, what each leads to besides, and the inverse."""

    numbers: tuple[int, ...]
    outer: tuple[tuple[tuple[float, int], ...], ...]
    inverse: tuple[tuple[float, ...], ...]


class Limit:
    """The blocks of a graph, ready to be solved for any gain."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.blocks = tuple(_blocks(graph))
        seen: set[int] = set()
        self.returns = False
        for block in self.blocks:
            seen.update(block.numbers)
            outer = {to for row in block.outer for _, to in row}
            self.returns = self.returns or not outer <= seen

    def expected(self, gains: Sequence[float]) -> list[float]:
        """Give for every state the gains that are expected from there on."""
        values = [0.0] * len(gains)
        for _ in range(MOST_PASSES):
            if self._passes(values, gains) < STILL or not self.returns:
                break
        return values

    def _passes(self, values: list[float], gains: Sequence[float]) -> float:
        moved = 0.0
        for block in self.blocks:
            known = []
            for number, row in zip(block.numbers, block.outer, strict=True):
                total = gains[number]
                for chance, to in row:
                    total += chance * values[to]
                known.append(total)
            for number, row_of in zip(block.numbers, block.inverse, strict=True):
                value = sum(map(float.__mul__, row_of, known))
                moved = max(moved, abs(value - values[number]))
                values[number] = value
        return moved

    def wins(self, place: int) -> float:
        """Give the chance that a fighter wins from the beginning."""
        values = self.expected([node.wins[place] for node in self.graph.nodes])
        return sum(move.chance * values[move.to] for move in self.graph.start.moves)


def _blocks(graph: Graph) -> Iterator[Block]:
    order = sorted(range(len(graph.states)), key=lambda number: _place(graph.states[number]))
    for _, found in groupby(order, key=lambda number: _place(graph.states[number])):
        numbers = tuple(found)
        places = {number: place for place, number in enumerate(numbers)}
        outer = []
        matrix = []
        for number in numbers:
            row = [0.0] * len(numbers)
            row[places[number]] = 1.0
            ways: dict[int, float] = {}
            for move in graph.nodes[number].moves:
                if move.to in places:
                    row[places[move.to]] -= move.chance
                else:
                    ways[move.to] = ways.get(move.to, 0.0) + move.chance
            matrix.append(row)
            outer.append(tuple((chance, to) for to, chance in ways.items()))
        yield Block(numbers, tuple(outer), inverted(matrix))


def _place(state: State) -> tuple[int, int, int, bool, bool, bool, bool]:
    one, other = state.stands
    flags = (one.reforged, one.traded, other.reforged, other.traded)
    return (-sum(flags), one.hits + other.hits, one.hits, *flags)


def inverted(matrix: list[list[float]]) -> tuple[tuple[float, ...], ...]:
    """Invert a matrix; one of states that never leave their block as if a little leaked out."""
    size = len(matrix)
    if size == 1:
        only = matrix[0][0]
        return ((1 / only if only > SINGULAR else 0.0,),)
    rows = [row + [float(at == place) for at in range(size)] for place, row in enumerate(matrix)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda place: abs(rows[place][column]))
        if abs(rows[pivot][column]) < SINGULAR:
            leaking = [
                [one + LEAK * (at == place) for at, one in enumerate(row)]
                for place, row in enumerate(matrix)
            ]
            return inverted(leaking)
        rows[column], rows[pivot] = rows[pivot], rows[column]
        top = rows[column]
        factor = 1 / top[column]
        top = rows[column] = [one * factor for one in top]
        for place, row in enumerate(rows):
            if place != column and row[column]:
                times = row[column]
                rows[place] = [one - times * up for one, up in zip(row, top, strict=True)]
    return tuple(tuple(row[size:]) for row in rows)
