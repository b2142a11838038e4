"""Playing whole games by default orders, with dice that are handed in, to see how they end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.engine.dice import Address, Tagged
from app.engine.odds import Method, Odds, Result, mean_of, share_of
from app.engine.ruleset import Ruleset

ORDER_COST: Final = 10  # what deciding an order costs, in dice


class NoDefault(Exception):
    """Somebody has to choose what no default chooses."""


class TooMuchWork(Exception):
    """One game alone takes more than may be spent."""


@dataclass(slots=True)
class CountedDice:
    """Dice of a source of chance that may be thrown only so often."""

    randbelow: Callable[[int], int]
    left: int

    def face(self, _address: Address, sides: int) -> int:
        """Throw a die; raise TooMuchWork when there are none left."""
        self.spend(1)
        return 1 + self.randbelow(sides)

    def tags(self) -> Mapping[Address, Tagged]:
        """Say that no die was thrown with another modifier than its label lists."""
        return {}

    def spend(self, dice: int) -> None:
        """Count work, in dice."""
        self.left -= dice
        if self.left < 0:
            raise TooMuchWork


def play_out(ruleset: Ruleset[Any, Any, Any], state: Any, dice: CountedDice) -> Result:
    """Play a game to its end by default orders; raise NoDefault or TooMuchWork."""
    auto = ruleset.autoplay
    if auto is None:
        raise NoDefault
    while (result := auto.result(state)) is None:
        order = auto.lapse(state)
        if order is None:
            raise NoDefault
        dice.spend(ORDER_COST)
        state = ruleset.resolve(state, order, dice).state
    return result


def simulate(
    ruleset: Ruleset[Any, Any, Any],
    setup: Any,
    randbelow: Callable[[int], int],
    *,
    runs: int,
    work: int,
) -> Odds:
    """Play a set-up so often, or less often where that takes more work than is allowed.

    ``work`` counts dice thrown and orders decided, never time, so that equal dice give equal odds.
    A game that is begun within it is played to its end, unless it takes as much again by itself.
    Raises NoDefault where nobody but a player can decide, TooMuchWork where not one game is done.
    """
    start = ruleset.start(setup)
    seats = tuple(entrant.id for entrant in setup.entrants)
    wins = dict.fromkeys(seats, 0)
    dice = CountedDice(randbelow, 2 * work)
    done = draws = capped = turns = squares = 0
    while done < runs and dice.left > work:
        try:
            result = play_out(ruleset, start, dice)
        except TooMuchWork:
            if not done:
                raise
            break
        done += 1
        capped += result.capped
        turns += result.turns
        squares += result.turns**2
        if result.winner is None:
            draws += 1
        else:
            wins[result.winner] += 1
    return Odds(
        method=Method.SIMULATED,
        wins=tuple((seat, share_of(count, done)) for seat, count in wins.items()),
        draws=share_of(draws, done),
        capped=share_of(capped, done),
        turns=mean_of(turns, squares, done),
        runs=done,
    )
