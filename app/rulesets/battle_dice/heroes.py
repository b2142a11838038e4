"""The Heroes step (BD-20 to BD-25): desertions, the hero tables, then all effects together."""

from __future__ import annotations

from dataclasses import replace

from app.engine.findings import Facts, Finding
from app.rulesets.battle_dice.course import Course
from app.rulesets.battle_dice.effects import carry_out
from app.rulesets.battle_dice.field import Die, Field
from app.rulesets.battle_dice.losses import without
from app.rulesets.battle_dice.rows import Effect, roll_row
from app.rulesets.battle_dice.tables import DESERTS_TO, HEROIC_FROM, SLAYS_FROM
from app.rulesets.battle_dice.terms import Kind


def settle_heroes(field: Field, course: Course) -> Field:
    """Read all D20: a hero killed in this step still uses his own result (AMB-BD-3)."""
    heroes = [host.of(Kind.D20) for host in field.hosts]
    for place in (0, 1):
        field = _desert(field, course, place, heroes[place])
    kills = [0, 0]
    effects: list[Effect] = []
    for place in (0, 1):
        side = field.hosts[place].name
        kills[place] = sum(SLAYS_FROM <= (die.result or 0) < HEROIC_FROM for die in heroes[place])
        heroic = [die for die in heroes[place] if (die.result or 0) >= HEROIC_FROM]
        if kills[place]:
            course.say(Finding("BD-22", "heroes_slain", {"side": side, "kills": kills[place]}))
        if heroes[place]:  # BD-23: never compared with the enemy's
            points: Facts = {"side": side, "points": len(heroic)}
            course.say(Finding("BD-23", "heroic_points", points))
        effects += [
            # BD-24: each point is one roll on the table of the hero's type
            roll_row(field, course, place, field.table_of(die), die.id)
            for die in heroic
        ]
    return carry_out(field, course, effects, (kills[0], kills[1]))


def _desert(field: Field, course: Course, place: int, heroes: tuple[Die, ...]) -> Field:
    """Let heroes leave who show 1 or 2: destroyed, and never ignored (BD-20, AMB-BD-6)."""
    gone = tuple(die for die in heroes if (die.result or 0) <= DESERTS_TO)
    if not gone:
        return field
    host = field.hosts[place]
    course.say(*(Finding("BD-20", "hero_deserts", {"side": host.name}) for _ in gone))
    return field.put(
        place,
        replace(
            host,
            dice=without(host.dice, gone),
            lost=(*host.lost, *(replace(die, result=None, acts=True) for die in gone)),
            casualties=host.casualties + len(gone),
        ),
    )
