"""Readings of the Guida that a board chooses among, one enumeration for each option (AMB)."""

from __future__ import annotations

from enum import StrEnum


class ExtraStats(StrEnum):
    """Whether a sheet may have stats beyond the four that count (AMB-5)."""

    IGNORE = "ignore"
    REJECT = "reject"


class TagMismatch(StrEnum):
    """What holds where a dice tag has another modifier than its factors make (AMB-47)."""

    WARN_USE_FACTORS = "warn_use_factors"
    WARN_USE_MODIFIER = "warn_use_modifier"
    REJECT = "reject"


class BeyondRange(StrEnum):
    """What happens to an attack beyond its maximum range (AMB-25)."""

    REJECT = "reject"
    ALLOW = "allow"


class Measured(StrEnum):
    """Where the distance of an attack with a move is taken (AMB-27)."""

    AFTER_MOVE = "after_move"
    BEFORE_MOVE = "before_move"


class Undeclared(StrEnum):
    """What an attack without a declared defence meets (AMB-14)."""

    NULL_DEFENCE = "null_defence"
    FAILURE = "failure"


class Cover(StrEnum):
    """How one defence meets several attacks (AMB-15)."""

    FIRST_FAILURE_STOPS = "first_failure_stops"
    EACH_INDEPENDENT = "each_independent"


class Doubling(StrEnum):
    """What a critical doubles (AMB-43)."""

    FINAL_DAMAGE = "final_damage"
    POWER = "power"


class ArmourDown(StrEnum):
    """Until when a beaten armour gives no protection (AMB-50)."""

    OWNER_NEXT_TURN = "owner_next_turn"
    CURRENT_TURN_END = "current_turn_end"
    SAME_ACTION = "same_action"


class ArmourStacking(StrEnum):
    """How several armours combine (AMB-51)."""

    STRONGEST = "strongest"
    SUM = "sum"


class SemiPureArmour(StrEnum):
    """Whether armour acts on the normal half of semi-pure damage (AMB-53)."""

    NORMAL_HALF = "normal_half"
    NONE = "none"


class Scope(StrEnum):
    """Over what the uses of a technique are counted (AMB-32)."""

    SCENE = "scene"
    OPPONENT = "opponent"


class StatBonus(StrEnum):
    """Where a stat bonus comes from that the sheet does not give (AMB-7)."""

    INPUT = "input"
    TOTAL_LEVEL = "total_level"


class HpFloor(StrEnum):
    """How low hit points go (AMB-4)."""

    NONE = "none"
    ZERO = "0"


class PowerCarried(StrEnum):
    """With what power a defence that covers several attacks meets the next (GC-14.2)."""

    CARRIED = "carried"
    FULL = "full"


class TieDamage(StrEnum):
    """Whether a half-damage tie replaces the win or comes with it (AMB-41, GC-14.6)."""

    REPLACES_WIN = "replaces_win"
    ALONGSIDE_WIN = "alongside_win"


class HalvingOf(StrEnum):
    """What halving in a comparison touches (AMB-48)."""

    POTENTIAL = "potential"
    POWER = "power"


class CategoryAfter(StrEnum):
    """Whether a reduced potential keeps its letter (AMB-49)."""

    PRINTED = "printed"
    RECOMPUTED = "recomputed"


class ModifierMode(StrEnum):
    """What one modifier of potential is (AMB-9)."""

    POINTS = "points"
    CATEGORY_STEP = "category_step"


class TieGoesTo(StrEnum):
    """Who wins a tie that no rule speaks of (AMB-24)."""

    DEFENDER = "defender"
    ATTACKER = "attacker"


class PreparationScope(StrEnum):
    """Which defences a preparation helps (AMB-36)."""

    ALL_DEFENCES = "all_defences"
    FIRST_DEFENCE = "first_defence"


class MovementCounter(StrEnum):
    """What a won counter does to a movement (AMB-39)."""

    SPECIFIC = "specific"
    SUSPENDED_ACTION = "suspended_action"


class GuardHalves(StrEnum):
    """What a guard halves (AMB-44)."""

    ATTACK_AND_ADDITIONAL = "attack_and_additional"
    ALL = "all"
    ATTACK_ONLY = "attack_only"


