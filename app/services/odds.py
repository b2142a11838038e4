"""The odds of a set-up before anybody plays it, and what its players are warned of (CD-A13).

Nothing of this touches a database. It may take seconds: whoever serves requests does it aside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Annotated, Any, Final

from app.engine.odds import Autoplay, Estimate, Method, Odds
from app.engine.ruleset import Seat
from app.engine.simulate import NoDefault, TooMuchWork, simulate
from app.engine.text import Between
from app.rulesets import RULESETS
from app.services.errors import Malformed, Mistake
from app.services.games import Game, known_game
from app.services.setups import sound_setup

MOST_RUNS: Final = 4_000
USUAL_RUNS: Final = 400
WORK: Final = 600_000
"""What one question may cost, in dice thrown; so it is bounded, and yet the same every time."""
GLANCE: Final = 300_000
"""The same for whoever waits for a page."""
WARN_FROM: Final = Fraction(1, 4)  # CD-A13
# A warning needs no fine figure: a few games tell whether one is due, some more how many.
FIRST_LOOK: Final = 24
CLOSER_LOOK: Final = 120
LEAST_FIRST: Final = 2  # of the first look; fewer that reach the cap are no sign
FINE: Final = {Method.EXACT: 1_000_000, Method.SIMULATED: 10_000}
"""Into how many parts a number is told: an exact one is good for more places."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsAsked:
    """Whose odds are asked for: equal questions have equal answers.

    ``runs`` games are simulated with the dice of ``seed`` where exact odds are out of reach.
    """

    ruleset: str
    setup: object
    runs: Annotated[int, Between(1, MOST_RUNS)] = USUAL_RUNS
    seed: Annotated[int, Between(0, 999_999_999)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number with its standard error, None where it is exact."""

    value: Fraction
    error: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatOdds:
    """How often a seat wins."""

    seat: Seat
    wins: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What the players of a set-up should know beforehand; ``offers`` are options against it."""

    code: str
    facts: Mapping[str, int | str | None] = field(default_factory=dict)
    offers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsFound:
    """The odds of a set-up under standing and default orders.

    ``draws`` are shares without a winner, ``capped`` games that reach the turn cap (also counted
    as wins or draws), ``turns`` their mean length. ``runs`` is 0 for exact odds, and may be less
    than was asked for where games are long.
    """

    ruleset: str
    method: Method
    runs: int
    seats: tuple[SeatOdds, ...]
    draws: Figure
    capped: Figure
    turns: Figure
    notices: tuple[Notice, ...] = ()


def odds_of(asked: OddsAsked, work: int = WORK) -> OddsFound:
    """Tell the odds of a set-up, for no more ``work`` than this; raise Malformed or Refused."""
    ruleset = with_odds(asked.ruleset)
    setup = sound_setup(ruleset, asked.setup, "setup")
    try:
        odds = _odds(ruleset.key, setup, asked.runs, asked.seed, work)
    except NoDefault:
        raise Malformed(Mistake("setup.entrants", "choice_before_odds")) from None
    except TooMuchWork:
        raise Malformed(Mistake("setup", "too_long_to_play")) from None
    return OddsFound(
        ruleset=ruleset.key,
        method=odds.method,
        runs=odds.runs,
        seats=tuple(
            SeatOdds(seat=seat, wins=_figure(share, odds.method)) for seat, share in odds.wins
        ),
        draws=_figure(odds.draws, odds.method),
        capped=_figure(odds.capped, odds.method),
        turns=_figure(odds.turns, odds.method),
        notices=tuple(_notices(ruleset, setup, odds)),
    )


def warn_of(ruleset: Game, setup: Any) -> list[Notice]:
    """List what the players of a sound set-up should know; nothing where nobody can tell."""
    if ruleset.autoplay is None:
        return []
    try:
        odds = _odds(ruleset.key, setup, FIRST_LOOK, 0, GLANCE)
        if odds.method is Method.SIMULATED and odds.capped.value * odds.runs >= LEAST_FIRST:
            odds = _odds(ruleset.key, setup, CLOSER_LOOK, 0, GLANCE)
    except (NoDefault, TooMuchWork):
        return []
    return _notices(ruleset, setup, odds)


def games_with_odds() -> tuple[str, ...]:
    """List the games that play themselves."""
    return tuple(key for key, one in RULESETS.items() if one.autoplay is not None)


def with_odds(key: str) -> Game:
    """Find a game that plays itself; raise Malformed for others."""
    ruleset = known_game(key, "ruleset")
    if ruleset.autoplay is None:
        raise Malformed(Mistake("ruleset", "unknown_choice", {"choices": games_with_odds()}))
    return ruleset


@lru_cache(maxsize=256)
def _odds(key: str, setup: Any, runs: int, seed: int, work: int) -> Odds:
    ruleset = RULESETS[key]
    auto = _auto(ruleset)
    exact = auto.solve(setup)
    if exact is not None:
        return exact
    draw = Random(seed).random  # noqa: S311  # odds have to come out the same, nobody plays these
    return simulate(ruleset, setup, lambda sides: int(draw() * sides), runs=runs, work=work)


def _auto(ruleset: Game) -> Autoplay[Any, Any, Any]:
    if ruleset.autoplay is None:
        raise NoDefault
    return ruleset.autoplay


def _notices(ruleset: Game, setup: Any, odds: Odds) -> list[Notice]:
    """Warn of a turn cap that is likely, from one game in four on (CD-A13)."""
    if odds.capped.value < WARN_FROM:
        return []
    offers = _auto(ruleset).remedy(setup)
    facts: dict[str, int | str | None] = {
        "share": round(odds.capped.value * 100),
        "cap": setup.options.turn_cap,
        "remedy": offers[0][0] if offers else None,
    }
    return [Notice(code="turn_cap_likely", facts=facts, offers=dict(offers))]


def _figure(estimate: Estimate, method: Method) -> Figure:
    parts = FINE[method]
    error = estimate.error
    return Figure(
        value=Fraction(round(estimate.value * parts), parts),
        error=None if error is None else Fraction(max(1, round(error * parts)), parts),
    )
