"""Where each die stands: a chain of dice is a place, the nth die of it an index (CD-10, CD-30)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from typing import Final

from app.engine.dice import Address, Dice
from app.engine.ruleset import Asked
from app.engine.tally import Tally, Term

D3: Final = 3
D6: Final = 6
CHAINS: Final = 64  # places a turn takes, for both seats; the next turn's begin after them


class Chain(IntEnum):
    """The chains of dice that a fighter may draw in a turn."""

    HIT_POINTS = 0
    SPECIALTY_DICE = 1
    RANGE = 2
    HEAL = 3
    AID_DICE = 4
    AID_TURNS = 5
    SHIELD_TURNS = 6
    COMBAT_ROLL = 7
    RETHROW = 8
    PAIR = 9
    SAND_TURNS = 10
    CURSE_DICE = 11
    CURSE_TURNS = 12
    TABLE = 13
    BLEEDING_TURNS = 14
    FALL = 15


def address(chain: Chain, seat: int, index: int = 0, turn: int = 0) -> Address:
    """Give where a die stands; ``turn`` numbers the turns that one decision plays."""
    return Address(turn * CHAINS + 2 * chain + seat, index)


@dataclass(slots=True)
class Throws:
    """The dice of one decision, which may play several turns in a row."""

    dice: Dice
    turn: int = 0

    def face(self, chain: Chain, seat: int, index: int = 0, sides: int = D6) -> int:
        """Throw one die of a chain."""
        return self.dice.face(address(chain, seat, index, self.turn), sides)

    def next_turn(self) -> None:
        """Let the chains begin anew in another turn of the same decision."""
        self.turn += 1


def asked(chain: Chain, seat: int, actor: str, *, phase: str, action: str, index: int = 0) -> Asked:
    """Declare a die of six that is certain to be thrown; none of them has a modifier."""
    less = (Term("CD-80", "ranged_rounds_less", Fraction(-2)),) if chain is Chain.RANGE else ()
    return Asked(
        address=address(chain, seat, index),
        sides=D6,
        phase=phase,
        action=action,
        actor=actor,
        targets=(),
        items=(),
        tally=Tally(less),
    )
