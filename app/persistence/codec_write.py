"""From values to JSON data: one writer for each node, made once for each type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from app.engine.numbers import written
from app.persistence.codec_types import (
    Choice,
    Fixed,
    Flag,
    Many,
    Maybe,
    Node,
    Number,
    OneOf,
    Record,
    Table,
    Text,
    Whole,
    fields_of,
    kind_of,
    node_of,
)
from app.persistence.json_text import write_json

Writer: TypeAlias = Callable[[Any], Any]


@cache
def writer(annotation: Any) -> Writer:
    """Make the writer of an annotation."""
    return _writer(node_of(annotation))


def write_value(value: Any) -> Any:
    """Write a value by what it is, where no annotation says so."""
    if value is None or isinstance(value, bool | int) or type(value) is str:
        return value
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, Fraction):
        return written(value)
    if isinstance(value, Decimal):
        return written(Fraction(value))
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple | list):
        return [write_value(one) for one in value]
    if isinstance(value, frozenset):
        return _in_order([write_value(one) for one in value])
    if isinstance(value, Mapping):
        return {str(key): write_value(one) for key, one in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return _by_its_class(value)
    raise TypeError(f"the codec cannot write a {type(value).__name__}")


@cache
def _writer(node: Node) -> Writer:
    match node:
        case Text() | Whole() | Flag():
            return _as_it_is
        case Number():
            return written
        case Choice():
            return _word
        case Maybe(inner):
            return _maybe(_writer(inner))
        case Many(item, _, is_set):
            return _set(_writer(item)) if is_set else _many(_writer(item))
        case Fixed(items):
            return _fixed(tuple(_writer(item) for item in items))
        case Table(value):
            return _table(_writer(value))
        case Record(cls):
            return _record(cls)
        case OneOf():
            return _by_its_class
        case _:
            return _mixed


def _as_it_is(value: Any) -> Any:
    return value


def _word(value: StrEnum) -> str:
    return str(value.value)


def _maybe(inner: Writer) -> Writer:
    return lambda value: None if value is None else inner(value)


def _many(item: Writer) -> Writer:
    if item is _as_it_is:
        return list
    return lambda values: [item(one) for one in values]


def _set(item: Writer) -> Writer:
    return lambda values: _in_order([item(one) for one in values])


def _in_order(items: list[Any]) -> list[Any]:
    return sorted(items, key=write_json)


def _fixed(items: tuple[Writer, ...]) -> Writer:
    return lambda values: [item(one) for item, one in zip(items, values, strict=True)]


def _table(value: Writer) -> Writer:
    return lambda table: {key: value(one) for key, one in table.items()}


@cache
def _record(cls: type) -> Writer:
    kind = kind_of(cls)
    writers: list[tuple[str, Writer]] = []  # filled at first use: a type may hold itself

    def write(value: Any) -> dict[str, Any]:
        if not writers:
            writers.extend((one.name, _writer(one.node)) for one in fields_of(cls))
        data: dict[str, Any] = {} if kind is None else {"kind": kind}
        for name, inner in writers:
            data[name] = inner(getattr(value, name))
        return data

    return write


def _by_its_class(value: Any) -> Any:
    cls: type = value.__class__
    return _record(cls)(value)


def _mixed(value: Any) -> Any:
    """Write one of several kinds of value so that reading can tell them apart."""
    if isinstance(value, Fraction):
        number = written(value)
        return {"number": number} if isinstance(number, str) else number
    return write_value(value)
