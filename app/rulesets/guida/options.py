"""What a board decides: readings of the Guida (options), numbers it lacks (regulation)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from app.engine.numbers import Arithmetic, Rounding, Stage
from app.engine.text import Between, Length
from app.rulesets.guida.readings import (
    AllyDodge,
    AllyGuardDamage,
    AllyNullDamage,
    AreaTick,
    ArmourDown,
    ArmourStacking,
    BeyondRange,
    CamouflageRoll,
    CategoryAfter,
    ConstraintDie,
    ConstraintStart,
    Cover,
    Coverage,
    Doubling,
    ExtraStats,
    GuardHalves,
    HalvedScope,
    HalvingOf,
    HealArmour,
    HealCap,
    HpFloor,
    LiberationDie,
    Measured,
    ModifierMode,
    MovementCounter,
    Overflow,
    Overlap,
    PowerCarried,
    PreparationScope,
    SaturationRemoval,
    Scope,
    SemiPureArmour,
    SlowDecay,
    StatBonus,
    StopBy,
    StopScope,
    StunScale,
    TagMismatch,
    TickOrder,
    TieDamage,
    TieGoesTo,
    TransientStart,
    Undeclared,
    VolleyGaps,
    VolleyLoss,
)
from app.rulesets.guida.tables import RANGE_LADDER_M
from app.rulesets.guida.terms import Category


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
