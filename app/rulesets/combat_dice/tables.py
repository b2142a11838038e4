"""The tables of Combat Dice as they are printed: same rows, same order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from app.rulesets.combat_dice.terms import (
    Action,
    Armor,
    Gladiator,
    Injury,
    Score,
    Shield,
    Skill,
    Specialty,
    Spell,
    Weapon,
)

BASIC_DICE: Final = 6  # CD-3
HIT_POINTS: Final = 10  # CD-4
ITEMS: Final = 3  # CD-5
LEAST_DICE_OF_A_CASTER: Final = 3  # CD-68
MANEUVER_FOR_ACTION: Final = 2  # CD-60
DEAD_AT: Final = -2  # CD-23
RANGED_ROUNDS_LESS: Final = 2  # CD-80
QUIET_TURNS: Final = 30  # CD-A13
MOST_TABLE_ROLLS: Final = 50  # AMB-CD-9
SYMBOLS: Final = tuple(Score)  # CD-8: face 1 is the first

Change: TypeAlias = "Mapping[Score, int]"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of an equipment table: the rule that prints it, and what it changes."""

    rule: str
    change: Change


# CD-W1 … CD-W16
WEAPONS: Final[Mapping[Weapon, Row]] = {
    Weapon.UNARMED: Row("CD-W1", {Score.DAMAGE: -2, Score.ATTACK: -2}),
    Weapon.SWORD: Row("CD-W2", {}),
    Weapon.SHORT_SWORD: Row("CD-W3", {Score.DAMAGE: -1, Score.INITIATIVE: 1}),
    Weapon.LARGE_SWORD: Row("CD-W4", {Score.DAMAGE: 1, Score.INITIATIVE: -1}),
    Weapon.DAGGER: Row("CD-W5", {Score.DAMAGE: -1, Score.ATTACK: -1, Score.INITIATIVE: 1}),
    Weapon.THROWN_DAGGER: Row("CD-W6", {Score.DAMAGE: -1, Score.ATTACK: -1, Score.INITIATIVE: 2}),
    Weapon.CLUB: Row("CD-W7", {Score.DAMAGE: -1}),
    Weapon.SPEAR: Row("CD-W8", {Score.INITIATIVE: 1, Score.MANEUVER: -1}),
    Weapon.TRIDENT: Row("CD-W9", {Score.INITIATIVE: 1, Score.MANEUVER: -1}),
    Weapon.THROWN_SPEAR: Row("CD-W10", {Score.INITIATIVE: 3, Score.ATTACK: -1}),
    Weapon.BOW: Row("CD-W11", {Score.INITIATIVE: 4}),
    Weapon.BATTLE_AXE_2H: Row(
        "CD-W12", {Score.DAMAGE: 3, Score.INITIATIVE: -1, Score.DODGE: -1, Score.MANEUVER: -1}
    ),
    Weapon.FLAIL: Row("CD-W13", {Score.DAMAGE: 2, Score.INITIATIVE: -1, Score.ATTACK: -1}),
    Weapon.SWORD_2H: Row("CD-W14", {Score.DAMAGE: 2, Score.INITIATIVE: -1, Score.MANEUVER: -1}),
    Weapon.NET: Row("CD-W15", {}),
    Weapon.STAFF_2H: Row("CD-W16", {Score.DAMAGE: -1, Score.ARMOR: 1}),
}
TWO_HANDED: Final = frozenset({Weapon.BATTLE_AXE_2H, Weapon.SWORD_2H, Weapon.STAFF_2H})
MISSILES: Final = frozenset({Weapon.BOW, Weapon.THROWN_DAGGER, Weapon.THROWN_SPEAR})
THROWN_AS: Final = {Weapon.SPEAR: Weapon.THROWN_SPEAR, Weapon.DAGGER: Weapon.THROWN_DAGGER}
HELD_AS: Final = {thrown: held for held, thrown in THROWN_AS.items()}

# CD-A1 … CD-A4
ARMORS: Final[Mapping[Armor, Row]] = {
    Armor.NONE: Row("CD-A1", {Score.ARMOR: -2, Score.MANEUVER: 1, Score.INITIATIVE: 1}),
    Armor.LIGHT: Row("CD-A2", {}),
    Armor.MEDIUM: Row("CD-A3", {Score.ARMOR: 1, Score.MANEUVER: -1}),
    Armor.HEAVY: Row("CD-A4", {Score.ARMOR: 2, Score.MANEUVER: -1, Score.INITIATIVE: -1}),
}
# CD-S1 … CD-S4
SHIELDS: Final[Mapping[Shield, Row]] = {
    Shield.NONE: Row("CD-S1", {Score.ARMOR: -2, Score.MANEUVER: 1, Score.INITIATIVE: 1}),
    Shield.SMALL: Row("CD-S2", {Score.ARMOR: -1, Score.MANEUVER: 1}),
    Shield.MEDIUM: Row("CD-S3", {}),
    Shield.LARGE: Row("CD-S4", {Score.ARMOR: 1, Score.MANEUVER: -1}),
}

SPECIALTIES: Final[Mapping[Specialty, Score]] = {  # CD-42
    Specialty.STRENGTH: Score.DAMAGE,
    Specialty.ARMOR: Score.ARMOR,
    Specialty.PROWESS: Score.ATTACK,
    Specialty.EVASION: Score.DODGE,
    Specialty.MANEUVER: Score.MANEUVER,
    Specialty.INITIATIVE: Score.INITIATIVE,
}

