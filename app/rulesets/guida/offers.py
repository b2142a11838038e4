"""What may be declared in a turn, as data: the form and the API offer exactly this."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from app.engine.findings import Obstacle
from app.rulesets.guida.terms import Action, Aim, Bind, Claim, Limb, Secondary, Stack
from app.rulesets.guida.underway import (
    Incoming,
    Pending,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolChoice:
    """A technique or weapon one may use now, what it costs, and where it may be aimed.

    ``knocks``: a knockback may be declared with it, at no price if ``knocks_free`` (GC-10.1).
    ``transient`` are the Type-1 stacks it leaves: which come first may be chosen (GC-11.3).
    ``too_far`` are those it might be used on, but does not reach from where one stands (AMB-25).
    ``binds`` may be declared as an improper constraint (GC-8.13); ``frees``: what one does with it
    may be declared to be an attempt to break one's own (GC-8.23).
    ``destroys``: an attack or generic action with it may be after a control area (GC-12.14).
    """

    id: str
    name: str
    ep: int
    aims: tuple[Aim, ...] = (Aim.BODY,)
    limbs: tuple[Limb, ...] = ()
    secondary: Secondary = Secondary.QUICK
    creates_area: bool = False
    knocks: bool = False
    knocks_free: bool = False
    transient: tuple[Stack, ...] = ()
    binds: tuple[Bind, ...] = ()
    frees: bool = False
    destroys: bool = False
    too_far: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaChoice:
    """A control area one may name: in a move, as one to destroy, or to feed with a technique.

    Where ``forming``, a dodge against its creation may end outside; once it has formed only a
    movement may (GC-12.15, GC-12.16).
    """

    id: str
    name: str
    metres: Fraction
    radius_m: int
    inside: bool
    forming: bool
    fed_with: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotNow:
    """A technique or weapon of the sheet that cannot be used now, and why."""

    id: str
    name: str
    use: str
    why: tuple[Obstacle, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FarChoice:
    """A tool that does not reach an opponent from where one stands: it needs a move (AMB-25)."""

    tool: ToolChoice
    max_m: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenceChoice:
    """A defence one may declare: against what, made with what.

    ``bare``: with nothing at all; ``continues``: it says how it goes on toward the opponent, so
    that there is one such choice for each of them. ``after_move`` are tools that only a move of
    the same defence brings within range.
    A counterattack goes ``toward`` its opponent, and may meet the actions of others ``beside``.
    After it one may recover from being thrown by those it ``recovers`` from (GC-10.8).
    ``must_move``: it has to, except against the attacks that are met ``still`` (GC-13.16).
    """

    action: Action
    against: tuple[str, ...]
    bare: bool
    tools: tuple[ToolChoice, ...]
    support: tuple[ToolChoice, ...]
    moves: bool
    reach_m: Fraction | None
    continues: bool
    must_move: bool = False
    still: tuple[str, ...] = ()
    recovers: tuple[str, ...] = ()
    after_move: tuple[FarChoice, ...] = ()
    toward: str = ""
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackChoice:
    """A weapon or technique one may attack one target with, from where one stands.

    ``blind``: the target is hidden, so that one strikes where it could be (GC-9.13). ``also`` may
    be attacked along with the target, ``most_targets`` in all, without a bound if None (GC-13.1).
    """

    target: str
    target_name: str
    tool: ToolChoice
    aims: tuple[Aim, ...]
    limbs: tuple[Limb, ...]
    claims: tuple[Claim, ...]
    in_range: bool
    max_m: int | None
    blind: bool = False
    also: tuple[str, ...] = ()
    most_targets: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AllyChoice:
    """An attack on an ally that has not answered it: one may meet it in the ally's place.

    Whoever does ends no farther than ``apart_m`` from attacker and ally (GC-13.10); ``farther``
    costs two points (GC-13.11).
    """

    attack: Incoming
    ally: str
    ally_name: str
    attacker_name: str
    apart_m: Fraction
    farther: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A combatant one may name."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspendedChoice:
    """A suspended action: its owner confirms or annuls it before anything else (GC-4.80).

    ``strikes``: whoever confirms it suffers the counter that suspends it (GC-4.81).
    """

    id: str
    name: str
    strikes: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitChoice:
    """Somebody from whom a constraint lets one get no farther than so many metres (GC-8.6)."""

    user: str
    user_name: str
    metres: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """All that a combatant may declare in the turn that is open to it.

    ``obstacles`` empty means that the turn is open; ``ep_to_spend`` is what there is to spend.
    ``counter_leaves_main``: a main action may be declared beside a counterattack (AMB-21).
    With a suspended action the rest is what may be declared if it is annulled, and
    ``if_confirmed`` what may be declared if it is confirmed. ``hides_from`` are those whom one may
    claim to shake off by a movement (GC-9.3). ``recovers``: a defence threw one back, and one may
    try to recover (AMB-79). ``liberations`` are for breaking one's constraints (GC-8.17): the rest
    is what may be done in spite of these, ``if_freed`` what may be declared after an attempt, and
    hangs on it (GC-14.22). Whoever ``stays`` cannot change place, and nobody beyond ``limits``.
    """

    seat: str
    obstacles: tuple[Obstacle, ...]
    suspended: tuple[SuspendedChoice, ...] = ()
    if_confirmed: Choices | None = None
    incoming: tuple[Incoming, ...] = ()
    pending: tuple[Pending, ...] = ()
    at_allies: tuple[AllyChoice, ...] = ()
    defences: tuple[DefenceChoice, ...] = ()
    independents: tuple[ToolChoice, ...] = ()
    attacks: tuple[AttackChoice, ...] = ()
    support: tuple[ToolChoice, ...] = ()
    preparation: tuple[ToolChoice, ...] = ()
    preparation_reach_m: Fraction = Fraction(0)
    generics: tuple[ToolChoice, ...] = ()
    beneficiaries: tuple[Person, ...] = ()
    areas: tuple[AreaChoice, ...] = ()
    moves_leave_areas: bool = False
    quiet_support: tuple[ToolChoice, ...] = ()
    perceptions: tuple[ToolChoice, ...] = ()
    camouflages: tuple[ToolChoice, ...] = ()
    maskings: tuple[ToolChoice, ...] = ()
    liberations: tuple[ToolChoice, ...] = ()
    if_freed: Choices | None = None
    stays: bool = False
    limits: tuple[LimitChoice, ...] = ()
    hides_from: tuple[Person, ...] = ()
    recovers: bool = False
    counter_leaves_main: bool = False
    not_now: tuple[NotNow, ...] = ()
    hp: int = 0
    ep: int = 0
    ep_to_spend: int = 0
    orders: tuple[str, ...] = ()
