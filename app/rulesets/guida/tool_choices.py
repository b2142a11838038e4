"""Weapons and techniques that may be used now: to strike, to guard, to support."""

from __future__ import annotations

from app.rulesets.guida.area_actions import area_effects, check_area
from app.rulesets.guida.area_checks import can_destroy
from app.rulesets.guida.attempts import check_form
from app.rulesets.guida.bond_choices import (
    can_free,
    hampered,
    improper_binds,
    lacks,
)
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.effects import check_effects, has_knockback
from app.rulesets.guida.intentions import can_knock
from app.rulesets.guida.offers import (
    ToolChoice,
)
from app.rulesets.guida.sheet import Heal, StackEffect, Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.success import can_aim
from app.rulesets.guida.tables import TYPE_1
from app.rulesets.guida.terms import Aim, Limb
from app.rulesets.guida.uses import usable


def usable_now(scene: Scene, who: Combatant, use: str) -> tuple[ToolChoice, ...]:
    """List what serves for a use now, and can be paid for."""
    return tuple(
        offer(scene, who, tool)
        for tool in who.sheet.tools
        if tool.ep <= who.ep_now
        and not hampered(scene, who, tool)
        and not any(usable(scene.regulation, tool, "", use))
        and not lacks(scene, tool, use)
        and not any(check_form(scene, who, tool, ""))
    )


def supports_now(scene: Scene, who: Combatant, *, attacking: bool) -> tuple[ToolChoice, ...]:
    """List secondary actions; one that settles on a target needs an attack to ride on."""
    return tuple(
        ToolChoice(
            id=tool.id,
            name=tool.name,
            ep=tool.ep,
            secondary=tool.secondary,
            creates_area=bool(area_effects(tool)),
        )
        for tool in who.sheet.tools
        if tool.supports
        and tool.ep <= who.ep_now
        and not hampered(scene, who, tool)
        and not any(isinstance(effect, Heal) for effect in tool.effects)
        and not any(check_effects(tool, "", attacking=attacking))
        and not any(check_area(scene.regulation, tool, ""))
        and not (attacking and lacks(scene, tool, "attacks"))
        and not any(check_form(scene, who, tool, ""))
    )


def offer(scene: Scene, who: Combatant, tool: Tool) -> ToolChoice:
    """Offer a weapon or technique with what may be intended with it."""
    aimed = can_aim(scene.options, tool)
    return ToolChoice(
        id=tool.id,
        name=tool.name,
        ep=tool.ep,
        aims=tuple(Aim) if aimed else (Aim.BODY,),
        limbs=tuple(Limb) if aimed else (),
        secondary=tool.secondary,
        creates_area=bool(area_effects(tool)),
        knocks=can_knock(scene, tool),
        knocks_free=has_knockback(tool),
        transient=tuple(
            dict.fromkeys(
                effect.stack
                for effect in tool.effects
                if isinstance(effect, StackEffect) and effect.stack in TYPE_1
            )
        ),
        binds=improper_binds(scene, tool),
        frees=can_free(scene, who, tool),
        destroys=can_destroy(scene, tool),
    )
