"""An attack arrives (GC-6.1): its damage, its criticals, and what it leaves on the target."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from app.engine.findings import Facts, Finding
from app.engine.tally import Tally, Term
from app.rulesets.guida.combatants import (
    Line,
)
from app.rulesets.guida.conditions import apply_stacks, make_room, order_of
from app.rulesets.guida.constraints import condition_of, is_harmless, land
from app.rulesets.guida.damage import (
    Damage,
    Hit,
    armour_of,
    is_critical,
    settle_additional,
    settle_damage,
)
from app.rulesets.guida.effects import begin_on_target
from app.rulesets.guida.landed import note_landed
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.orders import (
    Knock,
)
from app.rulesets.guida.power import Power, potential_bonus
from app.rulesets.guida.readings import (
    ArmourDown,
)
from app.rulesets.guida.seconds import note_turn, write_second
from app.rulesets.guida.sheet import AdditionalDamage, Constraint, StackEffect
from app.rulesets.guida.state import (
    Scene,
    add_line,
    launched_as,
    names_of,
)
from app.rulesets.guida.tables import (
    HEAD_STUN,
    HEAD_STUNNED_FROM,
    LIMBS_MAIMED_FROM,
    MAIM_OF_LIMB,
    TYPE_1,
    TYPE_2,
    TYPE_4,
)
from app.rulesets.guida.terms import Aim, Change, Stack, Stat
from app.rulesets.guida.throws import throw_back
from app.rulesets.guida.underway import (
    Incoming,
    Rider,
    Throw,
)


@dataclass(frozen=True, slots=True)
class Earned:
    """Stacks that an attack brings: by which rule, of which condition, how many.

    ``bond`` is the constraint that Type-4 stacks belong to (GC-11.18).
    """

    rule: str
    stack: Stack
    count: int
    bond: str | None = None


def strike(
    scene: Scene,
    attack: Incoming,
    hit: Hit,
    halved_by: str | None = None,
    reaction: int | None = None,
) -> tuple[Scene, list[Finding]]:
    """Let an attack strike in full, through a guard, or on a half-damage tie; it is then over.

    Whatever lets it in, its damage is due from now on (GC-6.1, GC-14.8).
    ``halved_by`` is the rule of the defence that halves it, ``reaction`` the natural die of an
    attempt to recover from being knocked back by it.

    Damage and stacks wait on the target's lines until the attacker has posted the calculation
    (GC-6.8); stacks and effects themselves act from the target's next turn (GC-14.31). A throw
    comes before whatever else the blow leaves: the reaction has its label's Dexterity (GC-10.11).
    """
    before = scene
    scene = note_turn(scene, attack.attacker, launched_as(attack.id)[0])
    damage = _damage_of(scene, attack, hit, halved_by)
    if not is_harmless(attack.tool):
        scene = add_line(scene, attack.target, _damage_line(attack, "damage", damage))
    findings = [_due(scene, attack, hit, damage)]
    scene, down = _beat_armour(scene, attack, damage)
    findings += down
    # A second damage is no rider of a guarded hit: what a guard does to it is AMB-44's matter.
    if has_riders(scene.options, hit) or hit is Hit.GUARDED:
        scene, added = _leave_additional(scene, attack, hit)
        findings += added
    scene = spend(scene, attack)
    if has_riders(scene.options, hit):
        if attack.knock is not None:  # with the totals before what this same blow leaves
            throw = throw_of(scene, attack, attack.knock, hit)
            scene, thrown, _ = throw_back(scene, throw, reaction)
            findings += thrown
        scene, left = _leave(scene, attack, hit, damage)
        findings += left
    return note_landed(before, scene, attack, hit, halved_by), findings


def throw_of(scene: Scene, attack: Incoming, knock: Knock, hit: Hit) -> Throw:
    """Read a knockback off the attack that lands (GC-10.4 to GC-10.6)."""
    return Throw(
        thrower=attack.attacker,
        thrown=attack.target,
        name=attack.tool.name,
        die=attack.die,
        category=attack.category,
        potential_bonus=potential_bonus(scene.regulation, attack.tool),
        stat_bonus=attack.stat_bonus,
        knock=knock,
        guarded=hit is Hit.GUARDED,
        attack=attack.id,
        post=launched_as(attack.id)[0],
    )


def spend(scene: Scene, attack: Incoming) -> Scene:
    """Take an attack that has been answered out of the scene."""
    rest = tuple(other for other in scene.incoming if other.id != attack.id)
    ruled = tuple(ruling for ruling in scene.ruled if ruling.attack != attack.id)
    return replace(scene, incoming=rest, ruled=ruled)


def weakened(scene: Scene, attack: Incoming, power: Power) -> tuple[Scene, Incoming]:
    """Let an attack go on with the power a comparison left it (GC-5.10)."""
    changed = replace(
        attack,
        potential=power.potential,
        stat_bonus=power.stat_bonus,
        category=power.category,
        power=power.tally,
    )
    incoming = tuple(changed if one.id == attack.id else one for one in scene.incoming)
    return replace(scene, incoming=incoming), changed


def power_of(attack: Incoming) -> Power:
    """Give the power an attack meets a comparison with."""
    return Power(
        potential=attack.potential,
        stat_bonus=attack.stat_bonus,
        category=attack.category,
        tally=attack.power,
    )


def has_riders(options: Options, hit: Hit) -> bool:
    """Say whether stacks and effects come with a hit of this measure (AMB-42, GC-14.7)."""
    match hit:
        case Hit.FULL:
            return True
        case Hit.GUARDED:
            return options.guard_riders
        case Hit.TIED:
            return options.riders_on_tie


def aim_stacks(attack: Incoming) -> Earned | None:
    """Give the stacks a natural die earns by its aim (GC-4.24, GC-4.26)."""
    if attack.aim is Aim.LIMBS and attack.die >= LIMBS_MAIMED_FROM and attack.limb is not None:
        return Earned("GC-4.24", MAIM_OF_LIMB[attack.limb], 1)
    if attack.aim is Aim.HEAD and attack.die >= HEAD_STUNNED_FROM:
        return Earned("GC-4.26", Stack.STUN, HEAD_STUN)
    return None


def _damage_of(scene: Scene, attack: Incoming, hit: Hit, halved_by: str | None) -> Damage:
    target = scene.who(attack.target)
    if is_harmless(attack.tool):
        nothing = Tally((Term("AMB-64", "only_binds", Fraction(0)),))
        return Damage(working=nothing, armour_value=None, armour_beaten=False)
    return settle_damage(
        scene.options,
        attack.tool.damage,
        power=attack.power,  # GC-6.2: what clashes have left of it
        stat_bonus=attack.stat_bonus,
        resistance=total_level(target, Stat.CONSTITUTION),
        armour=armour_of(scene.options, target),
        critical=is_critical(scene.options, attack.aim, attack.die, hit),
        hit=hit,
        halved_by=halved_by,
    )


def _beat_armour(scene: Scene, attack: Incoming, damage: Damage) -> tuple[Scene, list[Finding]]:
    same_action = scene.options.armour_down_until is ArmourDown.SAME_ACTION
    if not damage.armour_beaten or same_action:
        return scene, []
    target = scene.who(attack.target)
    scene = scene.put(replace(target, armour_down=True))
    return scene, [Finding("GC-6.7", "armour_down", {"bearer": target.sheet.name}, "AMB-50")]


def _leave(scene: Scene, attack: Incoming, hit: Hit, damage: Damage) -> tuple[Scene, list[Finding]]:
    findings: list[Finding] = []
    aimed = aim_stacks(attack)
    earned = [aimed] if aimed else []
    # GC-14.20: only what is the second damage loses its stacks, not the attack it comes with.
    additional = {rider.tool for rider in attack.riders if _is_additional(rider)} - {attack.tool.id}
    for rider in attack.riders:
        if isinstance(rider.effect, StackEffect):
            if rider.tool in additional and rider.effect.stack in (*TYPE_1, *TYPE_2):
                findings.append(_without_stacks(scene, attack, rider.effect.stack))
            else:
                bond = condition_of(scene, attack, rider.tool)
                earned.append(Earned("GC-11.1", rider.effect.stack, rider.effect.count, bond))
        elif not isinstance(rider.effect, AdditionalDamage | Constraint):
            scene, found = begin_on_target(scene, attack.attacker, attack.target, rider)
            findings.append(found)
    scene, bound = land(scene, attack)
    findings += bound
    if hit is not Hit.GUARDED:
        scene, ousted = _oust(scene, attack, earned)
        findings += ousted
    for stacks in _in_order(earned, attack.prefers):
        scene, found = _apply(scene, attack, hit, damage, stacks)
        findings.append(found)
    return scene, findings


def _in_order(earned: list[Earned], prefers: tuple[Stack, ...]) -> list[Earned]:
    """Let the attacker say which Type-1 stacks find room first, else as declared (AMB-81)."""
    first = order_of([one.stack for one in earned], prefers)
    return sorted(earned, key=lambda one: first.index(one.stack))


def _oust(scene: Scene, attack: Incoming, earned: list[Earned]) -> tuple[Scene, list[Finding]]:
    """Take out stacks that the attacker recomposes, where the options let him (AMB-81)."""
    coming = {stack: sum(e.count for e in earned if e.stack is stack) for stack in TYPE_1}
    if not any(coming.values()):
        return scene, []
    bearer = scene.who(attack.target)
    own_turn = scene.next == bearer.id
    bearer, gone = make_room(scene.options, bearer, coming, attack.prefers, own_turn=own_turn)
    scene = scene.put(bearer)
    findings = []
    for stack, count in gone.items():
        line = _line(attack, Change.STACKS, "stacks_ousted", "GC-11.3", -count)
        scene = add_line(scene, bearer.id, replace(line, stack=stack))
        facts: Facts = {"bearer": bearer.sheet.name, "stack": stack, "amount": Fraction(count)}
        findings.append(Finding("GC-11.3", "stacks_ousted", facts, "AMB-81"))
    return scene, findings


def _leave_additional(scene: Scene, attack: Incoming, hit: Hit) -> tuple[Scene, list[Finding]]:
    """Let the strongest additional damage count, and no other (GC-6.15, GC-14.20)."""
    target = scene.who(attack.target)
    settled = [
        (
            settle_additional(
                scene.options,
                rider.effect.damage,
                power=_additional_power(rider.effect),
                stat_bonus=rider.effect.stat_bonus,
                resistance=total_level(target, Stat.CONSTITUTION),
                armour=armour_of(scene.options, target),
                critical=is_critical(scene.options, attack.aim, attack.die, hit),
                hit=hit,
            ),
            rider,
        )
        for rider in attack.riders
        if isinstance(rider.effect, AdditionalDamage)
    ]
    findings: list[Finding] = []
    if settled:
        damage, strongest = max(settled, key=lambda one: one[0].amount)
        names: Facts = {
            "attacker": scene.who(attack.attacker).sheet.name,
            "target": target.sheet.name,
            "name": strongest.name,
            "amount": Fraction(damage.amount),
            "working": damage.working,
            "unused": Fraction(len(settled) - 1),
        }
        line = _damage_line(attack, "additional", damage, strongest.name)
        post = launched_as(attack.id)[0]
        scene, told, counts = write_second(scene, attack.attacker, post, target.id, line)
        if not counts:
            return scene, [Finding("GC-6.15", "additional_not_strongest", names, "AMB-54")]
        scene, down = _beat_armour(scene, attack, damage)
        findings = [*down, Finding("GC-6.15", "additional_due", names, "AMB-54"), *told]
    return scene, findings


def _additional_power(effect: AdditionalDamage) -> Tally:
    return Tally(
        (
            Term("GC-3.6", "potential", effect.potential),
            Term("GC-3.7", "stat_bonus", effect.stat_bonus),
        )
    )


def _is_additional(rider: Rider) -> bool:
    return isinstance(rider.effect, AdditionalDamage)


def _without_stacks(scene: Scene, attack: Incoming, stack: Stack) -> Finding:
    facts: Facts = {"bearer": scene.who(attack.target).sheet.name, "stack": stack}
    return Finding("GC-6.16", "additional_without_stacks", facts)


def _apply(
    scene: Scene, attack: Incoming, hit: Hit, damage: Damage, earned: Earned
) -> tuple[Scene, Finding]:
    name = scene.who(attack.target).sheet.name
    facts: Facts = {"bearer": name, "stack": earned.stack, "amount": Fraction(earned.count)}
    if hit is Hit.GUARDED and earned.stack in TYPE_1:
        return scene, Finding("GC-4.50", "stacks_prevented", facts)
    if earned.stack in TYPE_2 and damage.amount < 1:
        return scene, Finding("GC-11.9", "stacks_need_damage", facts, "AMB-83")
    return stamp(scene, attack.target, earned, attack)


def stamp(scene: Scene, bearer: str, earned: Earned, attack: Incoming) -> tuple[Scene, Finding]:
    """Put stacks on a bearer, capped; the attacker publishes what the target got (GC-6.9)."""
    before = scene.who(bearer)
    after = apply_stacks(
        scene.options,
        before,
        earned.stack,
        earned.count,
        own_turn=scene.next == bearer,
        condition=earned.bond if earned.stack in TYPE_4 else None,
    )
    taken = sum(lot.count for lot in after.lots) - sum(lot.count for lot in before.lots)
    line = _line(attack, Change.STACKS, "stacks", earned.rule, taken)
    if bearer == attack.attacker:  # what one got oneself, one need not publish first
        line = replace(line, poster=None, posted=True)
    scene = add_line(scene.put(after), bearer, replace(line, stack=earned.stack))
    facts: Facts = {
        "bearer": before.sheet.name,
        "stack": earned.stack,
        "amount": Fraction(taken),
        "over": Fraction(earned.count - taken),
    }
    return scene, Finding(earned.rule, "stacks_applied", facts)


def _damage_line(attack: Incoming, key: str, damage: Damage, name: str = "") -> Line:
    line = _line(attack, Change.HP, key, "GC-6.8", -damage.amount)
    return replace(line, working=damage.working, name=name or line.name)


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
        **names_of(scene, attack),
        "amount": Fraction(damage.amount),
        "working": damage.working,
        "hit": hit,
        "damage_type": attack.tool.damage,
        "armour_value": damage.armour_value,
    }
    rule = {"normal": "GC-6.10", "pure": "GC-6.11", "semi_pure": "GC-6.13"}[attack.tool.damage]
    return Finding(rule, "damage_due", facts)
