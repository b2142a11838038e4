"""Posts of a single part: those that are offered, and those that the types can say.

Each offered part is legal alone, and each part that is found legal by trying is on offer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from app.rulesets.guida.offers import Choices
from app.rulesets.guida.orders import (
    AreaPlan,
    Attack,
    Defence,
    Generic,
    Independent,
    LiberationAttempt,
    Movement,
    Preparation,
    Turn,
)
from app.rulesets.guida.tables import ACTION_DIE, ALLY_DEFENCES
from app.rulesets.guida.terms import Action, AttackKind
from tests.property.many_moves import Stand, a_move
from tests.property.many_turns import TOGETHER, a_defence, a_knock, an_attack

NOTHING: Final[frozenset[str]] = frozenset()
APART: Final = frozenset({"targets_apart", "beyond_max_range", "target_out_of_range"})


def singles(stand: Stand) -> Iterator[tuple[Turn, frozenset[str]]]:
    """Go through posts of one offered part, with what may yet stand in the way of each.

    Where somebody is thrown back unless that is prevented, the main action starts from there.
    """
    thrown = any(one.knock is not None for one in stand.offered.incoming)
    moved = TOGETHER if thrown or stand.offered.recovers else frozenset()
    for turn, perhaps in _singles(stand):
        yield turn, perhaps if turn.defences else perhaps | moved


def _singles(stand: Stand) -> Iterator[tuple[Turn, frozenset[str]]]:
    yield from _blows(stand)
    yield from _quiet(stand)
    base, offered = _bare(stand), stand.offered
    for tool in offered.support[:1]:
        for attack in [one for one in offered.attacks if one.in_range][:1]:
            if attack.tool.id != tool.id:
                one = Attack(target=attack.target, tool=attack.tool.id, blind=attack.blind)
                both = replace(base, main=replace(one, support=(tool.id,)))
                yield both, frozenset({"not_enough_energy"})
    for tool in offered.independents:
        if offered.incoming:
            helped = Independent(tool=tool.id, against=offered.incoming[0].id)
            yield replace(base, independents=(helped,)), NOTHING
    if (move := a_move(stand, 12, leaves=True)) is not None:
        hides = tuple(one.id for one in offered.hides_from)
        yield replace(base, main=Movement(move=move, hides=hides)), frozenset({"movement_too_far"})
    if offered.recovers:
        yield replace(base, reacts=True), NOTHING


def _bare(stand: Stand) -> Turn:
    return Turn(by=stand.seat, suspended=stand.suspended)


def _blows(stand: Stand) -> Iterator[tuple[Turn, frozenset[str]]]:
    base, offered, pick = _bare(stand), stand.offered, stand.pick
    for attack in pick.sample(offered.attacks, min(3, len(offered.attacks))):
        if attack.in_range:
            one = replace(an_attack(stand, attack, may_free=True), support=(), move=None)
            apart = {"targets_apart"} if len(one.also) > 1 else NOTHING
            yield replace(base, main=one), frozenset(apart)
    for choice in pick.sample(offered.defences, min(3, len(offered.defences))):
        for id in choice.against[:1]:
            whole = a_defence(stand, choice, (id,), may_free=True)
            also = whole.then.also if whole.then else ()
            # Its own move may lead away from those it is aimed at besides.
            apart = APART if also else NOTHING
            yield replace(base, defences=(replace(whole, support=()),)), apart


def _quiet(stand: Stand) -> Iterator[tuple[Turn, frozenset[str]]]:
    base, offered = _bare(stand), stand.offered
    for field, tools in (
        ("perception", offered.perceptions),
        ("camouflage", offered.camouflages),
        ("masking", offered.maskings),
    ):
        for tool in tools:
            yield replace(base, **{field: tool.id}), NOTHING
    for tool in offered.liberations:
        yield replace(base, liberation=LiberationAttempt(tool=tool.id)), NOTHING
    for tool in offered.generics:
        yield replace(base, main=Generic(tool=tool.id)), NOTHING
        yield replace(base, loose=(tool.id,)), NOTHING
        for area in offered.areas:
            if tool.id in area.fed_with:
                plan = AreaPlan(tool=tool.id, feeds=area.id)
                yield replace(base, main=Generic(tool=tool.id), areas=(plan,)), NOTHING
    for tool in offered.preparation:
        yield replace(base, main=Preparation(support=(tool.id,))), NOTHING


# ---------------------------------------------------------- what is legal is also offered


def is_offered(stand: Stand, turn: Turn) -> bool:
    """Say whether a legal post of a single part, without moves, is among what is offered."""
    offered = stand.offered
    main = turn.main
    if isinstance(main, Attack):
        return _offers_attack(offered, main)
    if isinstance(main, Generic):
        return main.tool in {one.id for one in offered.generics}
    if isinstance(main, Preparation):
        return set(main.support) <= {one.id for one in offered.preparation}
    for field, tools in (
        ("perception", offered.perceptions),
        ("camouflage", offered.camouflages),
        ("masking", offered.maskings),
    ):
        id = getattr(turn, field)
        if id is not None:
            return id in {one.id for one in tools}
    if turn.liberation is not None:
        return turn.liberation.tool in {one.id for one in offered.liberations}
    if turn.defences:
        return _offers_defence(offered, turn.defences[0])
    if turn.independents:
        return turn.independents[0].tool in {one.id for one in offered.independents}
    return True


def _offers_attack(offered: Choices, main: Attack) -> bool:
    for one in offered.attacks:
        tool = one.tool
        if (
            (one.target, tool.id) == (main.target, main.tool)
            and one.in_range
            # To declare an attack on somebody in sight as blind makes no difference.
            and (main.blind or not one.blind)
            and main.aim in one.aims
            and set(main.also) <= set(one.also)
            and set(main.binds) <= set(tool.binds)
            and (tool.frees or not main.frees)
            and (tool.knocks or main.knock is None)
            and set(main.claims) <= set(one.claims)
            and set(main.support) <= {two.id for two in offered.support}
        ):
            return True
    return False


def _offers_defence(offered: Choices, defence: Defence) -> bool:
    for one in offered.defences:
        tools = {tool.id: tool for tool in one.tools}
        tool = tools.get(defence.tool or "")
        if (
            one.action is defence.action
            and set(defence.against) <= {*one.against, *one.beside}
            and (tool is not None or (defence.tool is None and one.bare))
            and set(defence.support) <= {two.id for two in one.support}
            and (defence.knock is None or (tool is not None and tool.knocks))
            and (not defence.reacts or bool(set(defence.against) & set(one.recovers)))
            and (not defence.frees or (tool is not None and tool.frees))
        ):
            return True
    return False


def sayable(stand: Stand) -> Iterator[Turn]:
    """Pick posts of one part that the types can say, whether or not they are legal."""
    pick, scene = stand.pick, stand.scene
    base = Turn(by=stand.seat, suspended=stand.suspended)
    tools = [one.id for one in scene.who(stand.seat).sheet.tools]
    people = [one.id for one in scene.combatants]
    coming = [one.id for one in (*scene.incoming, *scene.pending)] or ["a0"]

    def tool() -> str:
        return pick.choice(tools)

    helped = (tool(),) if pick.randint(0, 4) == 0 else ()
    target, hit = pick.choice(people), scene.who(stand.seat).sheet.tool(tool())
    assert hit is not None
    kinds = (AttackKind.AREA, AttackKind.TOTAL_AREA, AttackKind.MULTIPLE)
    yield replace(
        base,
        main=Attack(
            target=target,
            tool=hit.id,
            support=helped,
            also=(pick.choice(people),) if hit.attack_kind in kinds and stand.often(3) else (),
            blind=stand.often(2),
            frees=stand.often(1),
            knock=a_knock(stand) if stand.often(1) else None,
        ),
    )
    yield replace(base, main=Generic(tool=tool()))
    yield replace(base, main=Preparation(support=(tool(),)))
    yield replace(base, **{pick.choice(("perception", "camouflage", "masking")): tool()})
    yield replace(base, liberation=LiberationAttempt(tool=tool()))
    yield replace(base, independents=(Independent(tool=tool(), against=pick.choice(coming)),))
    for _ in range(3):
        action = pick.choice([one for one in Action if one in ACTION_DIE])
        held = pick.choice((None, tool(), tool()))
        defence = Defence(
            action=action,
            against=(pick.choice(coming),),
            tool=held,
            support=helped if held not in helped else (),
            reacts=stand.often(1),
            knock=a_knock(stand) if stand.often(1) else None,
        )
        still = any(action is one.action and one.still for one in stand.offered.defences)
        if action not in ALLY_DEFENCES or still:
            yield replace(base, defences=(defence,))
