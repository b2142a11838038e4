"""Odds of a whole scene: how it may end, exactly or as many seeded games of it came out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt
from typing import Generic, TypeAlias, TypeVar

Setup = TypeVar("Setup")
State = TypeVar("State")
Order = TypeVar("Order")
Seat: TypeAlias = str


class Method(StrEnum):
    """Where odds come from."""

    EXACT = "exact"
    SIMULATED = "simulated"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number that is told of a scene; ``error`` is its standard error, None where it is exact."""

    value: float
    error: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """How a scene ends when everybody plays by standing and default orders.

    ``wins`` are the shares of each seat and ``draws`` what is left of 1; ``capped`` is the share
    that reaches the turn cap, wins by it included. ``turns`` is the mean number of turns. ``runs``
    counts the games that were simulated, 0 where the odds are exact.
    """

    method: Method
    wins: tuple[tuple[Seat, Estimate], ...]
    draws: Estimate
    capped: Estimate
    turns: Estimate
    runs: int = 0

    def of(self, seat: Seat) -> Estimate:
        """Give the share that a seat wins."""
        return dict(self.wins)[seat]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How one game ended; ``winner`` None is a draw, ``turns`` counts those that were played."""

    winner: Seat | None
    capped: bool
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Autoplay(Generic[Setup, State, Order]):
    """How a game plays itself: what its odds are taken from.

    ``lapse`` gives the order with which everybody awaited plays the defaults, None where there is
    no default; ``result`` says how a game ended, None while it goes on. ``solve`` gives exact odds
    of a set-up, None where they are out of reach. ``remedy`` names options of the table, with the
    values that would let fewer games reach the turn cap.
    """

    lapse: Callable[[State], Order | None]
    result: Callable[[State], Result | None]
    solve: Callable[[Setup], Odds | None] = lambda _setup: None
    remedy: Callable[[Setup], tuple[tuple[str, str], ...]] = lambda _setup: ()


def share_of(count: int, runs: int) -> Estimate:
    """Estimate a share from how often something came up.

    The error is taken at the share with one more of either outcome: what never came up in a few
    games is not thereby impossible, so that an error is never 0.
    """
    smoothed = (count + 1) / (runs + 2)
    return Estimate(count / runs, sqrt(smoothed * (1 - smoothed) / runs))


def mean_of(total: int, squares: int, runs: int) -> Estimate:
    """Estimate a mean from the sum of what was counted and the sum of its squares."""
    mean = total / runs
    if runs == 1:
        return Estimate(mean, mean)
    spread = max(0.0, squares - runs * mean * mean) / (runs - 1)
    return Estimate(mean, sqrt(spread / runs))
