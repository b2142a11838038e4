"""Where each die stands: a chain of dice is a place, the nth die of it an index (CD-10, CD-30)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from typing import Final

from app.engine.dice import Address, Dice
from app.engine.ruleset import Asked
from app.engine.tally import Tally, Term
from app.rulesets.combat_dice.terms import Phase

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


# Of which phase and what a die is, chain by chain.
LABELS: Final[Mapping[Chain, tuple[str, str]]] = {
    Chain.HIT_POINTS: ("", "hit_points"),
    Chain.SPECIALTY_DICE: ("", "specialty_dice"),
    Chain.RANGE: ("", "ranged_rounds"),
    Chain.HEAL: (Phase.COMBAT_ROLL, "heal"),
    Chain.AID_DICE: (Phase.COMBAT_ROLL, "aid_dice"),
    Chain.AID_TURNS: (Phase.COMBAT_ROLL, "aid_turns"),
    Chain.SHIELD_TURNS: (Phase.COMBAT_ROLL, "shield_turns"),
    Chain.COMBAT_ROLL: (Phase.COMBAT_ROLL, "combat_roll"),
    Chain.RETHROW: (Phase.MANEUVER, "rethrow"),
    Chain.PAIR: (Phase.COMBAT_ROLL, "damage_dice"),
    Chain.SAND_TURNS: (Phase.DAMAGE, "sand_turns"),
    Chain.CURSE_DICE: (Phase.DAMAGE, "curse_dice"),
    Chain.CURSE_TURNS: (Phase.DAMAGE, "curse_turns"),
    Chain.TABLE: (Phase.DAMAGE, "damage_dice"),
    Chain.BLEEDING_TURNS: (Phase.DAMAGE, "bleeding_turns"),
    Chain.FALL: (Phase.DAMAGE, "fall"),
}


@dataclass(slots=True)
class Throws:
    """The dice of one decision, which may play several turns in a row.

    ``seats`` are the ids of the two fighters; ``fallen`` notes each die as it is asked for.
    """

    dice: Dice
    seats: tuple[str, str]
    turn: int = 0
    fallen: list[Asked] = field(default_factory=list)

    def face(self, chain: Chain, seat: int, index: int = 0, sides: int = D6) -> int:
        """Throw one die of a chain; a chain has dice of one size, counted from 0."""
        die = asked(chain, seat, self.seats[seat], index, sides, self.turn)
        self.fallen.append(die)
        return self.dice.face(die.address, sides)

    def next_turn(self) -> None:
        """Let the chains begin anew in another turn of the same decision."""
        self.turn += 1


@lru_cache(maxsize=4096)  # the same few dice are thrown turn after turn
def asked(
    chain: Chain, seat: int, actor: str, index: int = 0, sides: int = D6, turn: int = 0
) -> Asked:
    """Label a die; none but the one for the range has a modifier (CD-80)."""
    less = (Term("CD-80", "ranged_rounds_less", Fraction(-2)),) if chain is Chain.RANGE else ()
    phase, action = LABELS[chain]
    return Asked(
        address=address(chain, seat, index, turn),
        sides=sides,
        phase=phase,
        action=action,
        actor=actor,
        targets=(),
        items=(),
        tally=Tally(less),
    )
