"""Fights for posts in which every action of the chapters comes up, played by chance."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from app.engine.ruleset import GM
from app.rulesets.guida import orders, places
from app.rulesets.guida.choices import choices
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.readings import ConstraintDie
from app.rulesets.guida.sheet import (
    AdditionalDamage,
    Area,
    Armour,
    Blinding,
    Camouflage,
    Constraint,
    Heal,
    Knockback,
    Liberation,
    Masking,
    Modifier,
    Perception,
    Regeneration,
    ScorePoints,
    Sheet,
    StackEffect,
    StatPoints,
    Stats,
    Tool,
)
from app.rulesets.guida.state import (
    Scene,
    Setup,
    Underway,
)
from app.rulesets.guida.terms import (
    Action,
    AttackForm,
    AttackKind,
    Bind,
    Category,
    Curtain,
    DamageType,
    Means,
    Score,
    Secondary,
    Stack,
    Stat,
)
from tests.property.many_turns import a_turn
from tests.unit.posts.fights import Played, play

NAMES = [
    *("Hollow", "Artigli", "Sonìdo", "Getsuga", "Cura", "Rigenero", "Tonico", "Passo", "Hierro"),
    *("Bonus Arma", "Zanpakutō", "Quincy", "Rin"),
]


@dataclass(frozen=True)
class Decided(Played):
    """A decision with the scene it was made in."""

    scene: Scene
    order: orders.Order


def warrior(names: list[str]) -> Sheet:
    """Make a sheet for every action, from at least eleven names."""
    name, claw, boost, wave, cure, regrowth, tonic, step, armour, bonus, blade = names[:11]
    return Sheet(
        name=name,
        max_hp=80,
        max_ep=80,
        stats=Stats(strength=5, dexterity=6, constitution=4, intelligence=6),
        armour=Armour(name=armour, potential=Fraction(4), category=Category.C, blocks_pure=True),
        tools=(
            Tool(
                id="claw",
                name=claw,
                means=Means.WEAPON,
                attacks=True,
                potential=Fraction(14),
                category=Category.C,
                stat_bonus=Fraction(5),
                modifiers=(Modifier(name=bonus, score=Score.HIT, points=2),),
                effects=(
                    AdditionalDamage(potential=Fraction(8), stat_bonus=Fraction(3)),
                    StackEffect(stack=Stack.STUN, count=1),
                ),
            ),
            Tool(
                id="wave",
                name=wave,
                attacks=True,
                form=AttackForm.PROJECTILE,
                potential=Fraction(17),
                category=Category.B,
                stat_bonus=Fraction(6),
                damage=DamageType.SEMI_PURE,
                optimal_m=10,
                ep=4,
                effects=(StackEffect(stack=Stack.BURN, count=2),),
            ),
            Tool(
                id="boost",
                name=boost,
                supports=True,
                generic=True,
                secondary=Secondary.BOOST_TECHNIQUE,
                ep=3,
                effects=(StatPoints(stat=Stat.DEXTERITY, points=2, turns=2),),
            ),
            Tool(
                id="cure",
                name=cure,
                generic=True,
                potential=Fraction(11),
                category=Category.C,
                stat_bonus=Fraction(4),
                ep=5,
                effects=(Heal(),),
            ),
            Tool(
                id="regrowth",
                name=regrowth,
                generic=True,
                supports=True,
                die=20,
                ep=2,
                effects=(Regeneration(category=Category.S, stat=Stat.INTELLIGENCE, turns=3),),
            ),
            Tool(
                id="tonic",
                name=tonic,
                supports=True,
                secondary=Secondary.TONIC,
                effects=(ScorePoints(score=Score.SUCCESS, points=1, turns=2),),
            ),
            Tool(id="step", name=step, supports=True, ep=1),
            Tool(
                id="blade",
                name=blade,
                attacks=True,
                guards=True,
                parries=True,
                potential=Fraction(16),
                category=Category.D,
                stat_bonus=Fraction(6),
            ),
            *_of_later_chapters(names),
        ),
    )


def _of_later_chapters(names: list[str]) -> tuple[Tool, ...]:
    """Make what binds and frees, finds and conceals, throws, blinds and covers (GC-8 to GC-12)."""
    blow = Tool(
        id="rope",
        name=names[1],
        attacks=True,
        potential=Fraction(15),
        potential_bonus=Fraction(4),
        category=Category.C,
        stat_bonus=Fraction(5),
    )
    quiet = replace(blow, attacks=False, ep=1)
    return (
        replace(blow, effects=(Constraint(binds=(Bind.MOVEMENT_LIMITATION,)),)),
        replace(blow, id="ram", name=names[2], parries=True, effects=(Knockback(),)),
        replace(blow, id="flash", name=names[3], effects=(Blinding(turns=2),)),
        replace(blow, id="rain", name=names[4], attack_kind=AttackKind.MULTIPLE, volley_size=3),
        replace(quiet, id="wrench", name=names[5], effects=(Liberation(),)),
        replace(quiet, id="eyes", name=names[6], effects=(Perception(radius_m=40),)),
        replace(quiet, id="cloak", name=names[7], effects=(Camouflage(turns=2),)),
        replace(quiet, id="mask", name=names[8], effects=(Masking(),)),
        replace(
            quiet,
            id="smoke",
            name=names[9],
            generic=True,
            supports=True,
            effects=(Area(saturation=9, curtain=Curtain.SMOKE),),
        ),
    )


def battlefield(
    names: list[str],
    options: Options | None = None,
    underway: tuple[Underway, ...] = (),
) -> Scene:
    """Open a scene of one against two, a few metres apart."""
    sheets = warrior(names), warrior([names[-2], *names[1:]]), warrior([names[-1], *names[1:]])
    setup = Setup(
        entrants=(
            Entrant(id="h", team="a", sheet=sheets[0], hp=60),
            Entrant(id="q", team="b", sheet=sheets[1], hp=60),
            Entrant(id="r", team="b", sheet=sheets[2], hp=60),
        ),
        distances=(
            places.Distance(a="h", b="q", metres=4),
            places.Distance(a="h", b="r", metres=9),
            places.Distance(a="q", b="r", metres=6),
        ),
        options=options or Options(),
        underway=underway,
    )
    assert GUIDA.check_setup(setup) == ()
    return GUIDA.start(setup)


def battle(
    names: list[str], seed: int, length: int, options: Options | None = None
) -> Iterator[Decided]:
    """Play a fight by chance, of posts that are offered."""
    chance = random.Random(seed)
    scene = battlefield(
        names, options or Options(constraint_die=chance.choice(tuple(ConstraintDie)))
    )
    for _ in range(length):
        if scene.ended:
            return
        order = _next(scene, chance, names)
        made = play(scene, order, chance)
        yield Decided(made.plan, made.rolls, made.result, scene, order)
        scene = made.result.state


def _next(scene: Scene, chance: random.Random, names: list[str]) -> orders.Order:
    reason = chance.choice(names)
    if scene.questions:
        asked = chance.choice(scene.questions)
        choice = "fights_on" if asked.code == "defeat" else chance.choice(asked.choices)
        return orders.Answer(by=GM, question=asked.id, choice=choice, reason=reason)
    if chance.random() < 0.1:
        return orders.Impact(
            by=GM,
            attacker=scene.next,
            target=chance.choice(scene.opponents(scene.next)).id,
            die=chance.randint(1, 12),
            category=chance.choice(tuple(Category)),
            stat_bonus=Fraction(5),
            by_defence=chance.random() < 0.5,
            guarded=chance.random() < 0.5,
            reason=reason,
        )
    return _turn(scene, chance)


def _turn(scene: Scene, chance: random.Random) -> orders.Turn:
    """Pick a post out of what is offered, with everything that may come with it."""
    return a_turn(chance, scene, choices(scene, scene.next))


def actions_of(played: Played) -> set[Action]:
    """Give the actions whose dice were thrown."""
    return {Action(asked.action) for asked in played.plan.asked}
