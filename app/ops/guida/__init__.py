"""Case adapters of the Guida, a module a chapter: from what is given to the rules themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from app.ops.given import Given
from app.ops.guida import attacks, conditions, damage, fights, moves, register, success, tags, turns

_ADAPTERS: Final = (
    register.register_check,
    register.stat_total,
    register.snapshot,
    turns.phase_flow,
    turns.turn_shape,
    attacks.power,
    attacks.speed_check,
    success.hit_score,
    success.defend_score,
    success.range_steps,
    success.predictability,
    success.aim_legality,
    success.aim_effects,
    success.die_validity,
    moves.in_attack_move,
    moves.in_defence_move,
    moves.dodge_reach,
    damage.defence_result,
    tags.dice_tag,
    tags.roll_count,
    turns.damage_due,
    damage.damage,
    turns.damage_timeline,
    damage.exchange,
    conditions.stacks_apply,
    conditions.type1_timeline,
    conditions.type2_timeline,
    conditions.stack_effects,
    conditions.stat_malus,
    conditions.step_table,
    conditions.condition_ticks,
    fights.setup_check,
    fights.order_check,
    fights.transcript,
)

GUIDA_OPS: Final[Mapping[str, Callable[[Given], Mapping[str, object]]]] = {
    adapter.__name__: adapter for adapter in _ADAPTERS
}
"""An op's name is its adapter's."""
