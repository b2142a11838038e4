"""The options of conditions and knockback (GC-10, GC-11), each in a scene that it changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.engine.findings import Obstacle
from app.rulesets.guida.conditions import held
from app.rulesets.guida.entrants import StackCount
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Attack,
    Knock,
    Turn,
)
from app.rulesets.guida.readings import (
    Overflow,
    SlowDecay,
    TickOrder,
    TransientStart,
)
from app.rulesets.guida.sheet import Knockback, StackEffect
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Stack
from tests.unit.guida.build import (
    codes,
    coming,
    dodge,
    entrant,
    found,
    hit,
    keys,
    parry,
    post,
    post_any,
    scene,
    suffer,
    tool,
    turn,
)
from tests.unit.guida.rows import Row

RAM = tool("ram", potential_bonus=4, potential=40, parries=True, effects=(Knockback(),))


def burning(under: dict[str, Any], count: int, turns: int) -> tuple[int, int]:
    """Let Bo burn for some turns: hit points lost in all, and stacks left."""
    bo = entrant("bo", stacks=(StackCount(stack=Stack.ABLAZE, count=count),))
    start = scene(entrant("ada"), bo, first="bo", **under)
    for _ in range(turns):
        start = post(post(start, turn("bo")).state, turn("ada")).state
    return 100 - start.who("bo").hp_now, held(start.who("bo"), Stack.ABLAZE)


def recomposed(under: dict[str, Any]) -> int:
    """Unbalance Bo twice and stun him three times, stun first: count the stun."""
    shove = tool("shove", effects=(StackEffect(stack=Stack.OFF_BALANCE, count=2),))
    daze = tool("daze", effects=(StackEffect(stack=Stack.STUN, count=3),))
    blows = (coming(tool="shove"), coming(tool="daze", prefers=(Stack.STUN,)))
    start = scene(entrant("ada", shove, daze), entrant("bo"), underway=blows, first="bo", **under)
    done = post(start, turn("bo", suffer("a1", "a2")))
    return held(done.state.who("bo"), Stack.STUN)


def stunned_at_once(under: dict[str, Any]) -> int:
    """Stun Bo in his Defensive Phase: what does that cost the attack of the same turn?"""
    daze = tool(effects=(StackEffect(stack=Stack.STUN, count=2),))
    start = scene(entrant("ada", daze), entrant("bo"), underway=(coming(),), first="bo", **under)
    done = post(start, turn("bo", suffer("a1"), main=hit("ada")), 6)
    (launched,) = found(done.findings, "attack_launched")
    return sum(int(t.value) for t in launched["hit"].terms if t.key == Stack.STUN)


def parried(under: dict[str, Any]) -> Scene:
    """Let Bo throw Ada back with a parry."""
    start = scene(entrant("ada"), entrant("bo", RAM), underway=(coming(),), first="bo", **under)
    return post(start, turn("bo", parry("a1", tool="ram", knock=Knock())), 18).state


def recovery(under: dict[str, Any]) -> set[str]:
    """Let Ada try to recover from a parry that threw her back."""
    return codes(GUIDA.check(parried(under), Turn(by="ada", reacts=True)))


def declared(under: dict[str, Any]) -> set[str]:
    """Declare a knockback for a parry whose weapon has no such effect."""
    plain = tool("plain", potential_bonus=4, parries=True)
    start = scene(entrant("ada"), entrant("bo", plain), underway=(coming(),), first="bo", **under)
    order = turn("bo", parry("a1", tool="plain", knock=Knock()))
    obstacles: tuple[Obstacle, ...] = GUIDA.check(start, order)
    return codes(obstacles)


def cascaded(under: dict[str, Any]) -> bool:
    """Fail a reaction and then dodge: does the dodge still save?"""
    blade = tool(potential_bonus=4)
    start = scene(entrant("ada", blade), entrant("bo"), **under)
    main = Attack(target="bo", tool="blade", knock=Knock())
    start = post(start, turn("ada", main=main), 6).state
    start = replace(start, next="ada")
    start = replace(post(start, turn("ada", main=hit()), 1).state, next="bo")
    first, second = start.against("bo")
    order = turn("bo", suffer(first.id, reacts=True), dodge(second.id))
    return "attack_avoided" in keys(post_any(start, order, 1, 12).findings)


ROWS = (
    Row("tick_order", TickOrder.DECAY_THEN_DAMAGE, lambda u: burning(u, 6, 1), (5, 5), (3, 5)),
    Row("slow_decay_counter", SlowDecay.SCENE_PARITY, lambda u: burning(u, 6, 2), (8, 5), (8, 4)),
    Row("type1_overflow", Overflow.RECOMPOSE, recomposed, 2, 3),
    Row("transient_stack_start", TransientStart.IMMEDIATE, stunned_at_once, 0, -2),
    Row("reaction_to_defence_knockback", False, recovery, set(), {"nothing_knocks_back"}),
    Row("declared_knockback_on_defence", True, declared, {"knockback_not_effect"}, set()),
    Row("failed_reaction_cascades", True, cascaded, True, False),
)
