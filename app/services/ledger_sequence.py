"""What has to stand in a ledger before a line may come: rules that hold across its kinds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.services.ledger_lines import Fault, Line
from app.services.ledger_state import Told

THROWN: Final = ("roll", "hidden", "check")
"""The kinds whose dice the service throws, from what was fixed before and the salts."""

_OF_A_WAIT: Final = ("roll", "hidden", "forum", "fallback", "void")


def sequence_faults(told: Told, kind: str, line: Line) -> Iterator[Fault]:
    """Find what makes a line come at the wrong time, and note that dice have fallen."""
    if _is_of_other_dice(told, kind, line):
        yield told.fault("wrong_roller")
    yield from _left(told, kind, line)
    if kind in THROWN and not told.thrown:
        # Whoever could throw without a salt, or before it, would choose among the outcomes.
        for seat in told.seats:
            if seat not in told.salts:
                yield told.fault("salt_missing", seat=seat)
        told.thrown = True


def seat_faults(told: Told, seat: str) -> Iterator[Fault]:
    """Look whether a seat is one of line 0: one made up for its salt would steer the dice."""
    if seat not in told.seats:
        yield told.fault("unknown_seat", seat=seat)


def _is_of_other_dice(told: Told, kind: str, line: Line) -> bool:
    """Say whether a line has dice of the forum where the service throws, or the other way."""
    if kind == "accept":
        waits: str = line["waits"]
        return (waits == "forum") != told.by_forum
    if kind == "forum":
        return not told.by_forum
    # A hidden roll for an order that waits for the forum would put our dice in the place of its.
    taken = kind == "hidden" and line.get("entry") in told.waiting
    return told.by_forum and (kind == "roll" or taken)


def _left(told: Told, kind: str, line: Line) -> Iterator[Fault]:
    """Look whether the next entry is about the one that waits, whose dice may be known already.

    Other words for a story decide nothing, and may come meanwhile.
    """
    if not told.waiting or "entry" not in line or kind == "correct":
        return
    about = line["voids"] if kind == "void" else line["entry"]
    if kind not in _OF_A_WAIT or about not in told.waiting:
        yield told.fault("accept_left", entry=next(iter(told.waiting)))
        told.waiting.clear()
