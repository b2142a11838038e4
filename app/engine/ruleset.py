"""The narrow door: what every game gives to the service, and nothing a single game needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeAlias, TypeVar

from app.engine.campaign import Campaign
from app.engine.dice import Address, Dice, Roll
from app.engine.findings import Finding, Obstacle, Question
from app.engine.glance import Glance, nothing_shown
from app.engine.odds import Autoplay
from app.engine.tally import Tally

Setup = TypeVar("Setup")
State = TypeVar("State")
Order = TypeVar("Order")

Seat: TypeAlias = str
"""Who looks or acts: the id of a combatant, or one of the two below."""

GM: Seat = "gm"
SPECTATOR: Seat = "spectator"


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A seat of a scene as it stands, and who plays it besides whoever holds it.

    ``by`` is the seat whose holder plays it too; ``npc`` says that the Master does.
    """

    seat: Seat
    by: Seat | None = None
    npc: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A die that an order needs, with all that its label must say, known before it is thrown."""

    address: Address
    sides: int
    phase: str
    action: str
    actor: str
    targets: tuple[str, ...]
    items: tuple[str, ...]
    tally: Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Veil:
    """What one seat may not know of a decision.

    ``author``: who decided, and with it everything not told otherwise; ``story``: the order, its
    prose and its reason; ``findings`` are places in the list of findings, ``dice`` the dice.
    """

    seat: Seat
    author: bool = False
    story: bool = False
    findings: tuple[int, ...] = ()
    dice: tuple[Address, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What an order declares before any die falls: its dice, and what is settled already.

    ``draws`` says that deciding it may ask for more dice, as those before them fall. Then a place
    holds dice of one size, and their indices count from 0 without a gap.
    """

    asked: tuple[Asked, ...]
    findings: tuple[Finding, ...]
    draws: bool = False


@dataclass(frozen=True, slots=True)
class Resolution(Generic[State]):
    """The state after a decision, and everything that was found on the way.

    ``drawn`` are the dice that it asked for beyond the plan, in the order in which they fell.
    """

    state: State
    findings: tuple[Finding, ...]
    drawn: tuple[Asked, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """What was said in deciding: the dice that were asked for, and what was found."""

    asked: tuple[Asked, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Awaited:
    """Whose decision is next.

    ``seats`` may decide now (several at once where orders stay ``sealed`` until all are in);
    ``questions`` wait for the Master; ``blocked`` seats wait for one of those answers;
    ``ended`` says that nobody decides any more.
    """

    seats: tuple[Seat, ...]
    questions: tuple[Question, ...] = ()
    blocked: tuple[Seat, ...] = ()
    sealed: bool = False
    paused: bool = False
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Chance:
    """One thing that may come of an order, with its exact probability."""

    outcome: tuple[tuple[str, Fraction | str], ...]
    probability: Fraction


@dataclass(frozen=True, slots=True)
class Law:
    """The exact law of one uncertain thing; its probabilities sum to 1."""

    key: str
    about: tuple[tuple[str, str], ...]
    chances: tuple[Chance, ...]


@dataclass(frozen=True, slots=True)
class Forecast:
    """What an order leads to: one law for each thing it leaves to the dice."""

    laws: tuple[Law, ...]


def any_dice(_state: Any, _order: Any, _rolls: tuple[Roll, ...]) -> tuple[Obstacle, ...]:
    """Find nothing against dice: a game in which labels list no modifiers needs no more."""
    return ()


def fixed_roster(_state: Any) -> tuple[Played, ...]:
    """Say that the seats are those of the set-up, each for itself."""
    return ()


def bare_situation(_state: Any, _question: Question) -> tuple[tuple[str, str], ...]:
    """Say nothing of what a question is about: a game without precedents needs no more."""
    return ()


def unnamed(_state: Any) -> str:
    """Give what is awaited no name: then it is told by the seats that are."""
    return ""


def nothing_lapses(_state: Any, _reason: str) -> Any | None:
    """Give no order: a game without defaults only shows its deadlines."""
    return None


def as_it_is(state: Any, _seat: Seat) -> Any:
    """Leave a state as it is: a game without turns needs no more."""
    return state


def never_lifted(_state: Any, _order: Any) -> bool:
    """Say that what was once withheld of an order stays so: most veils are no seals."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset(Generic[Setup, State, Order]):
    """One game, as a record of pure functions over its own types.

    ``start`` makes the first state of a set-up that ``check_setup`` found nothing against.
    ``awaits`` says whose decision is next, ``awaits_for`` what of that a seat may know;
    ``choices`` lists what a seat may decide, as data that drives form and API. ``check`` lists
    everything that stands in the way of an order, at once. ``plan`` declares the dice of an
    order; ``resolve`` decides it and, after an empty check, never fails. ``check_dice`` lists what
    is wrong with dice that somebody threw elsewhere for such an order, in the sequence of the plan.
    ``view`` gives what a seat may see; ``veils`` what of a decision which seats may not know, from
    the states before and after it, its author and what was said; ``forecast`` the exact law of
    outcomes. ``roster`` lists the seats as they are by now, where they can change;
    ``in_turn`` gives the state as it would be if it were a seat's turn. ``situation`` describes
    what a question is about, by name and value and without naming anybody, so that a like question
    is known again. ``lifts`` says of an order that was withheld whether everybody may know it by
    now, as what players seal until all have decided. ``draws`` says that orders may ask for dice as
    others fall, so that no post can list them beforehand for a forum to roll. ``autoplay`` says how
    a game plays itself by standing
    and default orders, None where a game knows none, so that nobody can tell the odds of a scene.
    ``awaiting`` names what is awaited, so that another
    name means another deadline; ``lapse`` gives the Master's order, with a reason, that decides it
    by default once its deadline has passed, None where there is no default. ``campaign`` is what
    the game says of beings that live on between its scenes. ``glance`` picks from a view the main
    figures of everybody in it, for charts and summaries.
    """

    key: str
    edition: str
    setup: type[Setup]
    state: type[State]
    orders: tuple[type, ...]
    check_setup: Callable[[Setup], tuple[Obstacle, ...]]
    start: Callable[[Setup], State]
    awaits: Callable[[State], Awaited]
    awaits_for: Callable[[State, Seat], Awaited]
    choices: Callable[[State, Seat], Any]
    check: Callable[[State, Order], tuple[Obstacle, ...]]
    plan: Callable[[State, Order], Plan]
    resolve: Callable[[State, Order, Dice], Resolution[State]]
    view: Callable[[State, Seat], Any]
    veils: Callable[[State, State, Seat, Said], tuple[Veil, ...]]
    forecast: Callable[[State, Order], Forecast]
    check_dice: Callable[[State, Order, tuple[Roll, ...]], tuple[Obstacle, ...]] = any_dice
    roster: Callable[[State], tuple[Played, ...]] = fixed_roster
    in_turn: Callable[[State, Seat], State] = as_it_is
    situation: Callable[[State, Question], tuple[tuple[str, str], ...]] = bare_situation
    lifts: Callable[[State, Order], bool] = never_lifted
    draws: bool = False
    autoplay: Autoplay[Setup, State, Order] | None = None
    awaiting: Callable[[State], str] = unnamed
    lapse: Callable[[State, str], Order | None] = nothing_lapses
    campaign: Campaign[State] | None = None
    glance: Callable[[Any], Glance] = nothing_shown
