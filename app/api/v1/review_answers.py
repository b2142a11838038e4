"""What the API answers about the Master's desk, where a use case does not say the whole of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.engine.ruleset import Seat
from app.services.desk_shapes import AskingLine, NumberChange


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingList:
    """The scenes that go on, those that have rested longest first."""

    scenes: tuple[AskingLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """When the caller looked over the desk: now."""

    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Whether the caller has viewed a turn."""

    seen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnNoteTold:
    """The caller's own note, about a scene, or with null about the board."""

    scene_id: str | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryChangeTold:
    """An entry that would come to something else, in sentences.

    ``reopens``: it was approved, and would have to be looked over again.
    """

    number: int
    seat: Seat
    act: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    reopens: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendmentTold:
    """What an amendment would change: numbers by now, and entries from its own on.

    ``texts`` tells what the order itself comes to.
    """

    entry: int
    texts: tuple[str, ...]
    numbers: tuple[NumberChange, ...]
    entries: tuple[EntryChangeTold, ...]
