"""A post before any dialect: what is in it, in its order, in words that are final."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

from app.engine.numbers import spelled


@dataclass(frozen=True, slots=True)
class Title:
    """Whose post this is."""

    text: str


@dataclass(frozen=True, slots=True)
class SheetLink:
    """The address of a character's sheet, as the player gave it, and what to call it."""

    text: str
    address: str


@dataclass(frozen=True, slots=True)
class Field:
    """A named value of the header: vitals, a stat."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Heading:
    """The name of a part: a phase, the register."""

    text: str


@dataclass(frozen=True, slots=True)
class RegisterLine:
    """One line of the register."""

    text: str


@dataclass(frozen=True, slots=True)
class Prose:
    """What the player wrote, as it was typed."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was found, by which rule, and by which of our rulings if one was used."""

    text: str
    rule: str
    ruling: str | None = None


class Style(StrEnum):
    """How a piece of a line stands out."""

    PLAIN = "plain"
    BOLD = "bold"
    STRUCK = "struck"


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words of a line."""

    text: str
    style: Style = Style.PLAIN


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the game's own, of pieces that may stand out, and by which rule it is so."""

    pieces: tuple[Piece, ...]
    rule: str = ""
    ruling: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A small table; the first row and the first column are its heads."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Die:
    """A die with its label; ``face`` is None until it has fallen.

    ``live`` says that the forum is to roll it. A die that has fallen is never live. ``inside``
    says that it stands within the story, where the action is told.
    """

    sides: int
    modifier: Fraction
    label: str
    face: int | None = None
    live: bool = False
    inside: bool = False

    def __post_init__(self) -> None:
        if self.live and self.face is not None:
            raise ValueError("a die that has fallen is not rolled again")

    @property
    def expression(self) -> str:
        """Write what is thrown: ``1d12+9``; a modifier of 0 is left out (GC-4.85)."""
        return f"1d{self.sides}{self._modifier}"

    @property
    def result(self) -> str | None:
        """Write how it fell: ``1d12+9: (8)+9 = 17``; None as long as it has not."""
        if self.face is None:
            return None
        total = spelled(self.face + self.modifier)
        return f"{self.expression}: ({self.face}){self._modifier} = {total}"

    @property
    def _modifier(self) -> str:
        return spelled(self.modifier, sign=True) if self.modifier else ""


Block: TypeAlias = (
    "Title | SheetLink | Field | Heading | RegisterLine | Prose | Note | Line | Table | Die"
)
