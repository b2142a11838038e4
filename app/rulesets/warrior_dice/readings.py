"""Readings of the rules that a board chooses among, one enumeration for each option (AMB-WD)."""

from __future__ import annotations

from enum import StrEnum


class AllOutStack(StrEnum):
    """What an All Out re-rolled into an All Out does (AMB-WD-6)."""

    MULTIPLY = "multiply"
    ONCE = "once"
    MISS = "miss"


class AllOutScope(StrEnum):
    """What an All Out doubles (AMB-WD-5)."""

    NESTED = "nested"
    TOTAL = "total"
    PRINTED = "printed"


class HealTiming(StrEnum):
    """When a Regain of the Defence phase heals (AMB-WD-9)."""

    ON_ROLL = "on_roll"
    AFTER_DAMAGE = "after_damage"


class RegainInAttack(StrEnum):
    """Which Regains heal in the Attack phase (AMB-WD-9)."""

    BOTH = "both"
    UNTYPED_ONLY = "untyped_only"


class AdderOnForceless(StrEnum):
    """What an Adder gives to a result without Force (AMB-WD-3)."""

    IGNORE = "ignore"
    APPLY = "apply"


class NeutralizeStack(StrEnum):
    """What a Neutralize does to a warrior who is neutralized already (AMB-WD-11)."""

    REFRESH = "refresh"
    ADD = "add"
    IGNORE = "ignore"


class DefensiveNeutralize(StrEnum):
    """How a Neutralize printed on the Defence side is read (AMB-WD-12)."""

    ACTIVE = "active"
    AS_ATTACK = "as_attack"


class PointsBasis(StrEnum):
    """Which points value XP compares (AMB-WD-15)."""

    COMPUTED = "computed"
    DECLARED = "declared"


class BattlefieldBase(StrEnum):
    """What a battlefield changes (AMB-WD-17)."""

    PRINTED = "printed"
    TOTAL = "total"


class IntruderEvery(StrEnum):
    """How often bystanders are rolled for (AMB-WD-18)."""

    TURN = "turn"
    PAIR = "pair"


class UnholyFrom(StrEnum):
    """Which Defences the Unholy Site lets one give up (AMB-WD-19)."""

    DEFENCE_PHASE = "defence_phase"
    ANY_DEFENCE = "any_defence"


class DesignLimits(StrEnum):
    """What a sheet of one's own may show beyond its price (WD-A1)."""

    PRINTED = "printed"
    NONE = "none"
