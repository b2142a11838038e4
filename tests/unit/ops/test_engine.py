"""Cases about time or order are decided by the turn engine, not by the op that asks for them."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.ops.cases import Case, files_under, read_cases
from app.ops.guida import GUIDA_OPS, scenes
from app.ops.runner import run_case
from app.rulesets.guida.game import GUIDA

CASES = [
    case
    for path in files_under(Path(__file__).parents[2] / "cases")
    for case in read_cases(path, named=True)
]
# What happens in a turn, in what order, and what is left for the next one.
TIMED = {
    *("snapshot", "phase_flow", "turn_shape", "damage_due", "damage_timeline"),
    *("action_limit", "action_class", "action_chain", "preparation", "speed_check"),
    *("aim_effects", "in_attack_move", "in_defence_move", "offensive_after", "counter_flow"),
    *("generic_counter", "suspended_action", "movement_vs_counter", "heal_exposure"),
    *("comparison_scope", "damage", "additional_damage", "environmental_damage"),
    *("heal", "regeneration", "regeneration_turn", "defence_result", "exchange"),
    *("static_area", "expansive_area", "area_ticks", "area_removal", "area_removal_total"),
    *("area_creation_die", "area_creation_countered", "area_escape_creation"),
    *("area_escape_formed", "decay_table", "condition_interrupt"),
    *("constraint_apply", "liberation", "liberation_track", "liberation_limit"),
    *("detection", "masking", "concentration_track", "hidden_attack", "blinded"),
    *("knockback_choice", "reaction", "reaction_eligibility"),
    *("multi_target_stop", "multi_target_legality", "multi_target_gm", "volley_power"),
    *("ally_result", "ally_counter", "ally_dodge_legality"),
    *("stacks_apply", "type1_timeline", "type2_timeline", "condition_ticks", "transcript"),
}
# One sum, one table, one question whether something may be done: no turn is played.
STILL = {
    *("post_lint", "register_check", "sequence_lint", "dice_tag", "roll_count", "stat_total"),
    *("preparation_legality", "movement_score", "power", "hit_score", "defend_score"),
    *("range_steps", "predictability", "aim_legality", "die_validity", "dodge_reach"),
    *("power_outcome", "power_comparison", "environmental_potential", "stack_effects"),
    *("area_destroy", "smoke", "blind_attack", "volley_class"),
    *("constraint_effects", "distance_limit", "knockback_distance", "ally_dodge_malus"),
    *("stat_malus", "step_table", "setup_check", "order_check"),
}


def refused(expect: Any) -> bool:
    """Say whether all that a case expects is that something is not allowed."""
    return isinstance(expect, dict) and expect.get("legal") is False


def unprinted(case: Case) -> bool:
    """Say whether a case is about a defence of an ally, which this edition does not play."""
    return case.op == "speed_check" and str(case.given["action"]).startswith("ally_")


def timed() -> Iterator[Case]:
    """Go through the cases that play at least one turn."""
    for case in CASES:
        if case.op in TIMED and not refused(case.expect) and not unprinted(case):
            yield case


def test_every_op_is_about_time_or_is_not() -> None:
    assert set(GUIDA_OPS) == TIMED | STILL
    assert not TIMED & STILL


def test_every_op_about_time_has_cases() -> None:
    assert {case.op for case in timed()} == TIMED


@pytest.mark.parametrize("op", sorted(TIMED))
def test_an_op_about_time_runs_the_turn_engine(op: str, monkeypatch: pytest.MonkeyPatch) -> None:
    played = 0

    def resolve(*order: Any) -> Any:
        nonlocal played
        played += 1
        return GUIDA.resolve(*order)

    monkeypatch.setattr(scenes, "GUIDA", dataclasses.replace(GUIDA, resolve=resolve))
    for case in timed():
        if case.op == op:
            before = played
            assert run_case(case) == ()
            assert played > before, case.id


@pytest.mark.parametrize("op", sorted(TIMED))
def test_an_op_about_time_knows_nothing_without_it(
    op: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def resolve(*_order: Any) -> Any:
        raise RuntimeError("no turn is played")

    monkeypatch.setattr(scenes, "GUIDA", dataclasses.replace(GUIDA, resolve=resolve))
    for case in timed():
        if case.op == op:
            assert run_case(case) == ("RuntimeError: no turn is played",), case.id
