"""The readings of doubtful points that a table may choose among, one enumeration an option."""

from __future__ import annotations

from enum import StrEnum


class Floor(StrEnum):
    """Which scores cannot fall below 0 (AMB-CD-1, CD-A11)."""

    COMBAT3 = "combat3"
    COMBAT4 = "combat4"
    ALL = "all"
    NONE = "none"


class MissingItems(StrEnum):
    """Whether what is missing has its row by itself (AMB-CD-2)."""

    AUTOMATIC = "automatic"
    LISTED_ONLY = "listed_only"


class RethrowDice(StrEnum):
    """Which dice a rethrow takes up (AMB-CD-3)."""

    ALL = "all"
    SUBSET = "subset"


class DamageDice(StrEnum):
    """Whether and when the damage dice are thrown (AMB-CD-4)."""

    OFF = "off"
    ON_DAMAGE = "on_damage"
    WITH_ROLL = "with_roll"


class ConditionsStart(StrEnum):
    """From when on a wound counts (AMB-CD-5, CD-A19)."""

    NEXT_TURN = "next_turn"
    AT_ONCE = "at_once"


class DoubleKo(StrEnum):
    """Who wins where both are out (AMB-CD-6)."""

    DRAW = "draw"
    HIGHER_HP = "higher_hp"


class Recover(StrEnum):
    """When a Maneuver score of 2 cures (AMB-CD-7)."""

    AT_ONCE = "at_once"
    NEXT_TURN = "next_turn"


class ManeuverUses(StrEnum):
    """For how much one Maneuver score is good (AMB-CD-8)."""

    SHARED = "shared"
    SINGLE = "single"


class HoldThisTurn(StrEnum):
    """Which attack of this turn a Net or Paralysis stops (AMB-CD-11)."""

    IF_LATER = "if_later"
    ALWAYS = "always"


class SandNeeds(StrEnum):
    """What Sand in the Eyes needs to blind (AMB-CD-12)."""

    HIT = "hit"
    NOTHING = "nothing"
    DAMAGE = "damage"


class DisarmMode(StrEnum):
    """What a disarmed fighter fights with (AMB-CD-15)."""

    FLAT = "flat"
    UNARMED = "unarmed"


class SelfEffects(StrEnum):
    """When one's own spell begins (AMB-CD-16)."""

    NOW = "now"
    NEXT = "next"


class Stalemate(StrEnum):
    """What happens to a combat in which nobody is hurt (AMB-CD-25, CD-A13)."""

    CAP = "cap"
    ESCALATE = "escalate"
