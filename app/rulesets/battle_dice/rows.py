"""Rolling on the tables: the row, its amount, and the tables that it leads to (AMB-BD-18)."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.findings import Facts, Finding
from app.rulesets.battle_dice.course import Course
from app.rulesets.battle_dice.field import Field
from app.rulesets.battle_dice.policies import free_row
from app.rulesets.battle_dice.tables import CHOSEN_ROW, NEXT_TABLE, Row, Table
from app.rulesets.battle_dice.terms import Cast, Manoeuvre, Power


@dataclass(frozen=True, slots=True)
class Effect:
    """A row that somebody rolled, with its amount; ``hero`` is the die that it belongs to."""

    place: int
    row: Row
    amount: int = 1
    hero: int = 0


def roll_row(field: Field, course: Course, place: int, table: Table, hero: int = 0) -> Effect:
    """Roll once on a table and on those it leads to, depth first (AMB-BD-18)."""
    face = course.face(field, place, Cast.TABLE, table.sides, table.key)
    row = table.row(face)
    _tell(field, course, place, table, row, face)
    if row.power in NEXT_TABLE:  # BD-M3, BD-M10, BD-H7.1
        return roll_row(field, course, place, NEXT_TABLE[row.power], hero)
    if row.power is Power.FREE_CHOICE:
        ((picked,),) = course.choose(field, free_row(field, place))
        row = CHOSEN_ROW[Manoeuvre(picked)]  # BD-V5, AMB-BD-19: decided when it is rolled
        facts: Facts = {"side": field.hosts[place].name, "row": row.key}
        course.say(Finding("BD-V5", "row_chosen", facts, ruling="AMB-BD-19"))
    if not row.sides:
        return Effect(place, row, 1, hero)
    amount = course.face(field, place, Cast.AMOUNT, row.sides, row.key)
    course.say(Finding(row.rule, "amount_rolled", {"die": f"1D{row.sides}", "amount": amount}))
    return Effect(place, row, amount, hero)


def _tell(field: Field, course: Course, place: int, table: Table, row: Row, face: int) -> None:
    side = field.hosts[place].name
    if row.named:
        facts: Facts = {"side": side, "face": face, "sides": table.sides, "name": row.named}
        course.say(Finding(row.rule, "custom_row_rolled", facts, ruling="AMB-BD-24"))
    else:
        rolled: Facts = {
            "side": side,
            "face": face,
            "sides": table.sides,
            "table": table.key,
            "row": row.key,
        }
        course.say(Finding(row.rule, "row_rolled", rolled))
