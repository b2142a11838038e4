"""The dice of a post with their labels, before any of them is thrown (GC-4.83, GC-4.84)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from app.engine.dice import Address
from app.engine.ruleset import Asked
from app.engine.tally import Tally, Term
from app.rulesets.guida import attack as offence
from app.rulesets.guida import generic
from app.rulesets.guida.defence import (
    Going,
    count_defence,
    declared_for,
    opponent_of,
    tally_independent,
    tally_of,
    tools_of,
)
from app.rulesets.guida.defence import Phase as Defending
from app.rulesets.guida.orders import Attack, Defence, Generic, Main, Movement, Turn
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import Incoming, Pending, Scene
from app.rulesets.guida.tables import ACTION_DIE, COUNTER_BONUS, COUNTER_DIE
from app.rulesets.guida.terms import Action, Phase

# Dice have places of their own, so that adding or dropping an action never moves another's die.
INDEPENDENT_PLACE: Final = 30
MAIN_PLACE: Final = 50
COUNTER_INDEX: Final = 1  # a counterattack's second die stands beside its first (GC-14.13)


def asked_defences(scene: Scene, turn: Turn, after: Scene) -> Iterator[Asked]:
    """List the dice of the defences as the post has them, as if each is carried out (GC-2.15).

    ``after`` is the scene in which they all worked.
    """
    phase = Defending(scene=scene)
    who = scene.who(turn.by)
    asked: dict[int, list[Asked]] = {}
    for incoming in incoming_at(scene, turn.by):
        declared = declared_for(turn.defences, incoming.id)
        sides = ACTION_DIE[declared.defence.action] if declared else None
        if declared is None or sides is None:
            continue
        if declared.index not in asked:
            tool, support = tools_of(who, declared.defence)
            first = Asked(
                address=Address(declared.index),
                sides=sides,
                phase=Phase.DEFENSIVE,
                action=declared.defence.action,
                actor=who.sheet.name,
                targets=_opponents(scene, turn.by, declared.defence),
                items=_names((tool, *support) if tool else support),
                tally=tally_of(phase, turn.by, declared, incoming),
            )
            asked[declared.index] = [first]
            if declared.defence.action in COUNTER_BONUS:
                asked[declared.index].append(
                    _asked_continuation(after, turn, declared.index, incoming)
                )
        phase = count_defence(phase, turn.by, declared, opponent_of(incoming))
    for index in sorted(asked):
        yield from asked[index]


def incoming_at(scene: Scene, id: str) -> Sequence[Incoming | Pending]:
    """List attacks and counterable generic actions in the order in which they were launched."""
    both: list[Incoming | Pending] = [*scene.against(id), *scene.counterable(id)]
    return sorted(both, key=lambda one: int(one.id[1:]))


def _opponents(scene: Scene, id: str, defence: Defence) -> tuple[str, ...]:
    met = [one for one in incoming_at(scene, id) if one.id in defence.against]
    return tuple(dict.fromkeys(scene.who(opponent_of(one)).sheet.name for one in met))


def asked_independents(scene: Scene, turn: Turn) -> Iterator[Asked]:
    """List the dice of the independent secondary actions (GC-2.25)."""
    who = scene.who(turn.by)
    incoming = {attack.id: attack for attack in scene.against(turn.by)}
    for place, independent in enumerate(turn.independents):
        tool = who.sheet.tool(independent.tool)
        attack = incoming.get(independent.against)
        if tool is not None and attack is not None:
            yield Asked(
                address=Address(INDEPENDENT_PLACE + place),
                sides=ACTION_DIE[Action.INDEPENDENT_SECONDARY] or 0,
                phase=Phase.DEFENSIVE,
                action=Action.INDEPENDENT_SECONDARY,
                actor=who.sheet.name,
                targets=(scene.who(attack.attacker).sheet.name,),
                items=(tool.name,),
                tally=tally_independent(scene, who, tool, attack),
            )


def asked_main(
    scene: Scene, id: str, main: Main | None, bonuses: tuple[Term, ...]
) -> Iterator[Asked]:
    """Give the die of the main action, if it has one (GC-4.34)."""
    who = scene.who(id)
    if isinstance(main, Attack):
        blow = offence.blow_of(who, main, bonuses)
        _, tally, _ = offence.prepare(scene, id, blow)
        target = scene.who(main.target).sheet.name
        yield _asked(scene, id, Action.ATTACK, 12, (target,), (blow.tool, *blow.support), tally)
    elif isinstance(main, Movement | Generic):
        own = who.sheet.tool(main.tool) if isinstance(main, Generic) else None
        support = who.sheet.tools_by_id(main.support)
        targets = tuple(one.sheet.name for one in scene.opponents(id))
        if isinstance(main, Generic) and main.beneficiary:
            targets = (scene.who(main.beneficiary).sheet.name,)
        sides = generic.die_of(scene, who, main)
        tally = generic.tally_generic(scene, id, main)
        tools = (own, *support) if own else support
        yield _asked(scene, id, generic.action_of(main), sides, targets, tools, tally)


def _asked(
    scene: Scene,
    id: str,
    action: Action,
    sides: int,
    targets: tuple[str, ...],
    tools: tuple[Tool, ...],
    tally: Tally,
) -> Asked:
    return Asked(
        address=Address(MAIN_PLACE),
        sides=sides,
        phase=Phase.OFFENSIVE,
        action=action,
        actor=scene.who(id).sheet.name,
        targets=targets,
        items=_names(tools),
        tally=tally,
    )


def _asked_continuation(scene: Scene, turn: Turn, index: int, met: Incoming | Pending) -> Asked:
    """Give the offensive half's die, with the bonus it has if the defensive half wins (GC-4.70)."""
    defence = turn.defences[index]
    who = scene.who(turn.by)
    opponent = opponent_of(met)
    going = expected(Going(index=index, opponent=opponent, bonus=None), defence)
    blow = offence.continuation_of(who, defence, going)
    _, tally, _ = offence.prepare(scene, turn.by, blow)
    return Asked(
        address=Address(index, COUNTER_INDEX),
        sides=COUNTER_DIE,
        phase=Phase.OFFENSIVE,
        action=defence.action,
        actor=who.sheet.name,
        targets=(scene.who(opponent).sheet.name,),
        items=_names((blow.tool, *blow.support)),
        tally=tally,
    )


def expected(going: Going, defence: Defence) -> Going:
    """Give a counter's continuation as its label has it: with the bonus of a won half (GC-4.70)."""
    rule, value = COUNTER_BONUS[defence.action]
    return replace(going, bonus=Term(rule, "counter_won", Fraction(value)), power=None)


def _names(tools: tuple[Tool, ...]) -> tuple[str, ...]:
    return tuple(tool.name for tool in tools)
