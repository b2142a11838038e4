"""The dice of a post with their labels, before any of them is thrown (GC-4.83, GC-4.84)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from app.engine.dice import Address
from app.engine.ruleset import Asked
from app.engine.tally import Tally, Term
from app.rulesets.guida import attack as offence
from app.rulesets.guida import generic
from app.rulesets.guida.defence import Going, opponent_of, tools_of
from app.rulesets.guida.knockback import tally_reaction
from app.rulesets.guida.labels import INDEPENDENT_PLACE, Expected, incoming_at
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Generic,
    Main,
    Movement,
    Turn,
)
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.success import die_of
from app.rulesets.guida.tables import ACTION_DIE, COUNTER_BONUS, COUNTER_DIE, REACTION_DIE
from app.rulesets.guida.terms import Action, Phase
from app.rulesets.guida.toward import expected_opponent

MAIN_PLACE: Final = 50
COUNTER_INDEX: Final = 1  # a counterattack's second die stands beside its first (GC-14.13)
REACTION_INDEX: Final = 2
REACTION_PLACE: Final = 75  # recovering from a knockback by a defence


def asked_defences(scene: Scene, turn: Turn, written: Expected) -> Iterator[Asked]:
    """List the dice of the defences with the labels the post has, in its order (GC-2.29)."""
    who = scene.who(turn.by)
    if turn.reacts:
        thrown = [one for one in scene.throws if one.thrown == turn.by]
        for place, throw in enumerate(thrown):
            yield _asked_reaction(scene, turn.by, Address(REACTION_PLACE, place), throw.thrower)
    met = {one.id: opponent_of(one) for one in incoming_at(scene, turn.by, turn.defences)}
    for index, defence in enumerate(turn.defences):
        label = written.at(Address(index))
        if label is not None:
            tool, support = tools_of(who, defence)
            authors = [author for id, author in met.items() if id in defence.against]
            yield Asked(
                address=label.address,
                sides=die_of(scene.options, defence.action) or 0,
                phase=Phase.DEFENSIVE,
                action=defence.action,
                actor=who.sheet.name,
                targets=tuple(dict.fromkeys(scene.who(id).sheet.name for id in authors)),
                items=_names((tool, *support) if tool else support),
                tally=label.tally,
            )
            if defence.action in COUNTER_BONUS:
                opponent = expected_opponent(scene, turn.by, defence) or met[label.against]
                yield _asked_continuation(written.after, turn, index, opponent)
        if defence.reacts:
            thrower = _thrower(scene, turn.by, defence)
            yield _asked_reaction(scene, turn.by, Address(index, REACTION_INDEX), thrower)


def _thrower(scene: Scene, id: str, defence: Defence) -> str:
    """Name who throws one back, of those that a defence meets."""
    met = (one for one in scene.incoming if one.id in defence.against)
    return next((one.attacker for one in met if one.knock is not None), id)


def _asked_reaction(scene: Scene, id: str, address: Address, thrower: str) -> Asked:
    """Give the die of an attempt to recover from a knockback (GC-10.9)."""
    return Asked(
        address=address,
        sides=REACTION_DIE,
        phase=Phase.DEFENSIVE,
        action=Action.REACTION,
        actor=scene.who(id).sheet.name,
        targets=(scene.who(thrower).sheet.name,),
        items=(),
        tally=tally_reaction(scene.who(id)),
    )


def asked_independents(scene: Scene, turn: Turn, written: Expected) -> Iterator[Asked]:
    """List the dice of the independent secondary actions (GC-2.25)."""
    who = scene.who(turn.by)
    authors = {attack.id: attack.attacker for attack in scene.against(turn.by)}
    for place, independent in enumerate(turn.independents):
        label = written.at(Address(INDEPENDENT_PLACE + place))
        if label is not None:
            yield Asked(
                address=label.address,
                sides=ACTION_DIE[Action.INDEPENDENT_SECONDARY] or 0,
                phase=Phase.DEFENSIVE,
                action=Action.INDEPENDENT_SECONDARY,
                actor=who.sheet.name,
                targets=(scene.who(authors[label.against]).sheet.name,),
                items=_names(who.sheet.tools_by_id((independent.tool,))),
                tally=label.tally,
            )


def asked_main(
    scene: Scene, id: str, main: Main | None, bonuses: tuple[Term, ...]
) -> Iterator[Asked]:
    """Give the die of the main action, if it has one (GC-4.34)."""
    who = scene.who(id)
    if isinstance(main, Attack):
        blow = offence.blow_of(who, main, bonuses)
        _, tally, _ = offence.prepare(scene, id, blow)
        targets = tuple(scene.who(one).sheet.name for one in blow.targets)
        yield _asked(scene, id, Action.ATTACK, 12, targets, (blow.tool, *blow.support), tally)
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


def _asked_continuation(scene: Scene, turn: Turn, index: int, opponent: str) -> Asked:
    """Give the offensive half's die, with the bonus it has if the defensive half wins (GC-4.70)."""
    defence = turn.defences[index]
    who = scene.who(turn.by)
    going = expected(Going(index=index, opponent=opponent, bonus=None), defence)
    blow = offence.continuation_of(who, defence, going)
    _, tally, _ = offence.prepare(scene, turn.by, blow)
    return Asked(
        address=Address(index, COUNTER_INDEX),
        sides=COUNTER_DIE,
        phase=Phase.OFFENSIVE,
        action=defence.action,
        actor=who.sheet.name,
        targets=tuple(scene.who(one).sheet.name for one in blow.targets),
        items=_names((blow.tool, *blow.support)),
        tally=tally,
    )


def expected(going: Going, defence: Defence) -> Going:
    """Give a counter's continuation as its label has it: with the bonus of a won half (GC-4.70)."""
    rule, value = COUNTER_BONUS[defence.action]
    return replace(going, bonus=Term(rule, "counter_won", Fraction(value)), power=None, won=True)


def _names(tools: tuple[Tool, ...]) -> tuple[str, ...]:
    return tuple(tool.name for tool in tools)
