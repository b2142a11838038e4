"""What a post assumes when it is written: every action of it works (GC-2.29)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.engine.dice import Address
from app.rulesets.guida import generic
from app.rulesets.guida.answers import halt
from app.rulesets.guida.defence import (
    Declared,
    Label,
    Phase,
    close_defences,
    count_defence,
    count_use,
    declared_for,
    opponent_of,
    tally_independent,
    tally_of,
)
from app.rulesets.guida.effects import begin_on_user
from app.rulesets.guida.orders import Turn
from app.rulesets.guida.state import Incoming, Pending, Scene
from app.rulesets.guida.tables import ACTION_DIE
from app.rulesets.guida.terms import Action

# Dice have places of their own, so that adding or dropping an action never moves another's die.
# MAIN_PLACE is in `plan`, which has the main action.
INDEPENDENT_PLACE: Final = 30


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
    phase = Phase(scene=scene, active=frozenset(range(len(turn.defences))))
    labels: list[Label] = []
    for incoming in incoming_at(scene, turn.by):
        if isinstance(incoming, Incoming):
            phase, found = _independents(phase, turn, incoming)
            labels += found
        declared = declared_for(turn.defences, incoming.id)
        if declared is not None and ACTION_DIE[declared.defence.action] is not None:
            tally = tally_of(phase, turn.by, declared, incoming)
            labels.append(Label(Address(declared.index), incoming.id, tally))
            phase = _carried_out(phase, turn.by, declared, incoming)
    after, _ = close_defences(phase, turn.by, turn.defences)
    after, _ = generic.pass_by(after, turn.by)  # what is not countered takes effect (GC-14.17)
    return Expected(tuple(labels), after)


def incoming_at(scene: Scene, id: str) -> Sequence[Incoming | Pending]:
    """List attacks and counterable generic actions in the order in which they were launched."""
    both: list[Incoming | Pending] = [*scene.against(id), *scene.counterable(id)]
    return sorted(both, key=lambda one: int(one.id[1:]))


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
    action, scene = declared.defence.action, phase.scene
    if isinstance(incoming, Pending):
        if action is Action.GENERIC_COUNTERATTACK:
            scene, _ = generic.stop(scene, incoming)
    elif action is Action.COUNTERATTACK:
        scene, _ = halt(scene, incoming)
    return replace(phase, scene=scene)
