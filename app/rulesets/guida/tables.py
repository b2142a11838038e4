"""The tables of the Guida as tables: same rows, same order, the rule above each."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from app.engine.steps import Steps
from app.rulesets.guida.terms import (
    Action,
    Aim,
    AttackKind,
    Bind,
    Category,
    Limb,
    Secondary,
    Stack,
    Stat,
)

# GC-4.34, GC-4.45 to GC-4.57: the die of each action; None where nothing is rolled.
ACTION_DIE: Final[dict[Action, int | None]] = {
    Action.ATTACK: 12,
    Action.NULL_DEFENCE: None,
    Action.GUARD: 24,
    Action.PARRY: 18,
    Action.DODGE: 12,
    Action.UNBALANCE: 8,
    Action.COUNTERATTACK: 18,
    Action.DIRECT_COUNTERATTACK: 18,
    Action.GENERIC_COUNTERATTACK: 18,
    Action.ALLY_NULL_DEFENCE: 24,  # GC-13.13
    Action.ALLY_GUARD: 24,  # GC-13.14
    Action.ALLY_COUNTERATTACK: 18,  # GC-13.15
    Action.ALLY_PARRY: 18,  # GC-13.17
    Action.ALLY_DODGE: 18,  # GC-13.18, unless the options say otherwise
    Action.INDEPENDENT_SECONDARY: 18,
    Action.PERCEPTION: 12,  # GC-9.6
    Action.CAMOUFLAGE: 12,  # GC-9.11
    Action.MASKING: 12,  # GC-9.12
    Action.PREPARATION: None,
    Action.MOVEMENT: 15,
    Action.GENERIC_ACTION: 12,
    Action.REACTION: 12,
    Action.LIBERATION: 12,  # GC-8.19
    Action.CONSTRAINT: 12,  # AMB-59
}
COUNTER_DIE: Final = 12  # GC-4.63: the offensive half of every counterattack

# GC-4.47: what an action adds to the score by itself.
ACTION_BONUS: Final[dict[Action, tuple[str, int] | None]] = {
    Action.ATTACK: None,
    Action.NULL_DEFENCE: None,
    Action.GUARD: ("GC-4.47", 2),
    Action.PARRY: None,
    Action.DODGE: None,
    Action.UNBALANCE: None,
    Action.COUNTERATTACK: None,
    Action.DIRECT_COUNTERATTACK: None,
    Action.GENERIC_COUNTERATTACK: None,
    Action.ALLY_NULL_DEFENCE: ("GC-13.13", 2),
    Action.ALLY_GUARD: ("GC-13.14", 2),
    Action.ALLY_COUNTERATTACK: None,
    Action.ALLY_PARRY: None,
    Action.ALLY_DODGE: None,
    Action.INDEPENDENT_SECONDARY: None,
    Action.PERCEPTION: None,
    Action.CAMOUFLAGE: None,
    Action.MASKING: None,
    Action.PREPARATION: None,
    Action.MOVEMENT: ("GC-4.42", 2),
    Action.GENERIC_ACTION: None,
    Action.REACTION: None,
    Action.LIBERATION: None,
    Action.CONSTRAINT: None,
}

# What a tie means is printed with each defence; where nothing is, AMB-24 rules.
TIE_RULE: Final[dict[Action, str]] = {
    Action.GUARD: "GC-4.48",
    Action.PARRY: "GC-4.52",
    Action.DODGE: "GC-4.58",
    Action.UNBALANCE: "GC-4.61",
    Action.COUNTERATTACK: "GC-4.65",
    Action.DIRECT_COUNTERATTACK: "GC-4.72",
    Action.GENERIC_COUNTERATTACK: "GC-4.76",
    Action.INDEPENDENT_SECONDARY: "GC-4.56",
}

COUNTERS: Final = (
    Action.COUNTERATTACK,
    Action.DIRECT_COUNTERATTACK,
    Action.GENERIC_COUNTERATTACK,
    Action.ALLY_COUNTERATTACK,
)
# GC-4.70, GC-4.74, GC-4.79: what a won defensive half adds to the offensive one.
COUNTER_BONUS: Final[dict[Action, tuple[str, int]]] = {
    Action.COUNTERATTACK: ("GC-4.70", 2),
    Action.DIRECT_COUNTERATTACK: ("GC-4.74", 3),
    Action.GENERIC_COUNTERATTACK: ("GC-4.79", 2),
    Action.ALLY_COUNTERATTACK: ("GC-13.15", 2),
}
COUNTER_LOST: Final = -2  # GC-4.79

# GC-13.10 to GC-13.20: what a protector does for an ally.
ALLY_DEFENCES: Final = (
    Action.ALLY_NULL_DEFENCE,
    Action.ALLY_GUARD,
    Action.ALLY_COUNTERATTACK,
    Action.ALLY_PARRY,
    Action.ALLY_DODGE,
)
ALLY_FARTHER: Final = -2  # GC-13.11
ALLY_DEXTERITY_PER_POINT: Final = 5  # GC-13.13
CARRYING: Final = -6  # GC-13.20
CARRYING_STRENGTH_PER_POINT: Final = 5  # GC-13.20
SEVERAL_TARGETS: Final = -2  # GC-13.4

UNBALANCED: Final = 2  # GC-4.62: off-balance stacks of the attacker
PREPARED_DEFENCE: Final = 2  # GC-4.39
PREPARED_ATTACK: Final = 1  # GC-4.40
MOVEMENT_PER_STEP: Final = -1  # GC-4.42
# GC-4.38: what a preparation may be combined with; only tonics may be several.
WITH_PREPARATION: Final = (
    Secondary.BOOST_TECHNIQUE,
    Secondary.RELEASE,
    Secondary.TONIC,
    Secondary.TRAP,
)


@dataclass(frozen=True, slots=True)
class Margins:
    """From which difference the stronger action goes on halved, and from which intact."""

    rule: str
    halved: int
    intact: int


@dataclass(frozen=True, slots=True)
class Band:
    """From how many stacks on so many are lost, each turn or every ``every`` turns."""

    threshold: int
    loss: int
    every: int = 1


# GC-5.4 to GC-5.8, by the category of the weaker action.
COMPARISON_MARGINS: Final[dict[Category, Margins]] = {
    Category.D: Margins("GC-5.4", halved=2, intact=4),
    Category.C: Margins("GC-5.5", halved=3, intact=5),
    Category.B: Margins("GC-5.6", halved=3, intact=6),
    Category.A: Margins("GC-5.7", halved=4, intact=6),
    Category.S: Margins("GC-5.8", halved=4, intact=7),
}

# GC-6.19: how much of the natural die is environmental potential.
ENVIRONMENTAL_SHARE: Final[dict[Category, Fraction]] = {
    Category.D: Fraction(1, 4),
    Category.C: Fraction(1, 3),
    Category.B: Fraction(1, 2),
    Category.A: Fraction(1),
    Category.S: Fraction(3, 2),
}

# GC-7.9: how many levels of the stat restore one hit point.
LEVELS_PER_HP: Final[dict[Category, int]] = {
    Category.D: 7,
    Category.C: 6,
    Category.B: 5,
    Category.A: 4,
    Category.S: 3,
}

# GC-4.20, GC-4.23, GC-4.25
AIM_FACTOR: Final[dict[Aim, tuple[str, int]]] = {
    Aim.BODY: ("GC-4.20", 0),
    Aim.LIMBS: ("GC-4.23", -1),
    Aim.HEAD: ("GC-4.25", -3),
}

# GC-4.21, GC-4.27: the lowest natural die that doubles the damage; None where none does.
CRITICAL_FROM: Final[dict[Aim, tuple[str, int] | None]] = {
    Aim.BODY: ("GC-4.21", 12),
    Aim.LIMBS: None,
    Aim.HEAD: ("GC-4.27", 9),
}

LIMBS_MAIMED_FROM: Final = 10  # GC-4.24
MAIM_OF_LIMB: Final[dict[Limb, Stack]] = {  # GC-4.24
    Limb.ARMS: Stack.MAIM_DEBILITATING,
    Limb.LEGS: Stack.MAIM_ARTICULAR,
}
HEAD_STUNNED_FROM: Final = 12  # GC-4.26
HEAD_STUN: Final = 2  # GC-4.26

DISTANCE_BEST: Final = 2  # GC-4.6
DISTANCE_PER_STEP: Final = -2  # GC-4.7
DISTANCE_WORST: Final = -6  # GC-4.3
MOVE_PER_STEP: Final = -2  # GC-4.9, GC-4.15
RANGE_LADDER_M: Final = (5, 10, 25, 60, 100, 250)  # AMB-26

SURPRISE: Final = 2  # GC-4.29
FROM_BEHIND: Final = 1  # GC-4.30

# GC-4.31, GC-4.32: by uses; the defender gains it, whoever repeats a defence loses it.
PREDICTABLE: Final = Steps((4, 1), (7, 2), (10, 3))

TYPE_1: Final = (Stack.OFF_BALANCE, Stack.STUN)
TYPE_1_CAP: Final = 4  # GC-11.2
TYPE_2: Final[dict[Stack, Stat]] = {  # GC-11.11 to GC-11.13
    Stack.MAIM_DEBILITATING: Stat.STRENGTH,
    Stack.MAIM_ARTICULAR: Stat.DEXTERITY,
    Stack.MAIM_SPIRITUAL: Stat.INTELLIGENCE,
}
TYPE_2_RULE: Final[dict[Stack, str]] = {
    Stack.MAIM_DEBILITATING: "GC-11.11",
    Stack.MAIM_ARTICULAR: "GC-11.12",
    Stack.MAIM_SPIRITUAL: "GC-11.13",
}
TYPE_2_CAP: Final = 3  # GC-11.8, per category
TYPE_2_POINTS: Final = -3  # GC-11.11 to GC-11.13, per stack
TYPE_2_TURNS: Final = 3  # GC-11.10
TYPE_4: Final = (Stack.ABLAZE, Stack.FREEZING)  # GC-11.18
BURN_MALUS: Final = Steps((1, -1), (3, -2), (6, -4), (10, -6), (15, -9), (21, -12))  # GC-11.16
FREEZING_MALUS: Final = Steps((1, -1), (3, -2), (6, -3), (10, -5), (15, -7), (21, -8))  # GC-11.24
ABLAZE_DAMAGE: Final = Steps((1, 2), (3, 3), (6, 5), (10, 7), (15, 9), (21, 12))  # GC-11.21
FREEZING_DAMAGE: Final = Steps((1, 1), (3, 2), (6, 3), (10, 4), (15, 5), (21, 6))  # GC-11.23
# GC-11.22, GC-11.25: what fire and frost lose in the bearer's Initial Phase.
CONDITION_DECAY: Final = (
    Band(1, 1, every=2),
    Band(6, 1),
    Band(11, 2),
    Band(18, 3),
    Band(26, 4),
)
# GC-12.8: what an area loses while nothing else acts on it.
SATURATION_DECAY: Final = (Band(1, 1, every=2), Band(8, 1), Band(16, 2), Band(25, 3))

# GC-10.6: how far each category of potential throws; a factor of distance, an addend of value.
KNOCKBACK_MODIFIER: Final[dict[Category, Fraction]] = {
    Category.D: Fraction(1),
    Category.C: Fraction(3, 2),
    Category.B: Fraction(2),
    Category.A: Fraction(3),
    Category.S: Fraction(4),
}
KNOCKBACK_COST: Final = -2  # GC-10.1
REACTION_DIE: Final = 12  # GC-10.9
# GC-10.8; GC-14.38: and what a protector takes upon itself
REACTS: Final = (
    Action.NULL_DEFENCE,
    Action.GUARD,
    Action.ALLY_NULL_DEFENCE,
    Action.ALLY_GUARD,
)

# GC-12.3: how many modifiers of potential a static area of such a radius costs, in metres.
STATIC_AREA_COST: Final = ((5, 0), (10, 1), (25, 2), (60, 3), (100, 4), (250, 5))
# GC-12.5: the radius of an expansive area by its saturation, in metres.
EXPANSIVE_RADIUS_M: Final = Steps((1, 5), (3, 10), (6, 25), (10, 60), (15, 100), (21, 250))
AREA_POTENTIAL_MAX: Final = 30  # GC-12.6
# GC-12.9: how much saturation an attack takes, by its category and by how it spreads.
SATURATION_BY_CATEGORY: Final[dict[Category, int]] = {
    Category.D: 0,
    Category.C: 0,
    Category.B: 0,
    Category.A: 1,
    Category.S: 2,
}
SATURATION_BY_KIND: Final[dict[AttackKind, int]] = {
    AttackKind.TARGETED: 0,
    AttackKind.AREA: 1,
    AttackKind.TOTAL_AREA: 2,
    AttackKind.MULTIPLE: 0,
}
SATURATION_BY_VOLLEY: Final = Steps((20, 1), (1000, 2))
SMOKE_CLEAR_M: Final = 5  # GC-12.20, GC-12.21: as far as one sees in smoke
# GC-12.23: the poison a curtain leaves in a turn, by its saturation.
POISON_CURTAIN_STACKS: Final = Steps((1, 1), (3, 2), (6, 3), (10, 4), (15, 5), (21, 6))

# GC-8.6 to GC-8.11: what each effect of a constraint takes from Dexterity.
BIND_MALUS: Final[dict[Bind, tuple[str, int]]] = {
    Bind.DISTANCE_LIMIT: ("GC-8.6", 0),
    Bind.MOVEMENT_BLOCK: ("GC-8.7", -1),
    Bind.MOVEMENT_LIMITATION: ("GC-8.8", -1),
    Bind.ARM_BLOCK: ("GC-8.9", -1),
    Bind.LEG_BLOCK: ("GC-8.10", -2),
    Bind.TOTAL_BLOCK: ("GC-8.11", -4),
}
# AMB-62: what is contained in a stronger effect adds nothing.
CONTAINED: Final[dict[Bind, frozenset[Bind]]] = {
    Bind.LEG_BLOCK: frozenset({Bind.MOVEMENT_BLOCK}),
    Bind.TOTAL_BLOCK: frozenset(Bind) - {Bind.TOTAL_BLOCK},
}
# GC-14.21
PLACE_BLOCKED: Final = frozenset({Bind.MOVEMENT_BLOCK, Bind.LEG_BLOCK, Bind.TOTAL_BLOCK})
ARMS_BLOCKED: Final = frozenset({Bind.ARM_BLOCK, Bind.TOTAL_BLOCK})
LEGS_BLOCKED: Final = frozenset({Bind.LEG_BLOCK, Bind.TOTAL_BLOCK})
IMPROPER_CONSTRAINT: Final = -2  # GC-8.14
LOOSENING: Final = 2  # GC-8.21
LIBERATION_DIE: Final = 12  # GC-8.19
# GC-8.28, AMB-66: the letter of the potential bonus by sizes of difference; more count as three.
SIZE_CATEGORY: Final[dict[int, Category]] = {1: Category.B, 2: Category.A, 3: Category.S}

CONCENTRATION: Final = 2  # GC-9.7, GC-9.9: gained by an attempt, lost in a turn without camouflage
BLINDED_DEXTERITY: Final = -4  # GC-11.26
BLINDED_SIGHT_M: Final = 25  # GC-11.27
# GC-9.14: the areas a hidden target could be in, by radius, the last one without a bound; and the
# highest natural die with which an attack into each fails by itself.
BLIND_BANDS_M: Final = (25, 60, 100)
BLIND_FAILURE: Final[dict[AttackKind, tuple[int, int, int, int]]] = {
    AttackKind.TARGETED: (6, 7, 8, 10),
    AttackKind.AREA: (4, 5, 6, 8),
}
# GC-9.16: smallest and largest volley of each class; the last one has no upper bound.
VOLLEY_CLASSES: Final[tuple[tuple[int, int | None, AttackKind], ...]] = (
    (1, 5, AttackKind.TARGETED),
    (20, 100, AttackKind.AREA),
    (1000, None, AttackKind.TOTAL_AREA),
)
