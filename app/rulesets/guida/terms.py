"""The words of the Guida, as enumerations; each has one row in ``glossary.toml``."""

from __future__ import annotations

from enum import StrEnum


class Stat(StrEnum):
    """The four statistics of a sheet (AMB-5)."""

    STRENGTH = "strength"
    DEXTERITY = "dexterity"
    CONSTITUTION = "constitution"
    INTELLIGENCE = "intelligence"


class Category(StrEnum):
    """The letter of a potential, lowest to highest."""

    D = "D"
    C = "C"
    B = "B"
    A = "A"
    S = "S"


class Phase(StrEnum):
    """The three phases of a turn, in their order (GC-2.2)."""

    INITIAL = "initial"
    DEFENSIVE = "defensive"
    OFFENSIVE = "offensive"


class Action(StrEnum):
    """The actions that this edition adjudicates."""

    ATTACK = "attack"
    NULL_DEFENCE = "null_defence"
    GUARD = "guard"
    PARRY = "parry"
    DODGE = "dodge"
    UNBALANCE = "unbalance"
    COUNTERATTACK = "counterattack"
    DIRECT_COUNTERATTACK = "direct_counterattack"
    GENERIC_COUNTERATTACK = "generic_counterattack"
    ALLY_NULL_DEFENCE = "ally_null_defence"
    ALLY_GUARD = "ally_guard"
    ALLY_COUNTERATTACK = "ally_counterattack"
    ALLY_PARRY = "ally_parry"
    ALLY_DODGE = "ally_dodge"
    INDEPENDENT_SECONDARY = "independent_secondary"
    PERCEPTION = "perception"
    CAMOUFLAGE = "camouflage"
    MASKING = "masking"
    PREPARATION = "preparation"
    MOVEMENT = "movement"
    GENERIC_ACTION = "generic_action"
    REACTION = "reaction"
    LIBERATION = "liberation"
    CONSTRAINT = "constraint"


class Aim(StrEnum):
    """The part an attack is aimed at; an unaimed one counts as aimed at the body (GC-4.22)."""

    BODY = "body"
    LIMBS = "limbs"
    HEAD = "head"


class Limb(StrEnum):
    """Which limbs an attack aimed at the limbs is after (GC-4.24)."""

    ARMS = "arms"
    LEGS = "legs"


class AttackKind(StrEnum):
    """How an attack spreads."""

    TARGETED = "targeted"
    AREA = "area"
    TOTAL_AREA = "total_area"
    MULTIPLE = "multiple"


class AttackForm(StrEnum):
    """Whether a blow arrives by hand or through the air."""

    MELEE = "melee"
    PROJECTILE = "projectile"


class DamageType(StrEnum):
    """Which formula turns power into damage (chapter 6)."""

    NORMAL = "normal"
    PURE = "pure"
    SEMI_PURE = "semi_pure"


class Score(StrEnum):
    """What a modifier changes; ``success_score`` stands for both of the others (GC-3.2)."""

    HIT = "hit_score"
    DEFEND = "defend_score"
    SUCCESS = "success_score"


class Claim(StrEnum):
    """An advantage a player claims and the Master confirms (GC-4.28)."""

    SURPRISE = "surprise"
    FROM_BEHIND = "from_behind"


class Outcome(StrEnum):
    """How a speed check ends (GC-3.3, GC-3.4)."""

    DEFENDER_WINS = "defender_wins"
    TIE = "tie"
    ATTACKER_WINS = "attacker_wins"


class Stack(StrEnum):
    """Conditions measured in stacks that a scene can carry in this edition."""

    OFF_BALANCE = "off_balance"
    STUN = "stun"
    MAIM_DEBILITATING = "maim_debilitating"
    MAIM_ARTICULAR = "maim_articular"
    MAIM_SPIRITUAL = "maim_spiritual"
    POISON = "poison"
    BURN = "burn"
    ABLAZE = "ablaze"
    FREEZING = "freezing"


class Bind(StrEnum):
    """What a constraint does to whoever it binds (GC-8.6 to GC-8.11)."""

    DISTANCE_LIMIT = "distance_limit"
    MOVEMENT_BLOCK = "movement_block"
    MOVEMENT_LIMITATION = "movement_limitation"
    ARM_BLOCK = "arm_block"
    LEG_BLOCK = "leg_block"
    TOTAL_BLOCK = "total_block"


class Talent(StrEnum):
    """A passive trait of a character that a rule asks about (GC-11.28)."""

    ALTERNATIVE_SENSES_TO_SIGHT = "alternative_senses_to_sight"


class Secondary(StrEnum):
    """What a secondary action is, where a rule asks (GC-4.38)."""

    BOOST_TECHNIQUE = "boost_technique"
    RELEASE = "release"
    TONIC = "tonic"
    TRAP = "trap"
    QUICK = "quick"


class Fate(StrEnum):
    """What a power comparison leaves of an action (GC-5.4)."""

    ANNULLED = "annulled"
    HALVED = "halved"
    INTACT = "intact"


class Means(StrEnum):
    """What one acts with."""

    TECHNIQUE = "technique"
    WEAPON = "weapon"


class Bearer(StrEnum):
    """Who an effect settles on: the one who uses it, or the one it hits."""

    USER = "user"
    TARGET = "target"


class Standing(StrEnum):
    """Whether a combatant still takes part."""

    ACTIVE = "active"
    SURRENDERED = "surrendered"
    DEFEATED = "defeated"
    LEFT = "left"


class Change(StrEnum):
    """What a line of the register changes (GC-1.4)."""

    HP = "hp"
    EP = "ep"
    POINTS = "points"
    STACKS = "stacks"
    EFFECT = "effect"


class AreaForm(StrEnum):
    """Whether a control area keeps its size or has that of its saturation (GC-12.2)."""

    STATIC = "static"
    EXPANSIVE = "expansive"


class Curtain(StrEnum):
    """The control areas that everybody knows (GC-12.19)."""

    SMOKE = "smoke"
    POISON = "poison"
