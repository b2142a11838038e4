"""A combatant as it comes into a scene: its sheet, and how it stands when it does."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from app.engine.text import Between, Count, Id, Length, Metres, Name, Points
from app.rulesets.guida.sheet import Sheet, Turns
from app.rulesets.guida.terms import Bind, Stack, Stat


@dataclass(frozen=True, slots=True, kw_only=True)
class StackCount:
    """How many stacks of one condition."""

    stack: Stack
    count: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """One constraint that a combatant comes into a scene with: whose it is, and what it does.

    ``stacked``: its stacks are among the entrant's, and it ends with them (GC-11.20).
    """

    user: Id
    name: Name
    binds: Annotated[tuple[Bind, ...], Length(0, 6)] = ()
    max_range_m: Metres | None = None
    stacked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """How a combatant is bound when a scene is taken up: the one value, and by what (GC-8.3)."""

    value: Annotated[Fraction, Between(0, 9999)]
    by: Annotated[tuple[Held, ...], Length(1, 6)]
    loosening: Annotated[int, Between(0, 200)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Uses:
    """How often a technique was used so far, for a scene taken up in mid-fight (GC-4.31)."""

    tool: Id
    count: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsNow:
    """Bonus points on a stat that last already when a scene is taken up (GC-1.3).

    ``turns`` are those of the bearer for which they go on; without, they last for the scene.
    """

    stat: Stat
    points: Points
    name: Name
    turns: Turns | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A combatant as it comes into a scene: at its start, in mid-fight, or while it goes on.

    ``master`` is whose subordinate it is (GC-2.19), ``npc`` that the Master plays it.
    """

    id: Id
    team: Id
    sheet: Sheet
    hp: Points | None = None
    ep: Count | None = None
    stacks: Annotated[tuple[StackCount, ...], Length(0, 10)] = ()
    uses: Annotated[tuple[Uses, ...], Length(0, 60)] = ()
    points: Annotated[tuple[PointsNow, ...], Length(0, 20)] = ()
    armour_down: bool = False
    bound: Bound | None = None
    master: Id | None = None
    npc: bool = False
