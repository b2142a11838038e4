"""Exact odds of a turn by the turn engine itself: faces are enumerated, states merged (GC-4.34)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from app.engine.chances import certain, die, merged, then
from app.engine.dice import Address, RecordedDice, Roll
from app.engine.ruleset import Chance, Forecast, Law
from app.rulesets.guida.attack import blow_of, launch
from app.rulesets.guida.defence import Phase, declared_for, tally_independent, tally_of
from app.rulesets.guida.labels import INDEPENDENT_PLACE, expect, incoming_at
from app.rulesets.guida.orders import Attack, Defence, Turn
from app.rulesets.guida.state import Incoming, Pending, Scene
from app.rulesets.guida.success import settle_speed
from app.rulesets.guida.tables import ACTION_DIE
from app.rulesets.guida.terms import Action, Change, Outcome
from app.rulesets.guida.turn import (
    answer,
    main_of,
    open_turn,
    prepared_attack,
)

SIMPLE = (Action.NULL_DEFENCE, Action.GUARD, Action.DODGE)


@dataclass(frozen=True, slots=True)
class Seen:
    """What tells two ends of a Defensive Phase apart for the one who defends."""

    hp_lost: int
    lost: bool


@dataclass(frozen=True, slots=True)
class Under:
    """A Defensive Phase under way, with the dice that must serve again."""

    phase: Phase
    thrown: tuple[Roll, ...] = ()


def forecast(scene: Scene, turn: Turn) -> Forecast:
    """Give the law of the Defensive Phase as declared, and of the attack against each defence."""
    opened = open_turn(scene, turn).scene
    laws = []
    if incoming_at(opened, turn.by):
        laws.append(_law("defence", (), _defensive(settled(opened), turn)))
    main = main_of(turn)
    if isinstance(main, Attack):
        defended = expect(opened, turn).after
        laws += [_against(defended, turn, main, action) for action in SIMPLE]
    return Forecast(tuple(laws))


def _defensive(scene: Scene, turn: Turn) -> dict[Seen, Fraction]:
    """Fold what is incoming over a law of phases; one die serves all that its defence covers.

    Damage does not hang on the damage before it, so hit points are summed beside the phases: as
    few phases are told apart as there are ways to go on, however many attacks there were.
    """
    law: dict[tuple[Under, int], Fraction] = certain((Under(Phase(scene=scene)), 0))
    todo = list(incoming_at(scene, turn.by))
    for index, incoming in enumerate(todo):
        later = {one.id for one in todo[index + 1 :]}
        ways = {under: _step(under, turn, incoming, later) for under in {at for at, _ in law}}
        law = merged(
            ((after, lost + more), probability * chance)
            for (under, lost), probability in law.items()
            for (after, more), chance in ways[under].items()
        )
    return merged(
        (Seen(lost, under.phase.closed), probability) for (under, lost), probability in law.items()
    )


def _step(
    at: Under, turn: Turn, incoming: Incoming | Pending, later: set[str]
) -> dict[tuple[Under, int], Fraction]:
    # A die that must serve again is remembered, one done with is forgotten, so that states merge.
    kept = {
        Address(index)
        for index, defence in enumerate(turn.defences)
        if later.intersection(defence.against)
    }
    helped = any(one.against == incoming.id for one in turn.independents)
    law: dict[tuple[Roll, ...], Fraction] = certain(at.thrown)
    for address, sides in _asked(turn, incoming):
        if not any(roll.address == address for roll in at.thrown):
            # What an independent action begins may change the score of the defence after it.
            whole = address in kept or (helped and address.place < INDEPENDENT_PLACE)
            faces = die(sides) if whole else _classes(at.phase, turn, incoming, address)
            law = {
                (*rolls, Roll(address, sides, face)): probability * chance
                for rolls, probability in law.items()
                for face, chance in faces.items()
            }

    def after(rolls: tuple[Roll, ...]) -> dict[tuple[Under, int], Fraction]:
        phase, _ = answer(at.phase, turn, incoming, RecordedDice(rolls))
        lost = -phase.scene.who(turn.by).due(Change.HP)
        bare = settled(phase.scene)
        thrown = tuple(roll for roll in rolls if roll.address in kept)
        return certain((Under(replace(phase, scene=bare), thrown), lost))

    return then(law, after)


def settled(scene: Scene) -> Scene:
    """Forget what is to be recorded already: odds are about what is still to come."""
    bare = scene.put(*(replace(who, lines=()) for who in scene.combatants))
    return replace(bare, serial=0)


def _classes(
    phase: Phase, turn: Turn, incoming: Incoming | Pending, address: Address
) -> dict[int, Fraction]:
    """Let one face stand for all that end the speed check alike: nothing else hangs on them."""
    who = turn.by
    declared = declared_for(turn.defences, incoming.id)
    own = declared is not None and address == Address(declared.index)
    if declared is not None and own:
        sides = ACTION_DIE[declared.defence.action] or 0
        tally = tally_of(phase, who, declared, incoming)
    elif isinstance(incoming, Incoming):
        sides = ACTION_DIE[Action.INDEPENDENT_SECONDARY] or 0
        independent = turn.independents[address.place - INDEPENDENT_PLACE]
        tool = phase.scene.who(who).sheet.tool(independent.tool)
        if tool is None:
            return die(sides)
        tally = tally_independent(phase.scene, phase.scene.who(who), tool, incoming)
    else:
        return die(ACTION_DIE[Action.GENERIC_COUNTERATTACK] or 0)
    against = incoming.hit_score if isinstance(incoming, Incoming) else incoming.success_score
    first: dict[Outcome, int] = {}
    law: dict[int, Fraction] = {}
    for face in range(1, sides + 1):
        stands = first.setdefault(settle_speed(against, face + tally.total), face)
        law[stands] = law.get(stands, Fraction(0)) + Fraction(1, sides)
    return law


def _asked(turn: Turn, incoming: Incoming | Pending) -> Iterable[tuple[Address, int]]:
    for index, defence in enumerate(turn.defences):
        sides = ACTION_DIE[defence.action]
        if incoming.id in defence.against and sides is not None:
            yield Address(index), sides
    for place, independent in enumerate(turn.independents):
        if independent.against == incoming.id:
            sides = ACTION_DIE[Action.INDEPENDENT_SECONDARY] or 0
            yield Address(INDEPENDENT_PLACE + place), sides


def _against(scene: Scene, turn: Turn, attack: Attack, action: Action) -> Law:
    """Give the law of one's attack if the target answers with ``action`` and nothing else."""
    law: dict[Seen, Fraction] = {}
    sides = ACTION_DIE[Action.ATTACK] or 0
    blow = blow_of(scene.who(turn.by), attack, prepared_attack(scene, turn))
    for face in range(1, sides + 1):
        launched, _ = launch(scene, turn.by, blow, face)
        launched = replace(launched, incoming=launched.incoming[-1:], questions=(), pending=())
        reply = Turn(
            by=attack.target,
            defences=(Defence(action=action, against=(launched.incoming[-1].id,)),),
        )
        ready = settled(open_turn(launched, reply).scene)
        for end, probability in _defensive(ready, reply).items():
            law[end] = law.get(end, Fraction(0)) + probability / sides
    return _law("attack", (("action", action),), law)


def _law(key: str, about: tuple[tuple[str, str], ...], seen: dict[Seen, Fraction]) -> Law:
    ends = sorted(seen.items(), key=lambda item: (item[0].hp_lost, item[0].lost))
    return Law(
        key,
        about,
        tuple(
            Chance(
                (
                    ("hp_lost", Fraction(end.hp_lost)),
                    ("offensive", "lost" if end.lost else "held"),
                ),
                probability,
            )
            for end, probability in ends
        ),
    )
