"""What an annotation asks for, as a small tree that reading, writing and the schema all follow."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, Final, TypeAlias, Union, get_args, get_origin, get_type_hints

from app.engine.text import Between, Length

UNMARKED_TEXT: Final = Length()
UNMARKED_LIST: Final = Length(0, 1000)
UNMARKED_NUMBER: Final = Between(-(2**31), 2**31 - 1)
INNER: Final[Mapping[str, bool]] = {"inner": True}
"""Metadata of a field that the service's own shells read and nobody is sent; it has a default."""


@dataclass(frozen=True)
class Text:
    """A string; ``or_empty`` where a field that has a least length is empty by default."""

    length: Length
    or_empty: bool = False


@dataclass(frozen=True)
class Whole:
    """An integer."""

    between: Between


@dataclass(frozen=True)
class Number:
    """A fraction."""

    between: Between


@dataclass(frozen=True)
class Flag:
    """A boolean."""


@dataclass(frozen=True)
class Moment:
    """A time, for writing only."""


@dataclass(frozen=True)
class Anything:
    """Whatever it is."""


@dataclass(frozen=True)
class Choice:
    """A word of an enumeration."""

    words: type[StrEnum]


@dataclass(frozen=True)
class Many:
    """A tuple of any length, or a set."""

    item: Node
    length: Length
    is_set: bool


@dataclass(frozen=True)
class Fixed:
    """A tuple with one node for each place."""

    items: tuple[Node, ...]


@dataclass(frozen=True)
class Maybe:
    """Something or None."""

    inner: Node


@dataclass(frozen=True)
class Table:
    """A mapping from texts."""

    value: Node


@dataclass(frozen=True)
class Record:
    """A dataclass."""

    cls: type


@dataclass(frozen=True)
class OneOf:
    """One of several dataclasses, told apart by their ``kind``."""

    records: tuple[type, ...]


@dataclass(frozen=True)
class Mixed:
    """A union of plain values and at most one dataclass, told apart by their JSON."""

    nodes: tuple[Node, ...]


Node: TypeAlias = (
    Text
    | Whole
    | Number
    | Flag
    | Moment
    | Anything
    | Choice
    | Many
    | Fixed
    | Maybe
    | Table
    | Record
    | OneOf
    | Mixed
)


@dataclass(frozen=True)
class Field:
    """One field of a dataclass."""

    name: str
    node: Node
    required: bool


@cache
def fields_of(cls: type) -> tuple[Field, ...]:
    """List the fields of a dataclass with what each asks for."""
    hints = get_type_hints(cls, include_extras=True)
    found = []
    for one in fields(cls):
        if one.metadata.get("inner"):
            continue
        node = node_of(hints[one.name])
        if isinstance(node, Text) and one.default == "":
            node = replace(node, or_empty=True)  # what may be left out may also be left empty
        required = one.default is MISSING and one.default_factory is MISSING
        found.append(Field(one.name, node, required))
    return tuple(found)


@cache
def kind_of(cls: type) -> str | None:
    """Give the tag by which a dataclass is known in a union, if it has one."""
    kind = getattr(cls, "kind", None)
    return kind if isinstance(kind, str) else None  # of a field called kind this is a descriptor


@cache
def node_of(annotation: Any) -> Node:
    """Understand an annotation; raise TypeError for one that the codec cannot serve."""
    marks: tuple[object, ...] = ()
    if get_origin(annotation) is Annotated:
        annotation, *rest = get_args(annotation)
        marks = tuple(rest)
    origin = get_origin(annotation)
    if origin in (Union, types.UnionType):
        return _union(get_args(annotation))
    if origin in (tuple, frozenset):
        return _collection(annotation, _mark(marks, Length, UNMARKED_LIST))
    if origin is not None and issubclass(origin, Mapping):
        return Table(node_of(get_args(annotation)[1]))
    return _plain(annotation, marks)


def _plain(annotation: Any, marks: tuple[object, ...]) -> Node:
    if annotation in (object, Any):
        return Anything()
    if annotation is bool:
        return Flag()
    if annotation is int:
        return Whole(_mark(marks, Between, UNMARKED_NUMBER))
    if annotation is Fraction:
        return Number(_mark(marks, Between, UNMARKED_NUMBER))
    if annotation is datetime:
        return Moment()
    if annotation is str:
        return Text(_mark(marks, Length, UNMARKED_TEXT))
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return Choice(annotation)
    if isinstance(annotation, type) and is_dataclass(annotation):
        return Record(annotation)
    raise TypeError(f"the codec does not know {annotation!r}")


def _collection(annotation: Any, length: Length) -> Node:
    args = get_args(annotation)
    if get_origin(annotation) is frozenset:
        return Many(node_of(args[0]), length, is_set=True)
    if len(args) == 2 and args[1] is Ellipsis:
        return Many(node_of(args[0]), length, is_set=False)
    return Fixed(tuple(node_of(arg) for arg in args))


def _union(members: tuple[Any, ...]) -> Node:
    nodes = tuple(node_of(member) for member in members if member is not type(None))
    inner: Node
    if len(nodes) == 1:
        inner = nodes[0]
    elif all(isinstance(node, Record) for node in nodes):
        inner = OneOf(tuple(node.cls for node in nodes if isinstance(node, Record)))
    else:
        inner = Mixed(nodes)
    return Maybe(inner) if type(None) in members else inner


def _mark(marks: tuple[object, ...], kind: type[Any], otherwise: Any) -> Any:
    return next((mark for mark in marks if isinstance(mark, kind)), otherwise)
