"""Random values of the rules' own types: sheets, options, set-ups, orders, and whole fights.

``of`` makes a value of any annotation from the type alone, marks of length and bounds included.
The rest narrows it to fights in which things happen: few points, short distances, cheap techniques.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, reduce
from operator import or_
from random import Random
from typing import Annotated, Any, Final, TypeVar

import hypothesis
from hypothesis import HealthCheck
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from app.engine.dice import RecordedDice, Roll
from app.engine.findings import Finding
from app.engine.ruleset import GM, Plan
from app.engine.text import Between, Id, Length, Name, Points, Reason
from app.rulesets.guida.entrants import Entrant, StackCount, Uses
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.legality import DEFENCES
from app.rulesets.guida.offers import Choices, DefenceChoice, ToolChoice
from app.rulesets.guida.options import (
    ByCategory,
    Options,
    Regulation,
)
from app.rulesets.guida.orders import (
    Attack,
    Continuation,
    Defence,
    Generic,
    Independent,
    Main,
    Movement,
    Order,
    Preparation,
    Suspended,
    Turn,
)
from app.rulesets.guida.places import (
    Behind,
    Distance,
    Move,
    Reach,
)
from app.rulesets.guida.readings import (
    StatBonus,
)
from app.rulesets.guida.rulings import (
    Adequacy,
    Answer,
    Manual,
    Pause,
    Place,
    Resume,
    SetValue,
    Withdraw,
)
from app.rulesets.guida.setup import check_setup
from app.rulesets.guida.sheet import (
    AdditionalDamage,
    Amount,
    Armour,
    ArmourEffect,
    Heal,
    Modifier,
    Regeneration,
    ScorePoints,
    Sheet,
    StackEffect,
    StatPoints,
    Stats,
    Tool,
    Turns,
    Upkeep,
)
from app.rulesets.guida.state import (
    Scene,
    Setup,
    Underway,
)
from app.rulesets.guida.tables import COUNTERS
from app.rulesets.guida.terms import (
    Action,
    Aim,
    AttackKind,
    Category,
    Change,
    Claim,
    Limb,
    Stack,
    Standing,
    Stat,
)

IDS: Final = ("ada", "bo")
USUAL: Final = 100  # the examples Hypothesis tries unless a profile says otherwise

T = TypeVar("T")
Overrides = Mapping[Any, SearchStrategy[Any]]


def examples(count: int) -> hypothesis.settings:
    """Ask for so many examples, and for as many more as the profile in force asks for."""
    in_force = hypothesis.settings.default or hypothesis.settings()
    more = max(1, in_force.max_examples // USUAL)
    return hypothesis.settings(
        max_examples=count * more,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


# ------------------------------------------------------------------- from the types alone


def of(annotation: Any, overrides: Overrides | None = None) -> SearchStrategy[Any]:
    """Make values of an annotation; ``overrides`` says which annotations are made otherwise."""
    known = overrides or {}
    if annotation in known:
        return known[annotation]
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        return _marked(arguments[0], arguments[1:], known)
    if origin is tuple:
        return st.lists(of(arguments[0], known), max_size=3).map(tuple)
    if origin is frozenset:
        return st.frozensets(of(arguments[0], known), max_size=3)
    if origin in (typing.Union, types.UnionType):
        return st.one_of([of(argument, known) for argument in arguments])
    if dataclasses.is_dataclass(annotation) and isinstance(annotation, type):
        return fields_of(annotation, known)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return st.sampled_from(list(annotation))
    return _plain(annotation)


def fields_of(cls: type, overrides: Overrides, **given: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """Make a record: the fields given as they are given, the others from their types."""
    parts = {
        name: given[name] if name in given else of(hint, overrides)
        for name, hint in _hints(cls).items()
    }
    return st.builds(cls, **parts)


@cache
def _hints(cls: type) -> dict[str, Any]:
    hints = typing.get_type_hints(cls, include_extras=True)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls)}


def _marked(base: Any, marks: tuple[Any, ...], known: Overrides) -> SearchStrategy[Any]:
    for mark in marks:
        if isinstance(mark, Between):
            if base is int:
                return st.integers(mark.least, mark.most)
            return st.fractions(mark.least, mark.most, max_denominator=1000)
        if isinstance(mark, Length) and base is str:
            most = min(20, mark.most)
            return st.text(st.characters(codec="utf-8"), min_size=mark.least, max_size=most)
        if isinstance(mark, Length):
            item = of(typing.get_args(base)[0], known)
            return st.lists(item, min_size=mark.least, max_size=min(3, mark.most)).map(tuple)
    return of(base, known)


def _plain(annotation: Any) -> SearchStrategy[Any]:
    plain: dict[Any, SearchStrategy[Any]] = {
        str: st.text(max_size=10),
        bool: st.booleans(),
        int: st.integers(-99, 99),
        Fraction: st.fractions(-99, 99, max_denominator=100),
        types.NoneType: st.none(),
    }
    return plain[annotation]


# ------------------------------------------------------------------------- small numbers

SMALL: Final[dict[Any, SearchStrategy[Any]]] = {
    Name: st.sampled_from(("Artiglio", "Vento", "Scudo [1]", "Sonìdo")),
    Reason: st.sampled_from(("so ruled", "two\nlines")),
    Amount: st.fractions(0, 24, max_denominator=3),
    Points: st.integers(-4, 4),
    Turns: st.integers(1, 3),
}


def few(strategy: SearchStrategy[Any], most: int) -> SearchStrategy[tuple[Any, ...]]:
    """Make a short tuple."""
    return st.lists(strategy, max_size=most).map(tuple)


EDGES = (0, 3, 5, 9, 30)  # metres: distances and ranges that often meet exactly
MODIFIERS = few(of(Modifier, SMALL), 1)
EFFECTS = st.one_of(  # those that this edition applies
    fields_of(StatPoints, SMALL, stat=st.sampled_from((Stat.DEXTERITY, Stat.CONSTITUTION))),
    of(ScorePoints, SMALL),
    of(ArmourEffect, SMALL),
    fields_of(StackEffect, SMALL, count=st.integers(1, 3)),
    fields_of(Upkeep, SMALL, ep=st.integers(1, 4)),
    of(Regeneration, SMALL),
    fields_of(AdditionalDamage, SMALL, stat_bonus=st.integers(-2, 9).map(Fraction)),
    st.just(Heal()),
)


@cache
def tools(id: str, *, sure: bool = False) -> SearchStrategy[Tool]:
    """Make a technique or weapon; a ``sure`` one can attack wherever the sheet is read."""
    silent = st.sampled_from((True, False, False, False, False))
    made = fields_of(
        Tool,
        SMALL,
        id=st.just(id),
        name=st.just(f"Arte {id}"),
        potential=of(Amount, SMALL),
        stat_bonus=st.integers(-2, 9).map(Fraction),
        volley_size=st.integers(4, 7),
        optimal_m=st.sampled_from(EDGES),
        max_m=st.sampled_from((None, None, 0, 4, 15, 60)),
        ep=st.integers(0, 5),
        modifiers=MODIFIERS,
        effects=few(EFFECTS, 2),
    )

    def settled(given: tuple[Tool, bool, bool]) -> Tool:
        tool, no_potential, no_bonus = given
        if tool.max_m is not None:
            tool = dataclasses.replace(tool, max_m=tool.optimal_m + tool.max_m)
        if sure:
            kept = tuple(
                effect for effect in tool.effects[:1] if not isinstance(effect, Upkeep | Heal)
            )
            return dataclasses.replace(
                tool,
                attacks=True,
                category=tool.category or Category.C,
                attack_kind=AttackKind.TARGETED,
                max_m=None,
                ep=0,
                effects=kept,
            )
        return dataclasses.replace(
            tool,
            potential=None if no_potential else tool.potential,
            stat_bonus=None if no_bonus else tool.stat_bonus,
        )

    return st.tuples(made, silent, silent).map(settled)


@cache
def sheets(name: str, most: int = 3) -> SearchStrategy[Sheet]:
    """Make a sheet on which the first thing can always attack."""
    armour = fields_of(Armour, SMALL, category=st.none())
    return st.builds(
        Sheet,
        name=st.just(name),
        max_hp=st.integers(1, 80),
        max_ep=st.integers(0, 20),
        stats=st.builds(Stats, **dict.fromkeys(Stat, st.integers(0, 9))),
        tools=st.tuples(
            st.tuples(tools("t0", sure=True), *(tools(f"t{place}") for place in range(1, most))),
            st.sampled_from((*(most,) * 3, *range(1, most))),
        ).map(lambda held: held[0][: held[1]]),
        armour=st.one_of(st.none(), armour),
        modifiers=MODIFIERS,
    )


@cache
def options() -> SearchStrategy[Options]:
    """Make readings: any of the values the types allow, sensible where they are free."""
    halves = st.sampled_from((Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2)))
    free = fields_of(
        Options,
        {},
        aimable_kinds=few(st.sampled_from(("targeted", "multiple_1_5", "area")), 3),
        dodge_metres_per_dexterity=halves,
        potential_points_per_modifier=halves,
    )
    return st.one_of(st.just(Options()), free)


@cache
def regulations() -> SearchStrategy[Regulation]:
    """Make what a board supplies, or does not."""
    table = st.builds(ByCategory, **dict.fromkeys("DCBAS", st.integers(0, 30).map(Fraction)))
    return st.builds(
        Regulation,
        potential_by_category=st.one_of(st.none(), table),
        stat_bonus_source=st.sampled_from(StatBonus),
        range_ladder_m=st.sampled_from(((5, 10, 25, 60, 100, 250), (1, 2, 3), (20,))),
    )


@cache
def entrants(id: str, most: int = 3) -> SearchStrategy[Entrant]:
    """Make one fighter, fresh or from the middle of a fight."""
    uses = st.builds(Uses, tool=st.just("t0"), count=st.integers(0, 10))
    return st.builds(
        Entrant,
        id=st.just(id),
        team=st.just(id),
        sheet=sheets(id.title(), most),
        hp=st.one_of(st.none(), st.integers(-2, 90)),
        ep=st.one_of(st.none(), st.integers(0, 25)),
        stacks=few(st.builds(StackCount, stack=st.sampled_from(Stack), count=st.integers(1, 5)), 2),
        uses=few(uses, 1),
        armour_down=st.booleans(),
    )


@cache
def setups(
    most_tools: int = 3, most_underway: int = 2, at: tuple[str, str] | None = None
) -> SearchStrategy[Setup]:
    """Make a set-up of two that nothing stands in the way of.

    ``at`` names who attacks whom in all attacks on their way, of which there are then as many.
    """
    flying = st.one_of(_underway(*IDS), _underway(*IDS[::-1]))
    if at is not None:
        sure = st.lists(_underway(*at), min_size=most_underway, max_size=most_underway).map(tuple)
    places = st.builds(Behind, who=st.just("ada"), whom=st.just("bo"))
    made = st.builds(
        Setup,
        entrants=st.tuples(*(entrants(id, most_tools) for id in IDS)),
        distances=st.one_of(st.sampled_from(EDGES), st.integers(0, 40)).map(
            lambda metres: (Distance(a="ada", b="bo", metres=metres),)
        ),
        behind=few(places, 1),
        underway=few(flying, most_underway) if at is None else sure,
        first=st.sampled_from((None, *IDS)) if at is None else st.just(at[1]),
        options=options(),
        regulation=regulations(),
    )
    return made.filter(lambda setup: not check_setup(setup))


@cache
def _underway(attacker: str, target: str) -> SearchStrategy[Underway]:
    aims = st.sampled_from(
        ((Aim.BODY, None), (Aim.HEAD, None), *((Aim.LIMBS, limb) for limb in Limb))
    )
    return st.builds(
        lambda die, modifier, aim: Underway(
            attacker=attacker,
            target=target,
            tool="t0",
            die=die,
            modifier=modifier,
            aim=aim[0],
            limb=aim[1],
        ),
        st.integers(1, 12),
        st.integers(4, 22),
        aims,
    )


# --------------------------------------------------------------------------- legal turns
#
# What depends on the state is picked with a `Random` whose every choice is Hypothesis's own: the
# picks shrink like any others, and no strategy has to be made anew at each step of a fight.


def legal_turn(pick: Random, scene: Scene, seat: str) -> Turn:
    """Pick a legal turn of a seat that is awaited: of what it is offered, with moves besides."""
    offered = GUIDA.choices(scene, seat)
    assert offered.obstacles == ()
    suspended: tuple[Suspended, ...] = ()
    if offered.suspended:
        then = offered.if_confirmed if pick.randint(0, 1) else None
        suspended = tuple(
            Suspended(action=one.id, confirm=then is not None) for one in offered.suspended
        )
        offered = then or offered
    defences = _defences(pick, scene, offered)
    independents = _independents(pick, offered)
    countered = any(one.action in COUNTERS for one in defences)
    free = not countered or scene.options.annulled_counter_frees_main_action
    main = _main(pick, scene, offered) if free else None
    loose = _some(pick, offered.quiet_support) if main is None and not countered else ()
    # What the parts cannot know of one another (energy, a support used twice, a place after a
    # dodge) is mended by leaving things out, the last first; an empty post is always legal.
    for parts in (
        {"defences": defences, "independents": independents, "main": main, "loose": loose},
        {"defences": defences, "independents": independents, "main": _plainer(main)},
        {"defences": defences, "main": _plainer(main)},
        {"defences": defences},
        {"defences": tuple(_plain_defence(one) for one in defences)},
        {"main": _plainer(main)},
        {"loose": loose},
    ):
        turn = Turn(by=seat, suspended=suspended, **parts)
        if not GUIDA.check(scene, turn):
            return turn
    return Turn(by=seat, suspended=suspended)


def _plainer(main: Main | None) -> Main | None:
    if isinstance(main, Movement):
        return dataclasses.replace(main, support=())
    return None if main is None else dataclasses.replace(main, move=None, support=())


def _plain_defence(defence: Defence) -> Defence:
    return dataclasses.replace(defence, move=None, support=())


def _defences(pick: Random, scene: Scene, offered: Choices) -> tuple[Defence, ...]:
    authors = {one.id: one.attacker for one in offered.incoming}
    authors |= {one.id: one.actor for one in offered.pending}
    left = _shuffled(pick, list(authors))
    made: list[Defence] = []
    while left:
        first = left.pop()
        fitting = [one for one in offered.defences if first in one.against]
        if not fitting or pick.randint(0, 7) == 7:
            continue
        choice = pick.choice(fitting)
        covered = [first]
        for other in list(left):
            same = not choice.continues or authors[other] == authors[first]
            if other in choice.against and same and pick.randint(0, 1):
                left.remove(other)
                covered.append(other)
        held = [*choice.tools, *(far.tool for far in choice.after_move)]
        tools = [*([None] if choice.bare else []), *sorted(held, key=lambda tool: tool.id)]
        made.append(_defence(pick, scene, offered, choice, covered, pick.choice(tools)))
    return tuple(_shuffled(pick, made))


def _defence(
    pick: Random,
    scene: Scene,
    offered: Choices,
    choice: DefenceChoice,
    covered: list[str],
    tool: ToolChoice | None,
) -> Defence:
    move = then = None
    if choice.moves and pick.randint(0, 2) == 0:
        reach = 20 if choice.reach_m is None else int(choice.reach_m)
        move = _move(pick, scene, offered.seat, reach)
        if choice.action is Action.DODGE:
            move = dataclasses.replace(move, behind=())
    if choice.continues and tool is not None and pick.randint(0, 2):
        aim = pick.choice(tool.aims)
        then = Continuation(
            aim=aim,
            limb=pick.choice(tool.limbs) if aim is Aim.LIMBS else None,
            claims=(Claim.SURPRISE,) if pick.randint(0, 7) == 7 else (),
            first=pick.randint(0, 2) == 2,
        )
    return Defence(
        action=choice.action,
        against=tuple(covered),
        tool=tool.id if tool else None,
        support=_some(pick, choice.support) if pick.randint(0, 1) else (),
        move=move,
        then=then,
    )


def _independents(pick: Random, offered: Choices) -> tuple[Independent, ...]:
    return tuple(
        Independent(tool=tool.id, against=pick.choice(offered.incoming).id)
        for tool in offered.independents
        if pick.randint(0, 3) == 3
    )


def _main(pick: Random, scene: Scene, offered: Choices) -> Main | None:
    kind = pick.choice(
        ("attack",) * 5 + ("preparation", "movement", "movement", "generic", "generic", "none")
    )
    quiet = _some(pick, offered.quiet_support) if pick.randint(0, 2) == 2 else ()
    if kind == "attack" and offered.attacks:
        choice = pick.choice(offered.attacks)
        aim = pick.choice(choice.aims)
        return Attack(
            target=choice.target,
            tool=choice.tool.id,
            aim=aim,
            limb=pick.choice(choice.limbs) if aim is Aim.LIMBS else None,
            support=_some(pick, offered.support),
            move=_move(pick, scene, offered.seat, 20) if pick.randint(0, 3) == 3 else None,
            claims=tuple(claim for claim in choice.claims if pick.randint(0, 7) == 7),
        )
    if kind == "preparation":
        helping = _shuffled(pick, offered.preparation)[: pick.randint(0, 1)]
        reach = int(offered.preparation_reach_m)
        move = _move(pick, scene, offered.seat, reach) if pick.randint(0, 2) == 2 else None
        return Preparation(move=move, support=tuple(one.id for one in helping))
    if kind == "movement":
        return Movement(move=_move(pick, scene, offered.seat, 20), support=quiet)
    if kind == "generic" and offered.generics:
        tool = pick.choice(offered.generics)
        near = [one.id for one in offered.beneficiaries if one.id not in tool.too_far]
        whom = pick.choice([None, *near])
        return Generic(
            tool=tool.id,
            beneficiary=whom,
            support=tuple(id for id in quiet if id != tool.id),
            # A move could leave the one it is for out of its reach.
            move=_move(pick, scene, offered.seat, 20)
            if whom is None and pick.randint(0, 3) == 3
            else None,
        )
    return None


def _move(pick: Random, scene: Scene, who: str, reach: int) -> Move:
    others = [one.id for one in scene.combatants if one.id != who]
    steps = []
    for other in others:
        now = int(scene.metres(who, other))
        steps.append(Reach(to=other, metres=pick.randint(max(0, now - reach), now + reach)))
    return Move(distances=tuple(steps), behind=tuple(others) if pick.randint(0, 4) == 4 else ())


def _some(pick: Random, tools: Sequence[ToolChoice]) -> tuple[str, ...]:
    return tuple(tool.id for tool in _shuffled(pick, tools) if pick.randint(0, 1))


def _shuffled(pick: Random, things: Sequence[T]) -> list[T]:
    return list(things) if len(things) < 2 or pick.randint(0, 1) else list(things[::-1])


# ------------------------------------------------------------------ what the Master does


def ruling(pick: Random, scene: Scene) -> Order | None:
    """Pick something that is decided outside a turn, if it happens to be legal now."""
    kind = pick.choice(("manual",) * 5 + ("set_value", "place", "adequacy", "pause", "withdraw"))
    who = pick.choice(IDS)
    match kind:
        case "manual":
            order: Order = Manual(
                by=pick.choice((GM, who)),
                combatant=who,
                change=pick.choice((Change.HP, Change.EP, Change.POINTS, Change.STACKS)),
                amount=pick.randint(-9, 9),
                stat=pick.choice(tuple(Stat)),
                stack=pick.choice(tuple(Stack)),
                reason="two\nlines",
            )
        case "set_value":
            change = pick.choice((Change.HP, Change.EP))
            value = pick.randint(0, 60)
            order = SetValue(by=GM, combatant=who, change=change, value=value, reason="so be it")
        case "place":
            order = Place(
                by=GM,
                distances=(Distance(a="bo", b="ada", metres=pick.randint(0, 40)),),
                behind=pick.choice((None, (), (Behind(who="ada", whom="bo"),))),
                reason="seen again",
            )
        case "adequacy":
            order = Adequacy(
                by=GM,
                attack=pick.choice([attack.id for attack in scene.incoming] or ["a0"]),
                defence=pick.choice(DEFENCES),
                adequate=pick.choice((False, False, True)),
                reason="so ruled",
            )
        case "pause":
            order = Pause(by=GM, reason="a pause")
        case _:
            # A fight is seldom given up: most of these tests are about what comes after.
            standing = pick.choice((Standing.ACTIVE, Standing.ACTIVE, Standing.LEFT))
            order = Withdraw(by=GM, combatant=who, standing=standing, reason="enough")
    return None if GUIDA.check(scene, order) else order


def answer(pick: Random, scene: Scene) -> Answer:
    """Answer one of the open questions; most who fall fight on."""
    question = pick.choice(scene.questions)
    choice = pick.choice(question.choices)
    if question.code == "defeat" and pick.randint(0, 3):
        choice = "fights_on"
    return Answer(by=GM, question=question.id, choice=choice, reason="so ruled")


# ------------------------------------------------------------------------- whole fights


@dataclass(frozen=True)
class Step:
    """One decision of a fight: before, the order and its dice, and what came of it."""

    before: Scene
    order: Order
    plan: Plan
    rolls: tuple[Roll, ...]
    after: Scene
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Fight:
    """A fight from its set-up, decision by decision."""

    setup: Setup
    steps: tuple[Step, ...]

    @property
    def end(self) -> Scene:
        """Give the last state."""
        return self.steps[-1].after if self.steps else GUIDA.start(self.setup)

    @property
    def states(self) -> tuple[Scene, ...]:
        """Give every state, the first included."""
        return (GUIDA.start(self.setup), *(step.after for step in self.steps))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Give everything found, in order."""
        return tuple(finding for step in self.steps for finding in step.findings)


