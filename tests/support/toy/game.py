"""Who first throws the target wins: the rules of a game that is as small as a game can be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any, ClassVar

from app.engine.dice import Address, Dice
from app.engine.findings import Finding, Obstacle, Question, Violation
from app.engine.ruleset import (
    GM,
    Asked,
    Awaited,
    Forecast,
    Plan,
    Resolution,
    Ruleset,
    Seat,
)
from app.engine.tally import Tally, Term
from app.engine.text import Between, Id, Length, Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Cup:
    """What a thrower throws with."""

    name: Annotated[str, Length(1, 20)]
    sides: Annotated[int, Between(2, 100)] = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Thrower:
    """One who takes part."""

    id: Id
    sheet: Cup


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """What the board decides."""

    target: Annotated[int, Between(1, 100)] = 6
    bonus: Annotated[Fraction, Between(0, 5)] = Fraction(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """What a game starts from."""

    entrants: Annotated[tuple[Thrower, ...], Length(1, 4)]
    options: House = House()


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where it stands."""

    house: House
    throwers: tuple[Thrower, ...]
    next: int = 0
    sums: tuple[Fraction, ...] = ()
    winner: str | None = None
    asked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """Throw ``times`` dice at once."""

    kind: ClassVar[str] = "throw"
    by: Id = ""
    times: Annotated[int, Between(1, 3)] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Chase:
    """Throw again and again until a 1 falls, or not at all where there is ``nothing`` to chase."""

    kind: ClassVar[str] = "chase"
    by: Id = ""
    nothing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Give:
    """The Master gives points to whoever is next."""

    kind: ClassVar[str] = "give"
    by: Id = ""
    points: Annotated[int, Between(-99, 99)]
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """The Master ends the game."""

    kind: ClassVar[str] = "close"
    by: Id = ""
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What a seat may decide."""

    orders: tuple[str, ...]


def check_setup(setup: Game) -> tuple[Obstacle, ...]:
    """Refuse a target nobody can throw."""
    if max(one.sheet.sides for one in setup.entrants) * 3 < setup.options.target:
        return (Violation("TOY-1", "target_too_high", "options.target"),)
    return ()


def start(setup: Game) -> Standing:
    """Begin."""
    return Standing(
        house=setup.options,
        throwers=setup.entrants,
        sums=tuple(setup.options.bonus for _ in setup.entrants),
    )


def awaits(state: Standing) -> Awaited:
    """Whose throw it is."""
    if state.winner is not None:
        return Awaited(seats=(), ended=True)
    return Awaited(seats=(state.throwers[state.next].id,))


def check(state: Standing, order: Any) -> tuple[Obstacle, ...]:
    """What stands in the way."""
    if state.winner is not None:
        return (Violation("TOY-3", "over"),)
    if isinstance(order, Throw | Chase):
        if order.by != state.throwers[state.next].id:
            return (Violation("TOY-2", "not_your_turn", "by"),)
        if isinstance(order, Throw) and order.times == 3:
            return (Question("q1", "TOY-4", "three_dice", ("yes", "no")),)
        return ()
    return () if order.by == GM else (Violation("TOY-5", "gm_only", "by"),)


def plan(state: Standing, order: Any) -> Plan:
    """The dice of an order."""
    if not isinstance(order, Throw):
        return Plan(asked=(), findings=(), draws=isinstance(order, Chase))
    dice = range(_dice(state, order))
    return Plan(asked=tuple(_asked(state, Address(place)) for place in dice), findings=())


def resolve(state: Standing, order: Any, dice: Dice) -> Resolution[Standing]:
    """Decide."""
    if isinstance(order, Stop):
        finding = Finding("TOY-5", "stopped")
        return Resolution(replace(state, winner=""), (finding,))
    if isinstance(order, Give):
        given = Finding("TOY-5", "given", {"bearer": _next(state), "points": order.points})
        return Resolution(_added(state, order.points), (given,))
    if isinstance(order, Chase):
        return _chased(state, order, dice)
    thrower = state.throwers[state.next]
    faces = [
        dice.face(Address(index, 0), thrower.sheet.sides) for index in range(_dice(state, order))
    ]
    state = _added(state, sum(faces))
    total = state.sums[state.next]
    won = thrower.id if total >= state.house.target else None
    after = replace(state, winner=won, next=(state.next + 1) % len(state.throwers))
    thrown = Finding("TOY-2", "thrown", {"bearer": thrower.sheet.name, "total": total})
    if won is None:
        return Resolution(after, (thrown,))
    return Resolution(after, (thrown, Finding("TOY-3", "won", {"bearer": thrower.sheet.name})))


def view(state: Standing, seat: Seat) -> Standing:
    """Everything is seen by everybody."""
    return state


def choices(state: Standing, seat: Seat) -> Offer:
    """What a seat may do."""
    if seat == GM and state.winner is None:
        return Offer(orders=("close",))
    return Offer(orders=("throw", "chase") if seat in awaits(state).seats else ())


def forecast(state: Standing, order: Any) -> Forecast:
    """Nothing is foretold."""
    return Forecast(())


def _chased(state: Standing, order: Chase, dice: Dice) -> Resolution[Standing]:
    drawn: list[Asked] = []
    points = 0
    while not order.nothing:
        drawn.append(_asked(state, Address(2, len(drawn))))
        face = dice.face(drawn[-1].address, drawn[-1].sides)
        points += face
        if face == 1:
            break
    after = replace(_added(state, points), next=(state.next + 1) % len(state.throwers))
    findings = (Finding("TOY-6", "chased", {"bearer": _next(state), "total": points}),)
    return Resolution(after, findings, drawn=tuple(drawn))


def _next(state: Standing) -> str:
    return state.throwers[state.next].sheet.name


def _asked(state: Standing, address: Address) -> Asked:
    thrower = state.throwers[state.next]
    return Asked(
        address=address,
        sides=thrower.sheet.sides,
        phase="",
        action="throw",
        actor=thrower.id,
        targets=(),
        items=(thrower.sheet.name,),
        tally=Tally((Term("TOY-2", "points", state.sums[state.next]),)),
    )


def _dice(state: Standing, order: Throw) -> int:
    """Count the dice of a throw: whoever is far ahead throws one more."""
    return order.times + (1 if state.sums[state.next] >= 50 else 0)


def _added(state: Standing, points: int) -> Standing:
    sums = list(state.sums)
    sums[state.next] += points
    return replace(state, sums=tuple(sums))


TOY: Ruleset[Game, Standing, Any] = Ruleset(
    key="toy",
    edition="1",
    setup=Game,
    state=Standing,
    orders=(Throw, Chase, Give, Stop),
    check_setup=check_setup,
    start=start,
    awaits=awaits,
    awaits_for=lambda state, _seat: awaits(state),
    choices=choices,
    check=check,
    plan=plan,
    resolve=resolve,
    view=view,
    veils=lambda _before, _after, _author, _said: (),
    forecast=forecast,
)


def toy_setup(*ids: str, target: int = 6) -> Game:
    """Set up a game."""
    return Game(
        entrants=tuple(Thrower(id=id, sheet=Cup(name=f"Cup of {id}")) for id in ids),
        options=House(target=target),
    )
