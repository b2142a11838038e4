"""The options of perception, blind attacks and smoke (GC-9), each in a scene that it changes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.readings import (
    CamouflageRoll,
    VolleyGaps,
)
from app.rulesets.guida.senses import is_hidden
from app.rulesets.guida.terms import AreaForm, AttackKind, Curtain
from tests.unit.guida.build import found, hit, post, refusals, scene, tool, turn
from tests.unit.guida.build_areas import with_area
from tests.unit.guida.build_stealth import cloak, radar, seek
from tests.unit.guida.rows import Row


def perceived(under: dict[str, Any]) -> Fraction:
    """Perceive with a stat bonus of 5, a potential bonus of 3 and a die of 4."""
    made = seek(radar(potential_bonus=3), **under)
    done = post(made, turn("ada", perception="radar"), 4)
    (told,) = found(done.findings, "perceived")
    return Fraction(told["value"])


def dice_of_a_search(under: dict[str, Any]) -> tuple[int, int]:
    """Count the dice of a camouflage, and of the attempt to find its user."""
    made = seek(radar(), hider=(cloak(),), first="bo", **under)
    covered = turn("bo", camouflage="cloak")
    dice = GUIDA.plan(made, covered).asked
    made = post(made, covered, *(6 for _ in dice)).state
    return len(dice), len(GUIDA.plan(made, turn("ada", perception="radar")).asked)


def arrives(under: dict[str, Any]) -> bool:
    """Attack blindly into a curtain of exactly 60 m with a die of 8."""
    smoke = {"form": AreaForm.STATIC, "radius_m": 60, "curtain": Curtain.SMOKE}
    made = with_area(scene(metres=300, **under), {"ada": 300}, saturation=None, **smoke)
    return bool(post(made, turn("ada", main=hit(blind=True)), 8).state.incoming)


def volley(under: dict[str, Any]) -> set[str]:
    """Try a volley of six shots at somebody hidden."""
    burst = tool("burst", attack_kind=AttackKind.MULTIPLE, volley_size=6)
    return refusals(seek(burst, **under), turn("ada", main=hit(tool="burst", blind=True)))


def out_of_sight(under: dict[str, Any]) -> bool:
    """Stand six metres apart in smoke."""
    return is_hidden(with_area(scene(metres=6, **under), curtain=Curtain.SMOKE), "bo", "ada")


ROWS = (
    Row("perception_includes_potential_bonus", True, perceived, 9, 12),
    Row("camouflage_roll", CamouflageRoll.PER_ATTEMPT, dice_of_a_search, (1, 1), (0, 2)),
    Row("blind_band_upper_inclusive", False, arrives, True, False),
    Row("volley_class_gaps", VolleyGaps.REJECT, volley, set(), {"volley_class_unknown"}),
    Row("smoke_hidden_beyond_m", 5, out_of_sight, False, True),
)
