"""What of a view is told at a glance: everybody's main figures, who is out, and who has won."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One of somebody's main figures, by the word that it has in its game, and its full value."""

    key: str
    value: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Somebody in a fight: the figures in the order of their weight, the first decides it."""

    id: str
    name: str
    figures: tuple[Figure, ...]
    out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """Everybody whom a view shows; ``winners`` are ids, none where a game names no winner."""

    people: tuple[Shown, ...] = ()
    winners: tuple[str, ...] = ()


NOBODY: Final = Glance()


def nothing_shown(_view: Any) -> Glance:
    """Show nobody: a game without figures needs no more."""
    return NOBODY
