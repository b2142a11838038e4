"""Where combatants stand: distances in pairs, places behind somebody, who sees whom (GC-4.8)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from app.engine.text import Between, Id, Length, Metres


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The metres between the mover and one other combatant once the move is made."""

    to: Id
    metres: Metres


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A change of place: it names each distance it changes, and whom one ends up behind."""

    distances: Annotated[tuple[Reach, ...], Length(1, 20)]
    behind: Annotated[tuple[Id, ...], Length(0, 20)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """The metres between two combatants, whichever is named first."""

    a: Id
    b: Id
    metres: Annotated[Fraction, Between(0, 99999)]

    def joins(self, one: str, other: str) -> bool:
        """Say whether this is the distance between these two."""
        return {self.a, self.b} == {one, other}


@dataclass(frozen=True, slots=True, kw_only=True)
class Behind:
    """``who`` stands behind ``whom`` (GC-4.30)."""

    who: Id
    whom: Id


@dataclass(frozen=True, slots=True, kw_only=True)
class Unseen:
    """``who`` is hidden from ``observer`` (GC-9.1)."""

    who: Id
    observer: Id
