"""Small scenes for cases: two fighters, and a way to play posts through the turn engine."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from app.engine.dice import RecordedDice, Roll, Tagged
from app.engine.findings import Finding, Obstacle
from app.engine.ruleset import Plan
from app.engine.tally import Tally
from app.ops.given import CaseError, Given
from app.persistence.codec import Malformed, decode
from app.rulesets.guida.allies import works_as
from app.rulesets.guida.combatants import (
    Combatant,
    Running,
)
from app.rulesets.guida.entrants import Entrant, StackCount
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.options import (
    Options,
    Regulation,
)
from app.rulesets.guida.orders import (
    Attack,
    Continuation,
    Defence,
    Generic,
    Independent,
    Knock,
    Order,
    Suspended,
    Turn,
)
from app.rulesets.guida.places import (
    Distance,
    Move,
    Reach,
)
from app.rulesets.guida.sheet import Armour, Knockback, Modifier, Sheet, StatPoints, Stats, Tool
from app.rulesets.guida.state import (
    Scene,
    Setup,
    Underway,
)
from app.rulesets.guida.tables import ACTION_BONUS, ACTION_DIE, CARRYING, COUNTERS, DISTANCE_BEST
from app.rulesets.guida.terms import Action, AttackForm, Category, DamageType, Score, Stack

ATTACKER, DEFENDER, ALLY = "A", "B", "C"
SPEED = "speed_"
LAUNCH = 6  # the natural die of what is launched in these scenes; it hits nothing vital
REPLY = "reply"  # the technique with which the defender shows that its Offensive Phase is held


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The options and the regulation of a case: the defaults, but for its ``ruleset``."""

    options: Options
    regulation: Regulation


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """One order as it was played: the scenes around it, its dice as declared, its findings."""

    before: Scene
    after: Scene
    plan: Plan
    findings: tuple[Finding, ...]

    def facts(self, *keys: str) -> list[dict[str, object]]:
        """Give the facts of the findings with one of these keys, each with its ``key``."""
        return [{"key": one.key, **one.facts} for one in self.findings if one.key in keys]

    def has(self, *keys: str) -> bool:
        """Say whether one of these keys was found."""
        return any(finding.key in keys for finding in self.findings)

    def outcome(self) -> str:
        """Give how the first speed check ended, or an empty text."""
        ends = (one.key for one in self.findings if one.key.startswith(SPEED))
        return next(ends, "").removeprefix(SPEED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A defence that comes to a score given beforehand, by a modifier of what supports it.

    ``weapon`` is what a parry or a counterattack is made with; ``faces`` are its natural dice.
    """

    action: Action
    effort: Tool
    faces: tuple[int, ...]
    weapon: Tool | None = None

    @property
    def tools(self) -> tuple[Tool, ...]:
        """List what its user must have on the sheet."""
        return (self.effort,) if self.weapon is None else (self.effort, self.weapon)

    def against(
        self,
        *attacks: str,
        move: Move | None = None,
        then: Continuation | None = None,
        also: tuple[str, ...] = (),
    ) -> Defence:
        """Declare it against these incoming actions; ``also`` are secondary actions tied to it."""
        return Defence(
            action=self.action,
            against=attacks,
            tool=self.weapon.id if self.weapon else None,
            support=(self.effort.id, *also) if self.faces else (),
            move=move,
            then=then,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Coming:
    """An attack or a generic action that comes to a score given beforehand."""

    id: str
    score: int
    generic: bool = False
    form: AttackForm = AttackForm.MELEE
    potential: Fraction | int = 10
    knocks: bool = False
    at_ally: bool = False

    @property
    def tool(self) -> Tool:
        """Make the technique it is launched with, from the range that suits it best."""
        score = Score.SUCCESS if self.generic else Score.HIT
        points = self.score - LAUNCH - (0 if self.generic else DISTANCE_BEST)
        modifier = Modifier(name=self.id, score=score, points=points)
        thrown = {"effects": (Knockback(),), "potential_bonus": Fraction(self.score)}
        effects = thrown if self.knocks else {}
        return tool(self.id, self.potential, form=self.form, modifiers=(modifier,), **effects)


def scored(
    action: Action, score: int, id: str = "effort", ep: int = 0, weapon: Tool | None = None
) -> Scored:
    """Make a defence that comes to this score; null defence has none.

    A parry or a counterattack without a ``weapon`` gets one as strong as any other technique.
    """
    if ACTION_DIE[action] is None:
        return Scored(action=action, effort=tool(id), faces=())
    bonus = ACTION_BONUS[action]
    points = score - 1 - (bonus[1] if bonus else 0)
    if action is Action.ALLY_DODGE:
        points -= CARRYING  # nobody in these scenes is strong
    counters = action in COUNTERS
    modifier = Modifier(name=id, score=Score.HIT if counters else Score.DEFEND, points=points)
    needs = counters or action in (Action.PARRY, Action.ALLY_PARRY)
    return Scored(
        action=action,
        effort=tool(id, ep=ep, modifiers=(modifier,)),
        faces=(1, LAUNCH) if counters else (1,),
        weapon=(weapon or tool(f"weapon-{id}")) if needs else None,
    )


def read_rules(given: Given) -> Rules:
    """Read ``ruleset``; raise CaseError for an option that this edition does not have."""
    return rules_of(given.raw("ruleset"))


def rules_of(data: object) -> Rules:
    """Read option overrides; the numbers that a board supplies stand among them."""
    if not isinstance(data, dict | None):
        raise CaseError("ruleset is not an object")
    data = dict(data or {})
    if data.get("hp_floor") == 0:
        data["hp_floor"] = "0"  # one choice of this option is a number
    names = {field.name for field in dataclasses.fields(Regulation)}
    known = names | {field.name for field in dataclasses.fields(Options)}
    if unknown := sorted(set(data) - known):
        raise CaseError(f"this edition has no option {', '.join(unknown)}")
    try:
        return Rules(
            options=decode(Options, {key: data[key] for key in data if key not in names}),
            regulation=decode(Regulation, {key: data[key] for key in data if key in names}),
        )
    except Malformed as wrong:
        raise CaseError(f"ruleset: {wrong}") from None


def tool(id: str, potential: Fraction | int = 10, **fields: object) -> Tool:
    """Make a technique that may serve for anything and does pure damage equal to its potential."""
    made = Tool(
        id=id,
        name=id,
        attacks=True,
        guards=True,
        supports=True,
        parries=True,
        generic=True,
        potential=Fraction(potential),
        category=Category.B,
        stat_bonus=Fraction(0),
        damage=DamageType.PURE,
    )
    return dataclasses.replace(made, **fields)  # type: ignore[arg-type]  # named by the caller


def fighter(
    id: str,
    *tools: Tool,
    stats: Stats | None = None,
    hp: int = 1000,
    max_hp: int | None = None,
    ep: int = 1000,
    armour: Armour | None = None,
    modifiers: tuple[Modifier, ...] = (),
    stacks: dict[Stack, int] | None = None,
) -> Entrant:
    """Make a fighter with its sheet; all have the technique to reply with."""
    sheet = Sheet(
        name=id,
        max_hp=max(hp, 1) if max_hp is None else max_hp,
        max_ep=ep,
        stats=stats or Stats(),
        tools=(*tools, tool(REPLY)),
        armour=armour,
        modifiers=modifiers,
    )
    held = tuple(StackCount(stack=stack, count=count) for stack, count in (stacks or {}).items())
    return Entrant(id=id, team=id, sheet=sheet, hp=hp, ep=ep, stacks=held)


def duel(
    rules: Rules,
    *entrants: Entrant,
    metres: int = 5,
    underway: Iterable[Underway] = (),
    first: str = ATTACKER,
) -> Scene:
    """Start a scene of two or more, each so many metres from every other."""
    setup = Setup(
        entrants=entrants,
        distances=tuple(
            Distance(a=one.id, b=other.id, metres=Fraction(metres))
            for one, other in combinations(entrants, 2)
        ),
        underway=tuple(underway),
        first=first,
        options=rules.options,
        regulation=rules.regulation,
    )
    return begin(setup)


def begin(setup: Setup) -> Scene:
    """Start a scene; raise CaseError if its set-up is not sound."""
    refuse(GUIDA.check_setup(setup))
    return GUIDA.start(setup)


def refuse(obstacles: Iterable[Obstacle]) -> None:
    """Raise CaseError for whatever stands in the way."""
    if codes := [obstacle.code for obstacle in obstacles]:
        raise CaseError(f"the scene of this case is not legal: {', '.join(codes)}")


def arriving(id: str, score: int, die: int = 1) -> Underway:
    """Make an attack on its way with this hit score in all."""
    return Underway(attacker=ATTACKER, target=DEFENDER, tool=id, die=die, modifier=score - die)


def thrown(
    plan: Plan, faces: Iterable[int], modifiers: Iterable[Fraction] = ()
) -> tuple[Roll, ...]:
    """Put natural dice to those that are asked for, and the modifiers of their tags if given."""
    listed = [Fraction(die.tally.total) for die in plan.asked]
    natural, declared = tuple(faces), tuple(modifiers) or tuple(listed)
    for given in (natural, declared):
        if len(given) != len(plan.asked):
            raise CaseError(f"{len(plan.asked)} dice are asked for, {len(given)} are given")
    try:
        return tuple(
            Roll(die.address, die.sides, face, None if tag == own else Tagged(tag, own))
            for die, face, tag, own in zip(plan.asked, natural, declared, listed, strict=True)
        )
    except ValueError as wrong:
        raise CaseError(str(wrong)) from None


def post(
    scene: Scene, order: Order, faces: Iterable[int] = (), modifiers: Iterable[Fraction] = ()
) -> Post:
    """Play an order that is legal, with the natural dice in the order in which it asks for them."""
    refuse(GUIDA.check(scene, order))
    plan = GUIDA.plan(scene, order)
    rolls = thrown(plan, faces, modifiers)
    refuse(GUIDA.check_dice(scene, order, rolls))
    done = GUIDA.resolve(scene, order, RecordedDice(rolls))
    return Post(before=scene, after=done.state, plan=plan, findings=done.findings)


def read_stacks(given: Given) -> dict[Stack, int]:
    """Read how many stacks of which conditions; raise CaseError for one this edition lacks."""
    stacks: dict[Stack, int] = {}
    for name in given.names():
        if name not in set(Stack):
            raise CaseError(f"this edition has no stack {name!r}")
        stacks[Stack(name)] = given.whole(name)
    return stacks


def with_points(who: Combatant, effects: Iterable[StatPoints]) -> Combatant:
    """Put bonus points in force on a fighter."""
    running = tuple(
        Running(effect=effect, name=str(at), tool=str(at), user=who.id, since=0, until=None)
        for at, effect in enumerate(effects)
    )
    return dataclasses.replace(who, effects=(*who.effects, *running))


def opened(scene: Scene, id: str) -> Combatant:
    """Give a combatant in the turn that is next, with all that was given acting as it is.

    What a turn begins with is left out: fire and frost would wear off before they are looked at.
    """
    who = scene.who(id)
    return dataclasses.replace(who, turn=who.turn + 1)


def reply(*defences: Defence, independents: tuple[Independent, ...] = ()) -> Turn:
    """Let the defender answer, and then attack to show whether it still can.

    A counterattack takes the one main action, so that beside one nothing more is declared.
    """
    countered = any(defence.action in COUNTERS for defence in defences)
    main = None if countered else Attack(target=ATTACKER, tool=REPLY)
    return Turn(by=DEFENDER, defences=defences, independents=independents, main=main)


def launched(rules: Rules, coming: Iterable[Coming], *defenders: Entrant) -> Scene:
    """Let one author after the other launch an action at the defender, each in a post of its own.

    The first is the attacker of the other scenes, the next ones stand by it.
    """
    actions = {_author(place): one for place, one in enumerate(coming)}
    authors = [
        dataclasses.replace(fighter(id, one.tool), team=ATTACKER) for id, one in actions.items()
    ]
    idle = () if authors else (fighter(ATTACKER),)
    first = ATTACKER if authors else DEFENDER
    allies = [dataclasses.replace(fighter(ALLY), team=DEFENDER)]
    side = (*defenders, *allies) if any(one.at_ally for one in actions.values()) else defenders
    scene = duel(rules, *authors, *idle, *side, first=first)
    for id, one in actions.items():
        if one.generic:
            turn = Turn(by=id, main=Generic(tool=one.id))
        else:
            knock = Knock() if one.knocks else None
            target = ALLY if one.at_ally else DEFENDER
            turn = Turn(by=id, main=Attack(target=target, tool=one.id, knock=knock))
        scene = post(scene, turn, [LAUNCH]).after
    return scene


def move_between(scene: Scene, action: Action) -> Move:
    """Make the move of a protector: beside the ally, or with it where a dodge carries it off."""
    carries = works_as(scene.options, action) is Action.DODGE
    to = ATTACKER if carries else ALLY
    return Move(distances=(Reach(to=to, metres=int(scene.metres(DEFENDER, to))),))


def ids_of(scene: Scene) -> dict[str, str]:
    """Give the id of each action under way by the technique it is launched with."""
    attacks = {one.tool.id: one.id for one in scene.incoming}
    return attacks | {one.tool.id: one.id for one in scene.pending if one.tool}


def choose(scene: Scene, owner: str, *, confirm: bool) -> tuple[Suspended, ...]:
    """Confirm or annul every suspended action of its owner."""
    return tuple(Suspended(action=one.id, confirm=confirm) for one in scene.suspended(owner))


def bonus_of(tally: Tally, *keys: str) -> Fraction | None:
    """Add up the terms of these keys; None where there is none."""
    found = [term.value for term in tally.terms if term.key in keys]
    return sum(found, Fraction(0)) if found else None


def _author(place: int) -> str:
    return f"{ATTACKER}{place}" if place else ATTACKER
