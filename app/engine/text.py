"""How long and of what kind a text or a number may be: marks on types, read by the codec."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Length:
    """A text of so many characters, in one line unless ``lines``; or a tuple of so many items."""

    least: int = 0
    most: int = 200
    lines: bool = False


@dataclass(frozen=True, slots=True)
class Between:
    """A number from ``least`` to ``most``, both included."""

    least: int
    most: int


Id: TypeAlias = Annotated[str, Length(1, 40)]
Name: TypeAlias = Annotated[str, Length(1, 80)]
Reason: TypeAlias = Annotated[str, Length(1, 500, lines=True)]
Link: TypeAlias = Annotated[str, Length(0, 500)]
Points: TypeAlias = Annotated[int, Between(-9999, 9999)]
Count: TypeAlias = Annotated[int, Between(0, 9999)]
Metres: TypeAlias = Annotated[int, Between(0, 99999)]
FEW: Final = Length(0, 40)
