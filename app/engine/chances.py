"""Exact finite distributions: merge what is equal, keep probabilities as fractions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from typing import TypeVar

A = TypeVar("A", bound=Hashable)
B = TypeVar("B", bound=Hashable)


def certain(value: A) -> dict[A, Fraction]:
    """Give the law of what is bound to happen."""
    return {value: Fraction(1)}


def die(sides: int) -> dict[int, Fraction]:
    """Give the law of one fair die."""
    return dict.fromkeys(range(1, sides + 1), Fraction(1, sides))


def merged(weighted: Iterable[tuple[A, Fraction]]) -> dict[A, Fraction]:
    """Add up the probabilities of equal values."""
    law: dict[A, Fraction] = {}
    for value, probability in weighted:
        law[value] = law.get(value, Fraction(0)) + probability
    return law


def then(law: Mapping[A, Fraction], step: Callable[[A], Mapping[B, Fraction]]) -> dict[B, Fraction]:
    """Follow every value by the law of what comes next."""
    return merged(
        (after, probability * chance)
        for value, probability in law.items()
        for after, chance in step(value).items()
    )
