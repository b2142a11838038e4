"""Exact odds of a turn by the turn engine itself: faces are enumerated, states merged (GC-4.34)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from app.engine.chances import certain, die, merged, then
from app.engine.ruleset import Chance, Forecast, Law
from app.rulesets.guida.attack import launch
from app.rulesets.guida.defence import Declared, Phase, declared_for, resolve_attack, tally_of
from app.rulesets.guida.legality import DEFENCES
from app.rulesets.guida.orders import Defence, Turn
from app.rulesets.guida.state import Incoming, Scene
from app.rulesets.guida.success import settle_speed
from app.rulesets.guida.tables import ACTION_DIE
from app.rulesets.guida.terms import Action, Change, Outcome
from app.rulesets.guida.turn import as_if_defended, faces, open_turn


@dataclass(frozen=True, slots=True)
class Seen:
    """What tells two ends of a Defensive Phase apart for the one who defends."""

    hp_lost: int
    lost: bool


def forecast(scene: Scene, turn: Turn) -> Forecast:
    """Give the law of the Defensive Phase as declared, and of the attack against each defence."""
    opened = open_turn(scene, turn).scene
    laws = []
    if opened.against(turn.by):
        laws.append(_law("defence", (), _defensive(_settled(opened), turn)))
    if turn.main is not None:
        defended = as_if_defended(opened, turn)
        laws += [_against(defended, turn, action) for action in DEFENCES]
    return Forecast(tuple(laws))


@dataclass(frozen=True, slots=True)
class Under:
    """A Defensive Phase under way, without what is lost already, and the dice that serve again."""

    phase: Phase
    thrown: tuple[tuple[int, int], ...] = ()


def _defensive(scene: Scene, turn: Turn) -> dict[Seen, Fraction]:
    """Fold the attacks over a law of phases; one die serves all that its defence covers.

    Damage does not hang on the damage before it, so hit points are summed beside the phases: as
    few phases are told apart as there are ways to go on, however many attacks there were.
    """
    law: dict[tuple[Under, int], Fraction] = certain((Under(Phase(scene=scene)), 0))
    attacks = scene.against(turn.by)
    for place, incoming in enumerate(attacks):
        declared = declared_for(turn.defences, incoming.id)
        later = {attack.id for attack in attacks[place + 1 :]}
        again = declared is not None and bool(later.intersection(declared.defence.against))
        ways = {under: _step(under, incoming, declared, again) for under in {at for at, _ in law}}
        law = merged(
            ((after, lost + more), probability * chance)
            for (under, lost), probability in law.items()
            for (after, more), chance in ways[under].items()
        )
    return merged(
        (Seen(lost, under.phase.failed), probability) for (under, lost), probability in law.items()
    )


def _step(
    at: Under, incoming: Incoming, declared: Declared | None, again: bool
) -> dict[tuple[Under, int], Fraction]:
    """Give the ways to go on from a phase, each with the hit points it costs."""
    phase = at.phase
    sides = ACTION_DIE[declared.defence.action] if declared else None
    if declared is None or sides is None:
        return certain(_beside(resolve_attack(phase, incoming, declared, None)[0], at.thrown))
    known = dict(at.thrown)
    # A die that must serve again is remembered, one done with is forgotten, so that states merge.
    if declared.index in known:
        law = certain(known[declared.index])
    else:
        law = die(sides) if again else _classes(phase, incoming, declared, sides)

    def after(face: int) -> tuple[Under, int]:
        kept = {**known, declared.index: face} if again else known
        phase_after = resolve_attack(phase, incoming, declared, face)[0]
        return _beside(phase_after, tuple(sorted(kept.items())))

    return then(law, lambda face: certain(after(face)))


def _beside(phase: Phase, thrown: tuple[tuple[int, int], ...]) -> tuple[Under, int]:
    """Put what every combatant has yet to record aside, and give the hit points in it."""
    scene = phase.scene
    lost = -sum(who.due(Change.HP) for who in scene.combatants)
    bare = scene.put(*(replace(who, lines=()) for who in scene.combatants))
    return Under(replace(phase, scene=replace(bare, serial=0)), thrown), lost


def _settled(scene: Scene) -> Scene:
    """Forget what was lost before: odds are about what is still to come."""
    return scene.put(*(replace(who, lines=()) for who in scene.combatants))


def _classes(
    phase: Phase, incoming: Incoming, declared: Declared, sides: int
) -> dict[int, Fraction]:
    """Let one face stand for all that end the speed check alike: nothing else hangs on them."""
    tally = tally_of(phase, incoming.target, declared, incoming)
    first: dict[Outcome, int] = {}
    law: dict[int, Fraction] = {}
    for face in range(1, sides + 1):
        outcome = settle_speed(incoming.hit_score, face + tally.total)
        stands = first.setdefault(outcome, face)
        law[stands] = law.get(stands, Fraction(0)) + Fraction(1, sides)
    return law


def _against(scene: Scene, turn: Turn, action: Action) -> Law:
    """Give the law of one's attack if the target answers with ``action`` and nothing else."""
    if turn.main is None:
        raise ValueError("there is no attack to forecast")
    attack = turn.main
    law: dict[Seen, Fraction] = {}
    sides = faces(Action.ATTACK)
    for face in range(1, sides + 1):
        launched, _ = launch(scene, turn.by, attack, face)
        launched = replace(launched, incoming=launched.incoming[-1:], questions=())
        answer = Turn(
            by=attack.target,
            defences=(Defence(action=action, against=(launched.incoming[-1].id,)),),
        )
        ready = _settled(open_turn(launched, answer).scene)
        for end, probability in _defensive(ready, answer).items():
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
