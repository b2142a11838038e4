"""What can be decided in a scene: a player's turn, and what a player or the Master does besides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, TypeAlias

from app.engine.text import Between, Id, Length, Metres, Points
from app.rulesets.guida.places import (
    Move,
    Reach,
)
from app.rulesets.guida.rulings import (
    Adequacy,
    Answer,
    Close,
    EndArea,
    Impact,
    Join,
    Manual,
    Pause,
    Place,
    ReplaceSheet,
    Resume,
    SetValue,
    TurnOrder,
    Withdraw,
)
from app.rulesets.guida.terms import (
    Action,
    Aim,
    Bind,
    Claim,
    Limb,
    Stack,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Knock:
    """The intention to knock the target back (GC-10.1).

    ``metres`` is the distance wished for, the greatest possible one without it (GC-10.3);
    ``object_m`` says how far behind the target something stands that it would be thrown against.
    """

    metres: Metres | None = None
    object_m: Metres | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Continuation:
    """How a counterattack goes on toward the opponent in the Offensive Phase (GC-4.63).

    ``prefers`` and ``knock`` are those of the attack it is (GC-11.3, GC-10.1).

    ``first`` marks the one that goes on where two counterattacks survive (GC-14.4), ``toward``
    whom it goes toward if it meets actions of several; ``also`` names further targets (GC-13.1),
    ``binds`` an improper constraint (GC-8.13).
    """

    aim: Aim = Aim.BODY
    limb: Limb | None = None
    claims: Annotated[tuple[Claim, ...], Length(0, 2)] = ()
    destroys: Id | None = None
    prefers: Annotated[tuple[Stack, ...], Length(0, 2)] = ()
    knock: Knock | None = None
    first: bool = False
    toward: Id | None = None
    also: Annotated[tuple[Id, ...], Length(0, 11)] = ()
    binds: Annotated[tuple[Bind, ...], Length(0, 6)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Defence:
    """One main defence against one or more incoming actions (GC-2.9, GC-2.10).

    A counterattack says in ``then`` how it continues; ``frees`` that it is also an attempt to
    break one's constraints (GC-8.23), ``knock`` that it throws the attacker back (AMB-74), and
    ``reacts`` that one tries to recover from being thrown (GC-10.8).
    """

    action: Action
    against: Annotated[tuple[Id, ...], Length(1, 20)]
    tool: Id | None = None
    support: Annotated[tuple[Id, ...], Length(0, 10)] = ()
    move: Move | None = None
    then: Continuation | None = None
    frees: bool = False
    knock: Knock | None = None
    reacts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Independent:
    """An independent secondary action, and the attack that may outpace it (GC-2.22, GC-2.25)."""

    tool: Id
    against: Id


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """The attack of an Offensive Phase (GC-4.45), on further targets ``also`` (GC-13.1).

    ``binds`` declares an improper constraint (GC-8.13), ``frees`` that the attack is also an
    attempt to break one's own constraints (GC-8.23), ``knock`` a knockback (GC-10.1).
    ``prefers`` orders the Type-1 stacks it leaves, where not all find room (GC-11.3).
    ``blind``: it strikes where a hidden target could be (GC-9.13).
    """

    kind: ClassVar[str] = "attack"
    target: Id
    tool: Id
    aim: Aim = Aim.BODY
    limb: Limb | None = None
    support: Annotated[tuple[Id, ...], Length(0, 10)] = ()
    move: Move | None = None
    claims: Annotated[tuple[Claim, ...], Length(0, 2)] = ()
    destroys: Id | None = None
    also: Annotated[tuple[Id, ...], Length(0, 11)] = ()
    binds: Annotated[tuple[Bind, ...], Length(0, 6)] = ()
    frees: bool = False
    prefers: Annotated[tuple[Stack, ...], Length(0, 2)] = ()
    knock: Knock | None = None
    blind: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """A preparation: no die, and at most one secondary action with it (GC-4.35)."""

    kind: ClassVar[str] = "preparation"
    move: Move | None = None
    support: Annotated[tuple[Id, ...], Length(0, 10)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """A movement as main action (GC-4.41).

    ``hides`` names the opponents one claims to have shaken off by it (GC-9.3).
    """

    kind: ClassVar[str] = "movement"
    move: Move
    support: Annotated[tuple[Id, ...], Length(0, 10)] = ()
    hides: Annotated[tuple[Id, ...], Length(0, 20)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Generic:
    """Another generic action: a main heal, a technique that sends no attack (GC-2.17)."""

    kind: ClassVar[str] = "generic_action"
    tool: Id
    beneficiary: Id | None = None
    support: Annotated[tuple[Id, ...], Length(0, 10)] = ()
    move: Move | None = None
    destroys: Id | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LiberationAttempt:
    """An attempt to break one's constraints, as a secondary action (GC-8.17).

    ``after`` says how many of the declared defences come before it (GC-14.22).
    """

    tool: Id
    after: Annotated[int, Between(0, 20)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspended:
    """What the owner of a suspended action does with it (GC-4.80)."""

    action: Id
    confirm: bool


Main: TypeAlias = Attack | Preparation | Movement | Generic


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The vitals a player wrote in the post, held against the computed ones (GC-2.5, GC-2.6)."""

    hp: Points
    ep: Points


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaPlan:
    """Where the control area of a technique is to form, or which area of one's own it feeds.

    The centre lies on the combatant it is ``around``, but for the ``distances`` that are named;
    ``feeds`` adds the saturation of the technique to a formed area instead (AMB-91).
    """

    tool: Id
    around: Id | None = None
    distances: Annotated[tuple[Reach, ...], Length(0, 20)] = ()
    feeds: Id | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One post: defences in the order of the story, then one main action at most (GC-2.17).

    There is room for one, however many opponents there are (GC-2.18).
    ``loose`` are secondary actions of an Offensive Phase without a main action: the most
    relevant one, named first, becomes the main action (GC-2.21).
    ``reacts``: one tries to recover from a knockback by an opponent's defence (AMB-79).
    ``areas`` say where the techniques of the post that create control areas put them (GC-12.10).
    ``perception``, ``camouflage`` and ``masking`` are secondary actions with dice of their own,
    each made with a technique for it (GC-9.4, GC-14.27).
    """

    kind: ClassVar[str] = "turn"
    by: Id = ""
    suspended: Annotated[tuple[Suspended, ...], Length(0, 10)] = ()
    defences: Annotated[tuple[Defence, ...], Length(0, 20)] = ()
    independents: Annotated[tuple[Independent, ...], Length(0, 10)] = ()
    main: Main | None = None
    loose: Annotated[tuple[Id, ...], Length(0, 10)] = ()
    areas: Annotated[tuple[AreaPlan, ...], Length(0, 10)] = ()
    reacts: bool = False
    perception: Id | None = None
    camouflage: Id | None = None
    masking: Id | None = None
    liberation: LiberationAttempt | None = None
    figures: Figures | None = None


Order: TypeAlias = (
    Turn
    | Answer
    | Place
    | Manual
    | SetValue
    | Adequacy
    | Impact
    | EndArea
    | Pause
    | Resume
    | Close
    | Join
    | TurnOrder
    | Withdraw
    | ReplaceSheet
)
ORDERS: tuple[type, ...] = (
    Turn,
    Answer,
    Place,
    Manual,
    SetValue,
    Adequacy,
    Impact,
    EndArea,
    Pause,
    Resume,
    Close,
    Join,
    TurnOrder,
    Withdraw,
    ReplaceSheet,
)
