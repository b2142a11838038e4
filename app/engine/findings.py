"""What the rules have to say: findings, and the two kinds of "no" that they know."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from app.engine.dice import Address
from app.engine.tally import Tally

Fact: TypeAlias = str | int | bool | Fraction | Tally | tuple[str, ...] | None
Facts: TypeAlias = Mapping[str, Fact]


class Later(Mapping[str, Fact]):
    """Facts that are put together when somebody reads them, as whoever only counts never does.

    What they are put together from must not change any more: states do not.
    """

    __slots__ = ("_facts", "_make")

    def __init__(self, make: Callable[[], Facts]) -> None:
        self._make = make
        self._facts: Facts | None = None

    def _read(self) -> Facts:
        if self._facts is None:
            self._facts = self._make()
        return self._facts

    def __getitem__(self, name: str) -> Fact:
        """Give a fact by its name."""
        return self._read()[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        return iter(self._read())

    def __len__(self) -> int:
        """Count the facts."""
        return len(self._read())

    def __repr__(self) -> str:
        """Show them as they are."""
        return repr(self._read())


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was decided, by which rule, with the facts its sentence needs.

    ``ruling`` names the ambiguity (``AMB-18``) whose reading was used, so that a table that
    plays it otherwise sees where to change it. ``phase`` is the part of a post it belongs to,
    ``die`` the die it was decided with.
    """

    rule: str
    key: str
    facts: Facts = dataclasses.field(default_factory=dict)
    ruling: str | None = None
    phase: str = ""
    die: Address | None = None


@dataclass(frozen=True, slots=True)
class Violation:
    """Understood, but not allowed: a stable code, the field it is about, the facts to mend it."""

    rule: str
    code: str
    field: str = ""
    facts: Facts = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """Something the book leaves to the Master; it waits in the state until it is answered.

    ``blocks`` names the seats whose next decision depends on the answer.
    """

    id: str
    rule: str
    code: str
    choices: tuple[str, ...]
    about: str = ""
    by: str = ""
    blocks: tuple[str, ...] = ()
    details: tuple[tuple[str, str], ...] = ()


Obstacle: TypeAlias = Violation | Question
