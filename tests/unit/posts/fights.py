"""Whole fights for posts: two sheets with names that try everything, played by chance."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from app.engine.dice import Roll, draw
from app.engine.ruleset import GM, Plan, Resolution
from app.posts.write import PostSource
from app.rulesets.guida import orders, places, rulings
from app.rulesets.guida.choices import choices
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.offers import Choices
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.sheet import (
    Armour,
    ArmourEffect,
    Modifier,
    ScorePoints,
    Sheet,
    StackEffect,
    StatPoints,
    Stats,
    Tool,
    Upkeep,
)
from app.rulesets.guida.state import (
    Scene,
    Setup,
)
from app.rulesets.guida.terms import (
    Action,
    Aim,
    Bearer,
    Category,
    Change,
    DamageType,
    Limb,
    Means,
    Score,
    Stack,
    Standing,
    Stat,
)


@dataclass(frozen=True)
class Told:
    """A story with something typed for each phase."""

    initial: str = ""
    defensive: str = ""
    offensive: str = ""


@dataclass(frozen=True)
class Played:
    """A decision with its dice."""

    plan: Plan
    rolls: tuple[Roll, ...]
    result: Resolution[Scene]

    def source(self, language: str = "it", told: Told | None = None, **changes: Any) -> PostSource:
        """Give the post of a decision that the service rolled."""
        given: dict[str, Any] = {
            "ruleset": "guida",
            "language": language,
            "findings": self.result.findings,
            "asked": self.plan.asked,
            "rolls": self.rolls,
            "narration": told,
            "provenance": "service",
        }
        return PostSource(**(given | changes))

    def open_source(self, language: str = "it", told: Told | None = None) -> PostSource:
        """Give the post of the same decision while the forum is to roll."""
        findings = self.plan.findings
        return self.source(language, told, findings=findings, rolls=None, provenance="forum")


def fighter(names: list[str]) -> Sheet:
    """Make a sheet that can do everything this edition applies, from at least eight names."""
    name, claw, dash, shield, arrow, release, armour, bonus = names[:8]
    return Sheet(
        name=name,
        link="https://x.test/?t=1[b]",
        max_hp=60,
        max_ep=60,
        stats=Stats(strength=5, dexterity=6, constitution=4, intelligence=3),
        armour=Armour(name=armour, potential=Fraction(6), category=Category.C),
        modifiers=(Modifier(name=bonus, score=Score.SUCCESS, points=1),),
        tools=(
            Tool(
                id="claw",
                name=claw,
                means=Means.WEAPON,
                attacks=True,
                guards=True,
                potential=Fraction(41, 2),
                category=Category.C,
                stat_bonus=Fraction(5),
                modifiers=(Modifier(name=bonus, score=Score.HIT, points=2),),
                effects=(StackEffect(stack=Stack.STUN, count=3),),
            ),
            Tool(
                id="dash",
                name=dash,
                supports=True,
                ep=5,
                effects=(StatPoints(stat=Stat.DEXTERITY, points=3, turns=2), Upkeep(ep=9)),
            ),
            Tool(
                id="shield",
                name=shield,
                guards=True,
                supports=True,
                ep=4,
                effects=(ArmourEffect(potential=Fraction(3), turns=1),),
            ),
            Tool(
                id="arrow",
                name=arrow,
                attacks=True,
                potential=Fraction(15),
                category=Category.D,
                stat_bonus=Fraction(3),
                damage=DamageType.SEMI_PURE,
                optimal_m=25,
                effects=(
                    StackEffect(stack=Stack.BURN, count=2),
                    ScorePoints(score=Score.DEFEND, points=-1, turns=2, on=Bearer.TARGET),
                ),
            ),
            Tool(
                id="release",
                name=release,
                attacks=True,
                potential=Fraction(12),
                category=Category.B,
                stat_bonus=Fraction(7),
                damage=DamageType.PURE,
                ep=6,
                effects=(StackEffect(stack=Stack.MAIM_ARTICULAR, count=1),),
            ),
        ),
    )


def opening(names: list[str], options: Options | None = None) -> Scene:
    """Open a scene between two fighters, four metres apart."""
    sheets = fighter(names), fighter(names[::-1])
    setup = Setup(
        entrants=(
            Entrant(id="h", team="a", sheet=sheets[0]),
            Entrant(id="q", team="b", sheet=sheets[1]),
        ),
        distances=(places.Distance(a="h", b="q", metres=4),),
        options=options or Options(),
    )
    assert GUIDA.check_setup(setup) == ()
    return GUIDA.start(setup)


def play(scene: Scene, order: orders.Order, chance: random.Random) -> Played:
    """Decide an order that must be legal."""
    obstacles = GUIDA.check(scene, order)
    assert obstacles == (), obstacles
    plan = GUIDA.plan(scene, order)
    dice = draw([(asked.address, asked.sides) for asked in plan.asked], chance.randrange)
    return Played(plan, dice.rolls, GUIDA.resolve(scene, order, dice))


def fight(
    names: list[str], seed: int, length: int, options: Options | None = None
) -> Iterator[Played]:
    """Play a fight by chance: turns, and now and then what is decided besides them."""
    chance = random.Random(seed)
    scene = opening(names, options)
    for _ in range(length):
        order = next_order(scene, chance, names)
        if order is None:
            return
        played = play(scene, order, chance)
        scene = played.result.state
        yield played


def next_order(scene: Scene, chance: random.Random, names: list[str]) -> orders.Order | None:
    """Choose what comes next."""
    if scene.ended:
        return None
    reason = chance.choice(names)
    if scene.paused:
        return rulings.Resume(by=GM, reason=reason)
    if scene.questions:
        asked = chance.choice(scene.questions)
        choice = "fights_on" if asked.code == "defeat" else chance.choice(asked.choices)
        return rulings.Answer(by=GM, question=asked.id, choice=choice, reason=reason)
    if chance.random() < 0.25:
        besides = [one for one in _besides(scene, reason) if GUIDA.check(scene, one) == ()]
        return chance.choice(besides)
    turn = _turn(choices(scene, scene.next), chance)
    return turn if GUIDA.check(scene, turn) == () else orders.Turn(by=turn.by)


def _turn(offered: Choices, chance: random.Random) -> orders.Turn:
    """Make a turn of what is offered, with a move that is not."""
    defences = []
    for attack in offered.incoming:
        if chance.random() < 0.85:
            kind = chance.choice(offered.defences)
            tools = [None, *(tool.id for tool in kind.tools)]
            support = tuple(tool.id for tool in kind.support if chance.random() < 0.2)
            defences.append(
                orders.Defence(
                    action=kind.action,
                    against=(attack.id,),
                    tool=chance.choice(tools),
                    support=support,
                )
            )
    main = None
    if offered.attacks and chance.random() < 0.9:
        choice = chance.choice(offered.attacks)
        aim = chance.choice(choice.aims)
        used = {id for defence in defences for id in defence.support}
        support = tuple(tool.id for tool in offered.support if chance.random() < 0.3)
        reach = places.Reach(to=choice.target, metres=chance.choice((1, 4, 20)))
        moves = chance.random() < 0.3
        main = orders.Attack(
            target=choice.target,
            tool=choice.tool.id,
            aim=aim,
            limb=chance.choice(tuple(Limb)) if aim is Aim.LIMBS else None,
            support=tuple(id for id in support if id not in used),
            move=places.Move(distances=(reach,), behind=(reach.to,)) if moves else None,
            claims=tuple(claim for claim in choice.claims if chance.random() < 0.2),
        )
    figures = orders.Figures(hp=3, ep=4) if chance.random() < 0.2 else None
    return orders.Turn(by=offered.seat, defences=tuple(defences), main=main, figures=figures)


def _besides(scene: Scene, reason: str) -> Iterator[orders.Order]:
    who = scene.next
    for by in (who, GM):
        for change, extra in (
            (Change.HP, {}),
            (Change.EP, {}),
            (Change.POINTS, {"stat": Stat.STRENGTH}),
            (Change.STACKS, {"stack": Stack.POISON}),
        ):
            yield rulings.Manual(
                by=by, combatant=who, change=change, amount=2, reason=reason, **extra
            )
    yield rulings.SetValue(by=GM, combatant=who, change=Change.HP, value=-1, reason=reason)
    distance = places.Distance(a="h", b="q", metres=7)
    behind = (places.Behind(who="h", whom="q"),)
    yield rulings.Place(by=GM, distances=(distance,), behind=behind, reason=reason)
    yield rulings.Place(by=GM, behind=(), reason=reason)
    yield rulings.Pause(by=GM, reason=reason)
    yield rulings.Resume(by=GM, reason=reason)
    yield rulings.ReplaceSheet(by=GM, combatant=who, sheet=scene.who(who).sheet, reason=reason)
    for attack in scene.incoming:
        for action in (Action.GUARD, Action.DODGE):
            yield rulings.Adequacy(
                by=GM, attack=attack.id, defence=action, adequate=False, reason=reason
            )
    if scene.who("h").turn > 4:
        yield rulings.Withdraw(by=who, combatant=who, standing=Standing.SURRENDERED, reason=reason)
        yield rulings.Close(by=GM, reason=reason)
