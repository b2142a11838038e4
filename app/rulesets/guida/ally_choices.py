"""What there is to choose where more than two are concerned: further targets, allies to protect."""

from __future__ import annotations

from app.rulesets.guida.allies import at_allies, check_ally_defence, may_stand_still, works_as
from app.rulesets.guida.bonds import forbids
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.offers import AllyChoice
from app.rulesets.guida.orders import (
    Defence,
)
from app.rulesets.guida.places import (
    Move,
    Reach,
)
from app.rulesets.guida.senses import is_hidden
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action
from app.rulesets.guida.underway import (
    Incoming,
)
from app.rulesets.guida.uses import check_further, dodge_reach


def ally_attacks(scene: Scene, who: Combatant) -> tuple[AllyChoice, ...]:
    """List the attacks on allies that a combatant may meet (GC-14.37)."""
    return tuple(
        AllyChoice(
            attack=one,
            ally=one.target,
            ally_name=scene.who(one.target).sheet.name,
            attacker_name=scene.who(one.attacker).sheet.name,
            apart_m=scene.metres(one.attacker, one.target),
            farther=scene.metres(who.id, one.target) > scene.metres(one.attacker, one.target),
        )
        for one in at_allies(scene, who.id)
    )


def sheltering(scene: Scene, who: Combatant, action: Action) -> tuple[str, ...]:
    """List the attacks on allies that a defence may be declared against, each by itself."""
    return tuple(
        one.id for one in at_allies(scene, who.id) if _is_possible(scene, who, action, one)
    )


def standing_still(scene: Scene, who: Combatant, action: Action) -> tuple[str, ...]:
    """List the attacks on allies that a defence meets even without a move (GC-13.16)."""
    return tuple(one.id for one in at_allies(scene, who.id) if may_stand_still(action, one))


def further_targets(scene: Scene, who: Combatant, tool: Tool, target: str) -> tuple[str, ...]:
    """List whom an attack on one target may reach as well, each by itself (GC-13.1)."""
    if is_hidden(scene, target, who.id):
        return ()
    return tuple(
        one.id
        for one in scene.opponents(who.id)
        if one.id != target
        and not is_hidden(scene, one.id, who.id)
        and not any(check_further(scene, who, tool, (target, one.id), None, ""))
    )


def _is_possible(scene: Scene, who: Combatant, action: Action, attack: Incoming) -> bool:
    bound = forbids(scene, who.id).place
    if bound and not may_stand_still(action, attack):
        return False
    dodges = works_as(scene.options, action) is Action.DODGE
    far = scene.metres(who.id, attack.target) > dodge_reach(scene, who, action)
    if dodges and far:
        return False
    beside = Move(distances=(Reach(to=attack.target, metres=0),))
    declared = Defence(action=action, against=(attack.id,), move=beside)
    return not any(
        obstacle.code != "ally_not_between"
        for obstacle in check_ally_defence(scene, who, declared, "")
    )