def step(scene: Scene, order: Order, pick: Random) -> Step:
    """Decide a legal order with random dice."""
    assert GUIDA.check(scene, order) == ()
    plan = GUIDA.plan(scene, order)
    rolls = tuple(Roll(one.address, one.sides, pick.randint(1, one.sides)) for one in plan.asked)
    done = GUIDA.resolve(scene, order, RecordedDice(rolls))
    return Step(scene, order, plan, rolls, done.state, done.findings)


def next_order(pick: Random, scene: Scene) -> Order:
    """Pick one legal order in a scene that goes on."""
    if scene.paused:
        return Resume(by=GM, reason="go on")
    awaited = GUIDA.awaits(scene)
    if scene.questions and (not awaited.seats or pick.randint(0, 1)):
        return answer(pick, scene)
    if pick.randint(0, 3) == 3 and (ruled := ruling(pick, scene)) is not None:
        return ruled
    (seat,) = awaited.seats
    return legal_turn(pick, scene, seat)


@st.composite
def fights(draw: DrawFn, most: int = 10) -> Fight:
    """Play a random fight of two."""
    setup = draw(setups())
    pick = draw(RANDOMS)
    scene = GUIDA.start(setup)
    played: list[Step] = []
    for _ in range(pick.randint(3, most)):
        if scene.ended:
            break
        played.append(step(scene, next_order(pick, scene), pick))
        scene = played[-1].after
    return Fight(setup, tuple(played))


