"""A scene as it stands: who is in it, where, with what coming at them and what to record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated

from app.engine.findings import Question
from app.engine.tally import Tally, Term
from app.engine.text import Count, Id, Length, Points
from app.rulesets.guida.entrants import Entrant, StackCount
from app.rulesets.guida.options import (
    Options,
    Regulation,
)
from app.rulesets.guida.orders import Behind, Distance, Knock, Move, Unseen
from app.rulesets.guida.readings import (
    Overlap,
)
from app.rulesets.guida.sheet import Effect, Sheet, Tool
from app.rulesets.guida.terms import (
    Action,
    Aim,
    AreaForm,
    Bind,
    Category,
    Change,
    Claim,
    Curtain,
    Limb,
    Stack,
    Standing,
    Stat,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Underway:
    """An attack launched before the scene is taken up here: natural die and modifier."""

    attacker: Id
    target: Id
    tool: Id
    die: Count
    modifier: Points
    aim: Aim = Aim.BODY
    limb: Limb | None = None
    prefers: Annotated[tuple[Stack, ...], Length(0, 2)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """Everything a scene starts from; options and regulation are the board's, copied."""

    entrants: Annotated[tuple[Entrant, ...], Length(2, 12)]
    distances: Annotated[tuple[Distance, ...], Length(0, 200)] = ()
    behind: Annotated[tuple[Behind, ...], Length(0, 200)] = ()
    hidden: Annotated[tuple[Unseen, ...], Length(0, 200)] = ()
    underway: Annotated[tuple[Underway, ...], Length(0, 40)] = ()
    first: Id | None = None
    options: Options = Options()
    regulation: Regulation = Regulation()


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a register, from the moment it arises to the post that records it.

    ``amount`` is signed as it changes the value. A line with a ``poster`` waits until that
    combatant has published its calculation (GC-6.8); ``posted`` says that this is done.
    ``by_hand`` tells who wrote it, where no rule did; ``proposal`` is the name a player's own
    line waits under for the Master.
    """

    id: int
    change: Change
    amount: int
    rule: str
    key: str
    name: str = ""
    stat: Stat | None = None
    stack: Stack | None = None
    subject: str = ""
    figure: Fraction | None = None
    poster: str | None = None
    posted: bool = True
    working: Tally | None = None
    attack: str | None = None
    reason: str = ""
    by_hand: str = ""
    proposal: str = ""
    confirmed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """An effect on its bearer, from one of the bearer's turns to another (both included)."""

    effect: Effect
    name: str
    tool: str
    user: str
    since: int
    until: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lot:
    """Stacks that were applied together; they act in the bearer's turns ``since`` to ``until``.

    ``half``: of the last of these turns only up to the end of the Defensive Phase (AMB-82).
    ``condition`` names the constraint that Type-4 stacks belong to (GC-14.23).
    """

    stack: Stack
    count: int
    since: int
    until: int | None
    half: bool = False
    condition: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bond:
    """One constraint on its bearer: who put it there, and what it does from turn ``since`` on.

    ``stacked`` says that stacks belong to it, and that it ends with them (GC-11.20).
    """

    id: str
    user: str
    name: str
    binds: tuple[Bind, ...]
    max_range_m: int | None
    since: int
    stacked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Spared:
    """What the Master ruled about a technique of a bound combatant (GC-14.21)."""

    tool: str
    allowed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UseCount:
    """How often a technique was carried out, against whom."""

    tool: str
    opponent: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Concealed:
    """A camouflage or masking in force: its value, and the turn of its user that ends it (GC-9.11).

    ``die`` is None where one falls for every attempt to find its user (AMB-68).
    """

    name: str
    tool: str
    die: int | None
    score: Tally
    until: int | None

    @property
    def value(self) -> Fraction:
        """Add the natural die, if one was kept, to the bonus."""
        return (self.die or 0) + self.score.total


