"""The Master's desk as it is read and written: turns to review, decisions about them, notes."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from app.engine.findings import Finding
from app.engine.ruleset import Awaited, Seat
from app.engine.text import Length
from app.services.figures import OwnFigure
from app.services.shapes import VERSION

MOST_MARKS = 60
NoteText = Annotated[str, Length(0, 2000, lines=True)]
PrivateNote = Annotated[str, Length(0, 4000, lines=True)]
MarkedNumber = Annotated[str, Length(1, 60)]
WhyMarked = Annotated[str, Length(0, 300)]


class Review(StrEnum):
    """How a player's turn stands on the desk.

    ``dice``: its dice are awaited · ``dropped``: it was taken back, and nothing is left to review.
    """

    OPEN = "open"
    RETURNED = "returned"
    APPROVED = "approved"
    DICE = "dice"
    DROPPED = "dropped"


class Verdict(StrEnum):
    """What a Master says of a turn."""

    APPROVED = "approved"
    RETURNED = "returned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A number that is marked as wrong, and why.

    ``on`` is ``figure.hp`` for a figure of the player's own, ``finding.3`` for the third thing
    found, ``die.2`` for the second die.
    """

    on: MarkedNumber
    why: WhyMarked = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewing:
    """A decision about a turn, made from how its review stood; the first is made from 0."""

    verdict: Verdict
    marks: Annotated[tuple[Mark, ...], Length(0, MOST_MARKS)] = ()
    note: NoteText = ""
    version: Annotated[int, VERSION]
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPlace:
    """Which turn: its scene, and its number there."""

    scene_id: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """What became of a decision about a turn, and which turn is the next to review."""

    number: int
    state: Review
    version: int
    next: TurnPlace | None = None
    replayed: bool = field(default=False, compare=False)  # the answer is the same one


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskLine:
    """A turn in the queue; ``fresh``: it came since its reader last looked, ``seen``: viewed."""

    scene_id: str
    number: int
    at: datetime
    seat: Seat
    who: str
    act: str
    state: Review
    version: int
    differs: bool
    title: str
    ruleset: str
    questions: int
    fresh: bool
    seen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingLine:
    """A scene that waits for somebody: for whom, and since when.

    ``names`` are those of the awaited seats, ``waiting`` is the entry whose dice are awaited,
    ``answer_by`` the deadline that runs.
    """

    scene_id: str
    title: str
    ruleset: str
    awaited: Awaited
    names: tuple[str, ...]
    waiting: int | None
    since: datetime | None
    answer_by: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskRead:
    """A page of the desk. The counts go no further than a thousand; ``after`` leads to the rest.

    ``note`` is its reader's own, about the board.
    """

    turns: tuple[DeskLine, ...]
    after: str | None
    open: int
    returned: int
    dice: int
    questions: int
    fresh: int
    looked_at: datetime | None
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewTold:
    """One decision about a turn: what, by whom (a role), when, why.

    ``who`` is the name of their account, empty for whoever came by a link. ``cause`` is the entry
    that changed the turn, where it came back to the desk by itself.
    """

    version: int
    state: Review
    marks: tuple[Mark, ...]
    note: str
    by: str
    cause: int | None
    at: datetime
    who: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRead:
    """How a turn stands on the desk, and how it came to: every decision, the newest last."""

    scene_id: str
    number: int
    seat: Seat
    who: str
    act: str
    state: Review
    version: int
    figures: tuple[OwnFigure, ...]
    decisions: tuple[ReviewTold, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberChange:
    """A number of a seat that would be another one: where it stands in the view, and as what."""

    seat: Seat
    who: str
    path: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryChange:
    """An entry that would come to something else with the same dice.

    ``reopens``: it was approved, and would have to be looked over again.
    """

    number: int
    seat: Seat
    act: str
    before: tuple[Finding, ...]
    after: tuple[Finding, ...]
    reopens: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendmentPreview:
    """What an amendment would change from its entry to now; nothing is stored."""

    entry: int
    findings: tuple[Finding, ...]
    numbers: tuple[NumberChange, ...]
    entries: tuple[EntryChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnNote:
    """What somebody wrote down for themselves; nobody else reads it."""

    text: PrivateNote = ""
