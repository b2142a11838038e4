"""Techniques that create control areas, and scenes that have one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from app.rulesets.guida.orders import (
    Movement,
)
from app.rulesets.guida.places import (
    Distance,
)
from app.rulesets.guida.sheet import Area, Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import AreaForm, Curtain
from app.rulesets.guida.underway import (
    ControlArea,
)
from tests.unit.guida.build import entrant, hit, scene, to, tool, turn


def cloud(saturation: int = 6, curtain: Curtain | None = None, **more: Any) -> Tool:
    """Make a technique that creates an expansive area: 25 m wide unless told otherwise."""
    effect = Area(form=AreaForm.EXPANSIVE, saturation=saturation, curtain=curtain)
    given = {"attacks": False, "generic": True, "supports": True, "ep": 3, **more}
    return tool("cloud", effects=(effect,), **given)


def dome(radius_m: int | None = 25, saturation: int | None = None, **more: Any) -> Tool:
    """Make a technique that creates a static area."""
    effect = Area(form=AreaForm.STATIC, radius_m=radius_m, saturation=saturation)
    given = {"attacks": False, "generic": True, "supports": True, **more}
    return tool("dome", effects=(effect,), **given)


def fight(*tools: Tool, metres: int = 30, third: bool = False, **more: Any) -> Scene:
    """Let Ada, who has the tools, face Bo, and Cy too if there is a third."""
    both = (entrant("ada", tool(), *tools), entrant("bo", tool(), tool("fist", parries=True)))
    return scene(*both, *((entrant("cy"),) if third else ()), metres=metres, **more)


def with_area(made: Scene, metres: dict[str, int] | None = None, **more: Any) -> Scene:
    """Put a formed area of Ada's into a scene, its centre that far from everybody."""
    given = {"form": AreaForm.EXPANSIVE, "saturation": 6, "fed": -9, **more}
    area = ControlArea(id="area9", creator="ada", tool="cloud", name="Cloud", **given)
    ids = [who.id for who in made.combatants]
    places = [Distance(a="area9", b=id, metres=Fraction((metres or {}).get(id, 0))) for id in ids]
    return replace(made.placed(places, made.behind), areas=(*made.areas, area))


def saturation(made: Scene) -> int | None:
    """Give the saturation of the only area, None where there is none."""
    return made.areas[0].saturation if made.areas else None


def escaping(metres: int, main: bool = True) -> Any:
    """Write Ada's way out of the area, by a movement or by the move of an attack."""
    move = to(("area9", metres))
    return turn("ada", main=Movement(move=move) if main else hit(move=move))
