"""Values of the rules to JSON and back, exactly: the one door for requests and for stored rows.

It serves frozen dataclasses of texts, whole numbers, fractions, booleans, words, tuples, sets,
mappings and other dataclasses; where several dataclasses may stand, ``kind`` tells which.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, reduce
from operator import or_
from typing import Any, TypeVar, cast, overload

from app.persistence.codec_read import Report, reader
from app.persistence.codec_schema import json_schema
from app.persistence.codec_types import INNER
from app.persistence.codec_write import write_value, writer
from app.persistence.errors import MISTAKES, Malformed, Mistake
from app.persistence.json_text import At, read_json, read_stored, write_json

__all__ = [
    "INNER",
    "MISTAKES",
    "Malformed",
    "Mistake",
    "checked",
    "decode",
    "encode",
    "json_schema",
    "load",
    "read_json",
    "read_stored",
    "store",
    "union_of",
    "write_json",
]

T = TypeVar("T")


@overload
def decode(wanted: type[T], data: object, at: str = "") -> T: ...
@overload
def decode(wanted: Any, data: object, at: str = "") -> Any: ...
def decode(wanted: Any, data: object, at: str = "") -> Any:
    """Read a value of a type from JSON data; raise Malformed with every mistake in it.

    ``at`` is what the paths of the mistakes begin with.
    """
    return _read(wanted, data, at, trusted=False)


@overload
def load(wanted: type[T], text: str) -> T: ...
@overload
def load(wanted: Any, text: str) -> Any: ...
def load(wanted: Any, text: str) -> Any:
    """Read a value from text that ``store`` wrote, whatever its bounds are by now."""
    return _read(wanted, read_stored(text), "", trusted=True)


@overload
def checked(wanted: type[T], value: object, at: str = "") -> T: ...
@overload
def checked(wanted: Any, value: object, at: str = "") -> Any: ...
def checked(wanted: Any, value: object, at: str = "") -> Any:
    """Hold a value that was made in code to the bounds of its type, as if a client had sent it."""
    return _read(wanted, read_stored(store(value)), at, trusted=False)


def encode(value: object, wanted: Any = None) -> Any:
    """Write a value as JSON data, by its own type or by the annotation it was declared with."""
    return write_value(value) if wanted is None else writer(wanted)(value)


def store(value: object, wanted: Any = None) -> str:
    """Write a value as the text that ``load`` reads."""
    return write_json(encode(value, wanted))


def union_of(types: Iterable[type]) -> Any:
    """Make the annotation for "one of these"."""
    return _union(tuple(types))


@cache
def _union(types: tuple[type, ...]) -> Any:
    return cast(Any, reduce(or_, types))


def _read(wanted: Any, data: object, at: str, *, trusted: bool) -> Any:
    report = Report([])
    start: At = (None, at) if at else None
    value = reader(wanted, trusted)(data, start, report)
    if report.mistakes:
        raise Malformed(*report.mistakes)
    return value
