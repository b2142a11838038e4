"""Fighters, conditions and options of a case, and the conditions that come out again."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from types import UnionType
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

from app.engine.text import Between
from app.ops.given import CaseError, Given, InputRefused
from app.rulesets.combat_dice.options import CombatOptions
from app.rulesets.combat_dice.readings import DamageDice
from app.rulesets.combat_dice.setup import fighter_of
from app.rulesets.combat_dice.sheet import FighterSheet, check_skills
from app.rulesets.combat_dice.state import (
    Aided,
    CombatConditions,
    CombatEntrant,
    CombatFighter,
    Cursed,
)
from app.rulesets.combat_dice.terms import (
    Armor,
    Shield,
    Skill,
    Specialty,
    Spell,
    Weapon,
)

COUNTS: Final = ("stun", "extra", "blind_temp", "hurt_arm", "hurt_leg", "break_armor")
FLAGS: Final = ("blinded", "disarmed", "knockdown", "grappled", "held")
ALIASES: Final = {"score_floor": "floor"}
STATE_OF_THE_ROUND: Final = "ranged"
# CD-A11, AMB-CD-4: what a case writes with true and false.
DAMAGE_DICE: Final[dict[object, DamageDice]] = {
    True: DamageDice.ON_DAMAGE,
    False: DamageDice.OFF,
}


def read_options(given: Given) -> tuple[CombatOptions, bool]:
    """Read the options of a case, and whether the round is ranged, which is none of the table's."""
    part = given.part("options")
    hints = get_type_hints(CombatOptions, include_extras=True)
    values: dict[str, Any] = {}
    for name in part.names():
        field = ALIASES.get(name, name)
        if name == STATE_OF_THE_ROUND or not part.has(name):
            continue
        if field not in hints:
            raise CaseError(f"options.{name}: this edition has no such option")
        values[field] = _setting(part, name, hints[field])
    return CombatOptions(**values), part.flag(STATE_OF_THE_ROUND, default=False)


def read_fighter(given: Given, id: str, options: CombatOptions) -> CombatFighter:
    """Read one fighter; what is absent is the basic fighter's (CD-7)."""
    part = given.part(id)
    weapon = part.word(Weapon, "weapon", Weapon.SWORD)
    carried = words(part, Weapon, "weapons") if part.has("weapons") else (weapon,)
    silent = "shield" in part.names() and not part.has("shield")
    skills = words(part, Skill, "skills")
    sheet = FighterSheet(
        name=id,
        weapons=tuple(one for one in carried if one is not Weapon.UNARMED),
        armor=part.word(Armor, "armor", Armor.LIGHT),
        shield=None if silent else part.word(Shield, "shield", Shield.MEDIUM),
        skills=skills,
        spells=words(part, Spell, "spells"),
    )
    if options.max_skills is not None and list(check_skills(sheet, options)):
        raise InputRefused("too_many_skills")
    max_hp = part.whole("max_hp", 10)
    return replace(
        fighter_of(CombatEntrant(id=id, sheet=sheet)),
        max_hp=max_hp,
        hp=part.whole("hp", max_hp),
        dice=part.whole("dice", 6),
        weapon=weapon,
        specialty=words(part, Specialty, "specialty"),
        conditions=_read_status(part.part("status"), mounted=Skill.RIDING_HORSE in skills),
    )


def words(part: Given, kind: type[Any], key: str) -> tuple[Any, ...]:
    """Read a list of words of an enumeration."""
    try:
        return tuple(kind(one) for one in part.items(key))
    except ValueError as wrong:
        raise CaseError(f"{key}: {wrong}") from None


def written_status(who: CombatFighter) -> dict[str, object]:
    """Write the conditions of the next turn, only those that are there."""
    have = who.conditions
    told: dict[str, object] = {name: getattr(have, name) for name in (*COUNTS, "shield_spell")}
    told |= {name: getattr(have, name) for name in FLAGS}
    told |= {
        "curse": [[one.dice, one.turns] for one in have.curse],
        "aid": [[str(one.specialty), one.dice, one.turns] for one in have.aid],
        "bleeding": list(have.bleeding),
        "dropped": [str(one) for one in have.dropped],
        "mounted": have.mounted,
    }
    return {name: value for name, value in told.items() if value}


def _read_status(part: Given, *, mounted: bool) -> CombatConditions:
    values: dict[str, Any] = {name: part.whole(name, 0) for name in (*COUNTS, "shield_spell")}
    values |= {name: part.flag(name, default=False) for name in FLAGS}
    return CombatConditions(
        **values,
        curse=tuple(Cursed(dice=dice, turns=turns) for dice, turns in _rows(part, "curse")),
        aid=tuple(
            Aided(specialty=Specialty(kind), dice=dice, turns=turns)
            for kind, dice, turns in _rows(part, "aid")
        ),
        bleeding=tuple(part.wholes("bleeding")),
        dropped=words(part, Weapon, "dropped"),
        mounted=part.flag("mounted", default=mounted),
    )


def _rows(part: Given, key: str) -> list[list[Any]]:
    rows = part.items(key)
    if not all(isinstance(row, list) for row in rows):
        raise CaseError(f"status.{key}: {rows!r} is not a list of lists")
    return [row for row in rows if isinstance(row, list)]


def _setting(part: Given, name: str, hint: Any) -> Any:
    """Read the value of an option by the type of its field."""
    value = part.raw(name)
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    kind = kinds[0]
    bounds = None
    if get_origin(kind) is Annotated:
        kind, bounds = get_args(kind)
    if kind is DamageDice and isinstance(value, bool):
        return DAMAGE_DICE[value]
    if kind is bool:
        return part.flag(name)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return part.word(kind, name)
    number = part.whole(name)
    if isinstance(bounds, Between) and not bounds.least <= number <= bounds.most:
        raise CaseError(f"options.{name}: {number} is out of range")
    return number
