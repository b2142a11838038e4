"""A fighter in a scene: vitals as last posted, what changed since, what acts on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from app.engine.tally import Tally
from app.rulesets.guida.entrants import StackCount
from app.rulesets.guida.readings import (
    Overlap,
)
from app.rulesets.guida.sheet import Effect, Sheet
from app.rulesets.guida.terms import (
    Bind,
    Change,
    Stack,
    Standing,
    Stat,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a register, from the moment it arises to the post that records it.

    ``amount`` is signed as it changes the value. A line with a ``poster`` waits until that
    combatant has published its calculation (GC-6.8); ``posted`` says that this is done.
    ``by_hand`` tells who wrote it, where no rule did; ``proposal`` is the name a player's own
    line waits under for the Master.
    """

    id: int
    change: Change
    amount: int
    rule: str
    key: str
    name: str = ""
    stat: Stat | None = None
    stack: Stack | None = None
    subject: str = ""
    figure: Fraction | None = None
    poster: str | None = None
    posted: bool = True
    working: Tally | None = None
    attack: str | None = None
    reason: str = ""
    by_hand: str = ""
    proposal: str = ""
    confirmed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """An effect on its bearer, from one of the bearer's turns to another (both included)."""

    effect: Effect
    name: str
    tool: str
    user: str
    since: int
    until: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lot:
    """Stacks that were applied together; they act in the bearer's turns ``since`` to ``until``.

    ``half``: of the last of these turns only up to the end of the Defensive Phase (AMB-82).
    ``condition`` names the constraint that Type-4 stacks belong to (GC-14.23).
    """

    stack: Stack
    count: int
    since: int
    until: int | None
    half: bool = False
    condition: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bond:
    """One constraint on its bearer: who put it there, and what it does from turn ``since`` on.

    ``stacked`` says that stacks belong to it, and that it ends with them (GC-11.20).
    """

    id: str
    user: str
    name: str
    binds: tuple[Bind, ...]
    max_range_m: int | None
    since: int
    stacked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Spared:
    """What the Master ruled about a technique of a bound combatant (GC-14.21)."""

    tool: str
    allowed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UseCount:
    """How often a technique was carried out, against whom."""

    tool: str
    opponent: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Concealed:
    """A camouflage or masking in force: its value, and the turn of its user that ends it (GC-9.11).

    ``die`` is None where one falls for every attempt to find its user (AMB-68).
    """

    name: str
    tool: str
    die: int | None
    score: Tally
    until: int | None

    @property
    def value(self) -> Fraction:
        """Add the natural die, if one was kept, to the bonus."""
        return (self.die or 0) + self.score.total


@dataclass(frozen=True, slots=True, kw_only=True)
class Combatant:
    """One fighter: sheet, vitals as last posted, and what changed since.

    ``slow`` counts the turns that fire and frost have spent in their slow band (AMB-88).
    ``bond_value`` is the one value of all its ``bonds`` (GC-8.3), ``loosening`` what attempts to
    break them have won, ``freed_turn`` the turn of the last one; ``overlap`` says how their
    effects add up (AMB-62), ``spared`` what the Master ruled about its techniques (GC-14.21).
    ``master`` is whose subordinate it is (GC-2.19), ``npc`` that the Master plays it.
    """

    id: str
    team: str
    sheet: Sheet
    hp: int
    ep: int
    turn: int = 0
    lines: tuple[Line, ...] = ()
    effects: tuple[Running, ...] = ()
    lots: tuple[Lot, ...] = ()
    slow: tuple[StackCount, ...] = ()
    uses: tuple[UseCount, ...] = ()
    armour_down: bool = False
    prepared: int | None = None
    bonds: tuple[Bond, ...] = ()
    bond_value: Tally | None = None
    loosening: int = 0
    freed_turn: int | None = None
    overlap: Overlap | None = None
    spared: tuple[Spared, ...] = ()
    camouflage: Concealed | None = None
    masking: Concealed | None = None
    standing: Standing = Standing.ACTIVE
    master: str | None = None
    npc: bool = False

    @property
    def active(self) -> bool:
        """Say whether it still takes part."""
        return self.standing is Standing.ACTIVE

    def due(self, change: Change) -> int:
        """Add up what changed and is not recorded yet, unconfirmed lines left out."""
        return sum(line.amount for line in self.lines if line.change is change and line.confirmed)

    @property
    def hp_now(self) -> int:
        """Give the hit points with everything due counted in."""
        return self.hp + self.due(Change.HP)

    @property
    def ep_now(self) -> int:
        """Give the energy that can still be spent."""
        return self.ep + self.due(Change.EP)

    def uses_of(self, tool: str, opponent: str | None = None) -> int:
        """Count the uses of a technique, in the whole scene or against one opponent (AMB-32)."""
        return sum(
            use.count for use in self.uses if use.tool == tool and opponent in (None, use.opponent)
        )

    def used(self, tool: str, opponent: str) -> Combatant:
        """Count one more use."""
        old = [use for use in self.uses if (use.tool, use.opponent) == (tool, opponent)]
        count = 1 + sum(use.count for use in old)
        rest = tuple(use for use in self.uses if use not in old)
        return replace(self, uses=(*rest, UseCount(tool=tool, opponent=opponent, count=count)))
