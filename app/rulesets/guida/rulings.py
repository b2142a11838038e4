"""What is decided outside a turn: by the Master, or by a player about its own combatant."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar

from app.engine.text import Between, Id, Length, Points, Reason
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.places import (
    Behind,
    Distance,
    Unseen,
)
from app.rulesets.guida.sheet import Sheet
from app.rulesets.guida.terms import (
    Action,
    Category,
    Change,
    Stack,
    Standing,
    Stat,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The Master answers an open question, with a public reason.

    ``precedent`` is the number of the board's precedent that the answer follows.
    """

    kind: ClassVar[str] = "answer"
    by: Id = ""
    question: Annotated[str, Length(1, 80)]
    choice: Id
    reason: Reason
    precedent: Annotated[int, Between(1, 999_999_999)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The Master corrects where combatants stand, and who is hidden from whom."""

    kind: ClassVar[str] = "place"
    by: Id = ""
    distances: Annotated[tuple[Distance, ...], Length(0, 200)] = ()
    behind: Annotated[tuple[Behind, ...], Length(0, 200)] | None = None
    hidden: Annotated[tuple[Unseen, ...], Length(0, 200)] | None = None
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Manual:
    """A register line by hand: a signed amount of hp, ep, points or stacks, with a reason.

    A player's line waits for the Master; the Master's own counts at once.
    """

    kind: ClassVar[str] = "manual"
    by: Id = ""
    combatant: Id
    change: Change
    amount: Points
    stat: Stat | None = None
    stack: Stack | None = None
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class SetValue:
    """The Master sets hp or ep to a value; the difference becomes a line of its own."""

    kind: ClassVar[str] = "set_value"
    by: Id = ""
    combatant: Id
    change: Change
    value: Points
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Adequacy:
    """The Master rules whether a kind of defence suits one attack (GC-4.5, GC-14.5)."""

    kind: ClassVar[str] = "adequacy"
    by: Id = ""
    attack: Id
    defence: Action
    adequate: bool
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """The Master enters environmental damage: who was thrown, by which blow (GC-6.17 to 6.20)."""

    kind: ClassVar[str] = "impact"
    by: Id = ""
    attacker: Id
    target: Id
    die: Annotated[int, Between(1, 100)]
    category: Category
    stat_bonus: Annotated[Fraction, Between(-9999, 9999)]
    by_defence: bool = False
    guarded: bool = False
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class EndArea:
    """The Master ends a control area, for a reason that no rule of this edition sees (GC-12.1)."""

    kind: ClassVar[str] = "end_area"
    by: Id = ""
    area: Id
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """Nobody posts until the scene is resumed."""

    kind: ClassVar[str] = "pause"
    by: Id = ""
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume:
    """The scene goes on."""

    kind: ClassVar[str] = "resume"
    by: Id = ""
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """The Master ends the scene."""

    kind: ClassVar[str] = "close"
    by: Id = ""
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw:
    """A combatant surrenders, leaves, or is declared defeated by the Master."""

    kind: ClassVar[str] = "withdraw"
    by: Id = ""
    combatant: Id
    standing: Standing
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """The Master lets somebody enter the fight while it goes on (GC-2.18, GC-2.19).

    ``distances`` are those to everybody in the scene and to the centre of each area; ``after`` says
    whom it follows in the order of turns, the last one without it.
    """

    kind: ClassVar[str] = "join"
    by: Id = ""
    entrant: Entrant
    distances: Annotated[tuple[Distance, ...], Length(0, 200)] = ()
    behind: Annotated[tuple[Behind, ...], Length(0, 200)] = ()
    hidden: Annotated[tuple[Unseen, ...], Length(0, 200)] = ()
    after: Id | None = None
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOrder:
    """The Master says in which order those who fight have their turns, and perhaps who is next."""

    kind: ClassVar[str] = "turn_order"
    by: Id = ""
    sequence: Annotated[tuple[Id, ...], Length(1, 40)]
    next: Id | None = None
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaceSheet:
    """A new sheet: by the player before the first turn, by the Master at any time."""

    kind: ClassVar[str] = "replace_sheet"
    by: Id = ""
    combatant: Id
    sheet: Sheet
    reason: Reason
