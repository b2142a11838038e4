"""A whole game held to its record: its orders and dice, read back, give every state and finding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from app.engine.dice import RecordedDice, Roll
from app.persistence.codec import decode, encode, load, store, union_of
from app.services.games import Game


@dataclass(frozen=True)
class Decided:
    """One decision of a game: the order and its dice, and what came of them."""

    order: Any
    rolls: tuple[Roll, ...]
    after: Any
    findings: tuple[Any, ...]


def hold_to_record(ruleset: Game, first: Any, decided: Iterable[Decided]) -> int:
    """Play a game again from its first state, as it would be read from the log; count decisions.

    Each state is the stored snapshot read back, so that one that loses anything is found out.
    """
    state = load(ruleset.state, store(first))
    orders = union_of(ruleset.orders)
    count = 0
    for one in decided:
        order = decode(orders, encode(one.order, orders))
        assert ruleset.check(state, order) == ()
        again = ruleset.resolve(state, order, RecordedDice(one.rolls))
        assert again.state == one.after
        assert again.findings == tuple(one.findings)
        state = load(ruleset.state, store(again.state))
        assert state == again.state
        count += 1
    assert ruleset.awaits(state).ended
    return count


def steps_of(steps: Sequence[Any]) -> tuple[Any, list[Decided]]:
    """Give the first state and the decisions of a random game."""
    return steps[0].before, [
        Decided(one.order, one.rolls, one.after, one.findings) for one in steps
    ]
