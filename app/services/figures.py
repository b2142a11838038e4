"""What the author of a turn wrote down themselves, held against what was computed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from app.engine.findings import Finding

FIGURES: Final = ("hp", "ep")
"""What an order may state in its ``figures``, in the words of the finding ``vitals``."""


@dataclass(frozen=True, slots=True)
class OwnFigure:
    """One vital of a turn: what the player wrote, what was computed."""

    word: str
    claimed: int
    computed: int


def figures_of(order: Any, findings: Iterable[Finding]) -> tuple[OwnFigure, ...]:
    """Hold the figures of an order against the vitals that it led to; none where it has none."""
    written = getattr(order, "figures", None)
    vitals = next((found.facts for found in findings if found.key == "vitals"), None)
    if written is None or vitals is None:
        return ()
    return tuple(OwnFigure(word, getattr(written, word), whole(vitals[word])) for word in FIGURES)


def whole(fact: object) -> int:
    """Read a fact that is a whole number."""
    if isinstance(fact, Fraction) and fact.denominator == 1:
        return int(fact)
    return fact if isinstance(fact, int) else 0


def differs(order: Any, findings: Iterable[Finding]) -> bool:
    """Say whether anything that was written is not what was computed."""
    return any(one.claimed != one.computed for one in figures_of(order, findings))
