"""Time two things in one run, in turns, and tell their ratio: absolute times mean little."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

ROUNDS = 7


@dataclass(frozen=True)
class Row:
    """What was measured against what, in seconds (medians), and the goal for the ratio."""

    name: str
    ours: float
    other: float
    goal: str

    def __str__(self) -> str:
        ratio = self.ours / self.other
        return (
            f"{self.name}: {self.ours * 1e3:.3f} ms / {self.other * 1e3:.3f} ms "
            f"= {ratio:.3f} (goal {self.goal})"
        )


def compare(name: str, ours: Callable[[], object], other: Callable[[], object], goal: str) -> Row:
    """Time both sides in rotating order, a round at a time, and take the medians."""
    ours(), other()  # warm up
    sides = {"ours": ours, "other": other}
    times: dict[str, list[float]] = {"ours": [], "other": []}
    for turn in range(ROUNDS):
        order = list(sides) if turn % 2 == 0 else list(reversed(sides))
        for side in order:
            start = time.perf_counter()
            sides[side]()
            times[side].append(time.perf_counter() - start)
    return Row(name, statistics.median(times["ours"]), statistics.median(times["other"]), goal)
