"""Several combatants alike in a set-up: one row that says how often, made into as many.

An entrant with ``copies`` stands for as many as it says: the ids ``wolf1``, ``wolf2`` …, the names
``Lupo 1``, ``Lupo 2`` …. A distance, a place behind or a hidden pair that names ``wolf`` holds for
each of them, and a distance from ``wolf`` to ``wolf`` for each two of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any, Final

from app.engine.findings import Obstacle, Violation
from app.services.errors import Mistake

MOST: Final = 12
_ENTRANT: Final = re.compile(r"\bentrants(\[|\.)([0-9]+)")


@dataclass(frozen=True, slots=True)
class Copied:
    """A set-up with its copies made, and from which of the client's entrants each came."""

    setup: dict[str, Any]
    origins: tuple[int, ...]
    mistakes: tuple[Mistake, ...]

    def of_client(self, mistakes: Iterable[Mistake]) -> list[Mistake]:
        """Let mistakes name the entrants that the client wrote, each once for all its copies."""
        told = [replace(one, field=self._field(one.field)) for one in mistakes]
        return list({(one.field, one.code): one for one in told}.values())

    def in_the_way(self, obstacles: Iterable[Obstacle]) -> list[Obstacle]:
        """Let obstacles name the entrants that the client wrote."""
        return [
            replace(one, field=self._field(one.field)) if isinstance(one, Violation) else one
            for one in obstacles
        ]

    def _field(self, field: str) -> str:
        def back(found: re.Match[str]) -> str:
            place = int(found[2])
            known = self.origins[place] if place < len(self.origins) else place
            return f"entrants{found[1]}{known}"

        return _ENTRANT.sub(back, field)


def copied(setup: dict[str, Any]) -> Copied:
    """Make the copies that a set-up asks for; sheets are in it already."""
    entrants = setup.get("entrants")
    if not isinstance(entrants, list):
        return Copied(setup, (), ())
    made: list[Any] = []
    origins: list[int] = []
    mistakes: list[Mistake] = []
    groups: dict[str, tuple[str, ...]] = {}
    for place, entrant in enumerate(entrants):
        count = entrant.get("copies", 1) if isinstance(entrant, dict) else 1
        if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MOST:
            facts = {"least": 1, "most": MOST}
            mistakes.append(Mistake(f"setup.entrants[{place}].copies", "out_of_range", facts))
            count = 1
        copies = list(numbered(entrant, count)) if isinstance(entrant, dict) else [entrant]
        if count > 1 and isinstance(entrant.get("id"), str):
            groups[entrant["id"]] = tuple(one["id"] for one in copies)
        made += copies
        origins += [place] * len(copies)
    whole = {**setup, "entrants": made}
    if groups:
        whole |= _spread(setup, groups)
    return Copied(whole, tuple(origins), tuple(mistakes))


def numbered(entrant: dict[str, Any], count: int, first: int = 1) -> Iterator[dict[str, Any]]:
    """Make copies with ids and names that end in a number; a single one stays as it is."""
    kept = {name: part for name, part in entrant.items() if name != "copies"}
    if count == 1 and first == 1:
        yield kept
        return
    sheet = kept.get("sheet")
    id = str(kept.get("id", ""))
    stem = f"{id}-" if id[-1:].isdecimal() else id  # p1 makes p1-1, or it might meet p11
    for number in range(first, first + count):
        copy = {**kept, "id": f"{stem}{number}"}
        if isinstance(sheet, dict) and isinstance(sheet.get("name"), str):
            copy["sheet"] = {**sheet, "name": f"{sheet['name']} {number}"}
        yield copy


def _spread(setup: dict[str, Any], groups: dict[str, tuple[str, ...]]) -> dict[str, Any]:
    """Let what names a row of copies hold for each of them."""
    spread: dict[str, Any] = {}
    for name, (one, other) in {
        "distances": ("a", "b"),
        "behind": ("who", "whom"),
        "hidden": ("who", "observer"),
    }.items():
        rows = setup.get(name)
        if isinstance(rows, list):
            spread[name] = [new for row in rows for new in _each(row, one, other, groups)]
    if setup.get("first") in groups:
        spread["first"] = groups[setup["first"]][0]
    return spread


def _each(
    row: Any, one: str, other: str, groups: dict[str, tuple[str, ...]]
) -> Iterator[dict[str, Any]]:
    named = [row.get(one), row.get(other)] if isinstance(row, dict) else []
    names = [name for name in named if isinstance(name, str)]
    if len(names) < 2 or not set(names) & set(groups):
        yield row
        return
    each = [groups.get(name, (name,)) for name in names]
    pairs = combinations(each[0], 2) if names[0] == names[1] else product(*each)
    for first, second in pairs:
        yield {**row, one: first, other: second}
