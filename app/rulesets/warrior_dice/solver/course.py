"""A duel turn by turn up to its cap: where it stands after each, by its moves alone (AMB-WD-26)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.rulesets.warrior_dice.solver.graph import Graph, Move, Node

UNSEEN: Final = 1e-14


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """How a duel ends: who wins, the draws by bystanders and by the cap, and when.

    ``ends`` tells for every turn how likely the duel ends with it; one at the cap ends with it.
    """

    wins: tuple[float, float]
    broken_off: float
    capped: float
    ends: tuple[float, ...]

    @property
    def length(self) -> float:
        """Give the expected number of turns."""
        return sum(turn * chance for turn, chance in enumerate(self.ends))

    def within(self, share: float) -> int:
        """Give the number of turns within which so large a share of duels has ended."""
        passed = 0.0
        for turn, chance in enumerate(self.ends):
            passed += chance
            if passed >= share:
                return turn
        return len(self.ends) - 1


def run(graph: Graph) -> Course:
    """Let a duel run from where it stands to its cap.

    What is less likely than ``UNSEEN`` to go on so long is not followed; it counts as capped.
    """
    turns = max(1, graph.duel.options.turn_cap - graph.duel.turn)
    longest = max(move.turns for node in (graph.start, *graph.nodes) for move in node.moves)
    ways = [
        [(chance, to) for chance, to, taken in node.moves if taken == 1] for node in graph.nodes
    ]
    slow = [[move for move in node.moves if move.turns != 1] for node in graph.nodes]
    ahead = deque([0.0] * len(graph.nodes) for _ in range(longest + 1))
    ends = [0.0] * (turns + 1)
    wins = [0.0, 0.0]
    broken_off = 0.0

    def move(moves: Iterable[Move], mass: float, turn: int) -> None:
        for chance, to, taken in moves:
            if turn + taken < turns:
                ahead[taken][to] += mass * chance

    def draw(node: Node, mass: float, turn: int) -> float:
        seen = 0.0
        for taken, chance in node.draws.items():
            if turn + taken <= turns:  # what comes later, the cap has ended
                ends[turn + taken] += mass * chance
                seen += mass * chance
        return seen

    move(graph.start.moves, 1.0, 0)
    broken_off += draw(graph.start, 1.0, 0)
    for turn in range(turns):
        masses = ahead[0]
        after = ahead[1] if turn + 1 < turns else [0.0] * len(masses)
        for number, mass in enumerate(masses):
            if not mass:
                continue
            node = graph.nodes[number]
            for place in (0, 1):
                if node.wins[place]:
                    wins[place] += mass * node.wins[place]
                    ends[turn + 1] += mass * node.wins[place]
            if node.draws:
                broken_off += draw(node, mass, turn)
            for chance, to in ways[number]:
                after[to] += mass * chance
            if slow[number]:
                move(slow[number], mass, turn)
        ahead.rotate(-1)
        ahead[-1] = [0.0] * len(masses)
        if 1.0 - sum(wins) - broken_off < UNSEEN:
            break
    capped = max(0.0, 1.0 - sum(wins) - broken_off)
    ends[turns] += capped
    return Course(wins=(wins[0], wins[1]), broken_off=broken_off, capped=capped, ends=tuple(ends))
