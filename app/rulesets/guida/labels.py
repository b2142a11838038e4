"""What a post assumes when it is written: every action of it works (GC-2.29)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.engine.dice import Address
from app.rulesets.guida import generic
from app.rulesets.guida.allies import declared_at_allies, shelters, take_place, works_as
from app.rulesets.guida.clashes import halt
from app.rulesets.guida.damage import Hit
from app.rulesets.guida.defence import (
    Declared,
    Label,
    Phase,
    begin_phase,
    count_defence,
    count_use,
    declared_for,
    opponent_of,
    tally_of,
)
from app.rulesets.guida.effects import begin_on_user
from app.rulesets.guida.endings import past_defences
from app.rulesets.guida.freeing import free_as_expected, hold_still
from app.rulesets.guida.independents import tally_independent
from app.rulesets.guida.orders import (
    Defence,
    Turn,
)
from app.rulesets.guida.own_moves import close_defences, move_with, step_between
from app.rulesets.guida.readings import (
    AllyNullDamage,
)
from app.rulesets.guida.state import (
    Scene,
    launched_as,
)
from app.rulesets.guida.strike import strike
from app.rulesets.guida.success import die_of
from app.rulesets.guida.tables import REACTS
from app.rulesets.guida.terms import Action
from app.rulesets.guida.throws import throw_back
from app.rulesets.guida.underway import (
    Incoming,
    Pending,
)

# Dice have places of their own, so that adding or dropping an action never moves another's die.
# MAIN_PLACE is in `plan`, which has the main action.
INDEPENDENT_PLACE: Final = 30
# A face that no reaction fails with: labels are written as if it works.
WORKS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Expected:
    """A Defensive Phase in which everything works: its labels, and the scene after it."""

    labels: tuple[Label, ...]
    after: Scene

    def at(self, address: Address) -> Label | None:
        """Find the label of a die; a defence against several attacks has that of the first."""
        return next((label for label in self.labels if label.address == address), None)


def expect(scene: Scene, turn: Turn) -> Expected:
    """Fold what is incoming over the Defensive Phase as the post has it (GC-2.15, GC-2.29)."""
    coming = incoming_at(scene, turn.by, turn.defences)  # as they stand before one is thrown
    for throw in (one for one in scene.throws if one.thrown == turn.by):
        scene = throw_back(scene, throw, WORKS if turn.reacts else None)[0]
    begun = begin_phase(scene, turn.by, turn.defences)
    phase = replace(begun, active=frozenset(range(len(turn.defences))))
    labels: list[Label] = []
    for incoming in coming:
        declared, there = declared_for(turn.defences, incoming.id), True
        phase = free_as_expected(phase, turn, declared.index if declared is not None else 0)
        if isinstance(incoming, Incoming):
            phase, found = _independents(phase, turn, incoming)
            labels += found
        if declared is not None and die_of(scene.options, declared.defence.action) is not None:
            tally = tally_of(phase, turn.by, declared, incoming)
            labels.append(Label(Address(declared.index), incoming.id, tally))
            phase = _carried_out(phase, turn.by, declared, incoming)
            phase, there = _moved(hold_still(phase, declared), declared, incoming)
        phase = _as_if_met(phase, incoming, declared) if there else phase
    phase = free_as_expected(phase, turn, len(turn.defences))
    after, _ = close_defences(phase, turn.by, turn.defences)
    return Expected(tuple(labels), past_defences(after, turn.by)[0])


def incoming_at(
    scene: Scene, id: str, defences: tuple[Defence, ...]
) -> Sequence[Incoming | Pending]:
    """List attacks and counterable generic actions in the order in which they were launched.

    Those on an ally that one of the ``defences`` is declared against are among them (GC-14.37),
    and need one as those on oneself do (GC-13.12).
    """
    both: list[Incoming | Pending] = [*scene.against(id), *scene.counterable(id)]
    both += declared_at_allies(scene, id, defences)
    return sorted(both, key=lambda one: launched_as(one.id))


def _independents(phase: Phase, turn: Turn, attack: Incoming) -> tuple[Phase, list[Label]]:
    """Let the independent secondary actions begin that are declared before an attack arrives."""
    labels: list[Label] = []
    for place, independent in enumerate(turn.independents):
        tool = phase.scene.who(turn.by).sheet.tool(independent.tool)
        if tool is None or independent.against != attack.id:
            continue
        tally = tally_independent(phase.scene, phase.scene.who(turn.by), tool, attack)
        labels.append(Label(Address(INDEPENDENT_PLACE + place), attack.id, tally))
        scene = count_use(phase.scene, turn.by, tool, attack.attacker)
        scene, _ = begin_on_user(scene, turn.by, tool)
        phase = replace(phase, scene=scene)
    return phase, labels


def _carried_out(
    phase: Phase, defender: str, declared: Declared, incoming: Incoming | Pending
) -> Phase:
    """Count a defence, and let it stop what it stops if it works (GC-4.17, GC-4.43, GC-4.77)."""
    phase = count_defence(phase, defender, declared, opponent_of(incoming))
    action = declared.defence.action
    if isinstance(incoming, Pending):
        if action is Action.GENERIC_COUNTERATTACK:
            phase = replace(phase, scene=generic.stop(phase.scene, incoming)[0])
    elif works_as(phase.scene.options, action) is Action.COUNTERATTACK:
        phase, _ = halt(phase, incoming)
    return phase


def _moved(phase: Phase, declared: Declared, met: Incoming | Pending) -> tuple[Phase, bool]:
    """Make a defence's own move, as it is made when it works (GC-14.25).

    Say whether a protector gets there; what comes at the ally is the ally's otherwise.
    """
    dodges = works_as(phase.scene.options, declared.defence.action) is Action.DODGE
    if isinstance(met, Incoming) and met.target != phase.defender and not dodges:
        phase, _, there = step_between(phase, declared, met)
        return phase, there
    return move_with(phase, declared, met.id)[0], True


def _as_if_met(phase: Phase, met: Incoming | Pending, declared: Declared | None) -> Phase:
    """Let an attack strike where the post lets it: what it brings acts from then on (GC-2.29)."""
    if isinstance(met, Pending):
        return phase
    hit = _lets_in(phase.scene, declared)
    if hit is None:
        return phase
    scene = phase.scene
    if met.target != phase.defender:
        scene, met, _ = take_place(scene, met, phase.defender, moves=True)
    reaction = WORKS if declared is not None and declared.defence.reacts else None
    return replace(phase, scene=strike(scene, met, hit, reaction=reaction)[0])


def _lets_in(scene: Scene, declared: Declared | None) -> Hit | None:
    """Say in what measure a defence that works lets an attack in; None for not at all."""
    if declared is None:
        return Hit.FULL
    action = declared.defence.action
    if action not in REACTS or not shelters(scene.options, action):
        return None
    halved = scene.options.ally_null_damage is AllyNullDamage.HALVED
    null = action is Action.NULL_DEFENCE or (action is Action.ALLY_NULL_DEFENCE and not halved)
    return Hit.FULL if null else Hit.GUARDED
