"""What is thrown, as any forum writes it: dice, addends and their signs, and the sum they make."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from app.engine.numbers import exact, spelled

MOST_DICE: Final = 99
MOST_FACES: Final = 1000
GAP: Final = r"\s{0,8}+"
SIGN: Final = "[-+−–]"  # as typed, and as word processors and forums set it (U+2212)
NUMBER: Final = r"[0-9]{1,9}+(?:\.[0-9]{1,8}+)?+"
FACE: Final = "[0-9]{1,4}+"
LIST: Final = rf"{FACE}(?:{GAP},{GAP}{FACE}){{0,98}}+"
ADDENDS: Final = rf"(?:{GAP}{SIGN}{GAP}{NUMBER}){{0,40}}+"
# Dice and addends in one row, as in "3 + 4 + 7": as many as were thrown are dice.
ROW: Final = rf"{NUMBER}(?:{GAP}{SIGN}{GAP}{NUMBER}){{0,120}}+"
_THROWN: Final = r"[0-9]{0,2}+d[0-9]{1,4}+(?![0-9A-Za-z])"
_TERM: Final = rf"(?:{_THROWN}|{NUMBER})"
EXPRESSION: Final = re.compile(rf"{_THROWN}(?:{GAP}{SIGN}{GAP}{_TERM}){{0,40}}+", re.IGNORECASE)
# A digit of another script would else leave a smaller die behind it.
START: Final = re.compile(rf"(?<![^\W_]){EXPRESSION.pattern}", re.IGNORECASE)
_TERMS: Final = re.compile(
    rf"({SIGN}?+){GAP}(?:([0-9]{{0,2}}+)d([0-9]{{1,4}}+)|({NUMBER}))", re.IGNORECASE
)
_BLANK: Final = r"[^\S\n]{0,8}+"
# Terms behind a roll that is done, as in "14 (8 + 6) + 3": no forum adds any there.
LEFT_OVER: Final = re.compile(
    rf"(?:{_BLANK}{SIGN}{_BLANK}{NUMBER}){{1,40}}+{_BLANK}(?=[—=|)\n]|\Z)"
)
SIGNED: Final = re.compile(rf"({SIGN}?+){GAP}({NUMBER})")


@dataclass(frozen=True, slots=True)
class Expression:
    """What is thrown: how many dice of how many faces, with their signs, and what is added."""

    groups: tuple[tuple[int, int, int], ...]
    modifier: Fraction

    @property
    def count(self) -> int:
        """Count the dice."""
        return sum(count for _, count, _ in self.groups)

    @property
    def sides(self) -> tuple[tuple[int, int], ...]:
        """Give sign and faces of each die, in their order."""
        return tuple((sign, faces) for sign, count, faces in self.groups for _ in range(count))

    def sum_of(self, naturals: tuple[int, ...]) -> Fraction:
        """Add up dice and modifier; there are as many of ``naturals`` as dice."""
        faces = sum(sign * face for face, (sign, _) in zip(naturals, self.sides, strict=True))
        return faces + self.modifier

    def __str__(self) -> str:
        """Write it as we do: ``1d12+9``."""
        thrown = "".join(
            f"{'+' if sign > 0 else '-'}{count}d{faces}" for sign, count, faces in self.groups
        )
        added = spelled(self.modifier, sign=True) if self.modifier else ""
        return thrown.removeprefix("+") + added


class ImpossibleTotal(ValueError):
    """No face gives this total: the modifier is another one, or the total was changed."""

    def __init__(self, natural: Fraction, faces: int) -> None:
        super().__init__(f"the die would have shown {spelled(natural)}, of {faces} faces")
        self.natural = natural
        self.faces = faces


def natural_of(faces: int, modifier: Fraction, total: Fraction) -> int:
    """Recover the face of one die from its total; raise ImpossibleTotal where there is none."""
    natural = total - modifier
    if natural.denominator != 1 or not 1 <= natural <= faces:
        raise ImpossibleTotal(natural, faces)
    return int(natural)


def read_sum(text: str) -> Expression | None:
    """Read an expression of any number of dice and addends; None for what is none."""
    found = EXPRESSION.fullmatch(text.strip())
    return None if found is None else parsed(found[0])


def number(text: str) -> Fraction:
    """Read a number with any sign that forums print; raise ValueError for what is none."""
    found = SIGNED.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"this is no number: {text[:20]!r}")
    return value_of(*found.groups())


def added_up(text: str) -> Fraction:
    """Add up the signed numbers of a text."""
    return sum((value_of(*one) for one in SIGNED.findall(text)), Fraction(0))


def value_of(sign: str, digits: str) -> Fraction:
    """Give a number its sign."""
    return (-1 if sign and sign != "+" else 1) * exact(digits)


def parsed(text: str) -> Expression | None:
    """Take an expression that was found apart; None beyond what anybody throws."""
    groups: list[tuple[int, int, int]] = []
    modifier = Fraction(0)
    for sign, count, faces, added in _TERMS.findall(text):
        way = -1 if sign and sign != "+" else 1
        if faces:
            groups.append((way, int(count or 1), int(faces)))
        else:
            modifier += way * exact(added)
    read = Expression(tuple(groups), modifier)
    bounded = all(1 <= faces <= MOST_FACES and count for _, count, faces in groups)
    return read if bounded and 1 <= read.count <= MOST_DICE else None
