"""What a table decides: one field an ambiguity of the book; the defaults are our rulings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from app.engine.text import Between
from app.rulesets.combat_dice.readings import (
    ConditionsStart,
    DamageDice,
    DisarmMode,
    DoubleKo,
    Floor,
    HoldThisTurn,
    ManeuverUses,
    MissingItems,
    Recover,
    RethrowDice,
    SandNeeds,
    SelfEffects,
    Stalemate,
)
from app.rulesets.combat_dice.terms import Score


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatOptions:
    """Readings of the rules, one field per option."""

    floor: Floor = Floor.COMBAT3
    missing_item_rows: MissingItems = MissingItems.AUTOMATIC
    rethrow_dice: RethrowDice = RethrowDice.ALL
    damage_dice: DamageDice = DamageDice.ON_DAMAGE
    dying_blow: bool = False
    conditions_start: ConditionsStart = ConditionsStart.NEXT_TURN
    double_ko: DoubleKo = DoubleKo.DRAW
    recover: Recover = Recover.AT_ONCE
    maneuver_uses: ManeuverUses = ManeuverUses.SHARED
    stack_wounds: bool = True
    min_dice: Annotated[int, Between(0, 6)] = 0
    hold_this_turn: HoldThisTurn = HoldThisTurn.IF_LATER
    sand_needs: SandNeeds = SandNeeds.HIT
    grapple_damage: bool = True
    remount: bool = False
    disarm_mode: DisarmMode = DisarmMode.FLAT
    self_effects_start: SelfEffects = SelfEffects.NOW
    utility_spell_blocks_attack: bool = False
    untagged_spells_at_range: bool = False
    thrown_is_lost: bool = True
    max_skills: Annotated[int, Between(0, 6)] | None = None
    adrenaline_per_turn: Annotated[int, Between(0, 20)] = 1
    wounds_persist: bool = False
    action_gear: bool = True
    stalemate: Stalemate = Stalemate.CAP
    turn_cap: Annotated[int, Between(1, 1000)] = 150


# CD-A11: the scores that stop at 0, by option.
FLOORED: Final[Mapping[Floor, frozenset[Score]]] = {
    Floor.COMBAT3: frozenset({Score.ATTACK, Score.DODGE, Score.DAMAGE}),
    Floor.COMBAT4: frozenset({Score.ATTACK, Score.DODGE, Score.DAMAGE, Score.ARMOR}),
    Floor.ALL: frozenset(Score),
    Floor.NONE: frozenset(),
}
