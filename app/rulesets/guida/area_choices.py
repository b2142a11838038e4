"""Which control areas one may name in a turn, and what each may be fed with (GC-12)."""

from __future__ import annotations

from collections.abc import Iterator

from app.rulesets.guida.area_actions import area_effects
from app.rulesets.guida.area_checks import can_feed
from app.rulesets.guida.areas import radius_of
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.offers import AreaChoice
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.veil import forming_known_to


def area_choices(scene: Scene, who: Combatant) -> Iterator[AreaChoice]:
    """Go through the areas one knows of, forming ones included, as one stands to them."""
    for area in (*scene.areas, *forming_known_to(scene, who.id)):
        formed = area in scene.areas
        metres = scene.metres(area.id, who.id)
        yield AreaChoice(
            id=area.id,
            name=area.name,
            metres=metres,
            radius_m=radius_of(area),
            inside=metres <= radius_of(area),
            forming=not formed,
            fed_with=tuple(
                tool.id
                for tool in who.sheet.tools
                if formed
                and (effects := area_effects(tool))
                and all(can_feed(scene, who, effect, tool.id, area) for effect in effects)
            ),
        )
