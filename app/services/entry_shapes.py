"""Entries of a scene as they are sent in and read out."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Annotated, Any

from app.engine.dice import Roll
from app.engine.findings import Finding, Obstacle
from app.engine.ruleset import Asked, Forecast, Plan, Seat
from app.engine.text import Between, Length, Reason
from app.persistence.codec import INNER
from app.posts.brought import Remark
from app.posts.lint import LONGEST as LONGEST_POST
from app.posts.template import Template
from app.services.dice_shapes import Proof
from app.services.errors import Mistake
from app.services.shapes import VERSION, EntryLine, Language, Modifiers, Status

PostText = Annotated[str, Length(1, LONGEST_POST, lines=True)]
Prose = Annotated[str, Length(0, 20_000, lines=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Narration:
    """The story a player tells in each phase of a post."""

    initial: Prose = ""
    defensive: Prose = ""
    offensive: Prose = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """An order with its story, the version of the scene it was made for, and the client's key.

    With ``keep`` the answer to a question becomes a precedent of the board. ``head`` quotes the
    ledger as its author saw it, and so signs its history.
    """

    order: object
    version: Annotated[int, VERSION]
    key: str
    narration: Narration = Narration()
    keep: bool = False
    head: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What became of a submission: its entry, the new version, and whether dice are awaited.

    ``precedent`` is the number under which an answer was kept.

    ``replayed`` says that the call was answered before and nothing was decided again.
    """

    number: int
    version: int
    status: Status
    precedent: int | None = None
    replayed: bool = field(default=False, compare=False)  # the answer is the same one


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordered:
    """One order of several, with its story; with ``keep`` an answer becomes a precedent."""

    order: object
    narration: Narration = Narration()
    keep: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Several orders in a row; each says in ``by`` whose it is."""

    orders: Annotated[tuple[Ordered, ...], Length(1, 12)]
    version: Annotated[int, VERSION]
    key: str
    head: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryMade:
    """The entry that an order of a series became, and whether its dice are awaited.

    ``precedent`` is the number under which an answer was kept.
    """

    number: int
    status: Status
    precedent: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedSeries:
    """What became of several orders: an entry each, and the version after the last."""

    entries: tuple[EntryMade, ...]
    version: int
    replayed: bool = field(default=False, compare=False)  # the answer is the same one


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What an order would meet, without dice; where anything stands in the way, only that.

    The forecast is None too where nobody asked for the odds.
    """

    seat: Seat
    obstacles: tuple[Obstacle, ...]
    plan: Plan | None
    forecast: Forecast | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewording:
    """Other words for the story of an entry, made from its ``wording`` so far; the first is 1."""

    narration: Narration
    wording: Annotated[int, Between(1, 9999)]
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reworded:
    """What became of a correction: its own entry, the one it corrects, and which wording it is."""

    number: int
    corrects: int
    wording: int
    replayed: bool = field(default=False, compare=False)  # the answer is the same one


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """One wording of a story, by the entry that gave it."""

    entry: int
    at: datetime
    narration: Narration


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRead(EntryLine):
    """An entry in full, with dice and findings as they stand after amendments.

    ``rolls`` is None where no die has fallen; then the post holds live tags. ``provenance`` is how
    the dice came here: service, or forum where they were read from its post, typed, plugin, and
    empty where no die was needed. ``dice_by`` is the seat that told what the forum rolled,
    ``dice_remarks`` what was noticed in its post. ``first_findings`` are those of the first
    decision, where an amendment changed them. ``proof`` is by what the entry can be checked, in a
    scene with a ledger. ``narration`` is the newest of the ``wordings``, which are only listed
    where there are several; ``turn`` is the short name under which the post has its digest.
    ``numbered`` are the dice as its story counts them, None for one from before it could.
    """

    order: Any
    narration: Narration
    asked: tuple[Asked, ...]
    rolls: tuple[Roll, ...] | None
    dice_by: Seat | None
    dice_at: datetime | None
    dice_remarks: tuple[Remark, ...]
    findings: tuple[Finding, ...]
    first_findings: tuple[Finding, ...] | None
    proof: Proof | None = None
    wordings: tuple[Wording, ...] = ()
    turn: str = ""
    ruleset: str
    edition: str
    language: Language
    dialect: str
    numbered: tuple[Asked, ...] | None = field(default=None, metadata=INNER)
    template: Template = field(default=Template(), metadata=INNER)


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenDice:
    """The natural faces of a declared entry's dice, in the order in which it asked for them.

    ``modifiers`` are those that their tags were thrown with, in the same order; None is the one of
    the label, and an empty list says so of all.
    """

    faces: Annotated[tuple[Annotated[int, Between(1, 10_000)], ...], Length(1, 200)]
    modifiers: Modifiers = ()
    version: Annotated[int, VERSION]
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedDice:
    """The post of a declared entry as the forum shows it, with what its dice gave."""

    text: PostText
    version: Annotated[int, VERSION]
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedDie:
    """A die that is awaited, and what a pasted post shows of it; None is not there, or is wrong.

    ``listed`` is the sum of its label, ``modifier`` what was thrown with it.
    """

    title: str
    sides: int
    listed: Fraction
    line: int | None
    text: str
    face: int | None
    modifier: Fraction | None
    total: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedDice:
    """What a pasted post shows of the dice that are awaited; ``ready`` if it can be taken so."""

    ready: bool
    dice: tuple[PostedDie, ...]
    mistakes: tuple[Mistake, ...]
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack:
    """The last decision in effect is taken back, with a public reason."""

    reason: Reason
    version: Annotated[int, VERSION]
    key: str
