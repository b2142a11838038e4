"""Warrior Dice as one would write it by hand in an afternoon: what the solver is held against.

Printed warriors under the standing orders, without options, battlefields or anything to tell.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, TypeAlias

from app.rulesets.warrior_dice.printed import PRINTED

Option: TypeAlias = tuple[str, int, str]  # kind, Force, special
Sheet: TypeAlias = tuple[tuple[Option, ...], ...]  # for each face its options
Result: TypeAlias = tuple[str, int, str]
NOTHING: Result = ("lost", 0, "")


@cache
def sheet(id: str) -> Sheet:
    """Give the table of a printed warrior as bare values."""
    options = PRINTED[id].sheet.options
    return tuple(
        tuple(
            (str(one.kind), one.force or 0, str(one.special or ""))
            for one in options
            if one.face == face
        )
        for face in range(1, 11)
    )


def attacking(option: Option, lost: int) -> float:
    """Rank a result in the Attack phase."""
    kind, force, special = option
    if kind == "adder":
        return 19
    if kind == "doubler":
        return 21
    if special == "regain":
        return 9 if lost >= 10 else 0
    if kind == "defence":
        return 0
    return {"all_out": 28, "neutralize": 25, "neutralize_self": -20, "no_damage": 1}.get(
        special, force
    )


def defending(option: Option, incoming: int, neutralize: bool, lost: int) -> float:
    """Rank a result in the Defence phase."""
    kind, force, special = option
    if kind == "attack":
        return 0
    if special == "neutralize":
        return 20
    if special == "regain":
        return min(10, lost)
    if neutralize:
        if kind in ("adder", "doubler"):
            return 50 if kind == "adder" else 60
        return 40 if special else 100 if force >= 20 else 0
    if kind in ("adder", "doubler"):
        return min(incoming / 2, 19 if kind == "adder" else 21)
    return min(incoming / 2, 28) if special else min(force, incoming)


def roll(rng: Random, sheet: Sheet, phase: str, rank: Callable[[Option], float]) -> Result:
    """Roll until a result is left."""
    lifts: list[str] = []
    options = sheet[rng.randrange(10)]
    while True:
        option = max(options, key=rank)
        kind, force, special = option
        if kind == "doubler":
            first, second = sheet[rng.randrange(10)], sheet[rng.randrange(10)]
            better = max(map(rank, second)) > max(map(rank, first))
            options = second if better else first
            continue
        if kind == "adder":
            lifts.append(kind)
        elif special == "all_out" and kind == phase:
            lifts.append(special)
        elif special:
            return kind, 0, "" if special == "all_out" else special
        else:
            for lift in reversed(lifts):
                if lift == "adder":
                    force += 10
                elif kind == phase:
                    force *= 2
            return kind, force, ""
        options = sheet[rng.randrange(10)]


def play(rng: Random, first: str, second: str) -> bool:
    """Play a duel with a starting roll; say whether the first of both has won."""
    sheets = (sheet(first), sheet(second))
    tops = [PRINTED[id].sheet.hits for id in (first, second)]
    hits, skips = list(tops), [0, 0]
    up = rng.randrange(2)
    for _ in range(200):
        other = 1 - up
        if skips[up]:
            skips[up] -= 1
            up = other
            continue
        lost = tops[up] - hits[up]
        kind, force, special = roll(rng, sheets[up], "attack", lambda o, n=lost: attacking(o, n))
        if special == "regain":
            hits[up] = min(tops[up], hits[up] + 10)
        elif special == "neutralize_self":
            skips[up] = 2
        elif kind == "attack":
            stuns, lost = special == "neutralize", tops[other] - hits[other]
            met: Any = (force, stuns, lost)
            stop = roll(rng, sheets[other], "defence", lambda o, m=met: defending(o, *m))
            if stop[2] == "regain":
                hits[other] = min(tops[other], hits[other] + 10)
            if stop[0] == "defence" and stop[2] == "neutralize":
                skips[up] = 2
            stopped = stop[1] if stop[0] == "defence" else 0
            if stuns:
                skips[other] = 2 if stopped < 20 else skips[other]
            elif special != "no_damage":
                hits[other] -= max(0, force - stopped)
                if hits[other] <= 0:
                    return up == 0
        up = other
    return False
