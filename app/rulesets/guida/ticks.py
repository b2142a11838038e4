"""Condizioni Fisiche (GC-11.21 to 11.25): fire and frost hurt and wear off in the Initial Phase."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.rulesets.guida.combatants import (
    Combatant,
    Line,
)
from app.rulesets.guida.conditions import remove_stacks
from app.rulesets.guida.decay import settle_decay
from app.rulesets.guida.entrants import StackCount
from app.rulesets.guida.levels import stacks_in_force
from app.rulesets.guida.readings import (
    TickOrder,
)
from app.rulesets.guida.state import (
    Scene,
    add_line,
)
from app.rulesets.guida.tables import ABLAZE_DAMAGE, CONDITION_DECAY, FREEZING_DAMAGE, TYPE_4
from app.rulesets.guida.terms import Change, Stack

_DAMAGE: Final = {Stack.ABLAZE: ABLAZE_DAMAGE, Stack.FREEZING: FREEZING_DAMAGE}
_HURTS: Final = {Stack.ABLAZE: "GC-11.21", Stack.FREEZING: "GC-11.23"}
_DECAYS: Final = {Stack.ABLAZE: "GC-11.22", Stack.FREEZING: "GC-11.25"}


def tick(scene: Scene, id: str) -> Scene:
    """Let fire and frost hurt their bearer and wear off, once in each of the bearer's turns.

    The damage is flat: nothing of the bearer's stops it, and it is nobody's additional damage
    (AMB-87). Which of the two comes first is a ruling (AMB-86).
    """
    first = scene.options.tick_order is TickOrder.DAMAGE_THEN_DECAY
    for stack in TYPE_4:
        for hurting in (first, not first):
            scene = _hurt(scene, id, stack) if hurting else _wear(scene, id, stack)
    return scene


def _hurt(scene: Scene, id: str, stack: Stack) -> Scene:
    damage = _DAMAGE[stack].at(stacks_in_force(scene.who(id), stack))
    if not damage:
        return scene
    line = Line(
        id=0, change=Change.HP, amount=-damage, rule=_HURTS[stack], key="tick", subject=stack
    )
    return add_line(scene, id, line)


def _wear(scene: Scene, id: str, stack: Stack) -> Scene:
    bearer = scene.who(id)
    count = stacks_in_force(bearer, stack)
    slow = sum(one.count for one in bearer.slow if one.stack is stack)
    worn = settle_decay(scene.options, CONDITION_DECAY, count, slow=slow, turn=bearer.turn)
    bearer = _waiting(bearer, stack, worn.slow)
    loss = min(worn.loss, count)
    if not loss:
        return scene.put(bearer)
    line = Line(
        id=0,
        change=Change.STACKS,
        amount=-loss,
        rule=_DECAYS[stack],
        key="stacks_decay",
        stack=stack,
    )
    return add_line(scene.put(remove_stacks(bearer, stack, loss)), id, line)


def _waiting(bearer: Combatant, stack: Stack, ticks: int) -> Combatant:
    others = tuple(one for one in bearer.slow if one.stack is not stack)
    waits = (StackCount(stack=stack, count=ticks),) if ticks else ()
    return replace(bearer, slow=(*others, *waits))