@dataclass(frozen=True, slots=True, kw_only=True)
class Concentration:
    """What an observer's next attempt to find a target has gained by the ones before (GC-9.7)."""

    observer: str
    target: str
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Combatant:
    """One fighter: sheet, vitals as last posted, and what changed since.

    ``slow`` counts the turns that fire and frost have spent in their slow band (AMB-88).
    ``bond_value`` is the one value of all its ``bonds`` (GC-8.3), ``loosening`` what attempts to
    break them have won, ``freed_turn`` the turn of the last one; ``overlap`` says how their
    effects add up (AMB-62), ``spared`` what the Master ruled about its techniques (GC-14.21).
    ``master`` is whose subordinate it is (GC-2.19), ``npc`` that the Master plays it.
    """

    id: str
    team: str
    sheet: Sheet
    hp: int
    ep: int
    turn: int = 0
    lines: tuple[Line, ...] = ()
    effects: tuple[Running, ...] = ()
    lots: tuple[Lot, ...] = ()
    slow: tuple[StackCount, ...] = ()
    uses: tuple[UseCount, ...] = ()
    armour_down: bool = False
    prepared: int | None = None
    bonds: tuple[Bond, ...] = ()
    bond_value: Tally | None = None
    loosening: int = 0
    freed_turn: int | None = None
    overlap: Overlap | None = None
    spared: tuple[Spared, ...] = ()
    camouflage: Concealed | None = None
    masking: Concealed | None = None
    standing: Standing = Standing.ACTIVE
    master: str | None = None
    npc: bool = False

    @property
    def active(self) -> bool:
        """Say whether it still takes part."""
        return self.standing is Standing.ACTIVE

    def due(self, change: Change) -> int:
        """Add up what changed and is not recorded yet, unconfirmed lines left out."""
        return sum(line.amount for line in self.lines if line.change is change and line.confirmed)

    @property
    def hp_now(self) -> int:
        """Give the hit points with everything due counted in."""
        return self.hp + self.due(Change.HP)

    @property
    def ep_now(self) -> int:
        """Give the energy that can still be spent."""
        return self.ep + self.due(Change.EP)

    def uses_of(self, tool: str, opponent: str | None = None) -> int:
        """Count the uses of a technique, in the whole scene or against one opponent (AMB-32)."""
        return sum(
            use.count for use in self.uses if use.tool == tool and opponent in (None, use.opponent)
        )

    def used(self, tool: str, opponent: str) -> Combatant:
        """Count one more use."""
        old = [use for use in self.uses if (use.tool, use.opponent) == (tool, opponent)]
        count = 1 + sum(use.count for use in old)
        rest = tuple(use for use in self.uses if use not in old)
        return replace(self, uses=(*rest, UseCount(tool=tool, opponent=opponent, count=count)))


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
    the one who is ``thrown`` (AMB-79). ``post`` is the thrower's turn that it belongs to.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The whole state of a fight.

    ``posts`` numbers attacks and ``proposals`` numbers players' own lines: neither moves when a
    Master's order is put in front of a post, so an answer given before still names the same thing.
    ``serial`` numbers lines, which nothing outside the state names.
    ``hidden`` are those who got out of somebody's sight (GC-9.3); ``located`` those who are known
    to an observer that cannot see them, in smoke or blinded (GC-14.27).
    """

    options: Options
    regulation: Regulation
    combatants: tuple[Combatant, ...]
    distances: frozenset[Distance]
    behind: frozenset[Behind]
    next: str
    incoming: tuple[Incoming, ...] = ()
    pending: tuple[Pending, ...] = ()
    questions: tuple[Question, ...] = ()
    ruled: tuple[Ruled, ...] = ()
    landed: tuple[Landed, ...] = ()
    areas: tuple[ControlArea, ...] = ()
    throws: tuple[Throw, ...] = ()
    seconds: tuple[Second, ...] = ()
    hidden: frozenset[Unseen] = frozenset()
    located: frozenset[Unseen] = frozenset()
    concentration: tuple[Concentration, ...] = ()
    serial: int = 0
    posts: int = 0
    proposals: int = 0
    paused: bool = False
    ended: bool = False

    def who(self, id: str) -> Combatant:
        """Find a combatant by id; raise KeyError if there is none."""
        for combatant in self.combatants:
            if combatant.id == id:
                return combatant
        raise KeyError(id)

    def has(self, id: str) -> bool:
        """Say whether a combatant of this id is in the scene."""
        return any(combatant.id == id for combatant in self.combatants)

    def area(self, id: str) -> ControlArea | None:
        """Find a control area by its id, formed already or on its way."""
        forming = (one.area for pending in self.pending for one in pending.creates)
        return next((area for area in (*self.areas, *forming) if area.id == id), None)

    def has_place(self, id: str) -> bool:
        """Say whether distances to this id are kept: a combatant's, or an area's centre."""
        return self.has(id) or self.area(id) is not None

    def name_of(self, id: str) -> str:
        """Name what stands at a place: a combatant, or the control area whose centre it is."""
        area = self.area(id)
        return area.name if area is not None else self.who(id).sheet.name

    def put(self, *changed: Combatant) -> Scene:
        """Return the scene with some combatants changed."""
        by_id = {combatant.id: combatant for combatant in changed}
        return replace(self, combatants=tuple(by_id.get(one.id, one) for one in self.combatants))

    def metres(self, one: str, other: str) -> Fraction:
        """Give the distance between two combatants, in metres."""
        for distance in self.distances:
            if distance.joins(one, other):
                return distance.metres
        raise KeyError((one, other))

    def is_behind(self, who: str, whom: str) -> bool:
        """Say whether ``who`` stands behind ``whom``."""
        return Behind(who=who, whom=whom) in self.behind

    def against(self, target: str) -> tuple[Incoming, ...]:
        """List the attacks coming at a combatant, in the order of the story (GC-2.15)."""
        return tuple(attack for attack in self.incoming if attack.target == target)

    def counterable(self, by: str) -> tuple[Pending, ...]:
        """List the generic actions a combatant may still counter (GC-2.23).

        They open a Defensive Phase by themselves, unless the options say otherwise (AMB-13).
        """
        if not (self.options.generic_action_opens_defensive_phase or self.against(by)):
            return ()
        return tuple(one for one in self.pending if by in one.waits and not one.held)

    def suspended(self, owner: str) -> tuple[Pending, ...]:
        """List a combatant's own suspended actions (GC-4.80)."""
        return tuple(one for one in self.pending if one.actor == owner and one.held)

    def is_engaged(self, id: str) -> bool:
        """Say whether a fight has begun for a combatant: a turn posted, or an attack on its way."""
        return self.who(id).turn > 0 or bool(self.against(id))

    def opponents(self, id: str) -> tuple[Combatant, ...]:
        """List the active combatants of the other teams."""
        team = self.who(id).team
        return tuple(one for one in self.combatants if one.active and one.team != team)

    def placed(self, distances: Iterable[Distance], behind: frozenset[Behind]) -> Scene:
        """Return the scene with these distances changed and exactly these behind one another."""
        new = tuple(distances)
        kept = {old for old in self.distances if not any(old.joins(d.a, d.b) for d in new)}
        return replace(self, distances=frozenset(kept | set(new)), behind=behind)


def launched_as(id: str) -> tuple[int, str]:
    """Give what orders actions under way: the post they were launched in, their place in it."""
    number = id[1:].rstrip("bcdefghijkl")
    return int(number), id[1 + len(number) :]


def add_line(scene: Scene, combatant: str, line: Line) -> Scene:
    """Put a line, under its own number, among those that a combatant has yet to record."""
    number = scene.serial + 1
    bearer = scene.who(combatant)
    lines = (*bearer.lines, replace(line, id=number))
    return replace(scene, serial=number).put(replace(bearer, lines=lines))
