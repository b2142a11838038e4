"""Condizioni Fisiche (GC-11): stacks land, are capped, last and go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from app.rulesets.guida.combatants import (
    Combatant,
    Lot,
)
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.readings import (
    Overflow,
    TransientStart,
)
from app.rulesets.guida.tables import TYPE_1, TYPE_1_CAP, TYPE_2, TYPE_2_CAP, TYPE_2_TURNS
from app.rulesets.guida.terms import Stack


@dataclass(frozen=True, slots=True)
class Span:
    """In which of the bearer's turns Type-1 stacks act; ``half`` as in a ``Lot``."""

    since: int
    until: int
    half: bool = False

    def holds(self, lot: Lot) -> bool:
        """Say whether a lot acts in one of these turns."""
        return lot.since <= self.until and (lot.until is None or self.since <= lot.until)


def transient_span(options: Options, bearer: Combatant, *, own_turn: bool) -> Span:
    """Give the one turn in which stun and off-balance act (GC-11.4, AMB-82).

    It is the bearer's next one; or, for what lands in the bearer's own turn, what is left of
    that and the next Defensive Phase.
    """
    if own_turn and options.transient_stack_start is TransientStart.IMMEDIATE:
        return Span(bearer.turn, bearer.turn + 1, half=True)
    return Span(bearer.turn + 1, bearer.turn + 1)


def apply_stacks(
    options: Options,
    bearer: Combatant,
    stack: Stack,
    count: int,
    *,
    own_turn: bool = False,
    condition: str | None = None,
) -> Combatant:
    """Stamp stacks on a bearer; they act from the bearer's next turn (GC-14.31, AMB-82).

    Type 1 is capped over both conditions and lasts one turn (GC-11.2, GC-11.4); Type 2 is
    capped per category and each application restarts its three turns (GC-11.8, GC-11.10);
    Types 3 and 4 accumulate (GC-11.14, GC-11.18).
    """
    since = bearer.turn + 1
    if stack in TYPE_1:
        span = transient_span(options, bearer, own_turn=own_turn)
        lot = Lot(stack=stack, count=0, since=span.since, until=span.until, half=span.half)
        return _with(bearer, replace(lot, count=min(count, room(bearer, span))))
    if stack in TYPE_2:
        until = since + TYPE_2_TURNS - 1
        taken = min(count, TYPE_2_CAP - held(bearer, stack))
        if taken or options.maim_restart_at_cap:  # AMB-84
            bearer = replace(
                bearer,
                lots=tuple(
                    replace(lot, until=until) if lot.stack is stack else lot for lot in bearer.lots
                ),
            )
        return _with(bearer, Lot(stack=stack, count=taken, since=since, until=until))
    # GC-11.15: of poison the Guida knows no more than how much of it there is.
    lot = Lot(stack=stack, count=count, since=since, until=None, condition=condition)
    return _with(bearer, lot)


def room(bearer: Combatant, span: Span) -> int:
    """Count the Type-1 stacks that still find room in the turns of a span (GC-11.2, GC-14.31)."""
    held = sum(lot.count for lot in bearer.lots if lot.stack in TYPE_1 and span.holds(lot))
    return TYPE_1_CAP - held


def order_of(stacks: Sequence[Stack], prefers: Sequence[Stack]) -> list[Stack]:
    """Put the stacks of one blow in the order in which they find room (GC-11.3, AMB-81)."""
    wished = [stack for stack in prefers if stack in stacks]
    return [*wished, *(stack for stack in stacks if stack not in wished)]


def make_room(
    options: Options,
    bearer: Combatant,
    coming: dict[Stack, int],
    prefers: Sequence[Stack],
    *,
    own_turn: bool,
) -> tuple[Combatant, dict[Stack, int]]:
    """Let an attacker who may recompose all four take out stacks of the bearer's (AMB-81).

    Give the bearer without them, and how many went; none where only incoming stacks are chosen.
    """
    if options.type1_overflow is Overflow.INCOMING_ONLY:
        return bearer, {}
    span = transient_span(options, bearer, own_turn=own_turn)
    there = {
        stack: sum(lot.count for lot in bearer.lots if lot.stack is stack and span.holds(lot))
        for stack in TYPE_1
    }
    free = TYPE_1_CAP
    for wished in (one for one in prefers if one in TYPE_1):
        free -= min(free, there[wished] + coming.get(wished, 0))
    gone: dict[Stack, int] = {}
    for other in set(TYPE_1) - set(prefers):
        kept = min(free, there[other])
        free -= kept
        gone[other] = there[other] - kept
    for other, count in gone.items():
        bearer = _remove(bearer, other, count, span.holds)
    return bearer, {other: count for other, count in gone.items() if count}


def remove_stacks(bearer: Combatant, stack: Stack, count: int) -> Combatant:
    """Take stacks away, the oldest first."""
    return _remove(bearer, stack, count)


def expire_stacks(bearer: Combatant) -> tuple[Combatant, tuple[Lot, ...]]:
    """End the bearer's turn: what was to last until this turn goes."""
    return _let_go(bearer, [lot for lot in bearer.lots if _is_over(bearer, lot)])


def expire_halves(bearer: Combatant) -> tuple[Combatant, tuple[Lot, ...]]:
    """End the bearer's Defensive Phase: what was to last no longer than that goes (AMB-82)."""
    return _let_go(bearer, [lot for lot in bearer.lots if lot.half and _is_over(bearer, lot)])


def held(bearer: Combatant, stack: Stack) -> int:
    """Count all stacks of a condition, those not yet acting included."""
    return sum(lot.count for lot in bearer.lots if lot.stack is stack)


def clear_type_1(bearer: Combatant) -> tuple[Combatant, dict[Stack, int]]:
    """Remove all stun and off-balance, acting already or not (GC-4.36, GC-14.32)."""
    gone = {stack: held(bearer, stack) for stack in TYPE_1 if held(bearer, stack)}
    kept = tuple(lot for lot in bearer.lots if lot.stack not in TYPE_1)
    return replace(bearer, lots=kept), gone


def _is_over(bearer: Combatant, lot: Lot) -> bool:
    return lot.until is not None and lot.until <= bearer.turn


def _let_go(bearer: Combatant, gone: Sequence[Lot]) -> tuple[Combatant, tuple[Lot, ...]]:
    kept = tuple(lot for lot in bearer.lots if lot not in gone)
    return replace(bearer, lots=kept), tuple(gone)


def _remove(
    bearer: Combatant, stack: Stack, count: int, which: Callable[[Lot], bool] = lambda _: True
) -> Combatant:
    lots: list[Lot] = []
    for lot in bearer.lots:
        taken = min(count, lot.count) if lot.stack is stack and which(lot) else 0
        count -= taken
        if lot.count > taken:
            lots.append(replace(lot, count=lot.count - taken))
    return replace(bearer, lots=tuple(lots))


def _with(bearer: Combatant, lot: Lot) -> Combatant:
    return replace(bearer, lots=(*bearer.lots, lot)) if lot.count > 0 else bearer
