"""Case adapters of Combat Dice: a turn and its parts, whole combats, refusals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from app.ops.combat_dice import combats, turns
from app.ops.given import Given

_ADAPTERS: Final = (
    *(turns.turn, turns.mods, turns.ranged_rounds, turns.build),
    *(combats.combat, combats.setup_check, combats.order_check, combats.odds),
)

COMBAT_DICE_OPS: Final[Mapping[str, Callable[[Given], Mapping[str, object]]]] = {
    adapter.__name__: adapter for adapter in _ADAPTERS
}
"""A kind's name is its adapter's."""
