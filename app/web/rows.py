"""Rows of a form that come and go: what adding or removing one does to what was typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import TypeAlias

from app.web.forms import Nested, at, is_index

Row: TypeAlias = dict[str, Nested]


@dataclass(frozen=True, slots=True)
class Rows:
    """One kind of row: how many there may be, and how a new one is made among the others."""

    most: int
    make: Callable[[Row, list[Nested]], Row]


def change_rows(tree: Row, what: str, kinds: Mapping[str, Rows]) -> str:
    """Add or remove the row that a button names, in place; give the path of a new one."""
    verb, _, path = what.partition(":")
    parent, _, last = path.rpartition(".")
    holder = at(tree, parent)
    if verb == "remove":
        if isinstance(holder, list) and is_index(last) and int(last) < len(holder):
            del holder[int(last)]
        return ""
    if verb != "add" or last not in kinds or not isinstance(holder, dict):
        return ""
    rows = holder.setdefault(last, [])
    if not isinstance(rows, list):
        rows = holder[last] = []
    if len(rows) >= kinds[last].most:
        return ""
    rows.append(kinds[last].make(holder, rows))
    return f"{path}.{len(rows) - 1}"


def blank(record: type, **known: str) -> Row:
    """Give the texts of a new row: the defaults of its type."""
    row: Row = {}
    for field in fields(record):
        default = field.default
        if default in (MISSING, None, False) or isinstance(default, tuple):
            continue
        row[field.name] = str(default)
    return {**row, **known}


def unused_id(rows: list[Nested], letter: str) -> str:
    """Give the first of t1, t2, … that no row has."""
    taken = {row.get("id") for row in rows if isinstance(row, dict)}
    number = 1
    while f"{letter}{number}" in taken:
        number += 1
    return f"{letter}{number}"
