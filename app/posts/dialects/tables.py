"""Tables, for the forums that have them; the cells are inert already."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

Rows: TypeAlias = Sequence[Sequence[str]]
Cell: TypeAlias = Callable[[str], str]


def bbcode_table(rows: Rows, head: Cell) -> str:
    """Write a table of BBCode, a row a line; ``head`` writes the cells that name the others.

    A blank keeps cells apart where tags are taken out, so that their words stay words.
    """
    lines = (" ".join(_cells(row, head, first=not number)) for number, row in enumerate(rows))
    return "\n".join(("[table]", *(f"[tr]{line}[/tr]" for line in lines), "[/table]"))


def bold_head(text: str) -> str:
    """Write a cell that names others where a forum has no tag for it."""
    return f"[td][b]{text}[/b][/td]" if text else "[td][/td]"


def tagged_head(text: str) -> str:
    """Write a cell that names others where a forum has a tag for it."""
    return f"[th]{text}[/th]"


def markdown_table(rows: Rows) -> str:
    """Write a table of Markdown; without an empty line around it, it would be none."""
    first, *rest = (f"| {' | '.join(_one_line(cell) for cell in row)} |" for row in rows)
    rule = "|" + " --- |" * len(rows[0])
    return "\n".join(("", first, rule, *rest, ""))


def html_table(rows: Rows) -> str:
    """Write a table of HTML on one line, since a template makes breaks of new lines."""
    lines = (
        "".join(
            f"<td>{_one_line(cell)}</td>" if number and place else f"<th>{_one_line(cell)}</th>"
            for place, cell in enumerate(row)
        )
        for number, row in enumerate(rows)
    )
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _cells(row: Sequence[str], head: Cell, *, first: bool) -> list[str]:
    return [
        head(_one_line(cell)) if first or not place else f"[td]{_one_line(cell)}[/td]"
        for place, cell in enumerate(row)
    ]


def _one_line(cell: str) -> str:
    return " ".join(cell.split())
