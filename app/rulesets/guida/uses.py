"""What may be used for what, and how: tools, supports, moves, aims, claims, the main action."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from app.engine.findings import Facts, Violation
from app.rulesets.guida.allies import carrying_malus
from app.rulesets.guida.area_actions import check_area
from app.rulesets.guida.blind import check_sight
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.effects import check_effects
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.moves import distance_after
from app.rulesets.guida.options import (
    Options,
    Regulation,
)
from app.rulesets.guida.orders import (
    Attack,
    Generic,
    Main,
    Movement,
    Preparation,
)
from app.rulesets.guida.places import (
    Move,
    Unseen,
)
from app.rulesets.guida.power import check_power
from app.rulesets.guida.readings import (
    BeyondRange,
)
from app.rulesets.guida.senses import is_hidden
from app.rulesets.guida.sheet import Heal, Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.success import can_aim
from app.rulesets.guida.tables import WITH_PREPARATION
from app.rulesets.guida.targets import check_targets
from app.rulesets.guida.terms import Action, Aim, AttackKind, Claim, Limb, Secondary, Stat
from app.rulesets.guida.veil import forming_known_to


def usable(regulation: Regulation, tool: Tool, field: str, use: str) -> Iterator[Violation]:
    """List why a tool cannot serve for a use: ``attacks``, ``guards``, ``parries``…"""
    fits = tool.supports or tool.generic if use == "generic" else getattr(tool, use)
    if not fits:
        yield Violation("GC-3.6", f"tool_not_for_{use}", field, {"tool": tool.name})
    heals = any(isinstance(effect, Heal) for effect in tool.effects)
    if use in ("attacks", "parries") or (use == "generic" and heals):
        yield from check_power(regulation, tool, field)
    if heals and use != "generic":  # GC-7.4, GC-7.6: a main heal takes the main action
        yield Violation("GC-7.6", "heal_is_main_action", field, {"tool": tool.name})
    yield from check_area(regulation, tool, field)
    # What settles on a target rides on attacks; a parry with the same weapon just has none.
    yield from check_effects(tool, field, attacking=use != "generic")


def check_tool(scene: Scene, who: Combatant, id: str, field: str, use: str) -> Iterator[Violation]:
    """List why what is named cannot be used like this."""
    tool = who.sheet.tool(id)
    if tool is None:
        yield Violation("GC-3.6", "tool_not_on_sheet", field, {"tool": id})
    else:
        yield from usable(scene.regulation, tool, field, use)


def check_supports(
    who: Combatant, ids: tuple[str, ...], field: str, *, attacking: bool
) -> Iterator[Violation]:
    """List why secondary actions cannot be tied to an action (GC-2.20)."""
    for index, id in enumerate(ids):
        at = f"{field}.support.{index}"
        tool = who.sheet.tool(id)
        if tool is None:
            yield Violation("GC-2.20", "tool_not_on_sheet", at, {"tool": id})
            continue
        if not tool.supports:
            yield Violation("GC-2.20", "tool_not_for_supports", at, {"tool": tool.name})
        if any(isinstance(effect, Heal) for effect in tool.effects):
            yield Violation("GC-7.6", "heal_is_main_action", at, {"tool": tool.name})
        yield from check_effects(tool, at, attacking=attacking)


def check_main(scene: Scene, who: Combatant, main: Main | None) -> Iterator[Violation]:
    """List why a main action cannot be carried out (GC-2.17)."""
    match main:
        case Attack():
            yield from _attack(scene, who, main)
        case Preparation():
            yield from _preparation(scene, who, main)
        case Movement():
            yield from check_move(scene, who, main.move, "main.move")
            yield from check_supports(who, main.support, "main", attacking=False)
            yield from _movement_reach(scene, who, main.move)
            yield from _hiding(scene, who, main)
        case Generic():
            yield from check_tool(scene, who, main.tool, "main.tool", "generic")
            yield from check_supports(who, main.support, "main", attacking=False)
            if main.move is not None:
                yield from check_move(scene, who, main.move, "main.move")
            yield from _beneficiary(scene, who, main)
        case None:
            pass


def check_aim(
    options: Options, tool: Tool, aim: Aim, limb: Limb | None, field: str
) -> Iterator[Violation]:
    """List what is wrong with an aim (GC-4.19, GC-4.24)."""
    if aim is not Aim.BODY and not can_aim(options, tool):
        facts: Facts = {"tool": tool.name, "attack_kind": tool.attack_kind}
        yield Violation("GC-4.19", "cannot_aim", f"{field}.aim", facts)
    if aim is Aim.LIMBS and limb is None:
        yield Violation("GC-4.24", "limb_missing", f"{field}.limb")
    if aim is not Aim.LIMBS and limb is not None:
        yield Violation("GC-4.24", "limb_without_aim", f"{field}.limb")


def check_reach(
    scene: Scene, who: Combatant, tool: Tool, target: str, move: Move | None, field: str
) -> Iterator[Violation]:
    """Refuse an attack beyond its maximum range, from where one stands then (AMB-25)."""
    metres = distance_after(scene, who.id, target, move)
    if is_beyond(scene.options, tool, metres):
        facts: Facts = {"tool": tool.name, "metres": metres, "max_m": tool.max_m}
        yield Violation("AMB-25", "beyond_max_range", field, facts)


def check_further(
    scene: Scene,
    who: Combatant,
    tool: Tool,
    targets: tuple[str, ...],
    move: Move | None,
    field: str,
) -> Iterator[Violation]:
    """List what is wrong with the further targets of an attack (GC-13.1 to GC-13.7)."""
    yield from check_targets(scene, who, tool, targets, move, field)
    known = {one.id for one in scene.opponents(who.id)}
    for index, id in enumerate(targets[1:]):
        if tool.attack_kind is AttackKind.TARGETED and id in known:
            yield from check_reach(scene, who, tool, id, move, f"{field}.{index}")


def is_beyond(options: Options, tool: Tool, metres: Fraction) -> bool:
    """Say whether nothing that far away can be attacked with a tool (AMB-25)."""
    refused = options.beyond_max_range is BeyondRange.REJECT
    return refused and tool.max_m is not None and metres > tool.max_m


def check_claims(
    scene: Scene, who: str, target: str, claims: tuple[Claim, ...], field: str
) -> Iterator[Violation]:
    """List what is wrong with the advantages claimed (GC-4.28)."""
    if len(set(claims)) != len(claims):
        yield Violation("GC-4.28", "claim_repeated", field)
    known = not is_hidden(scene, target, who)
    if Claim.FROM_BEHIND in claims and known and scene.is_behind(who, target):
        yield Violation("GC-4.30", "claim_already_counted", field)


def check_move(scene: Scene, who: Combatant, move: Move, field: str) -> Iterator[Violation]:
    """List what is wrong with a change of place."""
    named = [reach.to for reach in move.distances]
    for index, id in enumerate(named):
        at = f"{field}.distances.{index}"
        if id == who.id or not is_known(scene, who, id):
            yield Violation("GC-4.8", "move_unknown_combatant", at, {"id": id})
        elif id in named[:index]:
            yield Violation("GC-4.8", "move_repeated", at, {"id": id})
    for index, id in enumerate(move.behind):
        if id not in named or not scene.has(id):
            yield Violation("GC-4.30", "behind_not_moved", f"{field}.behind.{index}", {"id": id})


def is_known(scene: Scene, who: Combatant, id: str) -> bool:
    """Say whether one knows where somebody, or the centre of an area, is (GC-9.1)."""
    if not scene.has(id):
        known = (*scene.areas, *forming_known_to(scene, who.id))
        return any(area.id == id for area in known)
    return not is_hidden(scene, id, who.id)


def dodge_reach(scene: Scene, who: Combatant, action: Action = Action.DODGE) -> Fraction:
    """Give how many metres a dodge covers at most (GC-4.13, AMB-28), with an ally or without."""
    level = total_level(who, Stat.DEXTERITY).total
    if action is Action.ALLY_DODGE:  # GC-13.20
        level += carrying_malus(total_level(who, Stat.STRENGTH).total)
    return max(Fraction(0), level * scene.options.dodge_metres_per_dexterity)


def covered(scene: Scene, who: Combatant, move: Move) -> Iterator[tuple[int, Fraction]]:
    """Go through the metres that a move covers, with the place of each distance in it."""
    for index, step in enumerate(move.distances):
        if step.to != who.id and is_known(scene, who, step.to):
            yield index, abs(step.metres - scene.metres(who.id, step.to))


def _attack(scene: Scene, who: Combatant, attack: Attack) -> Iterator[Violation]:
    if attack.target not in {one.id for one in scene.opponents(who.id)}:
        yield Violation("GC-4.45", "target_not_opponent", "main.target", {"id": attack.target})
        return
    yield from check_tool(scene, who, attack.tool, "main.tool", "attacks")
    yield from check_supports(who, attack.support, "main", attacking=True)
    if attack.move is not None:
        yield from check_move(scene, who, attack.move, "main.move")
    tool = who.sheet.tool(attack.tool)
    if tool is not None:
        yield from check_aim(scene.options, tool, attack.aim, attack.limb, "main")
        if not is_hidden(scene, attack.target, who.id):  # how far the unseen are nobody tells
            yield from check_reach(scene, who, tool, attack.target, attack.move, "main.tool")
        if attack.also:
            targets = (attack.target, *attack.also)
            yield from check_further(scene, who, tool, targets, attack.move, "main.also")
    yield from check_sight(scene, who, attack)
    # A place behind may be claimed where it is not held, behind whichever of the targets.
    known = [id for id in (attack.target, *attack.also) if scene.has(id)]
    free = [id for id in known if not scene.is_behind(who.id, id)]
    yield from check_claims(scene, who.id, (free or known)[0], attack.claims, "main.claims")


def _preparation(scene: Scene, who: Combatant, main: Preparation) -> Iterator[Violation]:
    yield from check_supports(who, main.support, "main", attacking=False)
    kinds = [tool.secondary for tool in who.sheet.tools_by_id(main.support)]
    for index, kind in enumerate(kinds):
        if kind not in WITH_PREPARATION:
            facts: Facts = {"secondary": kind}
            at = f"main.support.{index}"
            yield Violation("GC-4.38", "not_with_preparation", at, facts)
    if len(kinds) > 1 and set(kinds) != {Secondary.TONIC}:
        yield Violation("GC-4.38", "one_with_preparation", "main.support")
    if main.move is not None:
        yield from check_move(scene, who, main.move, "main.move")
        reach = total_level(who, Stat.DEXTERITY).total  # GC-4.37, AMB-35
        for index, metres in covered(scene, who, main.move):
            if metres > reach:
                facts = {"metres": metres, "reach": reach}
                at = f"main.move.distances.{index}"
                yield Violation("GC-4.37", "preparation_too_far", at, facts)


def _hiding(scene: Scene, who: Combatant, main: Movement) -> Iterator[Violation]:
    """List whom one cannot claim to have shaken off (GC-9.3)."""
    opponents = {one.id for one in scene.opponents(who.id)}
    for index, id in enumerate(main.hides):
        at = f"main.hides.{index}"
        if id not in opponents or id in main.hides[:index]:
            yield Violation("GC-9.3", "hides_not_opponent", at, {"id": id})
        elif Unseen(who=who.id, observer=id) in scene.hidden:
            yield Violation("GC-9.3", "already_hidden", at, {"id": id})


def _movement_reach(scene: Scene, who: Combatant, move: Move) -> Iterator[Violation]:
    per_level = scene.options.movement_metres_per_dexterity
    if per_level is None:  # AMB-38
        return
    reach = max(Fraction(0), per_level * total_level(who, Stat.DEXTERITY).total)
    for index, metres in covered(scene, who, move):
        if metres > reach:
            facts: Facts = {"metres": metres, "reach": reach}
            at = f"main.move.distances.{index}"
            yield Violation("AMB-38", "movement_too_far", at, facts)


def _beneficiary(scene: Scene, who: Combatant, main: Generic) -> Iterator[Violation]:
    if main.beneficiary is None:
        return
    active = {one.id for one in scene.combatants if one.active and is_known(scene, who, one.id)}
    if main.beneficiary not in active:
        facts: Facts = {"id": main.beneficiary}
        yield Violation("GC-7.1", "unknown_combatant", "main.beneficiary", facts)
        return
    tool = who.sheet.tool(main.tool)
    if tool is not None and main.beneficiary != who.id:
        yield from check_reach(scene, who, tool, main.beneficiary, main.move, "main.beneficiary")
