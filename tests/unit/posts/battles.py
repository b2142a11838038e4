"""Fights for posts in which every action of chapters 1 to 7 comes up, played by chance."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from app.engine.ruleset import GM
from app.rulesets.guida import orders, places
from app.rulesets.guida.choices import choices
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.offers import Choices, DefenceChoice, ToolChoice
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.sheet import (
    AdditionalDamage,
    Armour,
    Heal,
    Modifier,
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
from app.rulesets.guida.tables import COUNTERS
from app.rulesets.guida.terms import (
    Action,
    Aim,
    AttackForm,
    Category,
    DamageType,
    Limb,
    Means,
    Score,
    Secondary,
    Stack,
    Stat,
)
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
    """Play a fight by chance; what is not legal as a whole becomes a turn without anything."""
    chance = random.Random(seed)
    scene = battlefield(names, options)
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
    offered = choices(scene, scene.next)
    confirms = chance.random() < 0.5
    suspended = tuple(
        orders.Suspended(action=one.id, confirm=confirms) for one in offered.suspended
    )
    if suspended and confirms and offered.if_confirmed is not None:
        offered = offered.if_confirmed
    for _ in range(6):  # a part may spoil the whole, as by too much energy
        defences = _defences(offered, chance)
        counters = any(defence.action in COUNTERS for defence in defences)
        turn = orders.Turn(
            by=scene.next,
            suspended=suspended,
            defences=defences,
            independents=_independents(offered, chance),
            main=None if counters else _main(scene, offered, chance),
        )
        if GUIDA.check(scene, turn) == ():
            return turn
    return orders.Turn(by=scene.next, suspended=suspended)


def _defences(offered: Choices, chance: random.Random) -> tuple[orders.Defence, ...]:
    pending = [one.id for one in offered.pending if chance.random() < 0.4]
    ids = [*(one.id for one in offered.incoming), *pending]
    chance.shuffle(ids)
    defences = []
    while ids:
        id = ids.pop()
        fitting = [one for one in offered.defences if id in one.against]
        if not fitting or chance.random() < 0.1:
            continue
        kind = chance.choice(fitting)
        together = [other for other in ids if other in kind.against and chance.random() < 0.4]
        ids = [other for other in ids if other not in together]
        defences.append(_defence(kind, (id, *together), chance))
    return tuple(defences)


def _defence(
    kind: DefenceChoice, against: tuple[str, ...], chance: random.Random
) -> orders.Defence:
    tools = [tool.id for tool in (*kind.tools, *(far.tool for far in kind.after_move))]
    then = None
    if kind.continues and chance.random() < 0.7:
        aim = chance.choice((Aim.BODY, Aim.LIMBS, Aim.HEAD))
        limb = Limb.ARMS if aim is Aim.LIMBS else None
        then = orders.Continuation(aim=aim, limb=limb, first=chance.random() < 0.3)
    reach = orders.Reach(to="h", metres=chance.choice((2, 6)))
    return orders.Defence(
        action=kind.action,
        against=against,
        tool=chance.choice(tools) if tools and not (kind.bare and chance.random() < 0.3) else None,
        support=_some(kind.support, chance),
        move=orders.Move(distances=(reach,)) if kind.moves and chance.random() < 0.2 else None,
        then=then,
    )


def _independents(offered: Choices, chance: random.Random) -> tuple[orders.Independent, ...]:
    if not (offered.independents and offered.incoming) or chance.random() < 0.6:
        return ()
    tool = chance.choice(offered.independents)
    return (orders.Independent(tool=tool.id, against=chance.choice(offered.incoming).id),)


def _main(scene: Scene, offered: Choices, chance: random.Random) -> orders.Main | None:
    far = scene.opponents(offered.seat)[0].id
    move = orders.Move(distances=(orders.Reach(to=far, metres=chance.choice((1, 5, 20))),))
    match chance.randrange(9):
        case 0:
            return orders.Preparation(support=_some(offered.preparation, chance)[:1])
        case 1:
            return orders.Movement(move=move, support=_some(offered.quiet_support, chance))
        case 2 if offered.generics:
            tool = chance.choice(offered.generics)
            near = [one.id for one in offered.beneficiaries if one.id not in tool.too_far]
            person = chance.choice([None, *near])
            return orders.Generic(tool=tool.id, beneficiary=person)
        case 3:
            return None
        case _ if offered.attacks:
            attack = chance.choice(offered.attacks)
            aim = chance.choice(attack.aims)
            return orders.Attack(
                target=attack.target,
                tool=attack.tool.id,
                aim=aim,
                limb=Limb.LEGS if aim is Aim.LIMBS else None,
                support=_some(offered.support, chance),
                move=move if chance.random() < 0.2 else None,
            )
        case _:
            return None


def _some(tools: tuple[ToolChoice, ...], chance: random.Random) -> tuple[str, ...]:
    return tuple(tool.id for tool in tools if chance.random() < 0.15)


def actions_of(played: Played) -> set[Action]:
    """Give the actions whose dice were thrown."""
    return {Action(asked.action) for asked in played.plan.asked}
