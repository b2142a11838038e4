"""Whole turns out of what is offered: every one that can be put together without moves.

This is what a form can build. The rules on how the parts go together are written here a second
time, from the book, so that the code that checks them is not asked about itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from typing import TypeVar

from app.rulesets.guida.offers import Choices, DefenceChoice, ToolChoice
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
from app.rulesets.guida.places import (
    Move,
    Reach,
)
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.tables import COUNTERS
from app.rulesets.guida.terms import Aim, Limb, Secondary

T = TypeVar("T")


def subsets(things: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """Go through all subsets of a few things, each in their own order."""
    for size in range(len(things) + 1):
        yield from combinations(things, size)


def standing_still(scene: Scene, who: str) -> Move:
    """Give the move that a Movement needs and that goes nowhere."""
    other = next(one.id for one in scene.combatants if one.id != who)
    return Move(distances=(Reach(to=other, metres=int(scene.metres(who, other))),))


def branches(offered: Choices) -> Iterator[tuple[tuple[Suspended, ...], Choices]]:
    """Go through what may be decided about suspended actions, and what is offered then."""
    if not offered.suspended:
        yield (), offered
        return
    for confirm, then in ((False, offered), (True, offered.if_confirmed)):
        if then is not None:
            chosen = tuple(Suspended(action=one.id, confirm=confirm) for one in offered.suspended)
            yield chosen, then


def aimed(tool_aims: Sequence[Aim], limbs: Sequence[Limb]) -> Iterator[tuple[Aim, Limb | None]]:
    """Go through aims, each with the limb it needs."""
    for aim in tool_aims:
        yield from ((aim, limb) for limb in limbs) if aim is Aim.LIMBS else ((aim, None),)


def defences(offered: Choices) -> Iterator[Defence]:
    """Go through every single defence that is offered."""
    authors = {one.id: one.attacker for one in offered.incoming}
    authors |= {one.id: one.actor for one in offered.pending}
    for choice in offered.defences:
        tools: list[ToolChoice | None] = [*([None] if choice.bare else []), *choice.tools]
        for against, tool, support in product(
            [some for some in subsets(choice.against) if some],
            tools,
            list(subsets([one.id for one in choice.support])),
        ):
            opponents = {authors[id] for id in against}
            if tool is None or not choice.continues:
                yield _defence(choice, against, tool, support, None)
            elif len(opponents) == 1:
                for then in _continuations(offered, tool, opponents.pop()):
                    yield _defence(choice, against, tool, support, then)


def _defence(
    choice: DefenceChoice,
    against: tuple[str, ...],
    tool: ToolChoice | None,
    support: tuple[str, ...],
    then: Continuation | None,
) -> Defence:
    used = tool.id if tool else None
    return Defence(action=choice.action, against=against, tool=used, support=support, then=then)


def _continuations(
    offered: Choices, tool: ToolChoice, opponent: str
) -> Iterator[Continuation | None]:
    """A counter goes on as an attack with the same tool on the same opponent might (GC-4.69)."""
    for attack in offered.attacks:
        if attack.target == opponent and attack.tool.id == tool.id:
            yield None
            for (aim, limb), claims, first in product(
                aimed(tool.aims, tool.limbs), list(subsets(attack.claims)), (False, True)
            ):
                yield Continuation(aim=aim, limb=limb, claims=claims, first=first)


def attacks(offered: Choices) -> Iterator[Attack]:
    """Go through every attack that is offered."""
    for choice in offered.attacks:
        if choice.in_range:
            for (aim, limb), support, claims in product(
                aimed(choice.aims, choice.limbs),
                list(subsets([one.id for one in offered.support])),
                list(subsets(choice.claims)),
            ):
                yield Attack(
                    target=choice.target,
                    tool=choice.tool.id,
                    aim=aim,
                    limb=limb,
                    support=support,
                    claims=claims,
                )


def quiet_mains(scene: Scene, offered: Choices) -> Iterator[Main]:
    """Go through preparations, generic actions, and the movement that goes nowhere."""
    kinds = {one.id: one.secondary for one in offered.preparation}
    for support in subsets(list(kinds)):
        if len(support) < 2 or {kinds[id] for id in support} == {Secondary.TONIC}:
            yield Preparation(support=support)
    quiet = list(subsets([one.id for one in offered.quiet_support]))
    for support in quiet:
        yield Movement(move=standing_still(scene, offered.seat), support=support)
    for tool, whom, support in product(
        offered.generics, [None, *(one.id for one in offered.beneficiaries)], quiet
    ):
        if whom not in tool.too_far:
            yield Generic(tool=tool.id, beneficiary=whom, support=support)


def independents(offered: Choices) -> Iterator[Independent]:
    """Go through every independent secondary action that is offered."""
    for tool, attack in product(offered.independents, offered.incoming):
        yield Independent(tool=tool.id, against=attack.id)


def loose(offered: Choices) -> Iterator[tuple[str, ...]]:
    """Go through loose secondary actions: one that can stand alone, and what goes with it."""
    for first in offered.generics:
        rest = [one.id for one in offered.quiet_support if one.id != first.id]
        for others in subsets(rest):
            yield from ((first.id, *order) for order in permutations(others))


def together(scene: Scene, offered: Choices, turn: Turn) -> bool:
    """Say whether parts that are offered go together: GC-2.9, 2.17, 2.20, 2.21, 14.1, 2.6."""
    answered = [id for defence in turn.defences for id in defence.against]
    incoming = [one.id for one in (*offered.incoming, *offered.pending)]
    countered = any(defence.action in COUNTERS for defence in turn.defences)
    freed = scene.options.annulled_counter_frees_main_action
    main_tool = turn.main.tool if isinstance(turn.main, Attack | Generic) else None
    main_support = turn.main.support if turn.main is not None else ()
    promoted = (*turn.loose[:1],) if turn.main is None else ()
    supports = [id for defence in turn.defences for id in defence.support]
    supports += [one.tool for one in turn.independents]
    supports += [*main_support, *turn.loose]
    used = [one.tool for one in turn.defences if one.tool is not None] + supports
    used += [main_tool] if main_tool else []
    sheet = scene.who(offered.seat).sheet
    cost = sum(tool.ep for id in used if (tool := sheet.tool(id)) is not None)
    own = [(one.tool, id) for one in turn.defences for id in one.support]
    own += [(main_tool, id) for id in main_support]
    return (
        len(answered) == len(set(answered))
        and len(turn.defences) <= len(incoming)
        and len(supports) == len(set(supports))
        and all(tool != id for tool, id in own)
        and not (turn.main is not None and turn.loose)
        and not (countered and not freed and (turn.main is not None or bool(promoted)))
        and cost <= offered.ep_to_spend
    )


def offers(scene: Scene, offered: Choices, turn: Turn) -> bool:
    """Say whether a turn without moves can be put together from what is offered."""
    for suspended, then in branches(offered):
        if suspended != turn.suspended:
            continue
        return (
            set(turn.defences) <= set(defences(then))
            and set(turn.independents) <= set(independents(then))
            and (turn.main is None or turn.main in {*attacks(then), *quiet_mains(scene, then)})
            and (not turn.loose or turn.loose in set(loose(then)))
            and together(scene, then, turn)
        )
    return False
