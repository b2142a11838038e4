"""Case adapters of Combat Dice: one turn, its modifiers, the ranged rounds, a build."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from app.ops.combat_dice import turns
from app.ops.given import Given

_ADAPTERS: Final = (turns.turn, turns.mods, turns.ranged_rounds, turns.build)

COMBAT_DICE_OPS: Final[Mapping[str, Callable[[Given], Mapping[str, object]]]] = {
    adapter.__name__: adapter for adapter in _ADAPTERS
}
"""A kind's name is its adapter's."""
