"""What the form offers is what is legal: found again by trying everything the types can say.

The search never asks for the choices. It builds each part of a post from the enumerations, the ids
of the scene and the sheet, and keeps what the rules accept alone; that must be what is offered.
Then it puts parts together at random, legal alone or not, and the rules must accept exactly those
posts that can be put together from the offer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from random import Random
from typing import TypeVar

from hypothesis import given
from hypothesis import strategies as st

from app.rulesets.guida.choices import Choices
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Attack,
    Continuation,
    Defence,
    Generic,
    Independent,
    Main,
    Movement,
    Preparation,
    Suspended,
    Turn,
)
from app.rulesets.guida.state import (
    Scene,
    Setup,
)
from app.rulesets.guida.terms import Action, Aim, Claim, Limb
from tests.property import offers
from tests.property.offers import subsets
from tests.property.strategies import IDS, RANDOMS, examples, legal_turn, setups, step

TRIED = 350  # of each kind of part at most so many are tried, picked at random
COMPANY = 60
T = TypeVar("T")


def sayable_defences(scene: Scene, seat: str) -> list[Defence]:
    """List every defence the types can say, moves left out."""
    tools = [tool.id for tool in scene.who(seat).sheet.tools]
    against = [*(one.id for one in scene.against(seat)), *(one.id for one in scene.pending), "a99"]
    thens = [
        None,
        *(
            Continuation(aim=aim, limb=limb, claims=claims, first=first)
            for aim, limb, claims, first in product(
                Aim, [None, *Limb], list(subsets(list(Claim))), (False, True)
            )
        ),
    ]
    return [
        Defence(action=action, against=ids, tool=tool, support=support, then=then)
        for action, ids, tool, support, then in product(
            Action,
            [s for s in subsets(against) if s],
            [None, *tools],
            list(subsets(tools)),
            thens,
        )
    ]


def sayable_mains(scene: Scene, seat: str) -> list[Main]:
    """List every main action the types can say; only a movement moves, and goes nowhere."""
    tools = [tool.id for tool in scene.who(seat).sheet.tools]
    support = list(subsets(tools))
    attacks = (
        Attack(target=target, tool=tool, aim=aim, limb=limb, support=helped, claims=claims)
        for target, tool, aim, limb, helped, claims in product(
            IDS, [*tools, "t9"], Aim, [None, *Limb], support, list(subsets(list(Claim)))
        )
    )
    generics = (
        Generic(tool=tool, beneficiary=whom, support=helped)
        for tool, whom, helped in product([*tools, "t9"], [None, *IDS, "dan"], support)
    )
    still = offers.standing_still(scene, seat)
    return [
        *attacks,
        *generics,
        *(Preparation(support=helped) for helped in support),
        *(Movement(move=still, support=helped) for helped in support),
    ]


def sayable_independents(scene: Scene, seat: str) -> list[Independent]:
    """List every independent secondary action the types can say."""
    tools = [*(tool.id for tool in scene.who(seat).sheet.tools), "t9"]
    against = [*(one.id for one in scene.against(seat)), *(one.id for one in scene.pending), "a99"]
    return [Independent(tool=tool, against=id) for tool, id in product(tools, against)]


def sayable_loose(scene: Scene, seat: str) -> list[tuple[str, ...]]:
    """List all loose secondary actions the types can say, in every order."""
    tools = [*(tool.id for tool in scene.who(seat).sheet.tools), "t9"]
    return [order for some in subsets(tools) if some for order in permutations(some)]


def some(pick: Random, things: Sequence[T], most: int = TRIED) -> Sequence[T]:
    """Pick a few where there are too many to try them all."""
    return things if len(things) <= most else pick.sample(list(things), most)


def parts(
    scene: Scene, seat: str, then: Choices, pick: Random
) -> Iterator[tuple[str, list[object], set[object]]]:
    """Go through the kinds of parts: what can be said, and what is offered."""
    mains: set[object] = {*offers.attacks(then), *offers.quiet_mains(scene, then)}
    yield "defences", list(sayable_defences(scene, seat)), set(offers.defences(then))
    yield "main", list(sayable_mains(scene, seat)), mains
    yield "independents", list(sayable_independents(scene, seat)), set(offers.independents(then))
    yield "loose", list(sayable_loose(scene, seat)), set(offers.loose(then))


def turn_of(seat: str, suspended: tuple[Suspended, ...], **given: object) -> Turn:
    """Write a post of a few parts."""
    return Turn(by=seat, suspended=suspended, **given)


def agree(scene: Scene, seat: str, pick: Random) -> None:
    """Hold what is offered against what is found."""
    offered = GUIDA.choices(scene, seat)
    for suspended, then in offers.branches(offered):
        assert GUIDA.check(scene, Turn(by=seat, suspended=suspended)) == ()
        said: dict[str, list[object]] = {}
        for kind, sayable, offering in parts(scene, seat, then, pick):
            single = kind in ("main", "loose")
            # A part may be dearer than what there is, or name one thing twice: not alone either.
            legal = {
                part: offers.together(
                    scene, then, turn_of(seat, suspended, **{kind: part if single else (part,)})
                )
                for part in offering
            }
            tried = {*some(pick, sayable), *some(pick, list(offering), TRIED // 4)}
            assert offering <= set(sayable), kind
            for part in tried:
                turn = turn_of(seat, suspended, **{kind: part if single else (part,)})
                assert (GUIDA.check(scene, turn) == ()) == legal.get(part, False), turn
            likely = [part for part in legal if legal[part]]
            said[kind] = [*some(pick, likely, 30), *some(pick, sayable, 4)]
        for _ in range(COMPANY):
            turn = turn_of(
                seat,
                suspended,
                defences=tuple(pick.choice(said["defences"]) for _ in range(pick.randint(0, 2)))
                if said["defences"]
                else (),
                independents=tuple(
                    pick.choice(said["independents"]) for _ in range(pick.randint(0, 1))
                ),
                main=pick.choice([None, *said["main"]]),
                loose=pick.choice([(), (), (), *said["loose"][:3]]),
            )
            assert (GUIDA.check(scene, turn) == ()) == offers.offers(scene, offered, turn), turn
    for one in offered.suspended:  # nothing is open before a suspended action is decided
        assert GUIDA.check(scene, Turn(by=seat)) != (), one


AT_BO = ("ada", "bo")
STATES = st.one_of(setups(2, 2, AT_BO), setups(2, 1, AT_BO), setups(3, 1), setups(3, 0))


@examples(20)
@given(STATES, RANDOMS)
def test_the_turns_offered_are_those_found_by_trying_everything(setup: Setup, pick: Random) -> None:
    scene = GUIDA.start(setup)
    for _ in range(pick.choice((0, 0, 1, 2, 3))):  # also from the middle: countered, spent, stunned
        if not GUIDA.awaits(scene).blocked:
            scene = step(scene, legal_turn(pick, scene, scene.next), pick).after
    if not GUIDA.awaits(scene).blocked:
        agree(scene, scene.next, pick)
