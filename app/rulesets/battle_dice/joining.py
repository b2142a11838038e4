"""Dice that change sides, lose their result, come back or come anew, and Initiative."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.engine.findings import Facts, Finding
from app.rulesets.battle_dice import policies
from app.rulesets.battle_dice.course import Course
from app.rulesets.battle_dice.field import Field
from app.rulesets.battle_dice.losses import chosen_dice, without
from app.rulesets.battle_dice.options import ControlActs, InitiativeScope
from app.rulesets.battle_dice.rows import Effect
from app.rulesets.battle_dice.terms import Hero, Kind, Power, Step


def control(field: Field, course: Course, takers: Sequence[int]) -> Field:
    """Let players take over enemy dice: all are chosen first, then all change sides (BD-M5).

    A die takes its result along and is no casualty of its old owner, unless the board rules
    otherwise (AMB-BD-11).
    """
    if not takers:
        return field
    counts = (takers.count(0), takers.count(1))
    taken = course.choose(
        field, *(policies.control(field, place, counts[place]) for place in (0, 1))
    )
    now = field.options.mind_control_acts is ControlActs.NOW
    before = field
    for place, picked in enumerate(taken):
        dice = chosen_dice(before, 1 - place, picked)
        if not dice:
            continue
        old, new = field.hosts[1 - place], field.hosts[place]
        lost = len(dice) if field.options.mind_control_casualty else 0
        course.say(
            *(
                Finding(
                    "BD-M5",
                    "die_controlled",
                    {"side": new.name, "kind": die.kind, "die": str(die), "casualty": lost > 0},
                    ruling="AMB-BD-11",
                )
                for die in dice
            )
        )
        old = replace(old, dice=without(old.dice, dice), casualties=old.casualties + lost)
        came = tuple(replace(die, acts=die.acts and now) for die in dice)
        field = field.put(1 - place, old).put(place, replace(new, dice=(*new.dice, *came)))
    return field


def set_to_one(field: Field, course: Course, place: int, count: int) -> Field:
    """Turn enemy results into 1 (BD-M4, BD-V2)."""
    enemy = 1 - place
    (picked,) = course.choose(field, policies.to_one(field, place, count))
    turned = chosen_dice(field, enemy, picked)
    host = field.hosts[enemy]
    course.say(
        *(
            Finding(
                "AMB-BD-2",
                "result_to_one",
                {"side": host.name, "kind": die.kind, "before": die.result},
                ruling="AMB-BD-1",
            )
            for die in turned
        )
    )
    ids = {die.id for die in turned}
    dice = tuple(replace(die, result=1) if die.id in ids else die for die in host.dice)
    return field.put(enemy, replace(host, dice=dice))


def join(field: Field, course: Course, one: Effect) -> Field:
    """Let restored dice, summoned ones or a vampire join an army; they act next turn."""
    side = field.hosts[one.place].name
    if one.row.power is Power.RESTORE:
        return _restore(field, course, one)
    if one.row.power is Power.DRAIN:  # BD-H9.2
        course.say(Finding("BD-H9.2", "vampire_gained", {"side": side}, ruling="AMB-BD-20"))
        return field.joined(one.place, [(Kind.D20, Hero.VAMPIRE)])
    ((picked,),) = course.choose(field, policies.summoned(field, one.place))
    kind = Kind(picked)
    facts: Facts = {"side": side, "count": one.amount, "kind": kind}
    course.say(Finding("BD-M6", "dice_summoned", facts, ruling="AMB-BD-12"))
    hero = field.hosts[one.place].hero if kind is Kind.D20 else ""
    return field.joined(one.place, [(kind, hero)] * one.amount)


def choose_first(field: Field, course: Course, place: int) -> Field:
    """Choose the step in which a side strikes before the enemy (BD-T6, AMB-BD-13)."""
    host = field.hosts[place]
    if field.options.initiative_scope is InitiativeScope.BOTH:
        steps: tuple[Step, ...] = tuple(policies.SHOTS)
    else:
        ((picked,),) = course.choose(field, policies.first_step(field, place))
        steps = (Step(picked),)
    course.say(
        *(
            Finding("BD-T6", "first_in", {"side": host.name, "step": step}, ruling="AMB-BD-13")
            for step in steps
        )
    )
    return field.put(place, replace(host, first_in=host.first_in.union(steps)))


def _restore(field: Field, course: Course, one: Effect) -> Field:
    """Bring lost dice back, deserters too (BD-T5, BD-M2); what exceeds them is void (AMB-BD-10)."""
    host = field.hosts[one.place]
    choice = policies.restored(field, one.place, one.amount)
    (picked,) = course.choose(field, choice)
    back = tuple(die for die in host.lost if str(die.id) in picked)
    if not back:
        course.say(
            Finding(one.row.rule, "none_to_restore", {"side": host.name}, ruling="AMB-BD-10")
        )
        return field
    facts: Facts = {"side": host.name, "count": len(back), "dice": tuple(map(str, back))}
    course.say(Finding(one.row.rule, "dice_restored", facts, ruling="AMB-BD-9"))
    host = replace(host, lost=without(host.lost, back), restored=host.restored + len(back))
    field = field.put(one.place, host)
    return field.joined(one.place, [(die.kind, die.hero) for die in back])
