"""What goes into the use cases of a board's book and what comes out of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar, Final, TypeAlias

from app.engine.text import Between, Id, Length
from app.rulesets.guida.sheet import Armour, Modifier, Sheet, Tool

LONGEST_PACK: Final = 500
"""How many pieces one pack may hold."""

Note: TypeAlias = Annotated[str, Length(0, 500, lines=True)]
Path: TypeAlias = Annotated[str, Length(1, 200)]
Marks: TypeAlias = Annotated[tuple[Path, ...], Length(0, 60)]


class PieceKind(StrEnum):
    """What a piece of a book is."""

    TECHNIQUE = "technique"
    WEAPON = "weapon"
    ARMOUR = "armour"
    BONUS = "bonus"
    SHEET = "sheet"


class PieceState(StrEnum):
    """How far a piece has come: waiting for its first decision, sent back, in use, or gone."""

    PROPOSED = "proposed"
    RETURNED = "returned"
    APPROVED = "approved"
    RETIRED = "retired"


class VersionState(StrEnum):
    """How far one version has come.

    A ``replaced`` one gave way to another before it was decided, a ``former`` one after.
    """

    PROPOSED = "proposed"
    REPLACED = "replaced"
    RETURNED = "returned"
    APPROVED = "approved"
    FORMER = "former"
    RETIRED = "retired"


class PieceAct(StrEnum):
    """What was done with a version of a piece."""

    PROPOSED = "proposed"
    APPROVED = "approved"
    RETURNED = "returned"
    RETIRED = "retired"


class Takes(StrEnum):
    """What new scenes of a board take: any sheet, sheets of approved pieces, approved sheets."""

    ANYTHING = "anything"
    PIECES = "pieces"
    SHEETS = "sheets"


# ------------------------------------------------------------------------------ what a piece is


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPiece:
    """A technique or a weapon of the book; its id is that of the piece."""

    kind: ClassVar[str] = "tool"
    data: Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmourPiece:
    """An armour of the book."""

    kind: ClassVar[str] = "armour"
    id: Id
    data: Armour


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusPiece:
    """A talent or another passive bonus of the book."""

    kind: ClassVar[str] = "bonus"
    id: Id
    data: Modifier


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOfPart:
    """That a part of a sheet is a copy of a piece of the book, in one of its versions.

    ``place`` is ``tools.`` and the id of the part, ``armour``, or ``modifiers.`` and its name.
    """

    place: Annotated[str, Length(1, 100)]
    piece: Id
    version: Annotated[int, Between(1, 999_999)]


Sources: TypeAlias = Annotated[tuple[SourceOfPart, ...], Length(0, 90)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPiece:
    """A whole sheet of the book; ``sources`` say which of its parts were copied from where."""

    kind: ClassVar[str] = "sheet"
    id: Id
    data: Sheet
    sources: Sources = ()


Piece: TypeAlias = ToolPiece | ArmourPiece | BonusPiece | SheetPiece


class PackFormat(StrEnum):
    """The one format of packs."""

    FIRST = "arbitro-book/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """Pieces of a book as they go from one board to another."""

    format: PackFormat
    pieces: Annotated[tuple[Piece, ...], Length(0, LONGEST_PACK)]


# --------------------------------------------------------------------------------- what is read


@dataclass(frozen=True, slots=True, kw_only=True)
class BookRead:
    """What a board asks of its book, and how many pieces of each state it has.

    ``waiting`` counts the proposals that nobody has decided yet.
    """

    takes: Takes
    states: Mapping[str, int]
    waiting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """Who did something: a role, and the seat or being by which they are known, if there is one."""

    role: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """One field that differs between two versions; what is not there is null."""

    field: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceLine:
    """A piece in a list, as the version in use is, or its newest one where none is.

    ``approved`` is the version in use, ``proposed`` the one that waits for a decision. A sheet is
    told in full to the Masters and to whoever proposed it only.
    """

    id: str
    kind: PieceKind
    name: str
    state: PieceState
    version: int
    approved: int | None
    proposed: int | None
    piece: Piece | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRead:
    """A line of the book's trail; ``marks`` are the fields that were pointed at."""

    number: int
    piece: str
    kind: PieceKind
    name: str
    version: int
    act: PieceAct
    reason: str
    marks: tuple[str, ...]
    by: Who
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRead:
    """One version of a piece, and what is different from an earlier one.

    ``compared_to`` is the version that was in use before it, else the one right before it.
    """

    number: int
    state: VersionState
    name: str
    piece: Piece | None
    note: str
    by: Who
    mine: bool
    at: datetime
    compared_to: int | None
    changes: tuple[FieldChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceRead:
    """A piece with all its versions and its part of the trail; ``version`` is what a change names.

    ``sheet`` is the stored sheet that an approved one became; it is told to the Masters.
    """

    id: str
    kind: PieceKind
    name: str
    state: PieceState
    version: int
    approved: int | None
    proposed: int | None
    sheet: str | None
    versions: tuple[VersionRead, ...]
    trail: tuple[EventRead, ...]
    replayed: bool = field(default=False, compare=False)  # the answer is the same one


# -------------------------------------------------------------------------------- what is brought


class PackAction(StrEnum):
    """What a line of a pack does: a new piece, a new version, nothing, or nothing yet."""

    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class PackLine:
    """One piece of a pack: where it stands, and what becomes of it."""

    line: int
    id: str
    kind: str
    name: str
    action: PackAction
    version: int | None
    changes: tuple[FieldChange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PackResult:
    """What a pack did, or would do: nothing was ``kept`` of one that was only tried."""

    kept: bool
    lines: tuple[PackLine, ...]
    replayed: bool = field(default=False, compare=False)  # the answer is the same one
