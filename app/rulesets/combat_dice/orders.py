"""What can be decided in a combat: sealed orders, answers to pauses, and what ends it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, TypeAlias

from app.engine.text import Between, Id, Length, Reason
from app.rulesets.combat_dice.terms import (
    Action,
    CombatValue,
    Rethrow,
    Score,
    Specialty,
    Spell,
    Stay,
    TwoWeapon,
    Use,
    Weapon,
    When,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionWish:
    """An action that a fighter would take, and on which condition (CD-A20)."""

    action: Action
    when: When = When.ALWAYS


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatOrders:
    """The sealed orders of a fighter for a turn (CD-69c), or for several.

    ``weapon`` None goes on with the one in use. ``target`` and ``aid_type`` are of the spell.
    ``adrenaline`` counts extra dice (CD-56). ``keep`` names symbols whose dice stay on the table
    in a rethrow (AMB-CD-3). ``actions`` are in order of preference; with ``ask_action`` the turn
    pauses instead. ``uses`` says for what a Maneuver score is used first, where it is good for one
    thing only (AMB-CD-8). The orders stand for ``turns`` turns, or ``until_event``.
    """

    kind: ClassVar[str] = "orders"
    by: Id = ""
    weapon: Weapon | None = None
    spell: Spell | None = None
    target: Id | None = None
    aid_type: Specialty | None = None
    adrenaline: Annotated[int, Between(0, 20)] = 0
    rethrow: Rethrow = Rethrow.IF_NO_DAMAGE
    keep: Annotated[tuple[Score, ...], Length(0, 6)] = ()
    actions: Annotated[tuple[ActionWish, ...], Length(0, 20)] = ()
    ask_action: bool = False
    two_weapon: TwoWeapon | None = None
    uses: Annotated[tuple[Use, ...], Length(0, 6)] = ()
    stay: Stay = Stay.MELEE
    turns: Annotated[int, Between(1, 10)] = 1
    until_event: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildFighter:
    """Roll the hit points and the specialty dice of an advanced fighter (CD-38, CD-39)."""

    kind: ClassVar[str] = "build"
    by: Id = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishFighter:
    """Choose the kinds of the specialty dice, and spells in place of some (CD-43, CD-68b)."""

    kind: ClassVar[str] = "finish"
    by: Id = ""
    specialty: Annotated[tuple[Specialty, ...], Length(0, 6)] = ()
    spells: Annotated[tuple[Spell, ...], Length(0, 6)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCombat:
    """Roll for how many rounds the fighters keep their distance (CD-80)."""

    kind: ClassVar[str] = "open"
    by: Id = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRethrow:
    """Answer whether to rethrow (CD-14); ``dice`` names places in one's roll, none means all."""

    kind: ClassVar[str] = "again"
    by: Id = ""
    rethrow: bool
    dice: Annotated[tuple[Annotated[int, Between(0, 60)], ...], Length(0, 60)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerAction:
    """Answer what to do with the dice as they lie (CD-51, CD-60)."""

    kind: ClassVar[str] = "act"
    by: Id = ""
    two_weapon: TwoWeapon = TwoWeapon.NONE
    action: Action | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRange:
    """Answer whether to go on at range (CD-83)."""

    kind: ClassVar[str] = "keep"
    by: Id = ""
    ranged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignCombat:
    """Give the combat up (CD-A21)."""

    kind: ClassVar[str] = "resign"
    by: Id = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferCombatDraw:
    """Offer a draw, or take the other's offer; it needs both (CD-A21)."""

    kind: ClassVar[str] = "draw"
    by: Id = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatDeadline:
    """Let everybody who is awaited play the defaults (CD-A21)."""

    kind: ClassVar[str] = "deadline"
    by: Id = ""
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseCombat:
    """Let the Master end a combat that nobody plays on; nobody wins."""

    kind: ClassVar[str] = "close"
    by: Id = ""
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class SetHitPoints:
    """The Master sets hit points to what they ought to be; at 0 the fight would end (CD-22)."""

    kind: ClassVar[str] = "set_value"
    by: Id = ""
    combatant: Id
    change: CombatValue = CombatValue.HP
    value: Annotated[int, Between(1, 100)]
    reason: Reason


CombatOrder: TypeAlias = (
    CombatOrders
    | BuildFighter
    | FinishFighter
    | OpenCombat
    | AnswerRethrow
    | AnswerAction
    | AnswerRange
    | ResignCombat
    | OfferCombatDraw
    | CombatDeadline
    | CloseCombat
    | SetHitPoints
)
ORDERS: Final = (
    *(
        CombatOrders,
        BuildFighter,
        FinishFighter,
        OpenCombat,
        AnswerRethrow,
        AnswerAction,
        AnswerRange,
    ),
    *(ResignCombat, OfferCombatDraw, CombatDeadline, CloseCombat, SetHitPoints),
)
