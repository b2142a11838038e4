"""Attacchi alla Cieca (GC-9.13 to 9.16): into the area where a hidden target could be."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from app.engine.findings import Facts, Violation
from app.rulesets.guida.areas import is_inside, radius_of, smoke_between
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.orders import (
    Attack,
)
from app.rulesets.guida.readings import (
    VolleyGaps,
)
from app.rulesets.guida.senses import is_hidden
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.tables import BLIND_BANDS_M, BLIND_FAILURE, VOLLEY_CLASSES
from app.rulesets.guida.terms import Aim, AttackKind, Claim

# How large the area is in which a hidden target could be, as a Master may rule (GC-14.28).
BANDS: Final = ("within_25", "within_60", "within_100", "beyond_100")


def check_sight(scene: Scene, who: Combatant, attack: Attack) -> Iterator[Violation]:
    """List why a hidden target cannot be attacked like this (GC-9.2, GC-14.28).

    An attack on somebody in sight is like any other, whatever it was declared as.
    """
    unseen = [
        (field, id)
        for field, id in (
            ("main.blind", attack.target),
            *((f"main.also.{index}", id) for index, id in enumerate(attack.also)),
        )
        if scene.has(id) and is_hidden(scene, id, who.id)
    ]
    if not attack.blind:
        for field, id in unseen:
            yield Violation("GC-9.2", "target_hidden", field, {"id": id})
    if not unseen or not attack.blind:
        return
    if attack.aim is not Aim.BODY:
        yield Violation("GC-14.28", "blind_aim", "main.aim")
    if Claim.FROM_BEHIND in attack.claims:
        yield Violation("GC-14.28", "blind_from_behind", "main.claims")
    if attack.also:
        yield Violation("GC-9.13", "blind_one_target", "main.also")
    tool = who.sheet.tool(attack.tool)
    if tool is not None and kind_of(scene.options, tool) is None:
        facts: Facts = {"tool": tool.name, "shots": tool.volley_size}
        yield Violation("AMB-72", "volley_class_unknown", "main.tool", facts)


def kind_of(options: Options, tool: Tool) -> AttackKind | None:
    """Say as what kind an attack counts (GC-9.16); None for a volley that no class names."""
    if tool.attack_kind is not AttackKind.MULTIPLE:
        return tool.attack_kind
    return volley_class(options, tool.volley_size)


def volley_class(options: Options, shots: int) -> AttackKind | None:
    """Say as what a volley of so many shots counts (GC-9.16); between two classes by AMB-72."""
    below = VOLLEY_CLASSES[0][2]
    for least, most, kind in VOLLEY_CLASSES:
        if shots < least:  # past the class before, short of this one
            return {
                VolleyGaps.ROUND_DOWN: below,
                VolleyGaps.ROUND_UP: kind,
                VolleyGaps.REJECT: None,
            }[options.volley_class_gaps]
        if most is None or shots <= most:
            return kind
        below = kind
    return below


def band(options: Options, radius_m: Fraction | int) -> int:
    """Give the row of a radius (GC-9.14); two rows share a border, which AMB-71 gives to one."""
    first, *shared = BLIND_BANDS_M
    if radius_m <= first:
        return 0
    for index, bound in enumerate(shared, start=1):
        if radius_m < bound or (options.blind_band_upper_inclusive and radius_m == bound):
            return index
    return len(BLIND_BANDS_M)


def fails_up_to(kind: AttackKind, row: int) -> int:
    """Give the highest natural die with which a blind attack fails by itself (GC-9.14).

    A total-area attack has none (GC-9.15).
    """
    return BLIND_FAILURE[kind][row] if kind in BLIND_FAILURE else 0


def is_beyond(tool: Tool, metres: Fraction) -> bool:
    """Say whether a target is out of the reach of what is launched blindly (GC-9.15)."""
    return tool.max_m is not None and metres > tool.max_m


def radius_hiding(scene: Scene, attacker: str, target: str) -> int | None:
    """Give the radius of the curtain that hides a target, None where the Master says (GC-14.28).

    Of several curtains around it the smallest narrows the search most.
    """
    curtains = smoke_between(scene, attacker, target)
    radii = [radius_of(area) for area in curtains if is_inside(scene, area, target)]
    return min(radii, default=None)
