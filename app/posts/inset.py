"""Dice set into the story where their action is told: ``{dado}``, ``{dado 2}``, or ``{die}``.

The dice of a phase are numbered in their order. A place with a number takes that die; one without
takes the first that no other place takes. Whatever is not placed stands below the story as ever,
so that no die is lost; a place without a die of its own stays the text that it is, and whoever
sends a story is told of it before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

CODES: Final = ("die_place_unknown", "die_placed_twice", "die_places_too_many")

_PLACE: Final = re.compile(r"\{(?:dado|die)(?:[ \t]{1,3}([0-9]{1,3}))?\}", re.IGNORECASE)
_CLOSING: Final = re.compile(r"[.,;:!?…)»”’\"']{1,5}+(?!\S)")

Item = TypeVar("Item")
Pieces: TypeAlias = "list[str | Item]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Misplaced:
    """A place that no die can take: one of ``CODES``, with the facts of its sentence."""

    code: str
    facts: Mapping[str, str | int]


def misplaced(text: str, count: int) -> tuple[Misplaced, ...]:
    """List the places of a story that get no die, where its phase has so many of them."""
    faults: list[Misplaced] = []
    _taken(text, count, faults)
    return tuple(faults)


def set_in(text: str, dice: Sequence[Item | None]) -> tuple[Pieces[Item], frozenset[int]]:
    """Cut a story where its dice stand; give the pieces, and which dice are among them.

    ``dice`` are those of the phase by number; one that is None is not to be seen, and its place
    stays text.
    """
    taken = _taken(text, len(dice), [])
    pieces: Pieces[Item] = []
    placed: set[int] = set()
    at = 0
    for found, index in taken:
        die = dice[index]
        if die is None:
            continue
        placed.add(index)
        # A full stop behind the place ends the sentence in front of it.
        closing = _CLOSING.match(text, found.end())
        before = text[at : found.start()].rstrip() + (closing[0] if closing else "")
        if before.strip():
            pieces.append(before)
        pieces.append(die)
        at = closing.end() if closing else found.end()
    rest = text[at:].strip() if pieces else text
    if rest.strip():
        pieces.append(rest)
    return [_outset(one) if isinstance(one, str) else one for one in pieces], frozenset(placed)


def _outset(text: str) -> str:
    return text.strip()


def _taken(text: str, count: int, faults: list[Misplaced]) -> list[tuple[re.Match[str], int]]:
    """Deal the dice out to the places, those with a number first."""
    places = list(_PLACE.finditer(text))
    numbered: dict[int, int] = {}
    for place, found in enumerate(places):
        if found[1] is None:
            continue
        number = int(found[1])
        if not 1 <= number <= count:
            faults.append(
                Misplaced(code="die_place_unknown", facts={"number": number, "count": count})
            )
        elif number - 1 in numbered.values():
            faults.append(Misplaced(code="die_placed_twice", facts={"number": number}))
        else:
            numbered[place] = number - 1
    left = _left(count, numbered)
    dealt: list[tuple[re.Match[str], int]] = []
    for place, found in enumerate(places):
        index = numbered.get(place) if found[1] is not None else next(left, None)
        if index is not None:
            dealt.append((found, index))
        elif found[1] is None:
            facts = {"count": count}
            faults.append(Misplaced(code="die_places_too_many", facts=facts))
    return dealt


def _left(count: int, numbered: Mapping[int, int]) -> Iterator[int]:
    taken = set(numbered.values())
    return (index for index in range(count) if index not in taken)
