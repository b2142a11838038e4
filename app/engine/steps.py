"""Staircase tables: a value holds from its threshold up to the next one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, init=False)
class Steps:
    """Rows of (threshold, value), ascending: 0 below the first, the last one for ever (AMB-85)."""

    rows: tuple[tuple[int, int], ...]

    def __init__(self, *rows: tuple[int, int]) -> None:
        thresholds = [threshold for threshold, _ in rows]
        if not rows or thresholds != sorted(set(thresholds)):
            raise ValueError("a staircase climbs")
        object.__setattr__(self, "rows", rows)

    def at(self, count: int) -> int:
        """Give the value of the last row whose threshold is not above ``count``, else 0."""
        value = 0
        for threshold, step in self.rows:
            if threshold > count:
                break
            value = step
        return value
