"""The words of Combat Dice, one enumeration a concept; each word has its row in the glossary."""

from __future__ import annotations

from enum import StrEnum


class Score(StrEnum):
    """The six scores, in the order of the faces of a basic die (CD-8)."""

    ATTACK = "attack"
    DODGE = "dodge"
    DAMAGE = "damage"
    ARMOR = "armor"
    INITIATIVE = "initiative"
    MANEUVER = "maneuver"


class Phase(StrEnum):
    """The five phases of a turn (CD-2)."""

    COMBAT_ROLL = "combat_roll"
    INITIATIVE = "initiative"
    MANEUVER = "maneuver"
    ATTACK = "attack"
    DAMAGE = "damage"


class Training(StrEnum):
    """What kind of fighter a sheet is of."""

    BASIC = "basic"
    ADVANCED = "advanced"


class Gladiator(StrEnum):
    """The six gladiators, whose kits are printed."""

    SECUTOR = "secutor"
    RETIARIUS = "retiarius"
    THRACIAN = "thracian"
    MURMILLO = "murmillo"
    DIMACHAERI = "dimachaeri"
    SAMNITES = "samnites"


class Weapon(StrEnum):
    """The rows of the weapon table."""

    UNARMED = "unarmed"
    SWORD = "sword"
    SHORT_SWORD = "short_sword"
    LARGE_SWORD = "large_sword"
    DAGGER = "dagger"
    THROWN_DAGGER = "thrown_dagger"
    CLUB = "club"
    SPEAR = "spear"
    TRIDENT = "trident"
    THROWN_SPEAR = "thrown_spear"
    BOW = "bow"
    BATTLE_AXE_2H = "battle_axe_2h"
    FLAIL = "flail"
    SWORD_2H = "sword_2h"
    NET = "net"
    STAFF_2H = "staff_2h"


class Armor(StrEnum):
    """The rows of the armor table."""

    NONE = "none"
    LIGHT = "light"
    MEDIUM = "medium"
    HEAVY = "heavy"


class Shield(StrEnum):
    """The rows of the shield table."""

    NONE = "none"
    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


class Specialty(StrEnum):
    """The kinds of specialty dice (CD-42)."""

    STRENGTH = "strength"
    ARMOR = "armor"
    PROWESS = "prowess"
    EVASION = "evasion"
    MANEUVER = "maneuver"
    INITIATIVE = "initiative"


class Skill(StrEnum):
    """What a fighter may have learned (CD-50)."""

    TWO_WEAPON_STYLE = "two_weapon_style"
    RIDING_HORSE = "riding_horse"
    MARTIAL_ARTIST = "martial_artist"
    BLIND_FIGHTING = "blind_fighting"
    BERSERKER = "berserker"
    ADRENALINE_RUSH = "adrenaline_rush"


class Spell(StrEnum):
    """The nine spells."""

    FIREBALL = "fireball"
    LIGHTNING_BOLT = "lightning_bolt"
    PARALYSIS = "paralysis"
    AID = "aid"
    HEAL = "heal"
    CURSE = "curse"
    FINGER_OF_DEATH = "finger_of_death"
    SHOCKING_GRASP = "shocking_grasp"
    SHIELD = "shield"


class Action(StrEnum):
    """The special combat actions (CD-60)."""

    SHIELD_BASH = "shield_bash"
    PARRY = "parry"
    POMMEL_STRIKE = "pommel_strike"
    RETREAT = "retreat"
    FEINT = "feint"
    SAND = "sand"
    GRAPPLE = "grapple"


class When(StrEnum):
    """On which condition an action of a list is taken (CD-A20)."""

    ALWAYS = "always"
    IF_HIT_TURNS_TO_MISS = "if_hit_turns_to_miss"
    IF_MISS_TURNS_TO_HIT = "if_miss_turns_to_hit"
    IF_REDUCES_DAMAGE = "if_reduces_damage"


class Rethrow(StrEnum):
    """When a fighter who may rethrow does (CD-A12)."""

    IF_NO_DAMAGE = "if_no_damage"
    ALWAYS = "always"
    NEVER = "never"
    ASK = "ask"


class TwoWeapon(StrEnum):
    """What Two Weapon Style does in a turn (CD-A20)."""

    AUTO = "auto"
    NONE = "none"
    DODGE_TO_ATTACK = "dodge_to_attack"
    ATTACK_TO_DODGE = "attack_to_dodge"
    ASK = "ask"


class Stay(StrEnum):
    """Whether a fighter wants more ranged rounds after a block of them (CD-83)."""

    MELEE = "melee"
    RANGED = "ranged"
    ASK = "ask"


class Injury(StrEnum):
    """The results of the damage table."""

    BLEEDING = "bleeding"
    HURT_ARM = "hurt_arm"
    DOUBLE_CRIT = "double_crit"
    DISARM = "disarm"
    STUNNED = "stunned"
    NO_EFFECT = "no_effect"
    KNOCKDOWN = "knockdown"
    BREAK_ARMOR = "break_armor"
    HURT_LEG = "hurt_leg"
    BLINDED = "blinded"


class Use(StrEnum):
    """What a Maneuver score of 2 or more may be used for (AMB-CD-8)."""

    DISARMED = "disarmed"
    KNOCKDOWN = "knockdown"
    GRAPPLED = "grappled"
    DROPPED = "dropped"
    REMOUNT = "remount"
    ACTION = "action"


class Attack(StrEnum):
    """With what a fighter attacks in a turn: it decides what else is open (CD-A15)."""

    WEAPON = "weapon"
    NET = "net"
    MISSILE = "missile"
    SPELL = "spell"
    NOTHING = "nothing"


class Condition(StrEnum):
    """How a fighter is after a turn."""

    UP = "up"
    UNCONSCIOUS = "unconscious"
    DEAD = "dead"


class Ending(StrEnum):
    """Why a combat is over."""

    DOWN = "down"
    BOTH_DOWN = "both_down"
    TURN_CAP = "turn_cap"
    RESIGNED = "resigned"
    AGREED_DRAW = "agreed_draw"
    CLOSED = "closed"


class CombatValue(StrEnum):
    """What the Master may set by hand."""

    HP = "hp"


class Stage(StrEnum):
    """Which decision a combat waits for."""

    BUILD = "build"
    FINISH = "finish"
    OPEN = "open"
    ORDERS = "orders"
    RETHROW = "rethrow"
    ACT = "act"
    STAY = "stay"
    ENDED = "ended"
