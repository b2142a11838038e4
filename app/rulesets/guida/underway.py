"""What is under way in a scene: attacks, generic actions, throws, control areas, rulings."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from app.engine.tally import Tally, Term
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.orders import (
    Knock,
)
from app.rulesets.guida.places import (
    Move,
)
from app.rulesets.guida.sheet import Effect, Tool
from app.rulesets.guida.terms import (
    Action,
    Aim,
    AreaForm,
    Bind,
    Category,
    Claim,
    Curtain,
    Limb,
    Stack,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Concentration:
    """What an observer's next attempt to find a target has gained by the ones before (GC-9.7)."""

    observer: str
    target: str
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rider:
    """An effect that an attack leaves on its target if it lands, and what it comes from."""

    effect: Effect
    name: str
    tool: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """A distance that an action changed, in metres before and after."""

    other: str
    before: Fraction
    after: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """An attack on its way to one target, as it was when it was launched (GC-3.1).

    ``suspends`` names the generic action it holds up, as the offensive half of the counter that
    won against it (GC-4.77); ``shifts`` are the distances its own move changed (GC-4.17).
    ``binds`` is the improper constraint it was declared with (GC-8.13), ``bond_die`` the die of a
    constraint's value where it is not the attack's own (AMB-59).
    ``prefers`` says which Type-1 stacks come first where not all find room (GC-11.3).
    ``volley`` is the id of the first of several attacks launched as one (GC-13.1).
    """

    id: str
    attacker: str
    target: str
    tool: Tool
    potential: Fraction
    stat_bonus: Fraction
    power: Tally
    category: Category
    die: int
    hit: Tally
    aim: Aim
    limb: Limb | None
    use: int
    shifts: tuple[Shift, ...] = ()
    suspends: str | None = None
    prefers: tuple[Stack, ...] = ()
    knock: Knock | None = None
    riders: tuple[Rider, ...] = ()
    claims: tuple[Claim, ...] = ()
    behind: bool = False
    binds: tuple[Bind, ...] = ()
    bond_die: int | None = None
    volley: str | None = None
    blind: bool = False

    @property
    def hit_score(self) -> Fraction:
        """Add the natural die to the modifiers (GC-4.1)."""
        return self.die + self.hit.total


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlArea:
    """A control area that has formed (GC-12.1); its centre is a place in the scene's distances.

    ``potential`` and ``radius_m`` are a static area's own; an expansive one has those of its
    ``saturation``, None where a static area has none (AMB-90). ``slow`` counts the creator's
    turns in the slow band of decay, ``fed`` is the last of them in which it was created or fed.
    """

    id: str
    creator: str
    tool: str
    name: str
    form: AreaForm
    curtain: Curtain | None = None
    radius_m: int = 0
    saturation: int | None = None
    potential: Fraction = Fraction(0)
    stat_bonus: Fraction = Fraction(0)
    slow: int = 0
    fed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Forming:
    """A control area on its way into being: what it will be, or which one it will feed."""

    area: ControlArea
    feeds: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A generic action that was launched and may still be countered (GC-14.17).

    It takes effect when every opponent in ``waits`` has posted; ``held`` says that a won counter
    suspends it (GC-4.77). ``creates`` are the control areas it is to bring about; with ``rides``
    it is nothing but that, a secondary action on the action of this id (GC-12.11). ``destroys``
    is the area it is to destroy (GC-12.14).
    """

    id: str
    actor: str
    action: Action
    tool: Tool | None
    die: int
    score: Tally
    move: Move | None
    beneficiary: str | None
    support: tuple[Tool, ...]
    waits: tuple[str, ...]
    hides: tuple[str, ...] = ()
    held: bool = False
    creates: tuple[Forming, ...] = ()
    rides: str | None = None
    destroys: str | None = None

    @property
    def success_score(self) -> Fraction:
        """Add the natural die to the modifiers (GC-4.42, GC-14.17)."""
        return self.die + self.score.total


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """Somebody thrown back: by whom, with what, and the numbers the distance is made of (GC-10.4).

    ``by_defence``: a defence did it, whose die counts half (GC-10.5); it lands in the next turn of
    the one who is ``thrown`` (AMB-79), and has an ``id`` that the Master may be asked about.
    ``post`` is the thrower's turn that it belongs to.
    """

    thrower: str
    thrown: str
    name: str
    die: int
    category: Category
    potential_bonus: Term
    stat_bonus: Fraction
    knock: Knock
    by_defence: bool = False
    guarded: bool = False
    attack: str | None = None
    post: int | None = None
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Second:
    """The second damage of one turn of an attacker's: whom it fell on, with which line (GC-6.15).

    ``post`` is that turn's; without a ``target`` nothing of the kind has come of it so far.
    """

    attacker: str
    post: int
    target: str | None = None
    amount: int = 0
    line: int = 0
    key: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """What the Master ruled about one kind of defence against one attack (GC-14.5)."""

    attack: str
    defence: Action
    adequate: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed:
    """What one attack of several left on its target, while another may still stop it for all.

    ``lines`` are numbers of register lines; ``before`` and ``after`` are the target around it;
    ``shifts`` are the distances over which it was thrown (GC-14.36).
    """

    attack: Incoming
    hit: str
    halved_by: str | None
    lines: tuple[int, ...]
    before: Combatant
    after: Combatant
    shifts: tuple[Shift, ...] = ()