# The spells that attack; the others (Aid, Heal, Shield) do not.
ATTACK_SPELLS: Final[Mapping[Spell, Row]] = {
    Spell.FIREBALL: Row("CD-70", {Score.INITIATIVE: 3, Score.DAMAGE: 4, Score.ATTACK: 1}),
    Spell.LIGHTNING_BOLT: Row("CD-71", {Score.INITIATIVE: 4, Score.DAMAGE: 6}),
    Spell.PARALYSIS: Row("CD-72", {}),
    Spell.CURSE: Row("CD-75", {}),
    Spell.FINGER_OF_DEATH: Row("CD-76", {Score.INITIATIVE: -2, Score.DAMAGE: 9, Score.ATTACK: -1}),
    Spell.SHOCKING_GRASP: Row("CD-77", {Score.INITIATIVE: 2, Score.DAMAGE: 2, Score.ATTACK: 1}),
}
RANGED_SPELLS: Final = frozenset({Spell.FIREBALL, Spell.LIGHTNING_BOLT})
HARMLESS_SPELLS: Final = frozenset({Spell.PARALYSIS, Spell.CURSE})  # AMB-CD-18
SHIELD_SPELL: Final = 2  # CD-78

SKILLS: Final[Mapping[Skill, Row]] = {
    Skill.RIDING_HORSE: Row("CD-52", {Score.MANEUVER: 1, Score.INITIATIVE: 1}),
    Skill.BERSERKER: Row("CD-55", {Score.DODGE: -1, Score.ATTACK: 1}),
}

# CD-D2 … CD-D12, by the sum of the two damage dice.
DAMAGE_TABLE: Final[Mapping[int, tuple[str, Injury]]] = {
    2: ("CD-D2", Injury.BLEEDING),
    3: ("CD-D3", Injury.HURT_ARM),
    4: ("CD-D4", Injury.DOUBLE_CRIT),
    5: ("CD-D5", Injury.DISARM),
    6: ("CD-D6", Injury.STUNNED),
    7: ("CD-D7", Injury.NO_EFFECT),
    8: ("CD-D8", Injury.STUNNED),
    9: ("CD-D9", Injury.KNOCKDOWN),
    10: ("CD-D10", Injury.BREAK_ARMOR),
    11: ("CD-D11", Injury.HURT_LEG),
    12: ("CD-D12", Injury.BLINDED),
}
HURT_ARM: Final[Change] = {Score.ATTACK: -1, Score.DAMAGE: -1}  # CD-D3
DISARM: Final[Change] = {Score.ATTACK: -2, Score.DAMAGE: -2}  # CD-D5
KNOCKDOWN: Final[Change] = {Score.ATTACK: -1, Score.DAMAGE: -1}  # CD-D9
BREAK_ARMOR: Final[Change] = {Score.ARMOR: -1}  # CD-D10
HURT_LEG: Final[Change] = {Score.DODGE: -2, Score.MANEUVER: -2}  # CD-D11
GRAPPLED: Final[Change] = {one: -1 for one in Score if one is not Score.MANEUVER}  # CD-67
BLIND_DICE: Final = 3  # CD-D12

# CD-61 … CD-64: which die counts as which.
CONVERSIONS: Final[Mapping[Action, tuple[Score, Score]]] = {
    Action.SHIELD_BASH: (Score.ARMOR, Score.ATTACK),
    Action.PARRY: (Score.ATTACK, Score.ARMOR),
    Action.POMMEL_STRIKE: (Score.DAMAGE, Score.ATTACK),
    Action.RETREAT: (Score.ATTACK, Score.DODGE),
}
ACTION_RULES: Final[Mapping[Action, str]] = {
    Action.SHIELD_BASH: "CD-61",
    Action.PARRY: "CD-62",
    Action.POMMEL_STRIKE: "CD-63",
    Action.RETREAT: "CD-64",
    Action.FEINT: "CD-65",
    Action.SAND: "CD-66",
    Action.GRAPPLE: "CD-67",
}
SAND_DICE: Final = 2  # CD-66
IN_ANY_ROUND: Final = frozenset({Action.RETREAT, Action.FEINT})  # CD-A15


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """What a gladiator carries; ``shield`` None where the book names none."""

    rule: str
    weapons: tuple[Weapon, ...]
    armor: Armor
    shield: Shield | None = None
    skills: tuple[Skill, ...] = ()


# CD-G1 … CD-G6
GLADIATORS: Final[Mapping[Gladiator, Kit]] = {
    Gladiator.SECUTOR: Kit(
        rule="CD-G1", weapons=(Weapon.SHORT_SWORD,), armor=Armor.LIGHT, shield=Shield.MEDIUM
    ),
    Gladiator.RETIARIUS: Kit(
        rule="CD-G2", weapons=(Weapon.NET, Weapon.TRIDENT, Weapon.DAGGER), armor=Armor.NONE
    ),
    Gladiator.THRACIAN: Kit(
        rule="CD-G3", weapons=(Weapon.SHORT_SWORD,), armor=Armor.LIGHT, shield=Shield.SMALL
    ),
    Gladiator.MURMILLO: Kit(
        rule="CD-G4", weapons=(Weapon.LARGE_SWORD,), armor=Armor.MEDIUM, shield=Shield.MEDIUM
    ),
    Gladiator.DIMACHAERI: Kit(
        rule="CD-G5",
        weapons=(Weapon.SHORT_SWORD, Weapon.SHORT_SWORD),
        armor=Armor.NONE,
        skills=(Skill.TWO_WEAPON_STYLE,),
    ),
    Gladiator.SAMNITES: Kit(
        rule="CD-G6", weapons=(Weapon.SHORT_SWORD,), armor=Armor.MEDIUM, shield=Shield.LARGE
    ),
}
