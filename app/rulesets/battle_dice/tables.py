"""The tables of Battle Dice as they are printed: row by row, each with the rule that it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.rulesets.battle_dice.terms import Hero, Kind, Manoeuvre, Pool, Power, Step


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the faces it holds for, the rule it is, what it does, the die of its amount.

    ``key`` is the key of its name; the name of a row of the players' own is ``named``.
    """

    low: int
    high: int
    key: str
    rule: str
    power: Power
    sides: int = 0
    named: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that cover the faces of one die."""

    key: str
    sides: int
    rows: tuple[Row, ...]

    def row(self, face: int) -> Row:
        """Give the row of a face."""
        return next(row for row in self.rows if row.low <= face <= row.high)


TACTICAL: Final = Table(
    "tactical",
    6,
    (
        Row(1, 1, "tactical_superior_tactics", "BD-T1", Power.GAIN_MANOEUVRE, 3),
        Row(2, 2, "tactical_leadership", "BD-T2", Power.RAISE_MORALE),
        Row(3, 3, "tactical_lead_the_charge", "BD-T3", Power.LEAD_CHARGE),
        Row(4, 4, "tactical_direct_fire", "BD-T4", Power.DIRECT_FIRE),
        Row(5, 5, "tactical_rally_troops", "BD-T5", Power.RESTORE, 6),
        Row(6, 6, "tactical_initiative", "BD-T6", Power.INITIATIVE),
    ),
)
MAGIC: Final = Table(
    "magic",
    10,
    (
        Row(1, 1, "magic_elemental_attack", "BD-M1", Power.LOSSES, 3),
        Row(2, 2, "magic_cure", "BD-M2", Power.RESTORE, 3),
        Row(3, 3, "magic_speed", "BD-M3", Power.ROLL_MANOEUVRE),
        Row(4, 4, "magic_curse", "BD-M4", Power.SET_TO_ONE, 6),
        Row(5, 5, "magic_mind_control", "BD-M5", Power.CONTROL),
        Row(6, 6, "magic_summoning", "BD-M6", Power.SUMMON, 3),
        Row(7, 7, "magic_death", "BD-M7", Power.CHOSEN_LOSS),
        Row(8, 8, "magic_fear", "BD-M8", Power.LOWER_MORALE),
        Row(9, 9, "magic_immobilize", "BD-M9", Power.LOSE_MANOEUVRE, 3),
        Row(10, 10, "magic_command", "BD-M10", Power.ROLL_TACTICAL),
    ),
)
MANOEUVRE: Final = Table(
    "manoeuvre",
    10,
    (
        Row(1, 2, "manoeuvre_charge", "BD-V1", Power.LOSSES, 3),
        Row(3, 4, "manoeuvre_flank", "BD-V2", Power.SET_TO_ONE, 3),
        Row(5, 6, "manoeuvre_surround", "BD-V3", Power.SURROUND),
        Row(7, 8, "manoeuvre_withdraw", "BD-V4", Power.IGNORE, 3),
        Row(9, 10, "manoeuvre_free_choice", "BD-V5", Power.FREE_CHOICE),
    ),
)
HERO_TABLES: Final[Mapping[Hero, Table]] = {
    Hero.DRAGON: Table(
        "dragon",
        6,
        (
            Row(1, 1, "dragon_fire_breath", "BD-H1.1", Power.MISSILE_LOSSES, 3),
            Row(2, 2, "dragon_claws", "BD-H1.2", Power.COMBAT_LOSSES, 3),
            Row(3, 3, "dragon_fangs", "BD-H1.3", Power.COMBAT_LOSSES, 3),
            Row(4, 4, "dragon_tail", "BD-H1.4", Power.SET_TO_ONE, 3),
            Row(5, 5, "dragon_wings", "BD-H1.5", Power.GAIN_MANOEUVRE, 3),
            Row(6, 6, "dragon_scales", "BD-H1.6", Power.IGNORE, 3),
        ),
    ),
    Hero.GIANT: Table(
        "giant",
        10,
        (
            Row(1, 2, "giant_throw_rock", "BD-H2.1", Power.MISSILE_LOSSES, 3),
            Row(3, 4, "giant_giant_club", "BD-H2.2", Power.COMBAT_LOSSES, 3),
            Row(5, 6, "giant_crush", "BD-H2.3", Power.COMBAT_LOSSES, 3),
            Row(7, 8, "giant_long_legs", "BD-H2.4", Power.GAIN_MANOEUVRE, 3),
            Row(9, 10, "giant_thick_skin", "BD-H2.5", Power.IGNORE, 3),
        ),
    ),
    Hero.MEDUSA: Table(
        "medusa",
        6,
        (
            Row(1, 4, "medusa_petrification", "BD-H3.1", Power.MISSILE_LOSSES, 3),
            Row(5, 5, "medusa_poison", "BD-H3.2", Power.COMBAT_LOSSES, 3),
            Row(6, 6, "medusa_magic", "BD-H3.3", Power.GAIN_MAGIC, 3),
        ),
    ),
    Hero.SIEGE: Table(
        "siege",
        6,
        (
            Row(1, 1, "siege_ram", "BD-H4.1", Power.COMBAT_LOSSES, 3),
            Row(2, 2, "siege_catapult", "BD-H4.2", Power.MISSILE_LOSSES, 3),
            Row(3, 4, "siege_heavy_armour", "BD-H4.3", Power.IGNORE, 3),
            Row(5, 5, "siege_wheels", "BD-H4.4", Power.GAIN_MANOEUVRE, 3),
            Row(6, 6, "siege_run_over", "BD-H4.5", Power.COMBAT_LOSSES, 3),
        ),
    ),
    Hero.WARRIOR: Table(
        "warrior",
        8,
        (
            Row(1, 1, "warrior_charisma", "BD-H5.1", Power.GAIN_TACTICAL, 3),
            Row(2, 2, "warrior_magic_item", "BD-H5.2", Power.GAIN_MAGIC, 3),
            Row(3, 3, "warrior_ride", "BD-H5.3", Power.GAIN_MANOEUVRE, 3),
            Row(4, 4, "warrior_fencing", "BD-H5.4", Power.COMBAT_LOSSES, 3),
            Row(5, 5, "warrior_bow", "BD-H5.5", Power.MISSILE_LOSSES, 3),
            Row(6, 6, "warrior_courage", "BD-H5.6", Power.RAISE_MORALE),
            Row(7, 7, "warrior_shield", "BD-H5.7", Power.IGNORE, 3),
            Row(8, 8, "warrior_strength", "BD-H5.8", Power.COMBAT_LOSSES, 3),
        ),
    ),
    Hero.ROGUE: Table(
        "rogue",
        6,
        (
            Row(1, 1, "rogue_assassinate", "BD-H6.1", Power.CHOSEN_LOSS),
            Row(2, 2, "rogue_sneak_attack", "BD-H6.2", Power.COMBAT_LOSSES, 3),
            Row(3, 3, "rogue_daggers", "BD-H6.3", Power.MISSILE_LOSSES, 3),
            Row(4, 4, "rogue_sabotage", "BD-H6.4", Power.LOSE_TACTICAL, 3),
            Row(5, 5, "rogue_stealth", "BD-H6.5", Power.IGNORE, 3),
            Row(6, 6, "rogue_confusion", "BD-H6.6", Power.SET_TO_ONE, 3),
        ),
    ),
    Hero.ARCHMAGE: Table(
        "archmage",
        6,
        (
            Row(1, 4, "archmage_magic", "BD-H7.1", Power.ROLL_MAGIC),
            Row(5, 6, "archmage_sorcery", "BD-H7.2", Power.GAIN_MAGIC, 3),
        ),
    ),
    Hero.UNICORN: Table(
        "unicorn",
        6,
        (
            Row(1, 1, "unicorn_teleport", "BD-H8.1", Power.GAIN_MANOEUVRE, 3),
            Row(2, 3, "unicorn_gallop", "BD-H8.2", Power.GAIN_MANOEUVRE, 3),
            Row(4, 4, "unicorn_horn", "BD-H8.3", Power.COMBAT_LOSSES, 3),
            Row(5, 6, "unicorn_enchantment", "BD-H8.4", Power.GAIN_MAGIC, 3),
        ),
    ),
    Hero.VAMPIRE: Table(
        "vampire",
        6,
        (
            Row(1, 1, "vampire_flight", "BD-H9.1", Power.GAIN_MANOEUVRE, 3),
            Row(2, 2, "vampire_drain", "BD-H9.2", Power.DRAIN),
            Row(3, 3, "vampire_claws", "BD-H9.3", Power.COMBAT_LOSSES, 3),
            Row(4, 4, "vampire_undead", "BD-H9.4", Power.IGNORE, 3),
            Row(5, 5, "vampire_fear", "BD-H9.5", Power.LOWER_MORALE),
            Row(6, 6, "vampire_dark_powers", "BD-H9.6", Power.GAIN_MAGIC, 3),
        ),
    ),
    Hero.ELF_LORD: Table(
        "elf_lord",
        8,
        (
            Row(1, 2, "elf_lord_sorcery", "BD-H10.1", Power.GAIN_MAGIC, 3),
            Row(3, 4, "elf_lord_command", "BD-H10.2", Power.GAIN_TACTICAL, 3),
            Row(5, 6, "elf_lord_blade", "BD-H10.3", Power.COMBAT_LOSSES, 3),
            Row(7, 8, "elf_lord_bow", "BD-H10.4", Power.MISSILE_LOSSES, 3),
        ),
    ),
    Hero.ORC_CHIEF: Table(
        "orc_chief",
        8,
        (
            Row(1, 2, "orc_chief_forced_march", "BD-H11.1", Power.GAIN_MANOEUVRE, 3),
            Row(3, 4, "orc_chief_command", "BD-H11.2", Power.GAIN_TACTICAL, 3),
            Row(5, 6, "orc_chief_fury", "BD-H11.3", Power.COMBAT_LOSSES, 3),
            Row(7, 8, "orc_chief_shaman", "BD-H11.4", Power.GAIN_MAGIC, 3),
        ),
    ),
    Hero.DWARF_KING: Table(
        "dwarf_king",
        8,
        (
            Row(1, 2, "dwarf_king_berserker", "BD-H12.1", Power.COMBAT_LOSSES, 3),
            Row(3, 4, "dwarf_king_command", "BD-H12.2", Power.GAIN_TACTICAL, 3),
            Row(5, 6, "dwarf_king_martyr", "BD-H12.3", Power.RAISE_MORALE),
            Row(7, 8, "dwarf_king_mithril_armour", "BD-H12.4", Power.IGNORE, 3),
        ),
    ),
    Hero.KNIGHT: Table(
        "knight",
        8,
        (
            Row(1, 2, "knight_ride", "BD-H13.1", Power.GAIN_MANOEUVRE, 3),
            Row(3, 4, "knight_command", "BD-H13.2", Power.GAIN_TACTICAL, 3),
            Row(5, 6, "knight_sword_and_lance", "BD-H13.3", Power.COMBAT_LOSSES, 3),
            Row(7, 8, "knight_shield_and_armour", "BD-H13.4", Power.IGNORE, 3),
        ),
    ),
    Hero.BERSERKER: Table(
        "berserker",
        6,
        (
            Row(1, 3, "berserker_fury", "BD-H14.1", Power.COMBAT_LOSSES, 3),
            Row(4, 6, "berserker_bravery", "BD-H14.2", Power.RAISE_MORALE),
        ),
    ),
}

STEP_OF: Final[Mapping[Kind, Step]] = {  # BD-14: each result is read in the step of its kind
    Kind.D4: Step.COMMANDERS,
    Kind.D6: Step.COMBAT,
    Kind.D8: Step.MISSILE,
    Kind.D10: Step.MOVEMENT,
    Kind.D12: Step.MAGIC,
    Kind.D20: Step.HEROES,
}
SCORES_FROM: Final[Mapping[Kind, int]] = {
    Kind.D4: 4,  # BD-30
    Kind.D6: 5,  # BD-61
    Kind.D8: 7,  # BD-60
    Kind.D10: 8,  # BD-50
    Kind.D12: 10,  # BD-40
    Kind.D20: 17,  # BD-23
}
CHARGE_FROM: Final = 4  # BD-T3: infantry also hits on 4
FIRE_FROM: Final = 6  # BD-T4: archers also hit on 6
DESERTS_TO: Final = 2  # BD-20
SLAYS_FROM: Final = 13  # BD-22: 3 to 12 do nothing (BD-21), 13 to 16 destroy a hero
HEROIC_FROM: Final = SCORES_FROM[Kind.D20]
MORALE_FACES: Final = (2, 3)  # BD-72
MORALE_SIDES: Final = 6

POOL_OF: Final[Mapping[Power, Pool]] = {
    Power.GAIN_TACTICAL: Pool.TACTICAL,
    Power.GAIN_MAGIC: Pool.MAGIC,
    Power.GAIN_MANOEUVRE: Pool.MANOEUVRE,
    Power.LOSE_TACTICAL: Pool.TACTICAL,
    Power.LOSE_MANOEUVRE: Pool.MANOEUVRE,
}
STEP_OF_POOL: Final[Mapping[Pool, Step]] = {
    Pool.TACTICAL: Step.COMMANDERS,
    Pool.MAGIC: Step.MAGIC,
    Pool.MANOEUVRE: Step.MOVEMENT,
}
NEXT_TABLE: Final[Mapping[Power, Table]] = {
    Power.ROLL_TACTICAL: TACTICAL,  # BD-M10
    Power.ROLL_MAGIC: MAGIC,  # BD-H7.1
    Power.ROLL_MANOEUVRE: MANOEUVRE,  # BD-M3
}
CHOSEN_ROW: Final[Mapping[Manoeuvre, Row]] = {  # BD-V5: one of the four other rows
    Manoeuvre.CHARGE: MANOEUVRE.row(1),
    Manoeuvre.FLANK: MANOEUVRE.row(3),
    Manoeuvre.SURROUND: MANOEUVRE.row(5),
    Manoeuvre.WITHDRAW: MANOEUVRE.row(7),
}
WITH_AMOUNT: Final = frozenset(
    row.power
    for table in (TACTICAL, MAGIC, MANOEUVRE, *HERO_TABLES.values())
    for row in table.rows
    if row.sides
)
HERO_POWERS: Final = frozenset(row.power for table in HERO_TABLES.values() for row in table.rows)
STEPS: Final = tuple(Step)
