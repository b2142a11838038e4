"""A place in a bare text where something was found, with what it says."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.findings import Facts
from app.posts.traced import Line


@dataclass(frozen=True, slots=True)
class Spot:
    """Something found in a bare text, from where to where; the facts of it by name."""

    kind: str
    start: int
    end: int
    facts: Facts


def spot_in(kind: str, line: Line, span: tuple[int, int], facts: Facts) -> Spot:
    """Make the spot of a part of a line."""
    return Spot(kind, line.at + span[0], line.at + span[1], facts)
