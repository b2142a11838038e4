"""From JSON data to values: one reader for each node, made once for each type.

A *trusted* reader is for what we stored ourselves: it does not hold old data against bounds that
may have become narrower since.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any, Final, TypeAlias, assert_never

from app.engine.numbers import exact, is_readable, two_readings, written
from app.engine.text import Between, Length
from app.persistence.codec_types import (
    Anything,
    Choice,
    Fixed,
    Flag,
    Many,
    Maybe,
    Mixed,
    Moment,
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
from app.persistence.errors import Mistake, MistakeFact
from app.persistence.json_text import At, path
from app.persistence.moments import read_moment

# Control characters, and those that turn the direction of what follows them.
# What no XML can hold is among it, or a feed that tells of it could not be read any more.
_BAD: Final = "\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff"
_BAD_IN_LINES: Final = re.compile(f"[\x00-\x08\x0b-\x1f{_BAD}]")
_BAD_IN_LINE: Final = re.compile(f"[\x00-\x1f\u2028\u2029{_BAD}]")
LEAST_EXPONENT: Final = -12
MOST_EXPONENT: Final = 15


@dataclass(slots=True)
class Report:
    """The mistakes found so far."""

    mistakes: list[Mistake]

    def add(self, at: At, code: str, **facts: MistakeFact) -> None:
        """Note one more."""
        self.mistakes.append(Mistake(path(at), code, facts))


Reader: TypeAlias = Callable[[object, At, Report], Any]
"""Gives the value; where there is a mistake it reports it and gives something nobody will use."""


@cache
def reader(annotation: Any, trusted: bool) -> Reader:
    """Make the reader of an annotation."""
    return _reader(node_of(annotation), trusted)


@cache
def _reader(node: Node, trusted: bool) -> Reader:  # noqa: C901  # one case for each node
    match node:
        case Text(length, or_empty):
            return _trusted_text if trusted else _text(length, or_empty)
        case Whole(between):
            return _whole(None if trusted else between)
        case Number(between):
            return _trusted_number if trusted else _number(between)
        case Flag():
            return _flag
        case Choice(words):
            return _choice(words)
        case Maybe(inner):
            return _maybe(_reader(inner, trusted))
        case Many():
            return _many(node, trusted)
        case Fixed(items):
            return _fixed(tuple(_reader(item, trusted) for item in items))
        case Table(value):
            return _table(_reader(value, trusted))
        case Record(cls):
            return _record(cls, trusted)
        case OneOf(records):
            return _one_of(records, trusted)
        case Mixed(nodes):
            return _mixed(nodes, trusted)
        case Anything():
            return _anything
        case Moment():
            return _moment
        case _:
            assert_never(node)


# ------------------------------------------------------------------------------ plain values


def _text(length: Length, or_empty: bool) -> Reader:
    bad = _BAD_IN_LINES if length.lines else _BAD_IN_LINE

    def read(data: object, at: At, report: Report) -> str:
        if not isinstance(data, str):
            report.add(at, "wrong_type", expected="text")
            return ""
        if not data and or_empty:
            return ""
        text = data
        if length.lines and "\r" in text:  # a browser sends the lines of a form this way
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        if bad.search(text):
            report.add(at, "bad_text")
        elif len(text) > length.most:
            report.add(at, "too_long", most=length.most)
        elif len(text) < length.least or (length.least and not text.strip()):
            report.add(at, "too_short", least=length.least)
        return text

    return read


def _trusted_text(data: object, at: At, report: Report) -> str:
    if isinstance(data, str):
        return data
    report.add(at, "wrong_type", expected="text")
    return ""


def _moment(data: object, at: At, report: Report) -> datetime:
    found = read_moment(data)
    if found is None:
        report.add(at, "no_moment")
    return found or datetime.max.replace(tzinfo=UTC)


def _whole(between: Between | None) -> Reader:
    def read(data: object, at: At, report: Report) -> int:
        if type(data) is int:
            value = data
        elif isinstance(data, Decimal) and _is_small(data) and data == data.to_integral_value():
            value = int(data)
        else:
            code = "not_a_number" if isinstance(data, str) else "wrong_type"
            report.add(at, code, **({} if code == "not_a_number" else {"expected": "integer"}))
            return 0
        if between is not None and not between.least <= value <= between.most:
            report.add(at, "out_of_range", least=between.least, most=between.most)
        return value

    return read


def _number(between: Between) -> Reader:
    def read(data: object, at: At, report: Report) -> Fraction:
        if isinstance(data, bool) or not isinstance(data, int | str | Decimal):
            report.add(at, "wrong_type", expected="number")
            return Fraction(0)
        try:
            value = _small(data) if isinstance(data, Decimal) else exact(data)
        except ValueError:
            both = two_readings(data) if isinstance(data, str) else None
            report.add(at, "ambiguous_number" if both else "not_a_number", **(both or {}))
            return Fraction(0)
        if not between.least <= value <= between.most:
            report.add(at, "out_of_range", least=between.least, most=between.most)
        return value

    return read


def _is_small(number: Decimal) -> bool:
    """Say whether a decimal can be written out: ``1e999999`` would fill the memory."""
    return number.is_finite() and (
        not number
        or (
            number.adjusted() <= MOST_EXPONENT and int(number.as_tuple().exponent) >= LEAST_EXPONENT
        )
    )


def _small(number: Decimal) -> Fraction:
    if not _is_small(number):
        raise ValueError("too large, or too many decimals")
    value = Fraction(number) if number else Fraction(0)
    told = written(value)
    if isinstance(told, str) and not is_readable(told):
        raise ValueError("more digits than can be told again")
    return value


def _trusted_number(data: object, at: At, report: Report) -> Fraction:
    if isinstance(data, int | str | Decimal) and not isinstance(data, bool):
        return Fraction(data)
    report.add(at, "wrong_type", expected="number")
    return Fraction(0)


def _flag(data: object, at: At, report: Report) -> bool:
    if isinstance(data, bool):
        return data
    report.add(at, "wrong_type", expected="boolean")
    return False


def _choice(words: type[StrEnum]) -> Reader:
    known: dict[object, StrEnum] = {word.value: word for word in words}
    choices = tuple(word.value for word in words)

    def read(data: object, at: At, report: Report) -> StrEnum | None:
        if not isinstance(data, str):
            report.add(at, "wrong_type", expected="text")
            return None
        word = known.get(data)
        if word is None:
            report.add(at, "unknown_choice", choices=choices)
        return word

    return read


def _anything(data: object, _at: At, _report: Report) -> object:
    return data


# -------------------------------------------------------------------------------- containers


def _maybe(inner: Reader) -> Reader:
    def read(data: object, at: At, report: Report) -> Any:
        return None if data is None else inner(data, at, report)

    return read


def _many(node: Many, trusted: bool) -> Reader:
    item = _reader(node.item, trusted)
    length = node.length

    def read(data: object, at: At, report: Report) -> Any:
        if not isinstance(data, list | tuple):
            report.add(at, "wrong_type", expected="list")
            return ()
        if not trusted:
            if len(data) > length.most:
                report.add(at, "too_long", most=length.most)
                return ()  # its items are not worth a mistake each
            if len(data) < length.least:
                report.add(at, "too_short", least=length.least)
        clean = len(report.mistakes)
        values = tuple([item(one, (at, index), report) for index, one in enumerate(data)])
        if not node.is_set or len(report.mistakes) > clean:
            return values
        unique = frozenset(values)
        if len(unique) < len(values):
            report.add(at, "duplicate")
        return unique

    return read


def _fixed(items: tuple[Reader, ...]) -> Reader:
    def read(data: object, at: At, report: Report) -> Any:
        if not isinstance(data, list | tuple):
            report.add(at, "wrong_type", expected="list")
        elif len(data) < len(items):
            report.add(at, "too_short", least=len(items))
        elif len(data) > len(items):
            report.add(at, "too_long", most=len(items))
        else:
            return tuple(
                [item(data[index], (at, index), report) for index, item in enumerate(items)]
            )
        return ()

    return read


def _table(value: Reader) -> Reader:
    def read(data: object, at: At, report: Report) -> Any:
        if not isinstance(data, Mapping):
            report.add(at, "wrong_type", expected="object")
            return {}
        return {key: value(one, (at, key), report) for key, one in data.items()}

    return read


# ----------------------------------------------------------------------------------- records


def _record(cls: type, trusted: bool) -> Reader:
    kind = kind_of(cls)
    readers: list[tuple[str, Reader, bool]] = []  # filled at first use: a type may hold itself
    known: set[str] = set()

    def read(data: object, at: At, report: Report) -> Any:
        if not isinstance(data, dict):
            report.add(at, "wrong_type", expected="object")
            return None
        if not known:
            readers.extend(
                (one.name, _reader(one.node, trusted), one.required) for one in fields_of(cls)
            )
            known.update(name for name, _, _ in readers)
        clean = len(report.mistakes)
        values: dict[str, Any] = {}
        for name, inner, required in readers:
            if name in data:
                values[name] = inner(data[name], (at, name), report)
            elif required:
                report.add((at, name), "missing")
        if len(values) < len(data):
            _check_rest(data, known, kind, at, report)
        if len(report.mistakes) > clean:
            return None
        try:
            return cls(**values)
        except ValueError:  # what a type itself refuses, such as a die showing a face it lacks
            report.add(at, "wrong_type", expected="object")
            return None

    return read


def _check_rest(
    data: dict[str, object], known: set[str], kind: str | None, at: At, report: Report
) -> None:
    for name in data:
        if name in known:
            continue
        if name != "kind" or kind is None:
            report.add((at, name), "unknown_field")
        elif data[name] != kind:
            report.add((at, name), "unknown_choice", choices=(kind,))


def _one_of(records: tuple[type, ...], trusted: bool) -> Reader:
    kinds = {kind_of(cls): cls for cls in records}
    if None in kinds or len(kinds) < len(records):
        raise TypeError(f"these need a kind each: {records}")
    readers = {kind: _record(cls, trusted) for kind, cls in kinds.items()}
    choices = tuple(kind for kind in kinds if kind is not None)

    def read(data: object, at: At, report: Report) -> Any:
        if not isinstance(data, dict):
            report.add(at, "wrong_type", expected="object")
        elif "kind" not in data:
            report.add((at, "kind"), "missing")
        elif not isinstance(data["kind"], str):
            report.add((at, "kind"), "wrong_type", expected="text")
        elif data["kind"] not in readers:
            report.add((at, "kind"), "unknown_choice", choices=choices)
        else:
            return readers[data["kind"]](data, at, report)
        return None

    return read


def _mixed(nodes: tuple[Node, ...], trusted: bool) -> Reader:
    """Tell a plain value by its JSON; a fraction that is no decimal is ``{"number": "p/q"}``."""
    readers = {type(node): _reader(node, trusted) for node in nodes}

    def read(data: object, at: At, report: Report) -> Any:
        if type(data) is bool:
            wanted: tuple[type, ...] = (Flag,)
        elif isinstance(data, int | Decimal):
            wanted = (Whole, Number) if isinstance(data, int) else (Number, Whole)
        elif isinstance(data, str):
            wanted = (Text, Choice)
        elif isinstance(data, list | tuple):
            wanted = (Many, Fixed)
        elif isinstance(data, dict) and data.keys() == {"number"} and Number in readers:
            return readers[Number](data["number"], (at, "number"), report)
        else:
            wanted = (Record, Table)
        for one in wanted:
            if one in readers:
                return readers[one](data, at, report)
        report.add(at, "wrong_type", expected="text")
        return None

    return read
