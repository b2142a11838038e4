"""A sum that keeps its addends, each with the rule that asked for it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Term:
    """One addend: the rule that adds it, the key of its phrase, its value.

    ``name`` is what a sheet or a person calls the source (a weapon, a technique);
    ``parts`` breaks the value down further; ``board`` marks a value that a table of the
    board supplied because the sheet is silent.
    """

    rule: str
    key: str
    value: Fraction
    name: str | None = None
    parts: Tally | None = None
    board: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", Fraction(self.value))
        if self.parts is not None and self.parts.total != self.value:
            raise ValueError(f"the parts of {self.key} make {self.parts.total}, not {self.value}")


@dataclass(frozen=True, slots=True)
class Tally:
    """Terms in the order in which the book names them; the total is their sum, always."""

    terms: tuple[Term, ...] = ()

    @property
    def total(self) -> Fraction:
        """Add up the terms."""
        return sum((term.value for term in self.terms), Fraction(0))

    def plus(self, *terms: Term | None) -> Tally:
        """Add terms at the end; a None is a factor that does not apply."""
        return Tally(self.terms + tuple(term for term in terms if term is not None))

    def without(self, key: str) -> Tally:
        """Drop the terms of one key, as when the Master denies a claim."""
        return Tally(tuple(term for term in self.terms if term.key != key))

    def rules(self) -> tuple[str, ...]:
        """List the rules cited, nested parts included, in order and once each."""
        cited: dict[str, None] = {}
        for term in self.terms:
            cited[term.rule] = None
            cited.update(dict.fromkeys(term.parts.rules() if term.parts else ()))
        return tuple(cited)
