"""What a board decides: readings of the Guida (options), numbers it lacks (regulation)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Annotated

from app.engine.numbers import Arithmetic, Rounding, Stage
from app.engine.text import Between, Length
from app.rulesets.guida.tables import RANGE_LADDER_M
from app.rulesets.guida.terms import Category


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Readings of the Guida, one field per option; the defaults are our rulings."""

    rounding_mode: Rounding = Rounding.FLOOR
    rounding_stage: Stage = Stage.FINAL
    extra_stats: ExtraStats = ExtraStats.IGNORE
    hp_floor: HpFloor = HpFloor.NONE
    register_counts_gains: bool = True
    undeclared_defence: Undeclared = Undeclared.NULL_DEFENCE
    multi_cover_resolution: Cover = Cover.FIRST_FAILURE_STOPS
    covering_defence_power: PowerCarried = PowerCarried.CARRIED
    independent_secondary_survives_failure: bool = True
    generic_action_opens_defensive_phase: bool = True
    guard_success_counts_as_success: bool = True
    half_damage_tie_counts_as_success: bool = True
    tie_half_damage_mode: TieDamage = TieDamage.REPLACES_WIN
    overpowered_defence_blocks_offensive: bool = True
    failed_generic_counter_blocks_offensive: bool = False
    failed_direct_counter_is_launched: bool = False
    annulled_counter_frees_main_action: bool = False
    unactivated_defence_costs_ep: bool = False
    missing_tie_rule: TieGoesTo = TieGoesTo.DEFENDER
    clamp_distance_factor: bool = True
    beyond_max_range: BeyondRange = BeyondRange.REJECT
    distance_measured: Measured = Measured.AFTER_MOVE
    dodge_metres_per_dexterity: Annotated[Fraction, Between(0, 100)] = Fraction(1)
    aimable_kinds: Annotated[tuple[str, ...], Length(0, 8)] = ("targeted", "multiple_1_5")
    defend_modifiers_apply_to_counterattacks: bool = False
    half_move_requires_successful_counter: bool = True
    round_distances: bool = True
    movement_metres_per_dexterity: Annotated[Fraction, Between(0, 1000)] | None = None
    movement_clears_type1: bool = False
    movement_counter_mode: MovementCounter = MovementCounter.SPECIFIC
    generic_action_die: Annotated[int, Between(2, 100)] = 12
    preparation_bonus_scope: PreparationScope = PreparationScope.ALL_DEFENCES
    description_bonuses_stack: bool = True
    predictability_counts_current_use: bool = True
    predictability_scope: Scope = Scope.SCENE
    guard_riders: bool = True
    guard_criticals: bool = True
    riders_on_tie: bool = False
    critical_multiplies: Doubling = Doubling.FINAL_DAMAGE
    guard_halves: GuardHalves = GuardHalves.ATTACK_AND_ADDITIONAL
    additional_can_be_critical: bool = False
    environmental_counts_as_additional: bool = True
    environmental_uses_armour: bool = False
    main_heal_halved: bool = True
    heal_armour_subtraction: HealArmour = HealArmour.INSIDE
    regeneration_affected_by_armour: bool = False
    heal_cap: HealCap = HealCap.MAX_HP
    dice_tag_mismatch: TagMismatch = TagMismatch.WARN_USE_FACTORS
    halving_applies_to: HalvingOf = HalvingOf.POTENTIAL
    category_after_reduction: CategoryAfter = CategoryAfter.PRINTED
    stun_scales_with: StunScale = StunScale.STUN
    armour_down_until: ArmourDown = ArmourDown.OWNER_NEXT_TURN
    armour_stacking: ArmourStacking = ArmourStacking.STRONGEST
    semi_pure_armour: SemiPureArmour = SemiPureArmour.NORMAL_HALF
    maim_restart_at_cap: bool = True
    potential_modifier_mode: ModifierMode = ModifierMode.POINTS
    potential_points_per_modifier: Annotated[Fraction, Between(0, 100)] = Fraction(1)
    type1_overflow: Overflow = Overflow.INCOMING_ONLY
    transient_stack_start: TransientStart = TransientStart.NEXT_TURN
    tick_order: TickOrder = TickOrder.DAMAGE_THEN_DECAY
    slow_decay_counter: SlowDecay = SlowDecay.PER_CONDITION
    declared_knockback_on_defence: bool = False
    failed_reaction_cascades: bool = False
    reaction_to_defence_knockback: bool = True
    area_tick: AreaTick = AreaTick.CREATOR_INITIAL_PHASE
    saturation_removal_stacking: SaturationRemoval = SaturationRemoval.ADDITIVE
    area_power_includes_stat_bonus: bool = True
    area_coverage_measure: Coverage = Coverage.INPUT
    in_action_moves_escape_area: bool = False
    poison_curtain_blinds: bool = False
    multi_stop_by: StopBy = StopBy.INTERCEPTION_ONLY
    multi_stop_scope: StopScope = StopScope.ALL
    multi_halved_scope: HalvedScope = HalvedScope.BY_KIND
    volley_power_reduction: VolleyLoss = VolleyLoss.ALL_TARGETS
    ally_move_step_malus: bool = True
    ally_null_damage: AllyNullDamage = AllyNullDamage.FULL
    ally_guard_damage_to: AllyGuardDamage = AllyGuardDamage.PROTECTOR
    ally_dodge_model: AllyDodge = AllyDodge.DODGE
    ally_dodge_die: Annotated[int, Between(2, 100)] = 18
    perception_includes_potential_bonus: bool = False
    camouflage_roll: CamouflageRoll = CamouflageRoll.PER_ACTIVATION
    blind_band_upper_inclusive: bool = True
    volley_class_gaps: VolleyGaps = VolleyGaps.ROUND_DOWN
    smoke_hidden_beyond_m: Annotated[int, Between(5, 25)] = 25
    constraint_die: ConstraintDie = ConstraintDie.ATTACK_DIE
    constraint_start: ConstraintStart = ConstraintStart.ON_LANDING
    constraint_overlap: Overlap = Overlap.SUBSUME
    blocked_position_forbids_dodge: bool = True
    improper_increment_halves_twice: bool = True
    improper_liberation_die: LiberationDie = LiberationDie.SEPARATE_D12

    @property
    def arithmetic(self) -> Arithmetic:
        """Give the rounding these options ask for (AMB-1)."""
        return Arithmetic(self.rounding_mode, self.rounding_stage)


