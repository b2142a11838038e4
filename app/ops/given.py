"""What a case gives, read field by field: exact numbers, and no field passed over in silence."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import TypeVar

from app.engine.numbers import exact

Word = TypeVar("Word", bound=StrEnum)


class CaseError(Exception):
    """A case asks for something that this edition does not have, or that cannot be understood."""


class InputRefused(CaseError):
    """What a case gives is refused by the rules; ``codes`` say why, each once."""

    def __init__(self, *codes: str) -> None:
        super().__init__(f"it is refused: {', '.join(codes)}")
        self.codes = codes


class Given:
    """An object of a case; whatever no op has read by the end is reported, never ignored.

    A field that is null counts as absent.
    """

    def __init__(self, data: Mapping[str, object], at: str = "given") -> None:
        self._data = data
        self._at = at
        self._read: set[str] = set()
        self._parts: list[Given] = []

    def has(self, key: str) -> bool:
        """Say whether a field is there and not null."""
        return self._data.get(key) is not None

    def names(self) -> tuple[str, ...]:
        """List the names of the fields, for an object whose names the case chooses."""
        return tuple(self._data)

    def raw(self, key: str) -> object:
        """Give a field as it was read from JSON, or None."""
        self._read.add(key)
        return self._data.get(key)

    def number(self, key: str, default: int | None = None) -> Fraction:
        """Give a number exactly, be it written as an integer, a decimal or ``"p/q"``."""
        return self._number(self._needed(key, default), key)

    def whole(self, key: str, default: int | None = None) -> int:
        """Give a whole number."""
        number = self.number(key, default)
        if number.denominator != 1:
            raise CaseError(f"{self._at}.{key}: {number} is not a whole number")
        return int(number)

    def numbers(self, key: str) -> list[Fraction]:
        """Give a list of numbers; an absent one is empty."""
        return [self._number(one, key) for one in self.items(key)]

    def wholes(self, key: str) -> list[int]:
        """Give a list of whole numbers; an absent one is empty."""
        return [int(number) for number in self.numbers(key)]

    def text(self, key: str, default: str | None = None) -> str:
        """Give a text."""
        value = self._needed(key, default)
        if not isinstance(value, str):
            raise CaseError(f"{self._at}.{key}: {value!r} is not a text")
        return value

    def flag(self, key: str, default: bool | None = None) -> bool:
        """Give true or false."""
        value = self._needed(key, default)
        if not isinstance(value, bool):
            raise CaseError(f"{self._at}.{key}: {value!r} is neither true nor false")
        return value

    def word(self, words: type[Word], key: str, default: Word | None = None) -> Word:
        """Give a word of an enumeration."""
        text = self.text(key, default)
        try:
            return words(text)
        except ValueError:
            raise CaseError(
                f"{self._at}.{key}: this edition has no {words.__name__.lower()} {text!r}"
            ) from None

    def items(self, key: str) -> list[object]:
        """Give a list; an absent one is empty."""
        value = self.raw(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise CaseError(f"{self._at}.{key}: {value!r} is not a list")
        return value

    def part(self, key: str) -> Given:
        """Give an object inside this one; an absent one is empty."""
        value = self.raw(key)
        return self._part(key, {} if value is None else value)

    def parts(self, key: str) -> list[Given]:
        """Give a list of objects; an absent one is empty."""
        return [self._part(f"{key}.{index}", one) for index, one in enumerate(self.items(key))]

    def unread(self) -> list[str]:
        """List the fields that nobody has asked for, those inside others included."""
        mine = [
            f"{self._at}.{key}" for key in self._data if self.has(key) and key not in self._read
        ]
        return mine + [path for part in self._parts for path in part.unread()]

    def _needed(self, key: str, default: object) -> object:
        value = self.raw(key)
        value = default if value is None else value
        if value is None:
            raise CaseError(f"{self._at}.{key} is missing")
        return value

    def _number(self, value: object, key: str) -> Fraction:
        try:
            if isinstance(value, int | str | Decimal | Fraction):
                return exact(value)
        except ValueError:
            pass  # told below, with the name of the field
        raise CaseError(f"{self._at}.{key}: {value!r} is not a number")

    def _part(self, key: str, value: object) -> Given:
        if not isinstance(value, dict):
            raise CaseError(f"{self._at}.{key}: {value!r} is not an object")
        part = Given(value, f"{self._at}.{key}")
        self._parts.append(part)
        return part
