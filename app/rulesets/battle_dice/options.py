"""What a board decides of Battle Dice: one field per option; the defaults are our rulings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from app.engine.text import Between


class SetToOneBy(StrEnum):
    """Who picks the results that become 1 (AMB-BD-1)."""

    USER = "user"
    OWNER = "owner"


class IgnoreExpires(StrEnum):
    """How long casualties may be ignored (AMB-BD-5)."""

    NEVER = "never"
    END_OF_TURN = "end_of_turn"


class IgnoreScope(StrEnum):
    """Which casualties may be ignored (AMB-BD-6)."""

    ALL = "all"
    HITS_ONLY = "hits_only"


class MoraleTie(StrEnum):
    """Who tests morale after equal casualties (AMB-BD-8)."""

    NONE = "none"
    BOTH = "both"


class CasualtyCount(StrEnum):
    """Whether restored dice make up for lost ones in the morale test (AMB-BD-9)."""

    GROSS = "gross"
    NET = "net"


class ControlActs(StrEnum):
    """From when on a controlled die acts for its new owner (AMB-BD-11)."""

    NOW = "now"
    NEXT_TURN = "next_turn"


class InitiativeScope(StrEnum):
    """In how many steps Initiative lets its holder go first (AMB-BD-13)."""

    ONE = "one"
    BOTH = "both"


class Annihilation(StrEnum):
    """When an empty army ends the battle (AMB-BD-21)."""

    STEP = "step"
    TURN = "turn"


class CasualtyChoice(StrEnum):
    """Whether choices follow the orders given beforehand or are asked for (AMB-BD-23)."""

    POLICY = "policy"
    ASK = "ask"


class Morale(StrEnum):
    """Whether armies can rout (AMB-BD-28)."""

    LITERAL = "literal"
    OFF = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Readings of Battle Dice.

    ``army_size`` None lets the players agree on any number that both use (AMB-BD-26).
    """

    set_to_one_by: SetToOneBy = SetToOneBy.USER
    ignore_expires: IgnoreExpires = IgnoreExpires.NEVER
    ignore_scope: IgnoreScope = IgnoreScope.ALL
    morale_tie: MoraleTie = MoraleTie.NONE
    casualty_count: CasualtyCount = CasualtyCount.GROSS
    mind_control_acts: ControlActs = ControlActs.NOW
    mind_control_casualty: bool = False
    summon_heroes: bool = True
    initiative_scope: InitiativeScope = InitiativeScope.ONE
    delayed_needs_hero: bool = False
    drain_on_ignored: bool = False
    annihilation: Annihilation = Annihilation.STEP
    casualty_choice: CasualtyChoice = CasualtyChoice.POLICY
    custom_heroes: bool = False
    max_heroes: Annotated[int, Between(0, 100)] | None = None
    army_size: Annotated[int, Between(1, 100)] | None = 20
    morale: Morale = Morale.LITERAL
    turn_cap: Annotated[int, Between(1, 1000)] = 50
