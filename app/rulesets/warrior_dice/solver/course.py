"""A duel turn by turn up to its cap: where it stands after each, by its moves alone (AMB-WD-26)."""

from __future__ import annotations

from dataclasses import dataclass

from app.rulesets.warrior_dice.solver.graph import Graph, Node


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
    """Let a duel run from where it stands to its cap."""
    turns = max(1, graph.duel.options.turn_cap - graph.duel.turn)
    waiting: list[dict[int, float]] = [{} for _ in range(turns)]
    ends = [0.0] * (turns + 1)
    wins = [0.0, 0.0]
    broken_off = capped = 0.0

    def leave(node: Node, mass: float, turn: int) -> float:
        """Pass a mass on to the states that a node leads to; give what the cap stops."""
        stopped = 0.0
        for chance, to, taken in node.moves:
            if turn + taken < turns:
                ahead = waiting[turn + taken]
                ahead[to] = ahead.get(to, 0.0) + mass * chance
            else:
                stopped += mass * chance
        return stopped

    def draw(node: Node, mass: float, turn: int) -> tuple[float, float]:
        """Let bystanders come by; what they would end after the cap, the cap has ended."""
        seen = late = 0.0
        for taken, chance in node.draws.items():
            if turn + taken <= turns:
                ends[turn + taken] += mass * chance
                seen += mass * chance
            else:
                late += mass * chance
        return seen, late

    capped += leave(graph.start, 1.0, 0)
    seen, late = draw(graph.start, 1.0, 0)
    broken_off, capped = broken_off + seen, capped + late
    for turn, masses in enumerate(waiting):
        for number, mass in masses.items():
            node = graph.nodes[number]
            for place in (0, 1):
                if node.wins[place]:
                    wins[place] += mass * node.wins[place]
                    ends[turn + 1] += mass * node.wins[place]
            if node.draws:
                seen, late = draw(node, mass, turn)
                broken_off, capped = broken_off + seen, capped + late
            capped += leave(node, mass, turn)
        masses.clear()
    ends[turns] += capped
    return Course(
        wins=(wins[0], wins[1]), broken_off=broken_off, capped=capped, ends=tuple(ends)
    )
