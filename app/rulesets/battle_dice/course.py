"""The course of a turn: the dice that fall, what is chosen, what is told of it.

A turn that waits for a choice is played again from its beginning as soon as the choice is made,
with the dice and the choices there were; so the rules are written in one piece, whether a player
has left orders or wants to be asked (AMB-BD-23).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from app.engine.dice import Address, Dice, Roll
from app.engine.findings import Finding
from app.rulesets.battle_dice.field import Field
from app.rulesets.battle_dice.options import CasualtyChoice
from app.rulesets.battle_dice.state import Chosen, Decision, Pick
from app.rulesets.battle_dice.terms import Ask


class Place(IntEnum):
    """Where the dice of a turn stand; the index says which of those of a place one is.

    Of two places in a row the first is the first side's, the second the second side's.
    """

    ROLL = 0
    HEROES = 2
    COMMANDERS = 4
    MAGIC = 6
    MOVEMENT = 8
    MORALE = 10
    MORALE_PLUS = 12
    MORALE_MINUS = 14


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice that a player may have: how many of which picks, in the order of the player's
    orders."""

    place: int
    ask: Ask
    count: int
    picks: tuple[Pick, ...]

    @property
    def is_open(self) -> bool:
        """Say whether it makes a difference what is picked."""
        alike = {(pick.kind, pick.result, pick.hero) for pick in self.picks}
        words = any(pick.kind is None for pick in self.picks)
        return 0 < self.count < len(self.picks) and (words or len(alike) > 1)

    @property
    def default(self) -> tuple[str, ...]:
        """Pick what the player's orders come to."""
        return tuple(pick.id for pick in self.picks[: self.count])


@dataclass(slots=True)
class Course:
    """What has happened in a turn so far; ``known`` are dice that fell before a pause."""

    dice: Dice
    known: Mapping[Address, int]
    chosen: Sequence[Chosen]
    rolls: list[Roll] = field(default_factory=list)
    said: list[Finding] = field(default_factory=list)
    _asked: int = 0
    _drawn: dict[int, int] = field(default_factory=dict)

    def face(self, place: int, sides: int) -> int:
        """Throw the next die of a place."""
        index = self._drawn.get(place, 0)
        self._drawn[place] = index + 1
        address = Address(place, index)
        face = self.known[address] if address in self.known else self.dice.face(address, sides)
        self.rolls.append(Roll(address, sides, face))
        return face

    def say(self, *found: Finding) -> None:
        """Tell what has happened."""
        self.said += found

    def choose(self, table: Field, *choices: Choice) -> tuple[tuple[str, ...], ...]:
        """Make choices at one moment: by the players' orders, or by asking them (AMB-BD-23).

        Raises Pause where somebody is asked who has not answered yet.
        """
        picked: dict[int, tuple[str, ...]] = {}
        awaited: list[Decision] = []
        answers = {one.decision: one.picks for one in self.chosen}
        for number, choice in enumerate(choices):
            picked[number] = choice.default
            if table.options.casualty_choice is not CasualtyChoice.ASK or not choice.is_open:
                continue
            self._asked += 1
            id = f"c{self._asked}"
            if id in answers:
                picked[number] = answers[id]
            else:
                awaited.append(
                    Decision(
                        id=id,
                        seat=table.hosts[choice.place].id,
                        ask=choice.ask,
                        count=choice.count,
                        picks=choice.picks,
                        default=choice.default,
                    )
                )
        if awaited:
            raise Pause(table, tuple(awaited))
        return tuple(picked[number] for number in range(len(choices)))


class Pause(Exception):
    """A turn cannot go on before these choices are made."""

    def __init__(self, table: Field, awaited: tuple[Decision, ...]) -> None:
        super().__init__(", ".join(one.id for one in awaited))
        self.table = table
        self.awaited = awaited
