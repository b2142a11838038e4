"""What a post assumes when it is written: every action of it works (GC-2.29)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.engine.dice import Address
from app.rulesets.guida import generic
from app.rulesets.guida.allies import declared_at_allies, shelters, works_as
from app.rulesets.guida.clashes import halt
from app.rulesets.guida.damage import Hit
from app.rulesets.guida.defence import (
    Declared,
    Label,
    Phase,
    begin_phase,
    close_defences,
    count_defence,
    count_use,
    declared_for,
    opponent_of,
    tally_independent,
    tally_of,
)
from app.rulesets.guida.effects import begin_on_user
from app.rulesets.guida.endings import past_defences
from app.rulesets.guida.freeing import as_if_bound, as_if_freed
from app.rulesets.guida.options import AllyNullDamage
from app.rulesets.guida.orders import Defence, Knock, Turn
from app.rulesets.guida.state import Incoming, Pending, Scene, launched_as
from app.rulesets.guida.strike import has_riders, throw_of
from app.rulesets.guida.success import die_of
from app.rulesets.guida.tables import REACTS
from app.rulesets.guida.terms import Action
from app.rulesets.guida.throws import throw_back

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
    for throw in (one for one in scene.throws if one.thrown == turn.by):
        scene = throw_back(scene, throw, WORKS if turn.reacts else None)[0]
    begun = begin_phase(scene, turn.by, turn.defences)
    phase = replace(begun, active=frozenset(range(len(turn.defences))))
    labels: list[Label] = []
    for incoming in incoming_at(scene, turn.by, turn.defences):
        if isinstance(incoming, Incoming):
            phase, found = _independents(phase, turn, incoming)
            labels += found
        declared = declared_for(turn.defences, incoming.id)
        if declared is not None and die_of(scene.options, declared.defence.action) is not None:
            phase = replace(phase, scene=as_if_freed(phase.scene, turn, declared.index))
            tally = tally_of(phase, turn.by, declared, incoming)
            labels.append(Label(Address(declared.index), incoming.id, tally))
            phase = _carried_out(phase, turn.by, declared, incoming)
        phase = replace(phase, scene=_as_if_met(phase.scene, incoming, declared))
    scene = as_if_freed(phase.scene, turn, len(turn.defences))
    after, _ = close_defences(replace(phase, scene=scene), turn.by, turn.defences)
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


def _as_if_met(scene: Scene, met: Incoming | Pending, declared: Declared | None) -> Scene:
    """Let what an attack brings land where the post lets it: it throws and binds (GC-2.29)."""
    if isinstance(met, Incoming) and met.knock is not None:
        scene = _as_if_thrown(scene, met, met.knock, declared)
    return as_if_bound(scene, met, declared)


def _as_if_thrown(scene: Scene, attack: Incoming, knock: Knock, declared: Declared | None) -> Scene:
    hit = Hit.FULL
    if declared is not None:
        action = declared.defence.action
        if action not in REACTS or not shelters(scene.options, action):
            return scene
        halved = scene.options.ally_null_damage is AllyNullDamage.HALVED
        null = action is Action.NULL_DEFENCE or (action is Action.ALLY_NULL_DEFENCE and not halved)
        hit = Hit.FULL if null else Hit.GUARDED
    if not has_riders(scene.options, hit):
        return scene
    reaction = WORKS if declared is not None and declared.defence.reacts else None
    return throw_back(scene, throw_of(scene, attack, knock, hit), reaction)[0]
