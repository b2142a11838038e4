"""What is sent to the API about a board's book, and what it answers besides pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from app.api.v1.answers import Sentence
from app.engine.text import Length, Reason
from app.services.book_shapes import (
    EventRead,
    Marks,
    Note,
    PackLine,
    Piece,
    PieceLine,
    Takes,
)

LONGEST_TEXT = 250_000  # characters of a pack: what a body may hold


class PackKind(StrEnum):
    """How a pack is written: as a JSON document, or as a table."""

    JSON = "json"
    CSV = "csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class BookSettings:
    """What the scenes of a board are to take: any sheet, approved pieces, or approved sheets."""

    takes: Takes


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPiece:
    """A piece to propose; one with the id ``new`` gets an id that is made of its name.

    With ``approve`` a Master lets it be in use at once; ``note`` is for whoever decides.
    """

    piece: Piece
    note: Note = ""
    approve: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVersion:
    """Another version of a piece to propose; its id is that of the address, whatever it says."""

    piece: Piece
    note: Note = ""
    approve: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionalReason:
    """Why something is done, for everybody to read, where it need not be said."""

    reason: Note = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnedPiece:
    """Why a proposal is sent back, and the fields that the Master points at."""

    reason: Reason
    marks: Marks = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PackSent:
    """A pack as text; with ``dry_run`` nothing is kept.

    Its pieces are in use at once, or proposed where ``approve`` is false. With ``skip`` what is
    wrong is left out, instead of the whole being refused.
    """

    text: Annotated[str, Length(1, LONGEST_TEXT, lines=True)]
    format: PackKind = PackKind.JSON
    dry_run: bool = False
    approve: bool = True
    skip: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceList:
    """Pieces of the book, in its order."""

    pieces: tuple[PieceLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BookTrail:
    """What was done with the book, the newest first."""

    trail: tuple[EventRead, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BookSchema:
    """The JSON Schema of packs."""

    schema: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class PackTold:
    """What a pack did or would do, and what is wrong with one that was only tried.

    The field of a mistake begins with its line: ``lines.4.potential``.
    """

    kept: bool
    lines: tuple[PackLine, ...]
    mistakes: tuple[Sentence, ...]
    replayed: bool = False
