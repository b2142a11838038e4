"""What a board decides: readings of the rules, and what a duel is played under (AMB-WD)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from app.engine.text import Between
from app.rulesets.warrior_dice.readings import (
    AdderOnForceless,
    AllOutScope,
    AllOutStack,
    BattlefieldBase,
    DefensiveNeutralize,
    DesignLimits,
    HealTiming,
    IntruderEvery,
    NeutralizeStack,
    PointsBasis,
    RegainInAttack,
    UnholyFrom,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelOptions:
    """Readings of the rules, one field per option; the defaults are our rulings."""

    shadow: bool = False
    battlefield: Annotated[int, Between(1, 10)] | None = None
    all_out_stack: AllOutStack = AllOutStack.MULTIPLY
    all_out_scope: AllOutScope = AllOutScope.NESTED
    heal_timing: HealTiming = HealTiming.ON_ROLL
    regain_in_attack: RegainInAttack = RegainInAttack.BOTH
    adder_on_forceless: AdderOnForceless = AdderOnForceless.IGNORE
    roll_vs_no_damage: bool = True
    neutralize_stack: NeutralizeStack = NeutralizeStack.REFRESH
    defensive_neutralize: DefensiveNeutralize = DefensiveNeutralize.ACTIVE
    anduril_persists: bool = False
    points_basis: PointsBasis = PointsBasis.COMPUTED
    max_options_per_face: Annotated[int, Between(1, 20)] | None = None
    battlefield_base: BattlefieldBase = BattlefieldBase.PRINTED
    intruder_every: IntruderEvery = IntruderEvery.TURN
    unholy_from: UnholyFrom = UnholyFrom.DEFENCE_PHASE
    banish_below: Annotated[int, Between(0, 9999)] = 30
    max_points: Annotated[int, Between(10, 9999)] | None = None
    gandalf_fix: bool = False
    turn_cap: Annotated[int, Between(1, 1000)] = 200
    design_limits: DesignLimits = DesignLimits.PRINTED
