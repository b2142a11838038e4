"""What goes into the odds of duels and what comes out, for pages and API alike.

Chances go from 0 to 1 and are told to eight places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Annotated

from app.engine.text import Between
from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.orders import StandingOrders
from app.rulesets.warrior_dice.sheet import FaceOption, PrintedWarrior, Warrior


class Begins(StrEnum):
    """Who takes the first turn of a duel whose odds are asked for."""

    ROLL = "roll"
    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelQuestion:
    """Two warriors, printed or of one's own, and what they would fight under.

    Standing orders say what each does; what they leave to be asked is decided by its default.
    ``best_choices``: work out as well what better choices at Doublers would be worth.
    """

    first: Warrior | PrintedWarrior
    second: Warrior | PrintedWarrior
    first_orders: StandingOrders = StandingOrders()
    second_orders: StandingOrders = StandingOrders()
    options: DuelOptions = DuelOptions()
    battlefield: Annotated[int, Between(1, 10)] | None = None
    begins: Begins = Begins.ROLL
    best_choices: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignQuestion:
    """A warrior to hold against every printed one, all with standing orders as they are."""

    sheet: Warrior | PrintedWarrior
    options: DuelOptions = DuelOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class BestChoices:
    """What the best choice at every Doubler is worth, against the other's standing orders.

    ``first`` and ``second`` are the chances of each who chooses so while the other does not;
    ``both`` is the chance of the first when both do. All without a turn cap.
    """

    first: Fraction
    second: Fraction
    both: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelOdds:
    """How a duel ends: chances from 0 to 1, and turns.

    ``draw`` are draws by bystanders (``broken_off``) and by the turn cap (``capped``);
    ``often_capped`` warns where these are a quarter or more. ``uncapped`` is the first's chance
    if there were no cap. ``first_begins`` and ``second_begins`` are its chances by who has the
    first turn. ``length`` is the expected number of turns; within ``turns_5``, ``turns_50``,
    ``turns_95`` and ``turns_99`` so many of a hundred duels have ended. ``ends`` says of every
    turn how likely the duel ends with it, up to the last that is likely at all.
    """

    first_name: str
    second_name: str
    first_points: int
    second_points: int
    first: Fraction
    second: Fraction
    draw: Fraction
    broken_off: Fraction
    capped: Fraction
    often_capped: bool
    uncapped: Fraction
    first_begins: Fraction
    second_begins: Fraction
    length: Fraction
    turns_5: int
    turns_50: int
    turns_95: int
    turns_99: int
    ends: tuple[Fraction, ...]
    best_choices: BestChoices | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WarriorLine:
    """A printed warrior: its table, what it costs, and how it does against all the others.

    ``mean`` is its mean chance against every printed warrior, itself included.
    """

    id: str
    rule: str
    name: str
    english: str
    hits: int
    attack: int
    defence: int
    points: int
    declared: int | None
    options: tuple[FaceOption, ...]
    mean: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelMatrix:
    """The chance of the warrior of a row against that of a column, standing orders as they are.

    The starting roll decides who begins. Rows and columns are in the order of ``warriors``.
    """

    edition: str
    warriors: tuple[str, ...]
    wins: tuple[tuple[Fraction, ...], ...]

    def row(self, warrior: str) -> Sequence[Fraction]:
        """Give the chances of a warrior against all."""
        return self.wins[self.warriors.index(warrior)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matchup:
    """A printed opponent, and the chance against it, without a turn cap."""

    id: str
    name: str
    points: int
    win: Fraction
