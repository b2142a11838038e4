"""What somebody may do to a ledger as a whole, and which of it only a posted head betrays."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeAlias

from app.engine.seal import seed_of, turn_digest
from tests.support.ledgers import (
    D6,
    D20,
    LINKS,
    MATCH,
    SALTS,
    Ledger,
    numbers_of,
    rewritten,
    short,
)

Attack: TypeAlias = Callable[[Ledger], Ledger]


def drop(ledger: Ledger) -> Ledger:
    """Leave out a roll in the middle."""
    at = numbers_of(ledger, "roll")[1]
    return ledger.copy([*ledger.lines[:at], *ledger.lines[at + 1 :]])


def drop_check(ledger: Ledger) -> Ledger:
    """Leave out the only check."""
    at = numbers_of(ledger, "check")[0]
    return ledger.copy([*ledger.lines[:at], *ledger.lines[at + 1 :]])


def swap(ledger: Ledger) -> Ledger:
    """Put two rolls in the other order."""
    first, second = numbers_of(ledger, "roll")[:2]
    lines = list(ledger.lines)
    lines[first], lines[second] = lines[second], lines[first]
    return ledger.copy(lines)


def duplicate(ledger: Ledger) -> Ledger:
    """Let the last roll stand twice."""
    return ledger.copy([*ledger.lines, ledger.lines[-1]])


def insert(ledger: Ledger) -> Ledger:
    """Put an order in that nobody gave."""
    fields = Ledger().order("{}", entry=99)
    forged = Ledger()
    forged.add("order", **fields)
    return ledger.copy([*ledger.lines[:-1], *forged.lines, ledger.lines[-1]])


def truncate(ledger: Ledger) -> Ledger:
    """Forget how it ended."""
    return ledger.copy(ledger.lines[:-2])


def fork(ledger: Ledger) -> Ledger:
    """Play on from an earlier moment in another way, with the seeds there are."""
    other = short()
    other.lines = other.lines[: numbers_of(other, "roll")[1]]
    other.r, other.entry = 1, 1
    other.roll(D6)
    return other


def another_tail(ledger: Ledger) -> Ledger:
    """Replace the last order by another with the same dice, as if somebody had asked for that."""

    def ask(line: dict[str, Any]) -> None:
        line["request"] = '{"other":1}'
        line["turn"] = turn_digest(MATCH, line["entry"], line["request"])

    return rewritten(ledger, len(ledger.lines) - 1, ask)


def new_heads(ledger: Ledger) -> Ledger:
    """Change an order in the middle; the heads after it are new ones."""
    return rewritten(
        ledger, numbers_of(ledger, "roll")[1], lambda line: line.update(request='{"r":"2"}')
    )


def swap_seeds(ledger: Ledger) -> Ledger:
    """Exchange the seeds of two rolls."""
    first, second = numbers_of(ledger, "roll")[:2]
    seeds = [json.loads(ledger.lines[at])["seed"] for at in (second, first)]
    changed = rewritten(ledger, first, lambda line: line.update(seed=seeds[0]))
    return rewritten(changed, second, lambda line: line.update(seed=seeds[1]))


def better_face(ledger: Ledger) -> Ledger:
    """Let a die show what it did not."""

    def turn_up(line: dict[str, Any]) -> None:
        line["dice"][0]["faces"] = [1 + line["dice"][0]["faces"][0] % 20]

    return rewritten(ledger, numbers_of(ledger, "roll")[1], turn_up)


def other_anchor(ledger: Ledger) -> Ledger:
    """Say that the chain was another one from the beginning."""
    anchor = seed_of(MATCH, bytes(32), 0, LINKS).hex()
    return rewritten(ledger, 0, lambda line: line.update(anchor=anchor))


def salt_first(ledger: Ledger) -> Ledger:
    """Put a salt before the anchor, as if the anchor had been chosen afterwards."""
    at = numbers_of(ledger, "salt")[0]
    return ledger.copy([ledger.lines[at], *ledger.lines[:at], *ledger.lines[at + 1 :]])


def salt_last(ledger: Ledger) -> Ledger:
    """Move a salt behind the first roll."""
    at, roll = numbers_of(ledger, "salt")[1], numbers_of(ledger, "roll")[0]
    lines = list(ledger.lines)
    lines.insert(roll, lines.pop(at))
    return ledger.copy(lines)


def other_scene(ledger: Ledger) -> Ledger:
    """Hand in the flawless ledger of a scene that was played in another way."""
    other = Ledger(top=bytes(32))
    other.open()
    for seat, salt in SALTS.items():
        other.seal(seat, salt)
    for seat, salt in SALTS.items():
        other.salt(seat, salt)
    other.roll(D20, D6)
    return other


ATTACKS: dict[str, Attack] = {
    attack.__name__: attack
    for attack in (
        *(drop, drop_check, swap, duplicate, insert, truncate, fork, another_tail),
        *(new_heads, swap_seeds, better_face, other_anchor, salt_first, salt_last, other_scene),
    )
}
SEEN_BY_THE_HEAD_ALONE = {"truncate", "fork", "another_tail", "other_scene"}
"""Attacks that leave a ledger in which nothing contradicts itself."""
