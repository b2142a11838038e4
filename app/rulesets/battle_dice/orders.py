"""What can be decided in a battle: an army, a turn's orders, a choice, and how to end it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, TypeAlias

from app.engine.text import Between, Id, Length, Name, Reason
from app.rulesets.battle_dice.terms import Hero, Kind, Manoeuvre, Power, Step

Some: TypeAlias = Annotated[int, Between(0, 100)]
Face: TypeAlias = Annotated[int, Between(1, 20)]
Kinds: TypeAlias = Annotated[tuple[Kind, ...], Length(0, 6)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many dice there are of each kind."""

    d4: Some = 0
    d6: Some = 0
    d8: Some = 0
    d10: Some = 0
    d12: Some = 0
    d20: Some = 0

    def of(self, kind: Kind) -> int:
        """Give the number of one kind."""
        number: int = getattr(self, kind)
        return number

    @property
    def total(self) -> int:
        """Add up the kinds."""
        return sum(self.of(kind) for kind in Kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomRow:
    """One row of a hero table of the players' own; its amount, where it has one, is 1D3."""

    low: Face
    high: Face
    name: Name
    power: Power


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomTable:
    """A hero table of the players' own (AMB-BD-24)."""

    name: Name
    die: Kind = Kind.D6
    rows: Annotated[tuple[CustomRow, ...], Length(1, 20)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Army:
    """An army list: dice of each kind, and the one type of all its heroes (BD-10)."""

    units: Counts
    heroes: Annotated[tuple[Hero, ...], Length(0, 14)] = ()
    custom: CustomTable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Orders for whatever may have to be chosen in a turn (BD-A1).

    What is left open follows the standing orders, and then the default orders; so do the kinds
    that a list leaves out.
    """

    casualties: Kinds = ()
    spare_pending: bool | None = None
    target: Kinds = ()
    control: Kinds = ()
    set_to_one: Kinds = ()
    restore: Kinds = ()
    summon: Kind | None = None
    free_choice: Manoeuvre | None = None
    initiative_step: Step | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A player's orders of a turn, sealed until both are in; ``keep`` makes them stand."""

    kind: ClassVar[str] = "turn"
    by: Id = ""
    policy: Policy = Policy()
    keep: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Muster:
    """A player's army, secret until both are in."""

    kind: ClassVar[str] = "muster"
    by: Id = ""
    army: Army


@dataclass(frozen=True, slots=True, kw_only=True)
class Choose:
    """An answer to what is asked in the middle of a turn: picks, each by its id (AMB-BD-23)."""

    kind: ClassVar[str] = "choose"
    by: Id = ""
    decision: Id
    picks: Annotated[tuple[Id, ...], Length(0, 200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """Standing orders for the turns to come."""

    kind: ClassVar[str] = "stand"
    by: Id = ""
    policy: Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Concede:
    """Give the battle up (BD-A4)."""

    kind: ClassVar[str] = "concede"
    by: Id = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """Offer a draw, or accept the one that is offered (BD-A4)."""

    kind: ClassVar[str] = "draw"
    by: Id = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadline:
    """Nobody waits any longer: who is awaited plays the standing or default orders (BD-A3)."""

    kind: ClassVar[str] = "deadline"
    by: Id = ""
    reason: Annotated[str, Length(0, 500, lines=True)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseBattle:
    """Let the Master end a battle that nobody plays on; nobody wins."""

    kind: ClassVar[str] = "close"
    by: Id = ""
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTroop:
    """The Master sets how many dice a side, the ``combatant``, has left of a kind but heroes."""

    kind: ClassVar[str] = "set_value"
    by: Id = ""
    combatant: Id
    change: Kind
    value: Some
    reason: Reason


Order: TypeAlias = (
    Turn | Muster | Choose | Stand | Concede | Draw | Deadline | CloseBattle | SetTroop
)
ORDERS: tuple[type, ...] = (
    *(Turn, Muster, Choose, Stand, Concede, Draw),
    *(Deadline, CloseBattle, SetTroop),
)
