"""The options of control areas (GC-12), each in a scene that it changes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from app.rulesets.guida.areas import is_smoked
from app.rulesets.guida.readings import (
    AreaTick,
    Coverage,
    SaturationRemoval,
)
from app.rulesets.guida.terms import AttackKind, Category, Curtain
from tests.unit.guida.build import hit, keys, post, refusals, tool, turn
from tests.unit.guida.build_areas import escaping, fight, saturation, with_area
from tests.unit.guida.rows import Row


def after_one_turn(under: dict[str, Any]) -> int | None:
    """Let the creator of an area of saturation 9 pass a turn."""
    return saturation(post(with_area(fight(**under), saturation=9), turn("ada")).state)


def worn(under: dict[str, Any]) -> int | None:
    """Fight in an area of saturation 6 with a total-area attack of potential S."""
    wave = tool("wave", category=Category.S, attack_kind=AttackKind.TOTAL_AREA)
    start = with_area(fight(wave, metres=4, **under))
    return saturation(post(start, turn("ada", main=hit(tool="wave")), 6).state)


def resists(under: dict[str, Any]) -> bool:
    """Meet an area of potential 6 and stat bonus 8 with power 10."""
    wave = tool("wave", potential=10, stat_bonus=0)
    start = with_area(fight(wave, metres=4, **under), stat_bonus=Fraction(8))
    done = post(start, turn("ada", main=hit(tool="wave", destroys="area9")), 6)
    return "area_resists" in keys(done.findings)


def asked(under: dict[str, Any]) -> tuple[int, int]:
    """Cover an area of 25 m with a technique of 20 m: questions asked, areas left."""
    wave = tool("wave", potential=90, attack_kind=AttackKind.AREA, area_m=20)
    start = with_area(fight(wave, metres=4, **under))
    done = post(start, turn("ada", main=hit(tool="wave", destroys="area9")), 6).state
    return len(done.questions), len(done.areas)


def refused(under: dict[str, Any]) -> set[str]:
    """Try to leave an area by the move of an attack."""
    return refusals(with_area(fight(metres=4, **under)), escaping(26, main=False))


def poison_blinds(under: dict[str, Any]) -> bool:
    """Stand six metres apart in a poison curtain."""
    return is_smoked(with_area(fight(metres=6, **under), curtain=Curtain.POISON), "ada", "bo")


ROWS = (
    Row("area_tick", AreaTick.ROUND_END, after_one_turn, 8, 9),
    Row("saturation_removal_stacking", SaturationRemoval.HIGHEST, worn, 2, 4),
    Row("area_power_includes_stat_bonus", False, resists, True, False),
    Row("area_coverage_measure", Coverage.RADIUS, asked, (1, 1), (0, 0)),
    Row("in_action_moves_escape_area", True, refused, {"cannot_leave_area"}, set()),
    Row("poison_curtain_blinds", True, poison_blinds, False, True),
)
