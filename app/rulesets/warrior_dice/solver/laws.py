"""The law of one roll with all the dice it leads to, by the functions that roll it (WD-18, WD-22).

What a face leads to is asked of ``follow``, what a lift makes of a Force of ``tally_force``. A
chain is read from its end: what an Adder or All Out awaits is a roll like any other, lifted. So the
law of a roll is what its faces show, and its own law lifted; each Force comes of smaller ones,
and one pass from the smallest up finds them all. Where chains are so long that the cut after 200
dice can be felt (AMB-WD-7), they are followed die by die instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any, Final, NamedTuple, TypeAlias

from app.engine.tally import Tally, Term
from app.rulesets.warrior_dice.chain import (
    BLANK,
    CUT,
    MOST_DICE,
    Lift,
    Rolled,
    follow,
    is_full,
    keeps_second,
    standing_option,
    tally_force,
)
from app.rulesets.warrior_dice.faces import heals_in_attack
from app.rulesets.warrior_dice.ground import NOWHERE, TRADE_FROM, Ground
from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.ranking import Moment, rank_face
from app.rulesets.warrior_dice.readings import AllOutScope, BattlefieldBase
from app.rulesets.warrior_dice.sheet import FACES, FaceOption
from app.rulesets.warrior_dice.state import Fighter
from app.rulesets.warrior_dice.terms import Kind, Phase, Side, Special

NEGLIGIBLE: Final = 1e-19  # what is less likely is counted as a chain that is cut
UNFELT: Final = 1e-15  # so unlikely a cut is not felt
Lifts: TypeAlias = tuple[Lift, ...]


class Shown(NamedTuple):
    """The final result of a roll, as far as it matters for what comes of it."""

    side: Side
    special: Special | None
    total: int
    bonus: int
    heals: bool
    numeric: bool


class Part(NamedTuple):
    """A result with the lifts that have been counted: which of the results shown, its Force so far.

    ``adders`` and ``doublings`` are those that count last, whenever they fell (AMB-WD-5).
    """

    force: int
    adders: int
    doublings: int
    result: int


Law: TypeAlias = dict[Shown, float]
Parts: TypeAlias = dict[Part, float]
USELESS: Final = Shown(Side.LOST, None, 0, 0, heals=False, numeric=False)  # WD-17


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Faces that show the same; how likely a die shows one, and the kept die of a Doubler."""

    option: FaceOption | None
    single: float
    kept: float

    @property
    def doubles(self) -> bool:
        """Say whether it is a Doubler."""
        return self.option is not None and self.option.kind is Kind.DOUBLER


@dataclass(slots=True)
class Book:
    """The laws under certain options on a certain ground; it remembers what it has worked out."""

    options: DuelOptions
    ground: Ground
    _lifted: dict[tuple[bool, int, Lift], int] = field(default_factory=dict)
    _known: dict[object, int] = field(default_factory=dict)
    _laws: dict[object, Law] = field(default_factory=dict)
    _led: dict[object, Lifts | Rolled] = field(default_factory=dict)
    meetings: dict[object, dict[Any, float]] = field(default_factory=dict)  # of the laws of turns

    def law(self, moment: Moment, cap: int, key: object = None) -> Law:
        """Give the law of a roll; Forces of ``cap`` and more count as that.

        ``key`` says what it depends on besides the phase and the cap, if it is to be remembered.
        """
        if key is None:
            return Roll(self, moment, cap).law()
        full = (key, moment.phase is Phase.ATTACK, cap)
        law = self._laws.get(full)
        if law is None:
            law = self._laws[full] = Roll(self, moment, cap).law()
        return law

    def known(self, fighter: Fighter) -> int:
        """Number a sheet with the standing orders that rolls depend on; the same ones alike."""
        standing = fighter.standing
        key = (fighter.warrior.options, standing.doubler, standing.faces)
        return self._known.setdefault(key, len(self._known))

    def follow(self, moment: Moment, option: FaceOption, lifts: Lifts) -> Lifts | Rolled:
        """Say what an option leads to; whoever rolls it, and whatever it is called."""
        bare = (option.kind.value, option.force, option.special, option.untyped)
        key = (bare, moment.phase is Phase.ATTACK, lifts)
        led = self._led.get(key)
        if led is None:
            led = self._led[key] = follow(moment, option, lifts)
        return led

    def lifted(self, moment: Moment, kind: Kind, force: int, lift: Lift) -> int:
        """Say what a lift makes of a Force, wherever the duel is fought."""
        asked = kind is (Kind.ATTACK if moment.phase is Phase.ATTACK else Kind.DEFENCE)
        key = (asked, force, lift)
        found = self._lifted.get(key)
        if found is None:
            option = FaceOption(face=1, name="", kind=kind, force=force)
            tally = tally_force(replace(moment, ground=NOWHERE), option, (lift,))
            found = self._lifted[key] = int(tally.total)
        return found


