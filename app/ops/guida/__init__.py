"""Case adapters of the Guida, a module a chapter: from what is given to the rules themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from app.ops.given import Given
from app.ops.guida import attacks, conditions, register, success, tags

_ADAPTERS: Final = (
    register.register_check,
    register.stat_total,
    register.snapshot,
    attacks.power,
    attacks.speed_check,
    success.hit_score,
    success.defend_score,
    success.range_steps,
    success.predictability,
    success.aim_legality,
    success.aim_effects,
    success.die_validity,
    tags.dice_tag,
    tags.roll_count,
    conditions.stacks_apply,
    conditions.type1_timeline,
    conditions.type2_timeline,
    conditions.stack_effects,
    conditions.stat_malus,
    conditions.step_table,
    conditions.condition_ticks,
)

GUIDA_OPS: Final[Mapping[str, Callable[[Given], Mapping[str, object]]]] = {
    adapter.__name__: adapter for adapter in _ADAPTERS
}
"""An op's name is its adapter's."""
