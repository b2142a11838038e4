"""What the form offers is what is legal: found again by trying everything the types can say.

The search never asks for the choices. It builds defences and attacks from the enumerations, the
ids of the scene and the sheet, and keeps what the rules accept: first every single action, then
every list of defences and every attack, then the two together. Where there are too many to try
them all, it tries a random part of them, and random company of actions that are not legal alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from random import Random
from typing import TypeVar

from hypothesis import given
from hypothesis import strategies as st

from app.rulesets.guida.choices import turns
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import Attack, Defence, Turn
from app.rulesets.guida.state import Scene, Setup
from app.rulesets.guida.terms import Action, Aim, Claim, Limb
from tests.property.strategies import IDS, RANDOMS, examples, legal_turn, setups, step

PAIRS = 100  # as many defence-and-attack pairs are tried, at most
T = TypeVar("T")


def subsets(things: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """Go through all subsets of a few things, each in their own order."""
    for size in range(len(things) + 1):
        yield from combinations(things, size)


def sayable_defences(scene: Scene, seat: str) -> Iterator[Defence]:
    """Go through every defence the types can say, moves left out."""
    tools = [tool.id for tool in scene.who(seat).sheet.tools]
    attacks = [*(attack.id for attack in scene.against(seat)), "a99"]
    for action, against, tool, support in product(
        Action, [s for s in subsets(attacks) if s], [None, *tools], list(subsets(tools))
    ):
        yield Defence(action=action, against=against, tool=tool, support=support)


def sayable_attacks(scene: Scene, seat: str) -> Iterator[Attack]:
    """Go through every attack the types can say, moves left out."""
    tools = [tool.id for tool in scene.who(seat).sheet.tools]
    for target, tool, aim, limb, support, claims in product(
        IDS, [*tools, "t9"], Aim, [None, *Limb], list(subsets(tools)), list(subsets(list(Claim)))
    ):
        yield Attack(target=target, tool=tool, aim=aim, limb=limb, support=support, claims=claims)


def is_legal(scene: Scene, turn: Turn) -> bool:
    """Ask the rules."""
    return GUIDA.check(scene, turn) == ()


def legal_lists(scene: Scene, seat: str) -> set[tuple[Defence, ...]]:
    """Find every legal list of defences: of none, of each alone, of two that are legal alone."""
    alone = [
        defence
        for defence in sayable_defences(scene, seat)
        if is_legal(scene, Turn(by=seat, defences=(defence,)))
    ]
    found: set[tuple[Defence, ...]] = {(defence,) for defence in alone}
    if is_legal(scene, Turn(by=seat)):
        found.add(())
    for pair in permutations(alone, 2):
        # One that answers an attack the other answers too is what the pairs of misfits try below.
        if not set(pair[0].against) & set(pair[1].against) and is_legal(
            scene, Turn(by=seat, defences=pair)
        ):
            found.add(pair)
    return found


def legal_attacks(scene: Scene, seat: str) -> set[Attack | None]:
    """Find every legal attack, and none at all; what is refused plain is not tried adorned."""
    found: set[Attack | None] = {None} if is_legal(scene, Turn(by=seat)) else set()
    refused: set[tuple[str, str, Aim, Limb | None]] = set()
    for attack in sayable_attacks(scene, seat):
        plain = (attack.target, attack.tool, attack.aim, attack.limb)
        if plain in refused:
            continue
        if is_legal(scene, Turn(by=seat, main=attack)):
            found.add(attack)
        elif not attack.support and not attack.claims:
            refused.add(plain)
    return found


def agree(scene: Scene, seat: str, pick: Random) -> None:
    """Hold what is offered against what is found."""
    offered = list(turns(GUIDA.choices(scene, seat), scene.who(seat)))
    legal = set(offered)
    assert len(legal) == len(offered), "a turn is offered twice"
    lists, attacks = legal_lists(scene, seat), legal_attacks(scene, seat)
    assert {turn.defences for turn in legal if turn.main is None} == lists
    assert {turn.main for turn in legal if not turn.defences} == attacks
    assert {turn.defences for turn in legal} <= lists
    assert {turn.main for turn in legal} <= attacks

    pairs = [Turn(by=seat, defences=d, main=a) for d in lists for a in attacks if d and a]
    for turn in pairs if len(pairs) <= PAIRS else pick.sample(pairs, PAIRS):
        assert is_legal(scene, turn) == (turn in legal)

    # What is not legal alone does not become so in company.
    defences, mains = list(sayable_defences(scene, seat)), list(sayable_attacks(scene, seat))
    for _ in range(25):
        many = tuple(pick.choice(defences) for _ in range(pick.randint(0, 3)))
        turn = Turn(by=seat, defences=many, main=pick.choice([None, *mains]))
        assert is_legal(scene, turn) == (turn in legal)


AT_BO = ("ada", "bo")
STATES = st.one_of(setups(2, 2, AT_BO), setups(2, 1, AT_BO), setups(3, 1), setups(3, 0))


@examples(100)
@given(STATES, RANDOMS)
def test_the_turns_offered_are_those_found_by_trying_everything(setup: Setup, pick: Random) -> None:
    scene = GUIDA.start(setup)
    for _ in range(
        pick.choice((0, 0, 0, 1, 2))
    ):  # also from the middle: spent, stunned, turned away
        if not GUIDA.awaits(scene).blocked:
            scene = step(scene, legal_turn(pick, scene, scene.next), pick).after
    agree(scene, scene.next, pick)
