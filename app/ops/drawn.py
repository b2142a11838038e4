"""Dice that a case lists in the order in which they are drawn, wherever their addresses are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from app.engine.dice import Address, DiceError, Tagged
from app.ops.given import CaseError, Given

_DIE: Final = re.compile(r"d([0-9]{1,3})", re.ASCII)


@dataclass(slots=True)
class QueueDice:
    """A queue of dice; a die of another size, a missing one and one left over are faults.

    ``decision`` begins a decision: within one, no address may be asked for twice.
    """

    queue: list[tuple[int, int]]
    drawn: int = 0
    _seen: set[Address] = field(default_factory=set)

    @classmethod
    def read(cls, given: Given, key: str = "dice") -> QueueDice:
        """Read a list of ``["d10", face]``; an absent one is empty."""
        return cls([_die(f"{key}.{place}", one) for place, one in enumerate(given.items(key))])

    def decision(self) -> QueueDice:
        """Begin another decision, whose addresses are its own."""
        self._seen.clear()
        return self

    def face(self, address: Address, sides: int) -> int:
        """Give the next face; raise DiceError where it is of another size, or there is none."""
        if address in self._seen:
            raise DiceError(f"the die at {address} is asked for twice")
        self._seen.add(address)
        if self.drawn == len(self.queue):
            raise DiceError(f"a d{sides} is missing after {self.drawn} dice")
        listed, face = self.queue[self.drawn]
        if listed != sides:
            raise DiceError(f"die {self.drawn + 1} is a d{listed}, but a d{sides} is drawn")
        self.drawn += 1
        return face

    def tags(self) -> Mapping[Address, Tagged]:
        """Say that these dice carry no modifiers."""
        return {}

    def finish(self) -> None:
        """Raise DiceError if dice are left over."""
        if left := len(self.queue) - self.drawn:
            raise DiceError(f"{left} of {len(self.queue)} dice are left over")


def _die(at: str, value: object) -> tuple[int, int]:
    match value:
        case [str(name), int(face)] if (die := _DIE.fullmatch(name)) and not isinstance(face, bool):
            if 1 <= face <= (sides := int(die[1])):
                return sides, face
    raise CaseError(f'given.{at}: {value!r} is not a die such as ["d10", 7]')
