"""Case adapters of the Guida, a module a chapter: from what is given to the rules themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from app.ops.given import Given
from app.ops.guida import (
    actions,
    attacks,
    clashes,
    conditions,
    counters,
    damage,
    exchanges,
    fights,
    healing,
    moves,
    register,
    success,
    tags,
    turns,
)

_ADAPTERS: Final = (
    tags.post_lint,
    tags.register_check,
    tags.sequence_lint,
    tags.dice_tag,
    tags.roll_count,
    register.stat_total,
    register.snapshot,
    turns.phase_flow,
    turns.turn_shape,
    turns.damage_due,
    turns.damage_timeline,
    actions.action_limit,
    actions.action_class,
    actions.action_chain,
    actions.preparation,
    actions.preparation_legality,
    actions.movement_score,
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
    counters.offensive_after,
    counters.counter_flow,
    counters.generic_counter,
    counters.suspended_action,
    counters.movement_vs_counter,
    counters.heal_exposure,
    clashes.power_outcome,
    clashes.power_comparison,
    clashes.comparison_scope,
    damage.damage,
    damage.additional_damage,
    damage.environmental_potential,
    damage.environmental_damage,
    healing.heal,
    healing.regeneration,
    healing.regeneration_turn,
    exchanges.defence_result,
    exchanges.exchange,
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
