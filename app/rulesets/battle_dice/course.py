"""The course of a turn: the dice that fall, what is chosen, what is told of it.

A turn that waits for a choice is played again from its beginning as soon as the choice is made,
with the dice and the choices there were; so the rules are written in one piece, whether a player
has left orders or wants to be asked (AMB-BD-23).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from app.engine.dice import Address, Dice, Roll
from app.engine.findings import Finding
from app.engine.ruleset import Asked
from app.engine.tally import Tally
from app.rulesets.battle_dice.field import Field
from app.rulesets.battle_dice.options import CasualtyChoice
from app.rulesets.battle_dice.state import Chosen, Decision, Pick
from app.rulesets.battle_dice.tables import MORALE_SIDES
from app.rulesets.battle_dice.terms import Ask, Cast, Kind, Step

# The dice that may fall in each step, each size of each side at a place of its own.
_SIZES: Final[Mapping[Step, Mapping[Cast, tuple[int, ...]]]] = {
    Step.ROLL: {Cast.ROLL: tuple(kind.sides for kind in Kind)},
    Step.HEROES: {Cast.TABLE: (4, 6, 8, 10, 12, 20), Cast.AMOUNT: (3, 6)},
    Step.COMMANDERS: {Cast.TABLE: (6,), Cast.AMOUNT: (3, 6)},
    Step.MAGIC: {Cast.TABLE: (6, 10), Cast.AMOUNT: (3, 6)},
    Step.MOVEMENT: {Cast.TABLE: (10,), Cast.AMOUNT: (3,)},
    Step.MORALE: {
        Cast.MORALE: tuple(kind.sides for kind in Kind),
        Cast.HEARTENED: (MORALE_SIDES,),
        Cast.DISMAYED: (MORALE_SIDES,),
    },
}
PLACES: Final = {
    key: number
    for number, key in enumerate(
        (step, side, cast, sides)
        for step, casts in _SIZES.items()
        for side in (0, 1)
        for cast, sizes in casts.items()
        for sides in sizes
    )
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice that a player may have: how many of which picks, in the order of the orders."""

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
    """What has happened in a turn so far; ``known`` are dice that fell before a pause, in order.

    ``asked`` are those that fall now: their indices count from 0 in each decision.
    """

    dice: Dice
    known: Sequence[Roll]
    chosen: Sequence[Chosen]
    rolls: list[Roll] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    said: list[Finding] = field(default_factory=list)
    _choices: int = 0
    _drawn: dict[int, int] = field(default_factory=dict)

    def face(self, table: Field, side: int, cast: Cast, sides: int, item: str) -> int:
        """Throw the next die of a side for something; ``item`` names a kind, a table or a row."""
        if len(self.rolls) < len(self.known):
            self.rolls.append(self.known[len(self.rolls)])
            return self.rolls[-1].face
        at = PLACES[table.step, side, cast, sides]
        index = self._drawn.get(at, 0)
        self._drawn[at] = index + 1
        asked = asked_for(table.step, table.hosts[side].id, cast, sides, item, Address(at, index))
        self.asked.append(asked)
        self.rolls.append(Roll(asked.address, sides, self.dice.face(asked.address, sides)))
        return self.rolls[-1].face

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
            self._choices += 1
            id = f"c{self._choices}"
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


@lru_cache(maxsize=4096)  # the same few dice are thrown turn after turn
def asked_for(step: Step, seat: str, cast: Cast, sides: int, item: str, address: Address) -> Asked:
    """Describe a die as it is told: the step, what it is thrown for, by whom."""
    return Asked(
        address=address,
        sides=sides,
        phase=step,
        action=cast,
        actor=seat,
        targets=(),
        items=(item,),
        tally=Tally(),
    )


class Pause(Exception):
    """A turn cannot go on before these choices are made."""

    def __init__(self, table: Field, awaited: tuple[Decision, ...]) -> None:
        super().__init__(", ".join(one.id for one in awaited))
        self.table = table
        self.awaited = awaited
