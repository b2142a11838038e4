"""A duel as it stands, and what it starts from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from app.engine.text import Between, Id, Length
from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.orders import StandingOrders
from app.rulesets.warrior_dice.sheet import PrintedWarrior, Warrior
from app.rulesets.warrior_dice.terms import Ending, Pace, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Duellist:
    """One of the two, with one warrior (WD-1); a duel taken up midway says where it stands.

    ``grown``: the sheet entered its campaign before and was checked then (WD-A1).
    ``skip`` counts the Attack phases still to be missed (WD-23).
    """

    id: Id
    sheet: Warrior | PrintedWarrior
    standing: StandingOrders = StandingOrders()
    grown: bool = False
    hits: Annotated[int, Between(1, 9990)] | None = None
    skip: Annotated[int, Between(0, 1000)] = 0
    reforged: bool = False
    used_reforge: bool = False
    unholy_used: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelSetup:
    """Everything a duel starts from; the options are the board's, copied.

    ``shadow`` and ``battlefield`` are those of this duel where it does not take the board's; a
    Shadow duel rolls for its battlefield unless ``roll_battlefield`` says otherwise (WD-A3).
    ``first`` begins without a starting roll; with it both have accepted the duel elsewhere.
    ``pace`` and ``turns_per_post`` say how far one post carries the duel.
    """

    entrants: Annotated[tuple[Duellist, ...], Length(2, 2)]
    options: DuelOptions = DuelOptions()
    shadow: bool | None = None
    battlefield: Annotated[int, Between(1, 10)] | None = None
    roll_battlefield: bool | None = None
    first: Id | None = None
    pace: Pace = Pace.COUNTED
    turns_per_post: Annotated[int, Between(1, 200)] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Fighter:
    """A duellist as it stands; ``points`` is its value at the start of the duel (AMB-WD-15).

    ``name`` is its warrior's, with the seat's where both have chosen the same one (WD-7).

    ``earned`` are the XP of this duel; ``xp_due`` and ``reform_due`` say what it has still to
    decide after it, ``killed`` and ``banished`` what became of its being (WD-63, WD-67).
    """

    id: str
    name: str
    warrior: Warrior
    start_hits: int
    hits: int
    points: int
    standing: StandingOrders
    skip: int = 0
    reforged: bool = False
    used_reforge: bool = False
    unholy_used: bool = False
    ready: bool = False
    earned: int = 0
    xp_due: bool = False
    reform_due: bool = False
    killed: bool = False
    banished: bool = False

    @property
    def lost(self) -> int:
        """Count the lost hits, all that can be regained (WD-28)."""
        return max(0, self.start_hits - self.hits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What a paused turn asks whom; ``default`` is what a passed deadline decides (WD-A7).

    ``point`` counts the decisions of the turn, ``facts`` say what it is about.
    """

    point: int
    seat: str
    code: str
    choices: tuple[str, ...]
    default: str
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Midway:
    """A turn that waits for an answer: it is played anew from its beginning with the same dice.

    ``faces`` have fallen so far, ``answers`` say what was decided at which point, ``told``
    findings were told, and ``left`` turns of the post are still to be played with it.
    """

    reforge: bool = False
    faces: tuple[int, ...] = ()
    answers: tuple[tuple[int, str], ...] = ()
    told: int = 0
    left: int = 1
    asking: Asking | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """The whole state of a duel.

    ``turn`` counts the player turns played, missed ones included; ``next`` is the attacker of the
    one to come. ``battlefield`` is the face of its die, None for a duel without one.
    """

    options: DuelOptions
    fighters: tuple[Fighter, ...]
    next: str
    shadow: bool = False
    battlefield: int | None = None
    rolls_battlefield: bool = False
    rolls_first: bool = False
    pace: Pace = Pace.COUNTED
    turns_per_post: int = 1
    stage: Stage = Stage.OPENING
    turn: int = 0
    midway: Midway | None = None
    draw_offered: str = ""
    paused: bool = False
    ending: Ending | None = None
    winner: str = ""

    def has(self, seat: str) -> bool:
        """Say whether a seat is one of the two."""
        return any(one.id == seat for one in self.fighters)

    def who(self, seat: str) -> Fighter:
        """Find a fighter by its seat."""
        return next(one for one in self.fighters if one.id == seat)

    def other(self, seat: str) -> Fighter:
        """Find the opponent of a seat."""
        return next(one for one in self.fighters if one.id != seat)

    def put(self, fighter: Fighter) -> Duel:
        """Put a fighter in the place of what it was."""
        fighters = tuple(fighter if one.id == fighter.id else one for one in self.fighters)
        return replace(self, fighters=fighters)
