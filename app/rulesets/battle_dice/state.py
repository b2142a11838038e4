"""A battle as it stands between two decisions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from app.engine.dice import Roll
from app.engine.text import Count, Id, Length
from app.rulesets.battle_dice.options import Options
from app.rulesets.battle_dice.orders import Army, Counts, CustomTable, Policy
from app.rulesets.battle_dice.terms import Ask, End, Kind, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """One of the two players, with what a battle that is under way already needs to know.

    Without an ``army`` it is mustered in secret.
    """

    id: Id
    name: Annotated[str, Length(0, 80)] = ""
    army: Army | None = None
    lost: Counts = Counts()
    ignore: Count = 0
    carry_manoeuvre: Count = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a battle starts from.

    ``turns`` tells how many were played before it is taken up here; such a battle, be it after
    none, has armies of any size.
    """

    entrants: Annotated[tuple[Entrant, ...], Length(2, 2)]
    turns: Count | None = None
    options: Options = Options()


@dataclass(frozen=True, slots=True, kw_only=True)
class Troop:
    """So many like dice: of one kind, and heroes of one table."""

    kind: Kind
    hero: str = ""
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One army between two turns, and what its player has laid down in secret."""

    id: str
    name: str
    hero: str = ""
    custom: CustomTable | None = None
    troops: tuple[Troop, ...] = ()
    lost: tuple[Troop, ...] = ()
    ignore: int = 0
    carry: int = 0
    mustered: Army | None = None
    posted: Policy | None = None
    standing: Policy = Policy()
    offers_draw: bool = False

    @property
    def total(self) -> int:
        """Count the dice."""
        return sum(troop.count for troop in self.troops)

    def count(self, kind: Kind) -> int:
        """Count the dice of one kind."""
        return sum(troop.count for troop in self.troops if troop.kind is kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """One thing that may be picked: a die with its result, or a word.

    ``pending`` says that the die will yet score this turn (BD-A1).
    """

    id: str
    kind: Kind | None = None
    result: int | None = None
    hero: str = ""
    pending: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a player has to choose in the middle of a turn: ``count`` of the ``picks``.

    ``default`` is what the player's orders come to, and what a deadline makes of it (BD-A3).
    """

    id: str
    seat: Id
    ask: Ask
    count: int
    picks: tuple[Pick, ...]
    default: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What was picked."""

    decision: str
    picks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A die of the table as it lies there in the middle of a turn; ``pending`` as of a pick."""

    seat: str
    kind: Kind
    result: int | None
    hero: str = ""
    pending: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Paused:
    """A turn that waits for choices: whatever has fallen and been chosen so far, in order.

    The turn is played again from its beginning with these, so ``told`` says how many findings
    were told already. ``table`` shows the dice as they lie in the middle of ``step``.
    """

    policies: tuple[Policy, ...]
    rolls: tuple[Roll, ...]
    chosen: tuple[Chosen, ...]
    awaited: tuple[Decision, ...]
    answers: tuple[Chosen, ...] = ()
    told: int = 0
    step: Step = Step.ROLL
    table: tuple[Seen, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a battle ended; without a winner it is a draw."""

    how: End
    winner: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Battle:
    """The whole state; ``turn`` is the number of the turn to be played."""

    options: Options
    sides: tuple[Side, ...]
    turn: int = 1
    paused: Paused | None = None
    ended: Ended | None = None

    def place(self, seat: str) -> int:
        """Give the place of a seat, 0 or 1, or -1 for nobody's."""
        return next((place for place, one in enumerate(self.sides) if one.id == seat), -1)

    def put(self, place: int, side: Side) -> Battle:
        """Return the battle with one side changed."""
        sides = tuple(side if at == place else one for at, one in enumerate(self.sides))
        return replace(self, sides=sides)

    @property
    def mustered(self) -> bool:
        """Say whether both armies stand."""
        return all(side.troops for side in self.sides)
