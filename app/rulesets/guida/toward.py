"""Toward whom a counterattack goes on, of those whose actions it meets (GC-2.10, GC-14.2)."""

from __future__ import annotations

from dataclasses import replace

from app.rulesets.guida.allies import at_allies
from app.rulesets.guida.defence import Declared, Going, Phase, opponent_of
from app.rulesets.guida.orders import (
    Defence,
)
from app.rulesets.guida.state import (
    Scene,
    launched_as,
)
from app.rulesets.guida.underway import (
    Incoming,
    Pending,
)


def authors_of(scene: Scene, id: str, defence: Defence) -> dict[str, str]:
    """Give the actions a defence is declared against, in their sequence, with their authors."""
    met: list[Incoming | Pending] = [
        *scene.against(id),
        *at_allies(scene, id),
        *scene.counterable(id),
    ]
    met.sort(key=lambda one: launched_as(one.id))
    return {one.id: opponent_of(one) for one in met if one.id in defence.against}


def expected_opponent(scene: Scene, id: str, defence: Defence) -> str | None:
    """Give whom a counterattack goes toward if it beats all it meets: its label is about that."""
    authors = tuple(authors_of(scene, id, defence).values())
    named = defence.then.toward if defence.then is not None else None
    return named if named in authors else next(iter(authors), None)


def take_up(phase: Phase, declared: Declared, going: Going) -> Phase:
    """Let a counterattack go on toward the first it beat, or the one it names if it beat that one.

    It is one action whatever it meets: what a clash has left of it is left for all.
    """
    old = next((one for one in phase.going if one.index == declared.index), None)
    if old is None:
        return replace(phase, going=(*phase.going, going))
    named = declared.defence.then.toward if declared.defence.then is not None else None

    def rank(one: Going) -> tuple[bool, bool]:
        return one.won, one.opponent == named

    kept = replace(going if rank(going) > rank(old) else old, power=going.power)
    rest = tuple(one for one in phase.going if one is not old)
    return replace(phase, going=(*rest, kept))


def strikes(scene: Scene, pending: Pending) -> bool:
    """Say whether the counter that suspends an action is on its way to its owner (GC-4.81)."""
    return any(attack.suspends == pending.id for attack in scene.incoming)
