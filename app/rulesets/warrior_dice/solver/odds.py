"""What becomes of a duel under standing orders: the odds, exactly (WD-6, WD-8, AMB-WD-26).

Whatever a standing order leaves to be asked is decided as its default says (WD-A7).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.rulesets.warrior_dice.ground import ground_of
from app.rulesets.warrior_dice.readings import IntruderEvery
from app.rulesets.warrior_dice.solver.course import Course, run
from app.rulesets.warrior_dice.solver.graph import Graph, TooLarge, turns_in, turns_of
from app.rulesets.warrior_dice.solver.ladder import STILL, Ladder, fits
from app.rulesets.warrior_dice.solver.laws import Book
from app.rulesets.warrior_dice.solver.limit import Limit
from app.rulesets.warrior_dice.solver.policy import best_choices
from app.rulesets.warrior_dice.state import Duel

OFTEN_CAPPED: Final = 0.25  # so many duels that hit the turn cap are worth a warning
PERCENTILES: Final = (0.05, 0.5, 0.95, 0.99)

__all__ = ["Odds", "TooLarge", "best_chances", "odds", "win_chance"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """How likely the first of the two wins, the second, nobody; and how long it takes.

    ``by_start`` gives the first's chance when it begins, and when the other does; without a
    starting roll only one of them comes true. ``broken_off`` and ``capped`` are the draws by
    bystanders and by the turn cap. ``uncapped`` is the chance of the first without a cap.
    ``within`` tells the turns within which 5, 50, 95 and 99 in 100 duels have ended, and
    ``ends`` for every turn from 1 on how many end with it.
    """

    first: float
    second: float
    draw: float
    broken_off: float
    capped: float
    uncapped: float
    by_start: tuple[float, float]
    length: float
    within: tuple[int, ...]
    ends: tuple[float, ...]

    @property
    def often_capped(self) -> bool:
        """Say whether so many duels hit the turn cap that it is worth a warning."""
        return self.capped >= OFTEN_CAPPED


def odds(duel: Duel, book: Book | None = None) -> Odds:
    """Work out a duel as it stands; where a starting roll is due, either begins as often."""
    starts = [one.id for one in duel.fighters] if duel.rolls_first else [duel.next]
    book = book or Book(duel.options, ground_of(duel.battlefield))
    turns = turns_in(book, duel)
    courses = [run(Graph(replace(duel, next=start), turns)) for start in starts]
    ends = tuple(map(_mean, zip(*(one.ends for one in courses), strict=True)))
    whole = Course(
        wins=(_mean([one.wins[0] for one in courses]), _mean([one.wins[1] for one in courses])),
        broken_off=_mean([one.broken_off for one in courses]),
        capped=_mean([one.capped for one in courses]),
        ends=ends,
    )
    return Odds(
        first=whole.wins[0],
        second=whole.wins[1],
        draw=whole.broken_off + whole.capped,
        broken_off=whole.broken_off,
        capped=whole.capped,
        uncapped=win_chance(duel, book),
        by_start=(courses[0].wins[0], courses[-1].wins[0]),
        length=whole.length,
        within=tuple(whole.within(share) for share in PERCENTILES),
        ends=ends[1:],
    )


def win_chance(duel: Duel, book: Book, still: float = STILL) -> float:
    """Give the chance of the first of the two alone, without a cap: what a matrix is made of."""
    turns = turns_in(book, duel)
    if fits(duel):
        ladder = Ladder(duel, turns, still)
        if duel.rolls_first:
            return _mean([ladder.wins(0), ladder.wins(1)])
        return ladder.wins([one.id for one in duel.fighters].index(duel.next))
    starts = [one.id for one in duel.fighters] if duel.rolls_first else [duel.next]
    return _mean([Limit(Graph(replace(duel, next=one), turns)).wins(0) for one in starts])


def best_chances(duel: Duel, most: int) -> tuple[float, float, float]:
    """Give the first one's chance when it chooses best at Doublers, when the other, when both do.

    Without a cap. Raises TooLarge for a duel of more than ``most`` states.
    """
    turns = turns_of(duel)
    ways = ((True, False), (False, True), (True, True))
    pairs = duel.options.intruder_every is IntruderEvery.PAIR
    starts = [replace(duel, next=one.id, rolls_first=False) for one in duel.fighters]
    duels = starts if duel.rolls_first and pairs else [duel]
    first, second, both = (
        _mean([best_choices(one, turns, way, most) for one in duels]) for way in ways
    )
    return first, second, both


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
