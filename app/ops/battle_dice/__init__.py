"""Case adapters of Battle Dice; an op's name is the case's kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from app.ops.battle_dice import battles, rounds
from app.ops.given import Given

BATTLE_DICE_OPS: Final[Mapping[str, Callable[[Given], Mapping[str, object]]]] = {
    "setup": rounds.army_lists,
    "round": rounds.one_turn,
    "morale": rounds.morale_test,
    "battle": battles.battle,
}
