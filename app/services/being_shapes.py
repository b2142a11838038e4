"""What the use cases of a campaign give back: beings, and what became of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from app.engine.campaign import Change
from app.engine.ruleset import Seat


class BeingState(StrEnum):
    """Whether a being may fight: banished ones have left the campaign, retired ones were let go."""

    ACTIVE = "active"
    BANISHED = "banished"
    RETIRED = "retired"


class BeingCause(StrEnum):
    """What made a version of a being: its entering, a duel, the undoing of one, its leaving."""

    ENTERED = "entered"
    DUEL = "duel"
    TAKEN_BACK = "taken_back"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True, kw_only=True)
class BeingOutcome:
    """How a duel ended for a being; ``ending`` is a word of its game."""

    ending: str
    won: bool
    earned: int
    killed: bool
    banished: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BeingLine:
    """A being in a list, as its newest version is."""

    id: str
    ruleset: str
    name: str
    state: BeingState
    version: int
    points: int
    xp: int
    duels: int
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class BeingVersionRead:
    """One version of a being, and what is different from the one before.

    ``scene`` is the one that made it, with the entry that decided it; it is told to whoever has to
    do with that scene, and to whoever holds the being's link.
    """

    number: int
    cause: BeingCause
    state: BeingState
    sheet: Any
    points: int
    xp: int
    outcome: BeingOutcome | None
    changes: tuple[Change, ...]
    scene: str | None
    entry: int | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class BeingDuel:
    """A scene that a being has entered; ``running`` says that it is not over."""

    scene: str | None
    seat: Seat
    version: int
    running: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BeingRead:
    """A being with all that it was; its version is what a change must name.

    ``follows`` is the banished being in whose place it entered, ``successor`` the one that entered
    in its own; ``fighting`` says that it is in a duel that is not over.
    """

    id: str
    ruleset: str
    name: str
    state: BeingState
    version: int
    sheet: Any
    points: int
    xp: int
    fighting: bool
    follows: str | None
    successor: str | None
    duels: tuple[BeingDuel, ...]
    versions: tuple[BeingVersionRead, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteredBeing:
    """A new being with the secret of its owner, which is shown this once."""

    being_id: str
    secret: str
    replayed: bool = field(default=False, compare=False)  # the answer is the same one
