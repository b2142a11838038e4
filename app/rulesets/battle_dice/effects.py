"""What the rows of the tables do: rolled first, then carried out together (BD-A2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.engine.findings import Facts, Finding
from app.rulesets.battle_dice.course import Course
from app.rulesets.battle_dice.field import Due, Field, Gain
from app.rulesets.battle_dice.joining import choose_first, control, join, set_to_one
from app.rulesets.battle_dice.losses import absorb, destroy, lose, lose_chosen, lose_heroes
from app.rulesets.battle_dice.policies import casualties
from app.rulesets.battle_dice.rows import Effect
from app.rulesets.battle_dice.tables import POOL_OF, STEP_OF_POOL, STEPS
from app.rulesets.battle_dice.terms import Pool, Power, Step

LOSS_POWERS = (Power.LOSSES, Power.CHOSEN_LOSS, Power.DRAIN)


def carry_out(
    field: Field, course: Course, effects: Iterable[Effect], kills: tuple[int, int] = (0, 0)
) -> Field:
    """Let everything that was rolled in a step take effect, kind by kind for both sides (BD-A2).

    ``kills`` are the heroes that each side destroys: they are the first losses.
    """
    effects = tuple(effects)
    if not effects and kills == (0, 0):
        return field
    for one in effects:  # 1: casualties to ignore
        if one.row.power is Power.IGNORE:
            field = _ignore(field, course, one)
    for one in effects:  # 2: points, thresholds, morale dice, losses due later
        field = _advance(field, course, one)
    for place in (0, 1):  # 3: losses, those of heroes by heroes first
        if kills[place]:
            field = lose_heroes(field, course, 1 - place, kills[place])
    joining: list[Effect] = []
    for one in effects:
        joins = one.row.power in (Power.RESTORE, Power.SUMMON)
        if one.row.power in LOSS_POWERS:
            field, joins = _lose(field, course, one)
        joining += [one] * joins
    takers = [one.place for one in effects if one.row.power is Power.CONTROL]
    field = control(field, course, takers)  # 4
    for one in effects:  # 5: results that become 1
        if one.row.power is Power.SET_TO_ONE:
            field = set_to_one(field, course, one.place, one.amount)
    for one in joining:  # 6: restored, summoned and vampire dice
        field = join(field, course, one)
    for one in effects:  # 7: the step chosen for Initiative
        if one.row.power is Power.INITIATIVE:
            field = choose_first(field, course, one.place)
    return field


def _ignore(field: Field, course: Course, one: Effect) -> Field:
    host = field.hosts[one.place]
    total = host.ignore + one.amount
    facts: Facts = {"side": host.name, "count": one.amount, "total": total}
    course.say(Finding(one.row.rule, "may_ignore", facts, ruling="AMB-BD-5"))
    return field.put(one.place, replace(host, ignore=total))


def _advance(field: Field, course: Course, one: Effect) -> Field:
    """Carry out what changes no die on the table: points, thresholds, morale, what is due."""
    host = field.hosts[one.place]
    side, rule = host.name, one.row.rule
    match one.row.power:
        case Power.GAIN_TACTICAL | Power.GAIN_MAGIC | Power.GAIN_MANOEUVRE:
            return _points(field, course, one.place, one, one.amount)
        case Power.LOSE_TACTICAL | Power.LOSE_MANOEUVRE:
            return _points(field, course, 1 - one.place, one, -one.amount)
        case Power.LEAD_CHARGE:
            course.say(Finding(rule, "infantry_hits_on_4", {"side": side}))
            return field.put(one.place, replace(host, charge=True))
        case Power.DIRECT_FIRE:
            course.say(Finding(rule, "archers_hit_on_6", {"side": side}))
            return field.put(one.place, replace(host, fire=True))
        case Power.RAISE_MORALE:
            course.say(Finding(rule, "morale_raised", {"side": side}, ruling="AMB-BD-15"))
            return field.put(one.place, replace(host, plus=host.plus + 1))
        case Power.LOWER_MORALE | Power.SURROUND:
            return _dismay(field, course, one)
        case Power.MISSILE_LOSSES | Power.COMBAT_LOSSES:
            step = Step.MISSILE if one.row.power is Power.MISSILE_LOSSES else Step.COMBAT
            due: Facts = {"side": side, "step": step, "count": one.amount}
            course.say(Finding(rule, "losses_due", due, ruling="AMB-BD-16"))
            return field.put(
                one.place, replace(host, due=(*host.due, Due(step, one.amount, one.hero)))
            )
        case _:
            return field


def _points(field: Field, course: Course, place: int, one: Effect, points: int) -> Field:
    """Note points gained or lost; those of a step that is over are void (AMB-BD-17)."""
    pool: Pool = POOL_OF[one.row.power]
    host = field.hosts[place]
    if STEPS.index(STEP_OF_POOL[pool]) <= STEPS.index(field.step):
        void: Facts = {"side": host.name, "pool": pool}
        course.say(Finding(one.row.rule, "points_void", void, ruling="AMB-BD-17"))
        return field
    facts: Facts = {"side": host.name, "pool": pool, "points": points}
    course.say(Finding(one.row.rule, "points_changed", facts))
    return field.put(place, replace(host, gains=(*host.gains, Gain(pool, points))))


def _dismay(field: Field, course: Course, one: Effect) -> Field:
    """Lower the enemy's morale; surrounding him gains a point for the next turn (BD-V3)."""
    enemy = field.hosts[1 - one.place]
    course.say(Finding(one.row.rule, "morale_lowered", {"side": enemy.name}, ruling="AMB-BD-15"))
    field = field.put(1 - one.place, replace(enemy, minus=enemy.minus + 1))
    host = field.hosts[one.place]
    if one.row.power is not Power.SURROUND:
        return field
    course.say(Finding("BD-V3", "point_carried", {"side": host.name}, ruling="AMB-BD-18"))
    return field.put(one.place, replace(host, carries=host.carries + 1))


def _lose(field: Field, course: Course, one: Effect) -> tuple[Field, bool]:
    """Carry out a loss; say whether it brings a vampire."""
    enemy = 1 - one.place
    if not field.hosts[enemy].dice:
        return field, False
    if one.row.power is Power.CHOSEN_LOSS:
        return lose_chosen(field, course, one.place), False
    if one.row.power is Power.LOSSES:
        return lose(field, course, enemy, one.amount), False
    field, left = absorb(field, course, enemy, 1)
    if not left:  # AMB-BD-20: a vampire comes only of a die that was really lost
        return field, field.options.drain_on_ignored
    (picked,) = course.choose(field, casualties(field, enemy, 1))
    return destroy(field, course, enemy, picked), True
