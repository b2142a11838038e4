"""Exact odds of a turn by the turn engine itself: faces are enumerated, states merged (GC-4.34)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from app.engine.chances import certain, die, merged, then
from app.engine.dice import Address, RecordedDice, Roll
from app.engine.ruleset import Chance, Forecast, Law
from app.rulesets.guida.attack import (
    blow_of,
    launch,
)
from app.rulesets.guida.defence import Phase, begin_phase, declared_for, tally_of
from app.rulesets.guida.defensive import answer, fall
from app.rulesets.guida.freeing import attempt_dice
from app.rulesets.guida.independents import tally_independent
from app.rulesets.guida.initial import main_of, open_turn, prepared_attack
from app.rulesets.guida.labels import INDEPENDENT_PLACE, expect, incoming_at
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Turn,
)
from app.rulesets.guida.plan import REACTION_INDEX, REACTION_PLACE
from app.rulesets.guida.senses import is_hidden
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.success import die_of, settle_speed
from app.rulesets.guida.tables import ACTION_DIE, LIBERATION_DIE, REACTION_DIE
from app.rulesets.guida.terms import Action, Change, Outcome
from app.rulesets.guida.underway import (
    Incoming,
    Pending,
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
    thrown = any(one.thrown == turn.by for one in opened.throws)
    if thrown or incoming_at(opened, turn.by, turn.defences):
        laws.append(_law("defence", (), _defensive(settled(opened), turn)))
    main = main_of(turn)
    defended = expect(opened, turn).after
    # What would come of a blow at somebody hidden hangs on what nobody may know (GC-9.1).
    if isinstance(main, Attack) and not is_hidden(defended, main.target, turn.by):
        laws += [_against(defended, turn, main, action) for action in SIMPLE]
    return Forecast(tuple(laws))


def _defensive(scene: Scene, turn: Turn) -> dict[Seen, Fraction]:
    """Fold what is incoming over a law of phases; one die serves all that its defence covers.

    Damage does not hang on the damage before it, so hit points are summed beside the phases: as
    few phases are told apart as there are ways to go on, however many attacks there were.
    """
    law = _fallen(begin_phase(scene, turn.by, turn.defences), turn)
    todo = list(incoming_at(scene, turn.by, turn.defences))
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


def _fallen(phase: Phase, turn: Turn) -> dict[tuple[Under, int], Fraction]:
    """Let the knockbacks land that defences caused, over every face of the reactions (AMB-79)."""
    places = [one for one in phase.scene.throws if one.thrown == turn.by] if turn.reacts else []
    law: dict[tuple[Roll, ...], Fraction] = certain(())
    for place in range(len(places)):
        at = Address(REACTION_PLACE, place)
        law = {
            (*rolls, Roll(at, REACTION_DIE, face)): probability * chance
            for rolls, probability in law.items()
            for face, chance in die(REACTION_DIE).items()
        }

    def after(rolls: tuple[Roll, ...]) -> dict[tuple[Under, int], Fraction]:
        landed, _ = fall(phase, turn, RecordedDice(rolls))
        lost = -landed.scene.who(turn.by).due(Change.HP)
        return certain((Under(replace(landed, scene=settled(landed.scene))), lost))

    return then(law, after)


def _step(
    at: Under, turn: Turn, incoming: Incoming | Pending, later: set[str]
) -> dict[tuple[Under, int], Fraction]:
    # A die that must serve again is remembered, one done with is forgotten, so that states merge.
    kept = {
        Address(index, place)
        for index, defence in enumerate(turn.defences)
        for place in (0, REACTION_INDEX)
        if later.intersection(defence.against)
    }
    declared = declared_for(turn.defences, incoming.id)
    helped = any(one.against == incoming.id for one in turn.independents)
    attempts = attempt_dice(at.phase, turn, incoming, declared)
    # What an attempt to break free decides changes every score after it.
    helped = helped or bool(attempts) or (declared is not None and declared.defence.frees)
    law: dict[tuple[Roll, ...], Fraction] = certain(at.thrown)
    asked = [(address, LIBERATION_DIE) for address in attempts]
    asked += _asked(at.phase.scene.options, turn, incoming)
    if isinstance(incoming, Incoming) and incoming.knock is not None:
        reacts = [index for index, one in enumerate(turn.defences) if one.reacts]
        asked += [
            (Address(index, REACTION_INDEX), REACTION_DIE)
            for index in reacts
            if incoming.id in turn.defences[index].against
        ]
    for address, sides in asked:
        if not any(roll.address == address for roll in at.thrown):
            # What an independent action begins may change the score of the defence after it.
            whole = (
                address in kept
                or address in attempts
                or address.index == REACTION_INDEX
                or (helped and address.place < INDEPENDENT_PLACE)
            )
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
    # Lines are numbered anew, so that no number is left that one of these could be mistaken by.
    seconds = tuple(replace(one, line=0) for one in bare.seconds)
    return replace(bare, serial=0, landed=(), seconds=seconds)


def _classes(
    phase: Phase, turn: Turn, incoming: Incoming | Pending, address: Address
) -> dict[int, Fraction]:
    """Let one face stand for all that end the speed check alike: nothing else hangs on them."""
    who = turn.by
    declared = declared_for(turn.defences, incoming.id)
    own = declared is not None and address == Address(declared.index)
    if declared is not None and own:
        sides = die_of(phase.scene.options, declared.defence.action) or 0
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


def _asked(
    options: Options, turn: Turn, incoming: Incoming | Pending
) -> Iterable[tuple[Address, int]]:
    for index, defence in enumerate(turn.defences):
        sides = die_of(options, defence.action)
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
        first = next(one for one in launched.incoming if one.id == f"a{launched.posts}")
        launched = replace(launched, incoming=(first,), questions=(), pending=())
        reply = Turn(
            by=attack.target,
            defences=(Defence(action=action, against=(first.id,)),),
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
