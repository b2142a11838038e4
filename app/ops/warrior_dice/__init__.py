"""Case adapters of Warrior Dice: from what is given to the rules themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from app.ops.given import Given
from app.ops.warrior_dice import duels, turns, values

_ADAPTERS: Final = (
    turns.turns,
    values.first_player,
    values.cost,
    values.xp,
    values.reform,
    values.yield_,
    values.table,
    duels.setup_check,
    duels.order_check,
    duels.duel,
)

WARRIOR_DICE_OPS: Final[Mapping[str, Callable[[Given], Mapping[str, object]]]] = {
    adapter.__name__.removesuffix("_"): adapter for adapter in _ADAPTERS
}
"""An op's name is its adapter's."""
