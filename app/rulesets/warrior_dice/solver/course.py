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


class Clock:
    """What has ended by when, and what still waits for a turn to come."""

    def __init__(self, graph: Graph, turns: int) -> None:
        longest = max(move.turns for node in (graph.start, *graph.nodes) for move in node.moves)
        self.turns = turns
        self.wins = [0.0, 0.0]
        self.broken_off = 0.0
        self.ends = [0.0] * (turns + 1)
        self.ahead = deque([0.0] * len(graph.nodes) for _ in range(longest + 2))

    @property
    def open(self) -> float:
        """Give what has not ended."""
        return max(0.0, 1.0 - sum(self.wins) - self.broken_off)

    def leave(self, moves: Iterable[Move], mass: float, turn: int) -> None:
        """Pass a mass on; what the cap stops on its way is left behind."""
        for chance, to, taken in moves:
            if turn + taken < self.turns:
                self.ahead[taken][to] += mass * chance

    def end(self, node: Node, mass: float, turn: int) -> None:
        """Let a share of a mass win, and another be broken off (WD-72)."""
        for place in (0, 1):
            won = mass * node.wins[place]
            self.wins[place] += won
            self.ends[min(turn + 1, self.turns)] += won
        for taken, chance in node.draws.items():
            if turn + taken <= self.turns:  # what comes later, the cap has ended
                self.ends[turn + taken] += mass * chance
                self.broken_off += mass * chance

    def next(self) -> list[float]:
        """Give what stands at the beginning of the next turn."""
        masses = self.ahead[0]
        self.ahead.rotate(-1)
        self.ahead[-1] = [0.0] * len(masses)
        return masses


def run(graph: Graph) -> Course:
    """Let a duel run from where it stands to its cap.

    Once less than ``UNSEEN`` goes on, it is not followed any further; it counts as capped.
    """
    turns = max(1, graph.duel.options.turn_cap - graph.duel.turn)
    clock = Clock(graph, turns)
    quick = [
        [(chance, to) for chance, to, taken in node.moves if taken == 1] for node in graph.nodes
    ]
    slow = [
        [move._replace(turns=move.turns - 1) for move in node.moves if move.turns != 1]
        for node in graph.nodes  # counted from the end of the turn that is being played
    ]
    ending = [any(node.wins) or bool(node.draws) for node in graph.nodes]
    clock.leave(graph.start.moves, 1.0, 0)
    clock.end(graph.start, 1.0, 0)
    for turn in range(turns):
        masses = clock.next()  # what is ahead of it now lies in the first place
        after = clock.ahead[0] if turn + 1 < turns else [0.0] * len(masses)
        for number, mass in enumerate(masses):
            if not mass:
                continue
            if ending[number]:
                clock.end(graph.nodes[number], mass, turn)
            for chance, to in quick[number]:
                after[to] += mass * chance
            if slow[number]:
                clock.leave(slow[number], mass, turn + 1)
        if clock.open < UNSEEN:
            break
    capped = clock.open
    clock.ends[turns] += capped
    wins = (clock.wins[0], clock.wins[1])
    return Course(wins=wins, broken_off=clock.broken_off, capped=capped, ends=tuple(clock.ends))
