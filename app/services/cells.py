"""Cells of tables that a spreadsheet opens: none of them begins a formula, whatever it holds.

A cell that would is written with an apostrophe before it, which is taken away again when a table
is read.
"""

from __future__ import annotations

import re
from typing import Final

# Where a spreadsheet, or one that takes another mark for the separator, may see a formula begin;
# some see one in the wide forms of the East, too.
_BEGINS: Final = r"(^|[;,\t\r\n])([\" \u00a0\u3000]*)"
_MARK: Final = "([=+\\-@＝＋－＠])"
_FORMULA: Final = re.compile(rf"{_BEGINS}('*){_MARK}")
_GUARDED: Final = re.compile(rf"{_BEGINS}'('*){_MARK}")
# What a spreadsheet skips before it looks whether a formula begins.
_SKIPPED: Final = re.compile(r"'*[\t\r]")


def inert(cell: str) -> str:
    """Write a cell so that no spreadsheet takes it for a formula; a number stays one."""
    bare = cell.removeprefix("-").removeprefix("+").replace(".", "", 1).replace("/", "", 1)
    return cell if bare.isascii() and bare.isdecimal() else guarded(cell)


def guarded(text: str) -> str:
    """Keep a text from being taken for a formula."""
    safe = _FORMULA.sub(r"\1\2'\3\4", text)
    return f"'{safe}" if _SKIPPED.match(safe) else safe


def unguarded(text: str) -> str:
    """Take away what kept a text from being taken for a formula."""
    bare = text[1:] if text.startswith("'") and _SKIPPED.match(text) else text
    return _GUARDED.sub(r"\1\2\3\4", bare)
