"""What lives on between the scenes of a game: who enters it, and what each scene leaves of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from app.engine.findings import Obstacle

State = TypeVar("State")


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What an ended scene leaves of the being on a seat, and how it ended for it.

    ``points`` is what the sheet is worth then; ``ending`` a word of the game.
    """

    seat: str
    sheet: Any
    points: int
    ending: str
    won: bool
    earned: int
    killed: bool
    banished: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference between two versions of a sheet, in words of the game; None is not there."""

    what: str
    name: str = ""
    before: int | None = None
    after: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign(Generic[State]):
    """What a game says of beings that fight again and again.

    ``enter`` completes the sheet of a new being under the board's options; ``check`` lists what
    keeps it from entering, ``anew`` where it takes the place of a banished one. ``worth`` gives the
    points value and the experience of a sheet; ``left`` what an ended scene leaves; ``changes``
    what is different between two sheets.
    """

    enter: Callable[[Any, Any], Any]
    check: Callable[[Any, Any, bool], tuple[Obstacle, ...]]
    worth: Callable[[Any, Any], tuple[int, int]]
    left: Callable[[State], tuple[Left, ...]]
    changes: Callable[[Any, Any], tuple[Change, ...]]
