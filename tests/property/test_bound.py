"""Seeded fights of bound combatants: what is offered is legal, and every outcome holds together.

Each post is put together from what the form offers, the part that hangs on an attempt included.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from app.engine.dice import RecordedDice, Roll
from app.engine.findings import Question
from app.engine.ruleset import GM
from app.persistence.codec import load, store
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.offers import Choices, DefenceChoice
from app.rulesets.guida.options import (
    ByCategory,
    Options,
    Regulation,
)
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    LiberationAttempt,
    Main,
    Movement,
    Preparation,
    Turn,
)
from app.rulesets.guida.places import (
    Move,
    Reach,
)
from app.rulesets.guida.readings import (
    Overlap,
)
from app.rulesets.guida.rulings import (
    Answer,
)
from app.rulesets.guida.sheet import (
    Constraint,
    Gigantism,
    Liberation,
    StackEffect,
    Tool,
)
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action, Bind, Category, Means, Secondary, Stack
from tests.unit.guida.build import entrant, scene

POSTS = 16
SEEDS = range(16)
TABLE = ByCategory(D=Fraction(2), C=Fraction(4), B=Fraction(6), A=Fraction(8), S=Fraction(10))


def arsenal(chance: Random) -> tuple[Tool, ...]:
    """Make what one fights with: ropes, frost, a sword, a way out, a giant's form."""
    binds = chance.sample(list(Bind), k=chance.randint(1, 3))
    common = {"category": Category.B, "stat_bonus": Fraction(7), "potential": Fraction(16)}
    rope = Constraint(binds=tuple(binds), max_range_m=chance.choice((8, 20)))
    frost = StackEffect(stack=chance.choice((Stack.FREEZING, Stack.ABLAZE)), count=2)
    return (
        Tool(
            id="rope",
            name="Rope",
            attacks=True,
            potential_bonus=Fraction(4),
            effects=(rope,),
            **common,
        ),
        Tool(
            id="frost",
            name="Frost",
            attacks=True,
            potential_bonus=Fraction(3),
            effects=(frost,),
            **common,
        ),
        Tool(
            id="sword",
            name="Sword",
            means=Means.WEAPON,
            attacks=True,
            parries=True,
            guards=True,
            potential_bonus=Fraction(5),
            max_m=60,
            **common,
        ),
        Tool(
            id="wrench",
            name="Wrench",
            potential_bonus=Fraction(6),
            effects=(Liberation(),),
            **common,
        ),
        Tool(
            id="giant",
            name="Giant",
            supports=True,
            generic=True,
            secondary=Secondary.RELEASE,
            effects=(Gigantism(size=chance.randint(1, 3), turns=2),),
            **common,
        ),
    )


def fight(seed: int) -> Scene:
    """Put two who can bind one another face to face."""
    chance = Random(seed)
    options = Options(
        constraint_overlap=chance.choice(list(Overlap)),
        blocked_position_forbids_dodge=chance.random() < 0.7,
    )
    made = [entrant(id, *arsenal(chance)) for id in ("ada", "bo")]
    return scene(
        *made,
        metres=chance.choice((5, 9)),
        options=options,
        regulation=Regulation(potential_bonus_by_category=TABLE),
    )


def defence_of(chance: Random, choice: DefenceChoice, attack: str) -> Defence:
    """Declare a defence as it is offered, at times as an attempt to break free."""
    tool = chance.choice(choice.tools) if choice.tools and not choice.bare else None
    return Defence(
        action=choice.action,
        against=(attack,),
        tool=tool.id if tool else None,
        frees=bool(tool and tool.frees and choice.action is Action.PARRY and chance.random() < 0.5),
    )


def main_of(chance: Random, offered: Choices, other: str, *, freed: bool) -> Main | None:
    """Choose a main action from what is offered."""
    kinds = ["none", "preparation"]
    reached = [one for one in offered.attacks if one.in_range]
    kinds += ["attack"] * (4 if reached else 0)
    kinds += [] if offered.stays else ["movement"]
    match chance.choice(kinds):
        case "attack":
            one = chance.choice(reached)
            binds = one.tool.binds
            pins = binds and chance.random() < 0.4
            return Attack(
                target=one.target,
                tool=one.tool.id,
                binds=(chance.choice(binds),) if pins else (),
                frees=one.tool.frees and not freed and chance.random() < 0.3,
            )
        case "movement":
            far = min([Fraction(14), *(limit.metres for limit in offered.limits)])
            return Movement(move=Move(distances=(Reach(to=other, metres=int(far)),)))
        case "preparation":
            with_it = [one.id for one in offered.preparation if not freed]
            return Preparation(support=(chance.choice(with_it),) if with_it else ())
        case _:
            return None


def post_of(chance: Random, at: Scene) -> Turn:
    """Put a post together from what is offered, with an attempt first in half of them."""
    me = at.next
    (other,) = (one.id for one in at.combatants if one.id != me)
    offered = GUIDA.choices(at, me)
    liberation = None
    if offered.liberations and chance.random() < 0.5:
        liberation = LiberationAttempt(tool=chance.choice(offered.liberations).id)
        offered = offered.if_freed or offered
    defences = []
    for attack in offered.incoming:
        fitting = [one for one in offered.defences if attack.id in one.against]
        plain = [one for one in fitting if not one.continues]
        if plain and chance.random() < 0.9:
            defences.append(defence_of(chance, chance.choice(plain), attack.id))
    tried = liberation is not None or any(one.frees for one in defences)
    if liberation is not None:
        defences = [replace(one, frees=False) for one in defences]
    elif tried:
        offered = offered.if_freed or offered
    main = main_of(chance, offered, other, freed=tried)
    return Turn(by=me, liberation=liberation, defences=tuple(defences), main=main)


def ruled(chance: Random, at: Scene) -> Scene:
    """Let the Master answer what is open, but for a question about techniques now and then."""
    for asked in at.questions:
        if asked.code != "bound_techniques" or chance.random() < 0.6:
            at = answered(at, asked, chance.choice(asked.choices))
    return at


def answered(at: Scene, asked: Question, choice: str) -> Scene:
    order = Answer(by=GM, question=asked.id, choice=choice, reason="so ruled")
    if all(open_one.id != asked.id for open_one in at.questions):
        return at
    assert GUIDA.check(at, order) == ()
    return GUIDA.resolve(at, order, RecordedDice(())).state


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_a_bound_combatant_is_offered_is_legal_and_comes_out_whole(seed: int) -> None:
    chance = Random(seed)
    at = fight(seed)
    bound = 0
    for number in range(POSTS):
        at = ruled(chance, at)
        if at.ended or GUIDA.awaits(at).blocked:
            break
        order = post_of(chance, at)
        assert GUIDA.check(at, order) == (), (seed, order)
        asked = GUIDA.plan(at, order).asked
        assert len({one.address for one in asked}) == len(asked)
        rolls = tuple(Roll(one.address, one.sides, chance.randint(1, one.sides)) for one in asked)
        # Odds take long to work out: every fifth post stands for the others.
        for law in GUIDA.forecast(at, order).laws if number % 5 == 0 else ():
            assert sum(one.probability for one in law.chances) == 1
        at = GUIDA.resolve(at, order, RecordedDice(rolls)).state
        for who in at.combatants:
            bound += bool(who.bonds)
            assert bool(who.bonds) is (who.bond_value is not None)
            assert who.bonds or (who.loosening, who.spared) == (0, ())
            held = {bond.id for bond in who.bonds}
            assert {lot.condition for lot in who.lots if lot.condition} <= held
        assert load(Scene, store(at)) == at
    assert bound
