"""Condizioni Fisiche (GC-11): stacks land, are capped, last and go."""

from __future__ import annotations

from dataclasses import replace

from app.rulesets.guida.options import Options
from app.rulesets.guida.state import Combatant, Lot
from app.rulesets.guida.tables import TYPE_1, TYPE_1_CAP, TYPE_2, TYPE_2_CAP, TYPE_2_TURNS
from app.rulesets.guida.terms import Stack


def apply_stacks(options: Options, bearer: Combatant, stack: Stack, count: int) -> Combatant:
    """Stamp stacks on a bearer; they act from the bearer's next turn (GC-14.31, AMB-82).

    Type 1 is capped over both conditions and lasts one turn (GC-11.2, GC-11.4); Type 2 is
    capped per category and each application restarts its three turns (GC-11.8, GC-11.10);
    Type 3 accumulates (GC-11.14).
    """
    since = bearer.turn + 1
    if stack in TYPE_1:
        held = sum(lot.count for lot in bearer.lots if lot.stack in TYPE_1 and lot.since == since)
        taken = min(count, TYPE_1_CAP - held)
        return _with(bearer, stack, taken, since, since)
    if stack in TYPE_2:
        until = since + TYPE_2_TURNS - 1
        held = sum(lot.count for lot in bearer.lots if lot.stack is stack)
        taken = min(count, TYPE_2_CAP - held)
        if taken or options.maim_restart_at_cap:  # AMB-84
            bearer = replace(
                bearer,
                lots=tuple(
                    replace(lot, until=until) if lot.stack is stack else lot for lot in bearer.lots
                ),
            )
        return _with(bearer, stack, taken, since, until)
    return _with(bearer, stack, count, since, None)


def remove_stacks(bearer: Combatant, stack: Stack, count: int) -> Combatant:
    """Take stacks away, the oldest first."""
    lots: list[Lot] = []
    for lot in bearer.lots:
        taken = min(count, lot.count) if lot.stack is stack else 0
        count -= taken
        if lot.count > taken:
            lots.append(replace(lot, count=lot.count - taken))
    return replace(bearer, lots=tuple(lots))


def expire_stacks(bearer: Combatant) -> tuple[Combatant, tuple[Lot, ...]]:
    """End the bearer's turn: what was to last until this turn goes."""
    gone = tuple(lot for lot in bearer.lots if lot.until is not None and lot.until <= bearer.turn)
    kept = tuple(lot for lot in bearer.lots if lot not in gone)
    return replace(bearer, lots=kept), gone


def held(bearer: Combatant, stack: Stack) -> int:
    """Count all stacks of a condition, those not yet acting included."""
    return sum(lot.count for lot in bearer.lots if lot.stack is stack)


def _with(bearer: Combatant, stack: Stack, count: int, since: int, until: int | None) -> Combatant:
    if count <= 0:
        return bearer
    lot = Lot(stack=stack, count=count, since=since, until=until)
    return replace(bearer, lots=(*bearer.lots, lot))


def clear_type_1(bearer: Combatant) -> tuple[Combatant, dict[Stack, int]]:
    """Remove all stun and off-balance, acting already or not (GC-4.36, GC-14.32)."""
    gone = {stack: held(bearer, stack) for stack in TYPE_1 if held(bearer, stack)}
    kept = tuple(lot for lot in bearer.lots if lot.stack not in TYPE_1)
    return replace(bearer, lots=kept), gone
