"""What can be decided in a scene: a player's turn, and what a player or the Master does besides."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar, TypeAlias

from app.engine.text import Between, Id, Length, Metres, Points, Reason
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.sheet import Sheet
from app.rulesets.guida.terms import (
    Action,
    Aim,
    Bind,
    Category,
    Change,
    Claim,
    Limb,
    Stack,
    Standing,
    Stat,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The metres between the mover and one other combatant once the move is made."""

    to: Id
    metres: Metres


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A change of place: it names each distance it changes, and whom one ends up behind."""

    distances: Annotated[tuple[Reach, ...], Length(1, 20)]
    behind: Annotated[tuple[Id, ...], Length(0, 20)] = ()


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The Master answers an open question, with a public reason."""

    kind: ClassVar[str] = "answer"
    by: Id = ""
    question: Annotated[str, Length(1, 80)]
    choice: Id
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """The metres between two combatants, whichever is named first."""

    a: Id
    b: Id
    metres: Annotated[Fraction, Between(0, 99999)]

    def joins(self, one: str, other: str) -> bool:
        """Say whether this is the distance between these two."""
        return {self.a, self.b} == {one, other}


@dataclass(frozen=True, slots=True, kw_only=True)
class Behind:
    """``who`` stands behind ``whom`` (GC-4.30)."""

    who: Id
    whom: Id


@dataclass(frozen=True, slots=True, kw_only=True)
class Unseen:
    """``who`` is hidden from ``observer`` (GC-9.1)."""

    who: Id
    observer: Id


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The Master corrects where combatants stand, and who is hidden from whom."""

    kind: ClassVar[str] = "place"
    by: Id = ""
    distances: Annotated[tuple[Distance, ...], Length(0, 200)] = ()
    behind: Annotated[tuple[Behind, ...], Length(0, 200)] | None = None
    hidden: Annotated[tuple[Unseen, ...], Length(0, 200)] | None = None
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Manual:
    """A register line by hand: a signed amount of hp, ep, points or stacks, with a reason.

    A player's line waits for the Master; the Master's own counts at once.
    """

    kind: ClassVar[str] = "manual"
    by: Id = ""
    combatant: Id
    change: Change
    amount: Points
    stat: Stat | None = None
    stack: Stack | None = None
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class SetValue:
    """The Master sets hp or ep to a value; the difference becomes a line of its own."""

    kind: ClassVar[str] = "set_value"
    by: Id = ""
    combatant: Id
    change: Change
    value: Points
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Adequacy:
    """The Master rules whether a kind of defence suits one attack (GC-4.5, GC-14.5)."""

    kind: ClassVar[str] = "adequacy"
    by: Id = ""
    attack: Id
    defence: Action
    adequate: bool
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """The Master enters environmental damage: who was thrown, by which blow (GC-6.17 to 6.20)."""

    kind: ClassVar[str] = "impact"
    by: Id = ""
    attacker: Id
    target: Id
    die: Annotated[int, Between(1, 100)]
    category: Category
    stat_bonus: Annotated[Fraction, Between(-9999, 9999)]
    by_defence: bool = False
    guarded: bool = False
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class EndArea:
    """The Master ends a control area, for a reason that no rule of this edition sees (GC-12.1)."""

    kind: ClassVar[str] = "end_area"
    by: Id = ""
    area: Id
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """Nobody posts until the scene is resumed."""

    kind: ClassVar[str] = "pause"
    by: Id = ""
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume:
    """The scene goes on."""

    kind: ClassVar[str] = "resume"
    by: Id = ""
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """The Master ends the scene."""

    kind: ClassVar[str] = "close"
    by: Id = ""
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw:
    """A combatant surrenders, leaves, or is declared defeated by the Master."""

    kind: ClassVar[str] = "withdraw"
    by: Id = ""
    combatant: Id
    standing: Standing
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """The Master lets somebody enter the fight while it goes on (GC-2.18, GC-2.19).

    ``distances`` are those to everybody in the scene and to the centre of each area; ``after`` says
    whom it follows in the order of turns, the last one without it.
    """

    kind: ClassVar[str] = "join"
    by: Id = ""
    entrant: Entrant
    distances: Annotated[tuple[Distance, ...], Length(0, 200)] = ()
    behind: Annotated[tuple[Behind, ...], Length(0, 200)] = ()
    hidden: Annotated[tuple[Unseen, ...], Length(0, 200)] = ()
    after: Id | None = None
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOrder:
    """The Master says in which order those who fight have their turns, and perhaps who is next."""

    kind: ClassVar[str] = "turn_order"
    by: Id = ""
    sequence: Annotated[tuple[Id, ...], Length(1, 40)]
    next: Id | None = None
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaceSheet:
    """A new sheet: by the player before the first turn, by the Master at any time."""

    kind: ClassVar[str] = "replace_sheet"
    by: Id = ""
    combatant: Id
    sheet: Sheet
    reason: Reason


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
