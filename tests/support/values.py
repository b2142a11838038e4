"""Hypothesis strategies for every value that the codec serves, made from the same annotations."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, assert_never

from hypothesis import strategies as st

from app.engine.dice import Address, Roll
from app.engine.tally import Tally, Term
from app.engine.text import Length
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
    node_of,
)

DEEPEST = 3
MOST_ITEMS = 3
ALPHABET = st.characters(
    blacklist_categories=["Cc", "Cs"],
    blacklist_characters="\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufffe\uffff",
)
IN_LINES = st.one_of(ALPHABET, st.sampled_from("\n\t"))


def values_of(annotation: Any) -> st.SearchStrategy[Any]:
    """Draw any value that an annotation allows."""
    return _values(node_of(annotation), 0)


def _values(node: Node, depth: int) -> st.SearchStrategy[Any]:  # one case for each node
    match node:
        case Text(length, or_empty):
            return st.just("") | _texts(length) if or_empty else _texts(length)
        case Whole(between):
            return st.integers(between.least, between.most)
        case Number(between):
            return _fractions(between.least, between.most)
        case Flag():
            return st.booleans()
        case Choice(words):
            return st.sampled_from(list(words))
        case Maybe(inner):
            return st.none() if depth > DEEPEST else st.none() | _values(inner, depth)
        case Many(item, length, is_set):
            most = length.least if depth > DEEPEST else min(length.most, length.least + MOST_ITEMS)
            make = st.frozensets if is_set else st.lists
            items = make(_values(item, depth + 1), min_size=length.least, max_size=most)
            return items if is_set else items.map(tuple)
        case Fixed(items):
            return st.tuples(*(_values(item, depth + 1) for item in items))
        case Table(value):
            return st.dictionaries(
                _texts(Length(1, 20)), _values(value, depth + 1), max_size=MOST_ITEMS
            )
        case Record(cls):
            return _records(cls, depth)
        case OneOf(records):
            return st.one_of(*(_records(cls, depth) for cls in records))
        case Mixed(nodes):
            fitting = [one for one in nodes if depth <= DEEPEST or not isinstance(one, Record)]
            return st.one_of(*(_values(one, depth + 1) for one in fitting))
        case Moment() | Anything():
            raise TypeError(f"no values for {node}")
        case _:
            assert_never(node)


def _records(cls: type, depth: int) -> st.SearchStrategy[Any]:
    if cls is Term:
        return _terms()
    if cls is Roll:
        return _rolls()
    return st.deferred(
        lambda: st.builds(cls, **{one.name: _values(one.node, depth + 1) for one in fields_of(cls)})
    )


def _terms() -> st.SearchStrategy[Any]:
    """Draw terms whose parts add up, since a term refuses any others."""
    short = st.text("abc", min_size=1, max_size=3)
    leaf = st.builds(
        Term,
        rule=short,
        key=short,
        value=_fractions(-99, 99),
        name=st.none() | short,
        board=st.booleans(),
    )

    return leaf | st.lists(leaf, min_size=1, max_size=3).map(_sum_of)


def _sum_of(parts: list[Term]) -> Term:
    tally = Tally(tuple(parts))
    return Term("R-1", "sum", tally.total, parts=tally)


def _rolls() -> st.SearchStrategy[Any]:
    return st.integers(1, 100).flatmap(
        lambda sides: st.builds(
            Roll,
            address=st.builds(Address, st.integers(0, 40), st.integers(0, 9)),
            sides=st.just(sides),
            face=st.integers(1, sides),
        )
    )


def _texts(length: Length) -> st.SearchStrategy[str]:
    texts = st.text(
        IN_LINES if length.lines else ALPHABET,
        min_size=length.least,
        max_size=min(length.most, max(length.least, 30)),
    )
    return texts.filter(str.strip) if length.least else texts


def _fractions(least: int, most: int) -> st.SearchStrategy[Fraction]:
    """Draw whole numbers, decimals, and fractions no decimal can hold, in the digits allowed."""
    return st.one_of(
        st.integers(least, most).map(Fraction),
        st.decimals(least, most, places=3, allow_nan=False, allow_infinity=False).map(Fraction),
        st.fractions(least, most, max_denominator=397),
    )
