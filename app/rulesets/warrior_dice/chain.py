"""A roll with all the dice it leads to, and the Force of what is left (WD-18 to WD-22, WD-27).

The order of the dice is fixed: an Adder and an All Out draw the next die at once; a Doubler draws
its first, then its second die, and the chain goes on with the kept one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Final, assert_never

from app.engine.findings import Facts, Finding
from app.engine.tally import Tally, Term
from app.rulesets.warrior_dice.faces import counts_in, options_on
from app.rulesets.warrior_dice.ranking import Moment, best_of, rank_face
from app.rulesets.warrior_dice.readings import (
    AdderOnForceless,
    AllOutScope,
    AllOutStack,
    BattlefieldBase,
)
from app.rulesets.warrior_dice.sheet import FaceOption
from app.rulesets.warrior_dice.telling import Telling
from app.rulesets.warrior_dice.terms import FaceOrder, Keep, Kind, Phase, Side, Special

ADDS: Final = 10  # WD-18
MOST_DICE: Final = 200  # AMB-WD-7: a chain that is longer is cut, and says so


class Lift(StrEnum):
    """What a die before the final one does to its Force."""

    ADDER = "adder"
    ALL_OUT = "all_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled:
    """The final result of a chain; ``option`` is None where the chain was cut.

    ``idle``: an All Out of the side that is not asked in this phase; ``blocked``: one that counts
    as a lost attack. ``bonus`` are Adders before a result without Force, where they count.
    ``face`` is that of the last die, 0 where it is not told.
    """

    side: Side
    option: FaceOption | None
    force: Tally
    face: int = 0
    idle: bool = False
    blocked: bool = False
    bonus: int = 0

    @property
    def special(self) -> Special | None:
        """Name the special that takes effect, if it is one."""
        if self.option is None or self.idle or self.blocked:
            return None
        return self.option.special

    @property
    def total(self) -> int:
        """Give the final Force."""
        return int(self.force.total)


CUT: Final = Rolled(side=Side.LOST, option=None, force=Tally())  # AMB-WD-7
BLANK: Final = CUT  # WD-A1: a blank face leads nowhere either


def roll_chain(telling: Telling, moment: Moment) -> Rolled:
    """Roll until a result is left that leads to no other die (WD-10, WD-13)."""
    phase, name = moment.phase, moment.fighter.name
    lifts: tuple[Lift, ...] = ()
    face, at = telling.roll(phase, moment.fighter.id, moment.target)
    while True:
        option = _used(telling, moment, face)
        if option is None:
            blank: Facts = {"name": name, "face": face}
            telling.tell(Finding("WD-A1", "face_is_blank", blank, None, phase, at))
            return replace(BLANK, face=face)
        if option.kind is Kind.DOUBLER:
            if is_full(telling.thrown(phase), 2):
                return _cut(telling, moment)
            face = _doubler(telling, moment, option, face)  # WD-21: Adders before it stay
            continue
        led = follow(moment, option, lifts)
        if option.kind is Kind.ADDER:
            added = (*lifts, Lift.ADDER).count(Lift.ADDER)
            adder: Facts = {"name": name, "face": face, "amount": ADDS * added}
            rule = "WD-18" if added == 1 else "WD-20"
            telling.tell(Finding(rule, "adder", adder, None, phase, at))
        elif _goes_all_out(moment, option):
            _tell_all_out(telling, moment, option, lifts, face)
        if isinstance(led, Rolled):
            return replace(led, face=face)
        lifts = led
        if is_full(telling.thrown(phase), 1):
            return _cut(telling, moment)
        face, at = telling.roll(phase, moment.fighter.id, moment.target)


def follow(
    moment: Moment, option: FaceOption, lifts: tuple[Lift, ...]
) -> tuple[Lift, ...] | Rolled:
    """Say what an option leads to: the lifts under which the next die falls, or a result.

    A Doubler is none of its business: it leads to two dice, and changes nothing else (WD-19).
    """
    if option.kind is Kind.ADDER:
        return (*lifts, Lift.ADDER)  # WD-20: each of several adds its own
    if not _goes_all_out(moment, option):
        return _settled(moment, option, lifts)
    phase = moment.phase
    if moment.ground.no_all_out and phase is Phase.ATTACK:  # WD-74
        return Rolled(side=Side.LOST, option=option, force=Tally(), blocked=True)
    if Lift.ALL_OUT not in lifts:
        return (*lifts, Lift.ALL_OUT)
    match moment.options.all_out_stack:  # AMB-WD-6
        case AllOutStack.MULTIPLY:
            return (*lifts, Lift.ALL_OUT)
        case AllOutStack.ONCE:
            return lifts
        case AllOutStack.MISS:
            side = Side.LOST if phase is Phase.ATTACK else Side.DEFENCE
            return Rolled(side=side, option=option, force=Tally(), blocked=True)
        case stack:
            assert_never(stack)


def standing_option(moment: Moment, face: int) -> FaceOption | None:
    """Choose among the options of a face as the standing order says (WD-39, WD-D3).

    None on a blank face, which only a sheet without limits can have (WD-A1).
    """
    shown = options_on(moment.options, moment.fighter, face)
    return _by_standing(moment, shown, _useful(moment, shown)) if shown else None


def keeps_second(order: Keep, first: int, second: int) -> bool:
    """Say whether the second die of a Doubler is kept, by the ranks of both (WD-A9, WD-D1)."""
    if order is Keep.FIRST:
        return False
    return order is Keep.SECOND or second > first  # WD-D1: a tie keeps the first


def _useful(moment: Moment, shown: Sequence[FaceOption]) -> list[FaceOption]:
    return [one for one in shown if counts_in(moment.options, one, moment.phase)]


def _by_standing(
    moment: Moment, shown: Sequence[FaceOption], useful: Sequence[FaceOption]
) -> FaceOption:
    first = useful and moment.fighter.standing.faces is FaceOrder.FIRST
    return useful[0] if first else best_of(moment, shown)


def _used(telling: Telling, moment: Moment, face: int) -> FaceOption | None:
    """Choose among the options of a face: the roller may use any of them (WD-39)."""
    shown = options_on(moment.options, moment.fighter, face)
    if not shown:
        return None
    useful = _useful(moment, shown)
    standing = _by_standing(moment, shown, useful)
    if len(useful) < 2:
        return standing
    number = telling.decide(
        moment.fighter.id,
        "face_option",
        tuple(str(place) for place, one in enumerate(shown, 1) if one in useful),
        str(shown.index(standing) + 1),
        (("name", moment.fighter.name), ("options", _listed(shown)), ("face", str(face))),
        asks=moment.fighter.standing.faces is FaceOrder.ASK,
    )
    return shown[int(number) - 1]


def _doubler(telling: Telling, moment: Moment, option: FaceOption, face: int) -> int:
    """Roll two dice and keep one of the raw faces (WD-19, WD-22, WD-A9)."""
    first, at = telling.roll(moment.phase, moment.fighter.id, moment.target)
    second, _ = telling.roll(moment.phase, moment.fighter.id, moment.target)
    shown = [_shown(moment, face) for face in (first, second)]
    order = moment.fighter.standing.doubler
    better = keeps_second(order, rank_face(moment, first), rank_face(moment, second))
    kept = telling.decide(
        moment.fighter.id,
        "doubler",
        ("1", "2"),
        "2" if better else "1",
        (
            ("name", moment.fighter.name),
            ("first", shown[0]),
            ("second", shown[1]),
            ("face", str(face)),
            ("first_face", str(first)),
            ("second_face", str(second)),
        ),
        asks=order is Keep.ASK,
    )
    left = 0 if kept == "1" else 1
    facts: Facts = {
        "name": moment.fighter.name,
        "doubler": option.name,
        "first_face": first,
        "second_face": second,
        "kept": shown[left],
        "dropped": shown[1 - left],
        "face": face,
        "dropped_face": (first, second)[1 - left],
    }
    telling.tell(Finding("WD-19", "doubler", facts, "AMB-WD-8", moment.phase, at))
    return (first, second)[left]


def _goes_all_out(moment: Moment, option: FaceOption) -> bool:
    """Say whether an option is an All Out that does something in this phase (WD-27, WD-32)."""
    return option.special is Special.ALL_OUT and counts_in(moment.options, option, moment.phase)


def _tell_all_out(
    telling: Telling, moment: Moment, option: FaceOption, lifts: tuple[Lift, ...], face: int
) -> None:
    """Tell whether what is rolled next is doubled, or why not (WD-27, WD-32, WD-74)."""
    facts: Facts = {"name": moment.fighter.name, "option": option.name, "face": face}
    phase = moment.phase
    if moment.ground.no_all_out and phase is Phase.ATTACK:
        telling.tell(Finding("WD-74", "all_out_impossible", facts, None, phase))
    elif Lift.ALL_OUT in lifts and moment.options.all_out_stack is AllOutStack.ONCE:
        telling.tell(Finding("WD-27", "all_out_once", facts, "AMB-WD-6", phase))
    elif Lift.ALL_OUT in lifts and moment.options.all_out_stack is AllOutStack.MISS:
        telling.tell(Finding("WD-27", "all_out_misses", facts, "AMB-WD-6", phase))
    else:
        rule = "WD-27" if phase is Phase.ATTACK else "WD-32"
        telling.tell(Finding(rule, "all_out", facts, None, phase))


def _settled(moment: Moment, option: FaceOption, lifts: Sequence[Lift]) -> Rolled:
    """Give the result that is left, with its Force in this phase (WD-A12)."""
    side = Side.ATTACK if option.kind is Kind.ATTACK else Side.DEFENCE
    if option.numeric:
        return Rolled(side=side, option=option, force=tally_force(moment, option, lifts))
    idle = option.special is Special.ALL_OUT  # AMB-WD-4: of the side that is not asked
    bonus = 0
    gains = option.special in (Special.NEUTRALIZE, Special.REGAIN)  # WD-30: No damage never does
    if gains and moment.options.adder_on_forceless is AdderOnForceless.APPLY:  # AMB-WD-3
        bonus = ADDS * lifts.count(Lift.ADDER)
    return Rolled(side=side, option=option, force=Tally(), idle=idle, bonus=bonus)


def tally_force(moment: Moment, option: FaceOption, lifts: Sequence[Lift]) -> Tally:
    """Add up the Force of a numeric result: its own, battlefield, Adders, All Outs (AMB-WD-5)."""
    printed = Fraction(option.force or 0)
    tally = Tally((Term("WD-4", "force", printed, option.name),))
    early = moment.options.battlefield_base is BattlefieldBase.PRINTED
    if early:  # AMB-WD-17: a Force belongs to the face
        tally = tally.plus(_by_ground(moment, option, tally))
    asked = Kind.ATTACK if moment.phase is Phase.ATTACK else Kind.DEFENCE
    # WD-A12: of the other side nothing is doubled.
    lifts = [one for one in lifts if one is Lift.ADDER or option.kind is asked]
    match moment.options.all_out_scope:
        case AllOutScope.NESTED:
            ordered = tuple(reversed(lifts))
        case AllOutScope.TOTAL:
            ordered = tuple(sorted(lifts, key=lambda one: one is Lift.ALL_OUT))
        case AllOutScope.PRINTED:
            ordered = tuple(sorted(lifts, key=lambda one: one is Lift.ADDER))
        case scope:
            assert_never(scope)
    for lift in ordered:
        if lift is Lift.ADDER:
            tally = tally.plus(Term("WD-18", "adder", Fraction(ADDS)))
        else:
            tally = tally.plus(Term("WD-27", "all_out", tally.total))
    return tally if early else tally.plus(_by_ground(moment, option, tally))


def _by_ground(moment: Moment, option: FaceOption, tally: Tally) -> Term | None:
    """Say what the battlefield does to a Force, which never falls below 0 (WD-71 to WD-80)."""
    ground = moment.ground
    change = ground.changed(option.kind, int(tally.total)) - tally.total
    return Term(ground.rule, "battlefield", change) if change else None


def is_full(thrown: int, more: int) -> bool:
    """Say whether a chain has no room for so many more dice (AMB-WD-7)."""
    return thrown + more > MOST_DICE


def _cut(telling: Telling, moment: Moment) -> Rolled:
    """Cut a chain that does not end, never silently: nothing comes of it (AMB-WD-7)."""
    facts: Facts = {"name": moment.fighter.name, "dice": telling.thrown(moment.phase)}
    telling.tell(Finding("WD-20", "chain_cut", facts, "AMB-WD-7", moment.phase))
    return CUT


def _shown(moment: Moment, face: int) -> str:
    return _listed(options_on(moment.options, moment.fighter, face))


def _listed(options: Sequence[FaceOption]) -> str:
    return " / ".join(told(option) for option in options)


def told(option: FaceOption) -> str:
    """Write an option as tables do, with its Force."""
    return option.name if option.force is None else f"{option.name} {option.force}"
