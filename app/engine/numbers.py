"""Exact numbers: read without a float, kept as fractions, rounded in one place only."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Final

LONGEST: Final = 24  # characters of a written number: enough for any sheet, too few to be a weapon
_FRACTION: Final = re.compile(r"[+-]?[0-9]{1,12}/[0-9]{1,12}\Z", re.ASCII)
_DECIMAL: Final = re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]{1,8})?\Z", re.ASCII)
_GROUPED: Final = re.compile(r"([+-]?[1-9][0-9]{0,2})[.,]([0-9]{3})", re.ASCII)


class Rounding(StrEnum):
    """How a fraction becomes a whole number (AMB-1)."""

    FLOOR = "floor"
    CEIL = "ceil"
    HALF_UP = "half_up"
    HALF_EVEN = "half_even"


class Stage(StrEnum):
    """When rounding happens: once, on what is recorded, or at every division (AMB-1)."""

    FINAL = "final"
    EACH_STEP = "each_step"


def exact(value: int | str | Decimal | Fraction) -> Fraction:
    """Read an integer, a decimal or ``"p/q"`` exactly; raise ValueError for anything else."""
    if isinstance(value, bool | float):
        raise ValueError("a number is an integer, a decimal text or 'p/q'")
    if isinstance(value, int | Fraction):
        return Fraction(value)
    text = _plain(value) if isinstance(value, Decimal) else str(value).strip()
    if is_readable(text):
        try:
            return Fraction(text)
        except ZeroDivisionError:
            raise ValueError("a denominator cannot be zero") from None
    raise ValueError("a number is an integer, a decimal text or 'p/q'")


def two_readings(text: str) -> dict[str, str] | None:
    """Tell what ``1,000`` may be: ``whole``, or ``units`` and ``decimals``; None for other texts.

    A mark and exactly three digits are a thousand to some and one to others; neither reading is
    given back so that it may be taken for another.
    """
    grouped = _GROUPED.fullmatch(text.strip())
    if grouped is None:
        return None
    units, thousandths = grouped.groups()
    decimals = thousandths.rstrip("0") or "0"
    if decimals == thousandths:
        decimals += "0"
    return {"whole": units + thousandths, "units": units, "decimals": decimals}


def written(value: Fraction | int) -> int | float | str:
    """Write a number for JSON: an integer, else a terminating decimal, else ``"p/q"``."""
    number = Fraction(value)
    if number.denominator == 1:
        return number.numerator
    decimal = float(number)
    is_decimal = Fraction(repr(decimal)) == number
    # What `exact` reads back: nine places and more are told as a quotient, if that is short.
    if is_decimal and _DECIMAL.match(_plain(Decimal(repr(decimal)))):
        return decimal
    quotient = f"{number.numerator}/{number.denominator}"
    return decimal if is_decimal and not is_readable(quotient) else quotient


def is_readable(text: str) -> bool:
    """Say whether ``exact`` reads a text."""
    return len(text) <= LONGEST and bool(_DECIMAL.match(text) or _FRACTION.match(text))


def _plain(value: Decimal) -> str:
    """Write a decimal without an exponent, unless it is so large or small that nobody reads it."""
    short = value.is_finite() and abs(value.adjusted()) <= LONGEST
    return format(value, "f") if short else str(value)


def spelled(value: Fraction | int, *, sign: bool = False) -> str:
    """Spell a number for people: ``7``, ``-2``, ``+3``, ``17.5``, ``8/3``."""
    number = written(value)
    # A float's own text would say 1e-05.
    text = _plain(Decimal(repr(number))) if isinstance(number, float) else str(number)
    return f"+{text}" if sign and value >= 0 else text


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """The one place that rounds: whole numbers as the ruleset's options want them (AMB-1)."""

    mode: Rounding = Rounding.FLOOR
    stage: Stage = Stage.FINAL

    def whole(self, value: Fraction | int) -> int:
        """Round to the whole number that goes on record."""
        number = Fraction(value)
        if self.mode is Rounding.FLOOR:
            return number.numerator // number.denominator
        if self.mode is Rounding.CEIL:
            return -(-number.numerator // number.denominator)
        if self.mode is Rounding.HALF_UP:
            return (number + Fraction(1, 2)).__floor__()
        return round(number)  # of a Fraction: exact, halves to the even neighbour

    def divide(self, value: Fraction | int, by: int) -> Fraction:
        """Divide exactly, or to a whole number at once where the options round at every step."""
        result = Fraction(value) / by
        return Fraction(self.whole(result)) if self.stage is Stage.EACH_STEP else result
