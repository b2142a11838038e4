"""How dice are lost: casualties are ignored first, and the owner chooses (BD-11, BD-70)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.engine.findings import Finding
from app.rulesets.battle_dice.course import Course
from app.rulesets.battle_dice.field import Die, Field
from app.rulesets.battle_dice.options import IgnoreScope
from app.rulesets.battle_dice.policies import SHOTS, casualties, target
from app.rulesets.battle_dice.terms import Kind


def absorb(field: Field, course: Course, place: int, count: int) -> tuple[Field, int]:
    """Ignore as many casualties as a side may; give how many are left (AMB-BD-6).

    Ignored ones did not happen: they do not count for morale (AMB-BD-7).
    """
    host = field.hosts[place]
    covered = field.options.ignore_scope is IgnoreScope.ALL or field.step in SHOTS
    ignored = min(host.ignore, count) if covered and host.dice else 0
    if not ignored:
        return field, count
    left = host.ignore - ignored
    course.say(
        Finding(
            "BD-V4",
            "casualties_ignored",
            {"side": host.name, "count": ignored, "left": left},
            ruling="AMB-BD-6",
        )
    )
    return field.put(place, replace(host, ignore=left)), count - ignored


def lose(field: Field, course: Course, place: int, count: int) -> Field:
    """Let a side lose so many dice of its own choice."""
    field, left = absorb(field, course, place, count)
    (picked,) = course.choose(field, casualties(field, place, left))
    return destroy(field, course, place, picked)


def lose_heroes(field: Field, course: Course, place: int, kills: int) -> Field:
    """Let heroes kill heroes (BD-22); what exceeds the heroes there are is lost (AMB-BD-4)."""
    if not field.hosts[place].of(Kind.D20):
        return field
    field, left = absorb(field, course, place, kills)
    choice = casualties(field, place, left, field.hosts[place].of(Kind.D20))
    (picked,) = course.choose(field, choice)
    return destroy(field, course, place, picked)


def lose_chosen(field: Field, course: Course, by: int) -> Field:
    """Let a player destroy one enemy die of his choice (BD-M7, BD-H6.1)."""
    (picked,) = course.choose(field, target(field, by))
    field, left = absorb(field, course, 1 - by, len(picked))
    return destroy(field, course, 1 - by, picked) if left else field


def destroy(field: Field, course: Course, place: int, picked: Iterable[str]) -> Field:
    """Take these dice off the table; all of them are casualties of this turn (BD-70)."""
    gone = chosen_dice(field, place, picked)
    if not gone:
        return field
    host = field.hosts[place]
    course.say(
        Finding(
            "BD-70",
            "dice_lost",
            {"side": host.name, "dice": tuple(map(str, gone)), "count": len(gone)},
        )
    )
    return field.put(
        place,
        replace(
            host,
            dice=without(host.dice, gone),
            lost=(*host.lost, *(replace(die, result=None, acts=True) for die in gone)),
            casualties=host.casualties + len(gone),
        ),
    )


def chosen_dice(field: Field, place: int, picked: Iterable[str]) -> tuple[Die, ...]:
    """Find the picked dice of a side."""
    dice = {str(die.id): die for die in field.hosts[place].dice}
    return tuple(dice[id] for id in picked)


def without(dice: Iterable[Die], gone: Iterable[Die]) -> tuple[Die, ...]:
    """Leave dice out."""
    ids = {die.id for die in gone}
    return tuple(die for die in dice if die.id not in ids)
