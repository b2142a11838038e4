"""Dice are asked for by address, so that dropping one die never moves another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """Where a die stands: its place in the plan of the order, and its index there."""

    place: int
    index: int = 0


@dataclass(frozen=True, slots=True)
class Tagged:
    """A modifier that was thrown with a die, and the other one that the die's label lists."""

    declared: Fraction
    listed: Fraction


@dataclass(frozen=True, slots=True)
class Roll:
    """One die as it fell: ``1 <= face <= sides``; ``tagged`` where another modifier was thrown."""

    address: Address
    sides: int
    face: int
    tagged: Tagged | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.face <= self.sides:
            raise ValueError(f"a die of {self.sides} cannot show {self.face}")


class Dice(Protocol):
    """Whatever can say which face the die at an address shows."""

    def face(self, address: Address, sides: int) -> int:
        """Give the natural face, 1 to ``sides``, of the die at ``address``."""

    def tags(self) -> Mapping[Address, Tagged]:
        """Give the dice that were thrown with another modifier than their label lists."""


class DiceError(Exception):
    """A rule asked for a die that is not there, or of another size: a defect, never an input."""


class MissingDie(DiceError):
    """A die that is asked for is not on record: it never fell, or in another size."""


@dataclass(slots=True)
class ScriptedDice:
    """Dice a test wrote down beforehand; each must be asked for, in its own size."""

    rolls: Mapping[Address, Roll]
    used: set[Address] = field(default_factory=set)

    @classmethod
    def of(cls, *faces: tuple[int, int, int]) -> ScriptedDice:
        """Script dice as (place, sides, face)."""
        rolls = [Roll(Address(place), sides, face) for place, sides, face in faces]
        return cls({roll.address: roll for roll in rolls})

    def face(self, address: Address, sides: int) -> int:
        """Give the scripted face; raise DiceError for a die that was not scripted in this size."""
        roll = self.rolls.get(address)
        if roll is None or roll.sides != sides:
            raise DiceError(f"no die of {sides} is scripted at {address}")
        self.used.add(address)
        return roll.face

    def tags(self) -> Mapping[Address, Tagged]:
        """Give the scripted dice that were thrown with another modifier than they should."""
        return _tags(self.rolls.values())

    def leftovers(self) -> tuple[Roll, ...]:
        """List the dice nobody asked for; a test that leaves any has not proved its scene."""
        return tuple(roll for address, roll in self.rolls.items() if address not in self.used)


@dataclass(frozen=True, slots=True)
class RecordedDice:
    """Dice that fell before: on record, also those of actions that were never carried out."""

    rolls: tuple[Roll, ...]
    _faces: dict[tuple[Address, int], int] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Index the dice: a post of a game that draws may have thousands."""
        for roll in self.rolls:
            self._faces.setdefault((roll.address, roll.sides), roll.face)

    def face(self, address: Address, sides: int) -> int:
        """Give the recorded face; raise MissingDie where nothing of this size was recorded."""
        face = self._faces.get((address, sides))
        if face is not None:
            return face
        raise MissingDie(f"no die of {sides} is on record at {address}")

    def tags(self) -> Mapping[Address, Tagged]:
        """Give the recorded dice that were thrown with another modifier than they should."""
        return _tags(self.rolls)


@dataclass(slots=True)
class DrawnDice:
    """Dice that fall as the rules ask for them, and are noted in that order.

    ``begin`` is asked for what throws them when the first one falls, and never where none does.
    """

    begin: Callable[[], Dice]
    rolls: list[Roll] = field(default_factory=list)
    _dice: Dice | None = None
    _fallen: set[Address] = field(default_factory=set)

    def face(self, address: Address, sides: int) -> int:
        """Throw the die at ``address``; raise DiceError where it has fallen already."""
        if address in self._fallen:
            raise DiceError(f"the die at {address} has fallen already")
        self._fallen.add(address)
        if self._dice is None:
            self._dice = self.begin()
        face = self._dice.face(address, sides)
        self.rolls.append(Roll(address, sides, face))
        return face

    def tags(self) -> Mapping[Address, Tagged]:
        """Say that no die was thrown with another modifier than its label lists."""
        return {}


@dataclass(frozen=True, slots=True)
class ChanceDice:
    """Dice of a source of chance: ``randbelow(n)`` gives a number from 0, below n."""

    randbelow: Callable[[int], int]

    def face(self, _address: Address, sides: int) -> int:
        """Throw a die."""
        return 1 + self.randbelow(sides)

    def tags(self) -> Mapping[Address, Tagged]:
        """Say that no die was thrown with another modifier than its label lists."""
        return {}


def draw(asked: Iterable[tuple[Address, int]], randbelow: Callable[[int], int]) -> RecordedDice:
    """Throw every die of a plan at once; ``randbelow(n)`` is the caller's source of chance."""
    return RecordedDice(tuple(Roll(at, sides, 1 + randbelow(sides)) for at, sides in asked))


def _tags(rolls: Iterable[Roll]) -> Mapping[Address, Tagged]:
    return {roll.address: roll.tagged for roll in rolls if roll.tagged is not None}
