"""An attack arrives (GC-6.1): its damage, its criticals, and what it leaves on the target."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from app.engine.findings import Facts, Finding
from app.rulesets.guida.conditions import apply_stacks
from app.rulesets.guida.damage import Damage, Hit, armour_of, is_critical, settle_damage
from app.rulesets.guida.effects import begin_on_target
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.options import ArmourDown, Options
from app.rulesets.guida.sheet import StackEffect
from app.rulesets.guida.state import Incoming, Line, Scene, add_line
from app.rulesets.guida.tables import (
    HEAD_STUN,
    HEAD_STUNNED_FROM,
    LIMBS_MAIMED_FROM,
    MAIM_OF_LIMB,
    TYPE_1,
    TYPE_2,
)
from app.rulesets.guida.terms import Aim, Change, Stack, Stat


def strike(scene: Scene, attack: Incoming, hit: Hit) -> tuple[Scene, list[Finding]]:
    """Let an attack strike in full, through a guard, or on a half-damage tie; it is then over.

    Damage and stacks wait on the target's lines until the attacker has posted the calculation
    (GC-6.8); stacks and effects themselves act from the target's next turn (GC-14.31).
    """
    target = scene.who(attack.target)
    damage = _damage_of(scene, attack, hit)
    line = _line(attack, Change.HP, "damage", "GC-6.8", -damage.amount)
    scene = add_line(scene, target.id, replace(line, working=damage.working))
    findings = [_due(scene, attack, hit, damage)]
    if damage.armour_beaten and scene.options.armour_down_until is not ArmourDown.SAME_ACTION:
        scene = scene.put(replace(scene.who(target.id), armour_down=True))
        findings.append(Finding("GC-6.7", "armour_down", {"bearer": target.sheet.name}, "AMB-50"))
    if has_riders(scene.options, hit):
        scene, left = _leave(scene, attack, hit, damage)
        findings += left
    return spend(scene, attack), findings


def spend(scene: Scene, attack: Incoming) -> Scene:
    """Take an attack that has been answered out of the scene."""
    rest = tuple(other for other in scene.incoming if other.id != attack.id)
    ruled = tuple(ruling for ruling in scene.ruled if ruling.attack != attack.id)
    return replace(scene, incoming=rest, ruled=ruled)


def has_riders(options: Options, hit: Hit) -> bool:
    """Say whether stacks and effects come with a hit of this measure (AMB-42, GC-14.7)."""
    match hit:
        case Hit.FULL:
            return True
        case Hit.GUARDED:
            return options.guard_riders
        case Hit.TIED:
            return options.riders_on_tie


def aim_stacks(aim: Aim, die: int, attack: Incoming) -> tuple[str, Stack, int] | None:
    """Give the stacks a natural die earns by its aim: rule, condition, count (GC-4.24, GC-4.26)."""
    if aim is Aim.LIMBS and die >= LIMBS_MAIMED_FROM and attack.limb is not None:
        return "GC-4.24", MAIM_OF_LIMB[attack.limb], 1
    if aim is Aim.HEAD and die >= HEAD_STUNNED_FROM:
        return "GC-4.26", Stack.STUN, HEAD_STUN
    return None


def _damage_of(scene: Scene, attack: Incoming, hit: Hit) -> Damage:
    target = scene.who(attack.target)
    return settle_damage(
        scene.options,
        attack.tool.damage,
        power=attack.power,
        stat_bonus=attack.stat_bonus,
        resistance=total_level(target, Stat.CONSTITUTION),
        armour=armour_of(scene.options, target),
        critical=is_critical(scene.options, attack.aim, attack.die, hit),
        hit=hit,
    )


def _leave(scene: Scene, attack: Incoming, hit: Hit, damage: Damage) -> tuple[Scene, list[Finding]]:
    findings: list[Finding] = []
    stacks = [aim_stacks(attack.aim, attack.die, attack)]
    for rider in attack.riders:
        if isinstance(rider.effect, StackEffect):
            stacks.append(("GC-11.1", rider.effect.stack, rider.effect.count))
        else:
            scene, found = begin_on_target(scene, attack.attacker, attack.target, rider)
            findings.append(found)
    for earned in stacks:
        if earned is None:
            continue
        rule, stack, count = earned
        name = scene.who(attack.target).sheet.name
        facts: Facts = {"bearer": name, "stack": stack, "amount": Fraction(count)}
        if hit is Hit.GUARDED and stack in TYPE_1:
            findings.append(Finding("GC-4.50", "stacks_prevented", facts))
        elif stack in TYPE_2 and damage.amount < 1:
            findings.append(Finding("GC-11.9", "stacks_need_damage", facts, "AMB-83"))
        else:
            scene, found = _stamp(scene, attack, rule, stack, count)
            findings.append(found)
    return scene, findings


def _stamp(
    scene: Scene, attack: Incoming, rule: str, stack: Stack, count: int
) -> tuple[Scene, Finding]:
    target = scene.who(attack.target)
    marked = apply_stacks(scene.options, target, stack, count)
    taken = sum(lot.count for lot in marked.lots) - sum(lot.count for lot in target.lots)
    scene = scene.put(marked)
    line = _line(attack, Change.STACKS, "stacks", rule, taken)
    scene = add_line(scene, target.id, replace(line, stack=stack))
    facts: Facts = {
        "bearer": target.sheet.name,
        "stack": stack,
        "amount": Fraction(taken),
        "over": Fraction(count - taken),
    }
    return scene, Finding(rule, "stacks_applied", facts)


def _line(attack: Incoming, change: Change, key: str, rule: str, amount: int) -> Line:
    return Line(
        id=0,
        change=change,
        amount=amount,
        rule=rule,
        key=key,
        name=attack.tool.name,
        poster=attack.attacker,
        posted=False,
        attack=attack.id,
    )


def _due(scene: Scene, attack: Incoming, hit: Hit, damage: Damage) -> Finding:
    facts: Facts = {
        "attacker": scene.who(attack.attacker).sheet.name,
        "target": scene.who(attack.target).sheet.name,
        "name": attack.tool.name,
        "amount": Fraction(damage.amount),
        "working": damage.working,
        "hit": hit,
        "damage_type": attack.tool.damage,
        "armour_value": damage.armour_value,
    }
    rule = {"normal": "GC-6.10", "pure": "GC-6.11", "semi_pure": "GC-6.13"}[attack.tool.damage]
    return Finding(rule, "damage_due", facts)
