"""Another engine, in small: it knows a few operations and shares no code with Arbitro.

It keeps the contract of tests/cases/README.md: ``python second_engine.py [--chapter A-B]
[--op NAME]… PATH…``.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

RATIO = re.compile(r"[+-]?[0-9]+/0*[1-9][0-9]*")
MARGINS = {"D": (2, 4), "C": (3, 5), "B": (3, 6), "A": (4, 6), "S": (4, 7)}
MAIMED = {
    "maim_debilitating": "strength",
    "maim_articular": "dexterity",
    "maim_spiritual": "intelligence",
}


class Unknown(Exception):
    """The engine does not know what is asked of it."""


class Fields(dict[str, Any]):
    """What is given; taking a field away notes that it was read."""

    def closed(self) -> None:
        """Refuse what nobody has read; null counts as absent."""
        left = sorted(key for key, value in self.items() if value is not None)
        if left:
            raise Unknown(f"unknown field: {', '.join(left)}")


def number(value: Any) -> Fraction | None:
    """Read a number exactly; anything else is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | Decimal | Fraction):
        return Fraction(value)
    if isinstance(value, str) and RATIO.fullmatch(value):
        return Fraction(value)
    return None


def needed(value: Any) -> Fraction:
    """Read a number that has to be there."""
    found = number(value)
    if found is None:
        raise Unknown(f"{value!r} is no number")
    return found


# --------------------------------------------------------------------------------- the rules


def power(given: Fields) -> dict[str, Any]:
    """Add potential and stat bonus; a board may take the level of the stat for the bonus."""
    options = Fields(given.pop("ruleset", None) or {})
    source = options.pop("stat_bonus_source", "input")
    options.closed()
    stats, stat = given.pop("stats", None) or {}, given.pop("governing_stat", None)
    conditions = given.pop("conditions", None) or {}
    bonus = number(given.pop("stat_bonus", None))
    if bonus is None:
        if source != "total_level" or stat is None:
            raise Unknown("a stat bonus is missing")
        if not set(conditions) <= set(MAIMED):
            raise Unknown("a condition is unknown")
        level = sum(needed(one) for one in stats[stat].values())
        lost = sum(3 * needed(n) for name, n in conditions.items() if MAIMED[name] == stat)
        bonus = Fraction(level - lost)
    return {"power": needed(given.pop("potential")) + bonus, "stat_bonus": bonus}


def power_outcome(given: Fields) -> dict[str, Any]:
    """Say what becomes of the two actions, by the margins of the weaker one's category."""
    halved, intact = MARGINS[given.pop("y_category")]
    words = [
        "x_intact" if one >= intact else "x_halved" if one >= halved else "both_annulled"
        for one in map(needed, given.pop("differences"))
    ]
    return {"outcomes": words}


def range_steps(given: Fields) -> dict[str, Any]:
    """Count the ranges between the optimal one and each distance."""
    options = Fields(given.pop("ruleset", None) or {})
    ladder = options.pop("range_ladder_m", None) or [5, 10, 25, 60, 100, 250]
    options.closed()

    def place(metres: Any) -> int:
        return sum(needed(bound) < needed(metres) for bound in ladder)

    best = place(given.pop("optimal_m"))
    return {"range_steps": [abs(place(one) - best) for one in given.pop("distances_m")]}


OPS: dict[str, Callable[[Fields], dict[str, Any]]] = {
    "power": power,
    "power_outcome": power_outcome,
    "range_steps": range_steps,
}


# -------------------------------------------------------------------------------- the runner


def differences(expected: Any, got: Any, at: str = "") -> Iterator[str]:
    """Match as the contract says."""
    told = f"{at or '(all)'}: expected {expected!r}, got {got!r}"
    if isinstance(expected, dict):
        if not isinstance(got, dict) or (not expected and got):
            yield told
            return
        for key, value in expected.items():
            inner = f"{at}.{key}" if at else key
            if key in got:
                yield from differences(value, got[key], inner)
            else:
                yield f"{inner}: expected {value!r}, got nothing"
    elif isinstance(expected, list):
        if not isinstance(got, list) or len(got) != len(expected):
            yield told
            return
        for index, (one, other) in enumerate(zip(expected, got, strict=True)):
            yield from differences(one, other, f"{at}[{index}]")
    elif isinstance(expected, bool) or expected is None or isinstance(got, bool) or got is None:
        if expected is not got:
            yield told
    elif (number(expected), number(got)) != (None, None):
        if number(expected) != number(got):
            yield told
    elif expected != got:
        yield told


def wrong_with(case: dict[str, Any]) -> list[str]:
    """Run a case and list what is wrong."""
    op = OPS.get(case["op"])
    if op is None:
        return [f"unknown op: {case['op']}"]
    given = Fields(case["given"])
    try:
        got = op(given)
        given.closed()
    except (Unknown, KeyError, TypeError) as wrong:
        return [f"{type(wrong).__name__}: {wrong}"]
    return list(differences(case["expect"], got))


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an object with a key that stands twice in it."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def refuse(text: str) -> Any:
    """Refuse what JSON has no number for."""
    raise ValueError(f"{text} is no number")


def read(path: Path, named: bool) -> list[dict[str, Any]]:
    """Read the cases of a file; raise ValueError or OSError."""
    text = path.read_text(encoding="utf-8")
    found = json.loads(text, parse_float=Decimal, parse_constant=refuse, object_pairs_hook=once)
    if isinstance(found, list) and any(isinstance(one, dict) and "given" in one for one in found):
        return found
    if named:
        raise ValueError("no cases")
    return []


def wanted(case: dict[str, Any], chapters: tuple[int, int] | None, ops: list[str]) -> bool:
    """Say whether a case belongs to the run."""
    begins = re.match(r"[0-9]+", str(case.get("chapter", "")))
    in_chapters = (
        chapters is None or begins is None or (chapters[0] <= int(begins[0]) <= chapters[1])
    )
    return in_chapters and (not ops or case["op"] in ops)


def span(text: str) -> tuple[int, int]:
    """Read ``4`` or ``1-4``."""
    first, _, last = text.partition("-")
    return int(first), int(last or first)


def main() -> int:
    """Run what the command line names; return the exit status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--chapter", type=span)
    parser.add_argument("--op", action="append", default=[])
    parser.add_argument("paths", type=Path, nargs="+")
    asked = parser.parse_args()
    passed = failed = 0
    for path in asked.paths:
        for file in sorted(path.rglob("*.json")) if path.is_dir() else [path]:
            try:
                cases = read(file, named=file == path)
            except (OSError, ValueError) as broken:
                failed += 1
                print(f"FAILED {file}\n  {broken}")
                continue
            for case in cases:
                if not wanted(case, asked.chapter, asked.op):
                    continue
                wrong = wrong_with(case)
                passed, failed = passed + (not wrong), failed + bool(wrong)
                if wrong:
                    print(f"FAILED {case['id']} {case['title']}")
                    print("".join(f"  {line}\n" for line in wrong), end="")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
