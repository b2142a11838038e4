"""Whether what came out is what a case expects, and where it is not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final, TypeAlias, TypeGuard

from app.engine.numbers import exact, written

Number: TypeAlias = "int | Decimal | Fraction"
_NOTHING: Final = object()
_RATIO: Final = re.compile(r"[+-]?[0-9]+/[0-9]+\Z", re.ASCII)


def differences(expected: object, got: object, at: str = "") -> Iterator[str]:
    """Go through every place where the two differ.

    Objects match as subsets, but the empty object only itself; lists match whole; numbers by
    value; null only null; true is not 1.
    """
    if isinstance(expected, Mapping):
        yield from _objects(expected, got, at)
    elif isinstance(expected, list | tuple):
        yield from _lists(expected, got, at)
    elif not _same(expected, got):
        yield _told(at, expected, got)


@dataclass(frozen=True, slots=True)
class Row:
    """One value that is expected, where it stands, what came out there, and whether they match."""

    at: str
    expected: str
    got: str | None
    matches: bool


def compared(expected: object, got: object, at: str = "") -> Iterator[Row]:
    """Lay out side by side what is expected and what came out, value by value."""
    if isinstance(expected, Mapping) and expected and isinstance(got, Mapping):
        for key, value in expected.items():
            yield from compared(value, got.get(key, _NOTHING), f"{at}.{key}" if at else key)
    elif _is_list(expected) and _is_list(got) and expected and len(expected) == len(got):
        for index, (one, other) in enumerate(zip(expected, got, strict=True)):
            yield from compared(one, other, f"{at}[{index}]")
    elif got is _NOTHING:
        yield Row(at, shown(expected), None, matches=False)
    else:
        yield Row(at, shown(expected), shown(got), not any(differences(expected, got)))


def shown(value: object) -> str:
    """Write a value as a case would, on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f'"{key}": {shown(one)}' for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(shown(one) for one in value) + "]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | Decimal | Fraction):
        number = written(Fraction(value))
        return f'"{number}"' if isinstance(number, str) else str(number)
    return f'"{value}"'


def _objects(expected: Mapping[str, object], got: object, at: str) -> Iterator[str]:
    if not isinstance(got, Mapping) or (not expected and got):
        yield _told(at, expected, got)
        return
    for key, value in expected.items():
        inner = f"{at}.{key}" if at else key
        if key in got:
            yield from differences(value, got[key], inner)
        else:
            yield f"{inner}: expected {shown(value)}, got nothing"


def _lists(expected: Sequence[object], got: object, at: str) -> Iterator[str]:
    if not isinstance(got, list | tuple) or len(expected) != len(got):
        yield _told(at, expected, got)
        return
    for index, (one, other) in enumerate(zip(expected, got, strict=True)):
        yield from differences(one, other, f"{at}[{index}]")


def _is_list(value: object) -> TypeGuard[list[object] | tuple[object, ...]]:
    return isinstance(value, list | tuple)


def _same(expected: object, got: object) -> bool:
    if isinstance(expected, bool) or isinstance(got, bool) or expected is None or got is None:
        return expected is got
    one, other = _number(expected), _number(got)
    if one is not None and other is not None:
        return one == other
    return isinstance(expected, str) and isinstance(got, str) and str(expected) == str(got)


def _number(value: object) -> Fraction | None:
    if isinstance(value, str) and not _RATIO.match(value):
        return None  # "7" is a text; only "p/q" is a number's way of being one
    if isinstance(value, int | str | Decimal | Fraction):
        try:
            return exact(value)
        except ValueError:
            return None
    return None


def _told(at: str, expected: object, got: object) -> str:
    return f"{at or '(all)'}: expected {shown(expected)}, got {shown(got)}"