class HealArmour(StrEnum):
    """Where armour is taken from a heal (AMB-58)."""

    INSIDE = "inside"
    OUTSIDE = "outside"


class HealCap(StrEnum):
    """How far healing goes (AMB-4)."""

    MAX_HP = "max_hp"
    NONE = "none"


class StunScale(StrEnum):
    """Which stacks the malus of stun counts (AMB-80)."""

    STUN = "stun"
    OFF_BALANCE = "off_balance"


class SlowDecay(StrEnum):
    """What counts the turns of a band that decays every other turn (AMB-88)."""

    PER_CONDITION = "per_condition"
    SCENE_PARITY = "scene_parity"


class TickOrder(StrEnum):
    """Whether a condition hurts before or after it wears off (AMB-86)."""

    DAMAGE_THEN_DECAY = "damage_then_decay"
    DECAY_THEN_DAMAGE = "decay_then_damage"


class TransientStart(StrEnum):
    """When stun and off-balance begin to act (AMB-82)."""

    NEXT_TURN = "next_turn"
    IMMEDIATE = "immediate"


class Overflow(StrEnum):
    """What an attacker may choose when Type-1 stacks exceed the cap (AMB-81)."""

    INCOMING_ONLY = "incoming_only"
    RECOMPOSE = "recompose"


class AreaTick(StrEnum):
    """When the saturation of control areas decays (AMB-91)."""

    CREATOR_INITIAL_PHASE = "creator_initial_phase"
    ROUND_END = "round_end"


class SaturationRemoval(StrEnum):
    """Whether category and spread of an attack both take saturation (AMB-92)."""

    ADDITIVE = "additive"
    HIGHEST = "highest"


class Coverage(StrEnum):
    """How one tells whether a technique covers half of an area (AMB-95)."""

    INPUT = "input"
    SURFACE = "surface"
    RADIUS = "radius"


class ConstraintDie(StrEnum):
    """Which die enters the value of a constraint (AMB-59)."""

    ATTACK_DIE = "attack_die"
    SEPARATE_D12 = "separate_d12"


class ConstraintStart(StrEnum):
    """From when on a constraint hampers (AMB-61)."""

    ON_LANDING = "on_landing"
    NEXT_TURN = "next_turn"


class Overlap(StrEnum):
    """How the effects of several constraints add up (AMB-62)."""

    SUBSUME = "subsume"
    SUM = "sum"
    STRONGEST = "strongest"


class LiberationDie(StrEnum):
    """Which die an improper liberation is tried with (AMB-65)."""

    SEPARATE_D12 = "separate_d12"
    ACTION_DIE = "action_die"


class CamouflageRoll(StrEnum):
    """When the die of a camouflage falls: once, or for every attempt to find it (AMB-68)."""

    PER_ACTIVATION = "per_activation"
    PER_ATTEMPT = "per_attempt"


class VolleyGaps(StrEnum):
    """What a volley counts as whose size no class of the book names (AMB-72)."""

    ROUND_DOWN = "round_down"
    ROUND_UP = "round_up"
    REJECT = "reject"


class StopBy(StrEnum):
    """Which defences stop an attack for all of its targets (AMB-100)."""

    INTERCEPTION_ONLY = "interception_only"
    ANY_SUCCESS = "any_success"


class StopScope(StrEnum):
    """For which targets a stopped attack is void (AMB-100)."""

    ALL = "all"
    LATER_ONLY = "later_only"


class HalvedScope(StrEnum):
    """For which targets an attack is halved that one of them overcame in part (AMB-101)."""

    BY_KIND = "by_kind"
    ALL = "all"
    ONLY_THAT_TARGET = "only_that_target"


class VolleyLoss(StrEnum):
    """How a volley loses power over its targets (AMB-103)."""

    ALL_TARGETS = "all_targets"
    PROGRESSIVE = "progressive"


class AllyNullDamage(StrEnum):
    """What a null defence for an ally lets through (AMB-105)."""

    FULL = "full"
    HALVED = "halved"


class AllyGuardDamage(StrEnum):
    """Who suffers what a guard for an ally lets through (AMB-106)."""

    PROTECTOR = "protector"
    ALLY = "ally"


class AllyDodge(StrEnum):
    """What a dodge with an ally works as (AMB-107)."""

    DODGE = "dodge"
    PARRY = "parry"
