"""The morale test (BD-70 to BD-73): who lost more may rout."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from app.engine.findings import Facts, Finding
from app.engine.tally import Tally, Term
from app.rulesets.battle_dice.course import Course
from app.rulesets.battle_dice.field import Field, Host
from app.rulesets.battle_dice.options import CasualtyCount, Morale, MoraleTie
from app.rulesets.battle_dice.tables import MORALE_FACES, MORALE_SIDES
from app.rulesets.battle_dice.terms import Cast, Kind, Step


@dataclass(frozen=True, slots=True)
class MoraleTest:
    """How a morale test comes out: the count with its modifiers, and what it has to reach."""

    counted: Tally
    needed: int

    @property
    def routs(self) -> bool:
        """Say whether the army routs: its count is lower than its casualties (BD-73)."""
        return self.counted.total < self.needed


def settle_morale(count: int, plus: int, minus: int, needed: int) -> MoraleTest:
    """Hold the dice that show 2 or 3, with what is added and taken, to the casualties (BD-72)."""
    counted = Tally((Term("BD-72", "shown", Fraction(count)),))
    if plus:
        counted = counted.plus(Term("BD-72", "heartened", Fraction(plus)))
    if minus:
        counted = counted.plus(Term("BD-72", "dismayed", Fraction(-minus)))
    return MoraleTest(counted, needed)


def settle_test(field: Field, course: Course) -> list[int]:
    """Let whoever must test morale; give the places of the armies that rout."""
    return [place for place in _testers(field, course) if _fails(field, course, place)]


def casualties_of(field: Field, host: Host) -> int:
    """Count a side's casualties of this turn, restored dice taken off where ruled so (AMB-BD-9)."""
    if field.options.casualty_count is CasualtyCount.NET:
        return max(0, host.casualties - host.restored)
    return host.casualties


def _testers(field: Field, course: Course) -> tuple[int, ...]:
    """Say who tests: the side that lost more dice this turn (BD-71, AMB-BD-8, AMB-BD-27)."""
    first, second = (casualties_of(field, host) for host in field.hosts)
    facts: Facts = {"first": first, "second": second}
    if field.options.morale is Morale.OFF:  # AMB-BD-28
        course.say(Finding("BD-71", "no_morale_test", facts, ruling="AMB-BD-28"))
        return ()
    if first != second:
        return (0,) if first > second else (1,)
    if first and field.options.morale_tie is MoraleTie.BOTH:
        return (0, 1)
    course.say(Finding("BD-71", "no_morale_test", facts, ruling="AMB-BD-8"))
    return ()


def _fails(field: Field, course: Course, place: int) -> bool:
    """Roll all remaining dice, restored and new ones too, then morale dice (AMB-BD-15)."""
    host = field.hosts[place]
    faces = [
        course.face(field, place, Cast.MORALE, kind.sides, kind)
        for kind in Kind
        for _ in host.of(kind)
    ]
    count = sum(face in MORALE_FACES for face in faces)
    plus = _dice(field, course, place, Cast.HEARTENED, host.plus)
    minus = _dice(field, course, place, Cast.DISMAYED, host.minus)
    test = settle_morale(count, plus, minus, casualties_of(field, host))
    course.say(
        Finding(
            "BD-73",
            "morale_tested",
            {
                "side": host.name,
                "dice": len(faces),
                "count": count,
                "plus": plus,
                "minus": minus,
                "counted": test.counted,
                "total": int(test.counted.total),
                "needed": test.needed,
                "routs": test.routs,
            },
        )
    )
    return test.routs


def _dice(field: Field, course: Course, place: int, cast: Cast, count: int) -> int:
    """Add up the dice that hearten or dismay an army."""
    return sum(course.face(field, place, cast, MORALE_SIDES, Step.MORALE) for _ in range(count))