@dataclass(slots=True)
class Step:
    """Where a die may lead when an All Out has fallen before, or when none has.

    ``ends``: results that are final; ``lifts``: what another die is rolled under, None for nothing
    new; ``doubles``: two dice of which one is kept. Each with its chance on a single die.
    """

    ends: Parts = field(default_factory=dict)
    lifts: dict[Lift | None, float] = field(default_factory=dict)
    doubles: float = 0.0


class Roll:
    """One roll of a warrior in a moment, to be worked out."""

    def __init__(self, book: Book, moment: Moment, cap: int) -> None:
        self.book = book
        self.moment = moment
        self.cap = cap
        self.results: list[FaceOption | Rolled] = []
        groups = grouped(moment)
        before = ((), (Lift.ALL_OUT,))
        # A single die and the kept one of two, before any All Out and after one.
        self.single = [
            self._step(groups, lifts, [one.single for one in groups]) for lifts in before
        ]
        self.kept = [self._step(groups, lifts, [one.kept for one in groups]) for lifts in before]

    def law(self) -> Law:
        """Give the law of the roll."""
        law: Law = {}
        for part, chance in (self._stepped() if self._feels_the_cut() else self._solved()).items():
            shown = self._shown(part)
            law[shown] = law.get(shown, 0.0) + chance
        rest = 1.0 - sum(law.values())
        if rest > 0:
            cut = self.told(CUT)
            law[cut] = law.get(cut, 0.0) + rest
        return law

    def _step(self, groups: tuple[Group, ...], lifts: Lifts, chances: list[float]) -> Step:
        step = Step()
        for group, chance in zip(groups, chances, strict=True):
            if group.doubles:
                step.doubles += chance
                continue
            led: Lifts | Rolled = BLANK
            if group.option is not None:
                led = self.book.follow(self.moment, group.option, lifts)
            if isinstance(led, Rolled):
                part = self._part(group.option, led)
                step.ends[part] = step.ends.get(part, 0.0) + chance
            else:
                new = led[len(lifts)] if len(led) > len(lifts) else None
                step.lifts[new] = step.lifts.get(new, 0.0) + chance
        return step

    def _part(self, option: FaceOption | None, led: Rolled) -> Part:
        """Take a result without the lifts before it, which are counted one by one."""
        if option is None or not option.numeric:
            return Part(0, 0, 0, self._number(led))
        bare = FaceOption(face=1, name="", kind=option.kind, force=0)
        force = option.force or 0
        if self.moment.options.battlefield_base is BattlefieldBase.PRINTED:
            plain = self.book.follow(self.moment, option, ())
            force = plain.total if isinstance(plain, Rolled) else force
        return Part(min(force, self.cap), 0, 0, self._number(bare))

    def _number(self, result: FaceOption | Rolled) -> int:
        if result not in self.results:
            self.results.append(result)
        return self.results.index(result)

    def _feels_the_cut(self) -> bool:
        on = max(sum(step.lifts.values()) + step.doubles for step in self.single + self.kept)
        return on ** (MOST_DICE // 2) > UNFELT  # no face leads to more than two dice

    def _solved(self) -> Parts:
        after = self._passed(1, {})
        return self._passed(0, after)

    def _passed(self, place: int, after: Parts) -> Parts:
        """Find the law of a single die as what its own smaller results make of it.

        ``after`` is the law after an All Out; where there was one before it is the same law.
        """
        single, kept = self.single[place], self.kept[place]
        again = single.doubles / (1 - kept.doubles)  # a kept Doubler leads to two dice once more
        queue: list[Part] = []
        masses: Parts = {}

        def put(part: Part, chance: float) -> None:
            if part not in masses:
                heappush(queue, part)
            masses[part] = masses.get(part, 0.0) + chance

        for part, chance in single.ends.items():
            put(part, chance)
        for part, chance in kept.ends.items():
            put(part, again * chance)
        lifts = {
            lift: single.lifts.get(lift, 0.0) + again * kept.lifts.get(lift, 0.0)
            for lift in single.lifts.keys() | kept.lifts.keys()
        }
        if place == 0:
            share = lifts.pop(Lift.ALL_OUT, 0.0)
            for part, chance in after.items():
                put(self._lift(part, Lift.ALL_OUT), share * chance)
        found: Parts = {}
        while queue:
            part = heappop(queue)
            mass = masses[part]
            ways = [(self._lift(part, lift), share) for lift, share in lifts.items()]
            mass /= 1 - sum(share for way, share in ways if way == part)
            found[part] = mass
            for way, share in ways:
                if way != part and mass * share > NEGLIGIBLE:
                    put(way, mass * share)
        return found

    def _stepped(self) -> Parts:
        """Follow the dice from the last that may be thrown back to the first (AMB-WD-7)."""
        nothing: list[Parts] = [{}, {}]
        one, two, three = nothing, nothing, nothing  # laws of the next die; of kept ones after it
        law = nothing
        for thrown in range(MOST_DICE, 0, -1):
            further = [one, nothing][is_full(thrown, 1)]
            doubled = [three, nothing][is_full(thrown, 2)]
            law = [self._from(self.single[place], place, further, doubled) for place in (0, 1)]
            kept = [self._from(self.kept[place], place, further, doubled) for place in (0, 1)]
            one, two, three = law, kept, two
        return law[0]

    def _from(self, step: Step, place: int, further: list[Parts], doubled: list[Parts]) -> Parts:
        found = dict(step.ends)
        for lift, share in step.lifts.items():
            after = 1 if lift is Lift.ALL_OUT else place
            for part, chance in further[after].items():
                way = self._lift(part, lift)
                found[way] = found.get(way, 0.0) + share * chance
        for part, chance in doubled[place].items():
            found[part] = found.get(part, 0.0) + step.doubles * chance
        return {part: chance for part, chance in found.items() if chance > NEGLIGIBLE}

    def _lift(self, part: Part, lift: Lift | None) -> Part:
        """Count a lift that stands before a result."""
        if lift is None or part.force >= self.cap:
            return part
        result = self.results[part.result]
        if isinstance(result, Rolled):
            gains = lift is Lift.ADDER and self._bonus(result, 1) > 0
            return part._replace(adders=part.adders + 1) if gains else part
        scope = self.moment.options.all_out_scope
        if scope is AllOutScope.PRINTED and lift is Lift.ADDER:
            raised = part._replace(adders=part.adders + 1)
        elif scope is AllOutScope.TOTAL and lift is Lift.ALL_OUT:
            raised = part._replace(doublings=part.doublings + 1)
        else:
            raised = part._replace(force=self._once(result.kind, part.force, lift))
        return Part(self.cap, 0, 0, part.result) if self._force(raised) >= self.cap else raised

    def _once(self, kind: Kind, force: int, lift: Lift) -> int:
        return self.book.lifted(self.moment, kind, force, lift)

    def _force(self, part: Part) -> int:
        """Give the Force of a part with every lift that counts last."""
        result, force = self.results[part.result], part.force
        if isinstance(result, FaceOption):
            for _ in range(part.adders):
                force = self._once(result.kind, force, Lift.ADDER)
            for _ in range(part.doublings):
                if force >= self.cap:
                    break
                doubled = self._once(result.kind, force, Lift.ALL_OUT)
                if doubled == force:  # WD-A12
                    break
                force = doubled
        return force

    def _bonus(self, result: Rolled, adders: int) -> int:
        if result.option is None or result.idle or result.blocked:
            return 0
        led = follow(self.moment, result.option, (Lift.ADDER,) * adders)
        return led.bonus if isinstance(led, Rolled) else 0

    def _shown(self, part: Part) -> Shown:
        result = self.results[part.result]
        if isinstance(result, Rolled):
            return self.told(replace(result, bonus=self._bonus(result, part.adders)))
        force = self._force(part)
        if self.moment.options.battlefield_base is BattlefieldBase.TOTAL:  # AMB-WD-17
            whole = replace(result, force=force)
            force = int(tally_force(self.moment, whole, ()).total)
        side = Side.ATTACK if result.kind is Kind.ATTACK else Side.DEFENCE
        tally = Tally((Term("WD-4", "force", Fraction(force)),))
        return self.told(Rolled(side=side, option=result, force=tally))

    def told(self, rolled: Rolled) -> Shown:
        """Leave out of a result what does not matter in this phase."""
        option, phase = rolled.option, self.moment.phase
        if phase is Phase.DEFENCE and rolled.side is not Side.DEFENCE:
            return USELESS
        # A Defence of the Attack phase can at most be given up (WD-A10).
        useful = phase is Phase.DEFENCE or rolled.side is Side.ATTACK
        return Shown(
            side=rolled.side,
            special=rolled.special,
            total=min(rolled.total, self.cap if useful else TRADE_FROM),
            bonus=rolled.bonus,
            heals=rolled.special is Special.REGAIN
            and option is not None
            and heals_in_attack(self.moment.options, option),
            numeric=option is not None and option.numeric,
        )


def grouped(moment: Moment) -> tuple[Group, ...]:
    """Put together the faces that show the same, as the standing orders use them."""
    faces = range(1, FACES + 1)
    order = moment.fighter.standing.doubler
    ranks = [rank_face(moment, face) for face in faces]
    kept = [0] * FACES
    for first, one in enumerate(ranks):
        for second, other in enumerate(ranks):
            kept[second if keeps_second(order, one, other) else first] += 1
    found: dict[object, tuple[FaceOption | None, int, int]] = {}
    for face in faces:
        option = standing_option(moment, face)
        bare = (
            None if option is None else (option.kind, option.force, option.special, option.untyped)
        )
        known = found.get(bare, (option, 0, 0))
        found[bare] = (known[0], known[1] + 1, known[2] + kept[face - 1])
    return tuple(
        Group(option=option, single=count / FACES, kept=twice / FACES**2)
        for option, count, twice in found.values()
    )
