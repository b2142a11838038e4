"""What can be decided in a duel: a turn, an answer, standing orders, and what comes after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, TypeAlias

from app.engine.text import Between, Id, Length, Reason
from app.rulesets.warrior_dice.sheet import FACES
from app.rulesets.warrior_dice.terms import (
    Buy,
    DuelValue,
    FaceOrder,
    Keep,
    ReforgeOrder,
    TradeOrder,
    YieldOrder,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingOrders:
    """What a player wants done without being asked; where it says ``ask`` the turn pauses.

    ``reforge_at``: Narsil is reforged once one's hits are no more than that (WD-37).
    """

    doubler: Keep = Keep.BEST
    faces: FaceOrder = FaceOrder.BEST
    reforge: ReforgeOrder = ReforgeOrder.NEVER
    reforge_at: Annotated[int, Between(0, 9990)] = 0
    surrender: YieldOrder = YieldOrder.ASK
    trade: TradeOrder = TradeOrder.NEVER


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelTurn:
    """The attack of one's own turn (WD-10); ``reforge`` announces Anduril before it (WD-37)."""

    kind: ClassVar[str] = "turn"
    by: Id = ""
    reforge: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyForDuel:
    """A player accepts the terms of the duel; when both have, the opening dice fall (WD-8)."""

    kind: ClassVar[str] = "ready"
    by: Id = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelAnswer:
    """The answer to what a paused turn asks its player."""

    kind: ClassVar[str] = "choose"
    by: Id = ""
    choice: Annotated[str, Length(1, 20)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeStanding:
    """Other standing orders from now on (WD-A9)."""

    kind: ClassVar[str] = "standing"
    by: Id = ""
    standing: StandingOrders


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignDuel:
    """A player gives the duel up (WD-A8)."""

    kind: ClassVar[str] = "resign"
    by: Id = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferDraw:
    """A player offers a draw, or takes the one that is offered (WD-A8)."""

    kind: ClassVar[str] = "draw"
    by: Id = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchase:
    """What 10 XP buy: +10 on an option or on hits, or a new option of Force 10 (WD-52).

    ``option`` counts the options of the face from 1; ``absorbs`` names the trait of a killed
    being whose essence the new option takes on (WD-68).
    """

    what: Buy
    face: Annotated[int, Between(1, FACES)] = 1
    option: Annotated[int, Between(1, 60)] = 1
    name: Annotated[str, Length(0, 80)] = ""
    absorbs: Annotated[str, Length(0, 80)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendXp:
    """After a duel: what is bought with XP; nothing keeps all of it (WD-52, WD-A7)."""

    kind: ClassVar[str] = "spend"
    by: Id = ""
    purchases: Annotated[tuple[Purchase, ...], Length(0, 20)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReformBeing:
    """After a killing: what the being loses, starting hits unless a ``face`` is named (WD-64)."""

    kind: ClassVar[str] = "reform"
    by: Id = ""
    face: Annotated[int, Between(1, FACES)] | None = None
    option: Annotated[int, Between(1, 60)] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LapseOfTime:
    """Nobody waits any longer: what is awaited is decided as a default says (WD-A7).

    Where both are awaited, ``combatant`` says for whom; without it, for the first of them.
    """

    kind: ClassVar[str] = "lapse"
    by: Id = ""
    combatant: Id | None = None
    reason: Annotated[str, Length(0, 500, lines=True)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HaltDuel:
    """The Master lets the duel rest."""

    kind: ClassVar[str] = "pause"
    by: Id = ""
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeDuel:
    """The Master lets the duel go on."""

    kind: ClassVar[str] = "resume"
    by: Id = ""
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseDuel:
    """The Master ends the duel; nobody has won it."""

    kind: ClassVar[str] = "close"
    by: Id = ""
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class SetHits:
    """The Master sets the hits of a fighter to what they ought to be; 0 would be an end (WD-6)."""

    kind: ClassVar[str] = "set_value"
    by: Id = ""
    combatant: Id
    change: DuelValue = DuelValue.HITS
    value: Annotated[int, Between(1, 9990)]
    reason: Reason


PlayerOrder: TypeAlias = (
    DuelTurn
    | ReadyForDuel
    | DuelAnswer
    | ChangeStanding
    | ResignDuel
    | OfferDraw
    | SpendXp
    | ReformBeing
)
DuelOrder: TypeAlias = PlayerOrder | LapseOfTime | HaltDuel | ResumeDuel | CloseDuel | SetHits
ORDERS: tuple[type, ...] = (
    DuelTurn,
    ReadyForDuel,
    DuelAnswer,
    ChangeStanding,
    ResignDuel,
    OfferDraw,
    SpendXp,
    ReformBeing,
    LapseOfTime,
    HaltDuel,
    ResumeDuel,
    CloseDuel,
    SetHits,
)