@dataclass(frozen=True, slots=True, kw_only=True)
class ByCategory:
    """One number for each letter, for sheets that give only the letter (AMB-6)."""

    D: Fraction
    C: Fraction
    B: Fraction
    A: Fraction
    S: Fraction

    def of(self, category: Category) -> Fraction:
        """Give the number of a category."""
        return {
            Category.D: self.D,
            Category.C: self.C,
            Category.B: self.B,
            Category.A: self.A,
            Category.S: self.S,
        }[category]


@dataclass(frozen=True, slots=True, kw_only=True)
class Regulation:
    """Numbers of the two regulations that the Guida refers to and that a board supplies."""

    potential_by_category: ByCategory | None = None
    potential_bonus_by_category: ByCategory | None = None
    stat_bonus_source: StatBonus = StatBonus.INPUT
    range_ladder_m: Annotated[tuple[int, ...], Length(1, 12)] = RANGE_LADDER_M

    def band(self, metres: Fraction | int) -> int:
        """Give the index of the range a distance lies in: the first bound not below it (AMB-26)."""
        for index, bound in enumerate(self.range_ladder_m):
            if metres <= bound:
                return index
        return len(self.range_ladder_m)

    def steps(self, metres: Fraction | int, other: Fraction | int) -> int:
        """Count the ranges between two distances."""
        return abs(self.band(metres) - self.band(other))