def play_on(scene: Scene, posts: int) -> tuple[Scene, tuple[Finding, ...]]:
    """Let both post and do nothing for a while; whoever falls fights on, claims are denied."""
    findings: list[Finding] = []
    none = RecordedDice(())
    for _ in range(posts):
        if scene.paused:
            scene = GUIDA.resolve(scene, Resume(by=GM, reason="go on"), none).state
        for question in scene.questions:
            choice = {"defeat": "fights_on"}.get(question.code, "deny")
            order = Answer(by=GM, question=question.id, choice=choice, reason="go on")
            scene = GUIDA.resolve(scene, order, none).state
        done = GUIDA.resolve(scene, Turn(by=scene.next), none)
        scene = done.state
        findings += done.findings
    return scene, tuple(findings)


RANDOMS = st.randoms(use_true_random=False)
WILD: Final[dict[Any, SearchStrategy[Any]]] = {
    **SMALL,
    Id: st.sampled_from(("ada", "bo", "gm", "t0", "t1", "t9", "a1", "a2", "q1", "q2", "confirm")),
    Sheet: sheets("Dan"),
}


@cache
def wild_orders() -> SearchStrategy[Order]:
    """Make orders from the types alone: any field anything, ids among those that may exist."""
    return reduce(or_, (of(kind, WILD) for kind in GUIDA.orders))
