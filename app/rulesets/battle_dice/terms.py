"""The words of Battle Dice, as enumerations; each has one row in ``glossary.toml``."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """The kinds of dice, each one kind of unit, in the order in which they are rolled."""

    D4 = "d4"  # BD-U1: commanders
    D6 = "d6"  # BD-U2: infantry
    D8 = "d8"  # BD-U3: archers
    D10 = "d10"  # BD-U4: cavalry
    D12 = "d12"  # BD-U5: spellcasters
    D20 = "d20"  # BD-U6: heroes

    @property
    def sides(self) -> int:
        """Give the number of faces."""
        return int(self[1:])


class Step(StrEnum):
    """The eight steps of a turn, in their order (BD-13)."""

    ROLL = "roll"
    HEROES = "heroes"
    COMMANDERS = "commanders"
    MAGIC = "magic"
    MOVEMENT = "movement"
    MISSILE = "missile"
    COMBAT = "combat"
    MORALE = "morale"


class Pool(StrEnum):
    """The points that are set against the enemy's."""

    TACTICAL = "tactical_points"
    MAGIC = "magic_points"
    MANOEUVRE = "manoeuvre_points"


class Hero(StrEnum):
    """The types of hero that have a table of their own, in the order of the tables (BD-H)."""

    DRAGON = "dragon"
    GIANT = "giant"
    MEDUSA = "medusa"
    SIEGE = "siege"
    WARRIOR = "warrior"
    ROGUE = "rogue"
    ARCHMAGE = "archmage"
    UNICORN = "unicorn"
    VAMPIRE = "vampire"
    ELF_LORD = "elf_lord"
    ORC_CHIEF = "orc_chief"
    DWARF_KING = "dwarf_king"
    KNIGHT = "knight"
    BERSERKER = "berserker"


class Power(StrEnum):
    """What the row of a table does."""

    MISSILE_LOSSES = "missile_losses"
    COMBAT_LOSSES = "combat_losses"
    LOSSES = "losses"
    CHOSEN_LOSS = "chosen_loss"
    DRAIN = "drain"
    SET_TO_ONE = "set_to_one"
    RESTORE = "restore"
    SUMMON = "summon"
    CONTROL = "control"
    IGNORE = "ignore"
    GAIN_TACTICAL = "gain_tactical"
    GAIN_MAGIC = "gain_magic"
    GAIN_MANOEUVRE = "gain_manoeuvre"
    LOSE_TACTICAL = "lose_tactical"
    LOSE_MANOEUVRE = "lose_manoeuvre"
    RAISE_MORALE = "raise_morale"
    LOWER_MORALE = "lower_morale"
    SURROUND = "surround"
    LEAD_CHARGE = "lead_charge"
    DIRECT_FIRE = "direct_fire"
    INITIATIVE = "initiative"
    ROLL_TACTICAL = "roll_tactical"
    ROLL_MAGIC = "roll_magic"
    ROLL_MANOEUVRE = "roll_manoeuvre"
    FREE_CHOICE = "free_choice"


class Ask(StrEnum):
    """What a player may have to choose in the middle of a turn (AMB-BD-23)."""

    CASUALTIES = "casualties"
    TARGET = "target"
    CONTROL = "control"
    SET_TO_ONE = "set_to_one"
    RESTORE = "restore"
    SUMMON = "summon"
    FREE_CHOICE = "free_choice"
    INITIATIVE = "initiative_step"


class Manoeuvre(StrEnum):
    """The rows that may be taken on a manoeuvre 9 or 10 (BD-V5)."""

    CHARGE = "charge"
    FLANK = "flank"
    SURROUND = "surround"
    WITHDRAW = "withdraw"


class End(StrEnum):
    """How a battle may end."""

    ROUT = "rout"
    ANNIHILATION = "annihilation"
    CONCESSION = "concession"
    TURN_CAP = "turn_cap"
    AGREEMENT = "agreement"
    CLOSED = "closed"


class Cast(StrEnum):
    """What dice of a turn are thrown for."""

    ROLL = "roll"
    TABLE = "table"
    AMOUNT = "amount"
    MORALE = "morale"
    HEARTENED = "heartened"
    DISMAYED = "dismayed"
