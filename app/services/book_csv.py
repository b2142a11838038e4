"""A book as a spreadsheet: one row a piece, lists in cells of one line an item."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, get_args

from app.engine.numbers import spelled, two_readings
from app.persistence.codec import encode
from app.persistence.codec_types import (
    Flag,
    Many,
    Maybe,
    Node,
    Number,
    Text,
    Whole,
    fields_of,
)
from app.rulesets.guida.sheet import Armour, Effect, Modifier, Tool
from app.services.book_pieces import id_of, kind_of_piece
from app.services.book_shapes import (
    LONGEST_PACK,
    ArmourPiece,
    BonusPiece,
    Piece,
    PieceKind,
    SheetPiece,
    ToolPiece,
)
from app.services.cells import guarded, unguarded
from app.services.errors import Mistake

LISTS: Final = ("modifiers", "effects")
_TOOL: Final = {one.name: one.node for one in fields_of(Tool) if one.name not in ("id", "means")}
_ARMOUR: Final = {one.name: one.node for one in fields_of(Armour)}
_BONUS: Final = {one.name: one.node for one in fields_of(Modifier)}
FIELDS: Final[Mapping[str, Mapping[str, Node]]] = {
    PieceKind.TECHNIQUE: _TOOL,
    PieceKind.WEAPON: _TOOL,
    PieceKind.ARMOUR: _ARMOUR,
    PieceKind.BONUS: _BONUS,
}
COLUMNS: Final = (
    *("id", "kind"),
    *(name for name in _TOOL if name not in LISTS),
    *(name for name in (*_ARMOUR, *_BONUS) if name not in _TOOL),
    *LISTS,
)
NEEDED: Final = ("id", "kind", "name")
LONGEST_CELL: Final = 4_000
EFFECTS: Final[Mapping[str, Mapping[str, Node]]] = {
    one.kind: {field.name: field.node for field in fields_of(one)} for one in get_args(Effect)
}
_YES: Final = frozenset(("x", "si", "sì", "yes", "true", "vero", "1"))
_NO: Final = frozenset(("no", "false", "falso", "0"))
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,24}\Z", re.ASCII)
_DECIMAL: Final = re.compile(r"[+-]?[0-9]{1,24}\.[0-9]{1,24}\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Row:
    """One piece as it was brought: where it begins, its data, what is wrong with it already."""

    line: int
    data: object
    mistakes: tuple[Mistake, ...] = ()


# ------------------------------------------------------------------------------------- writing


def write_table(pieces: Iterable[Piece], language: str) -> str:
    """Write pieces as a table; in Italian with decimal commas and semicolons between the cells."""
    comma = language == "it"
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";" if comma else ",", lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for piece in pieces:
        if not isinstance(piece, SheetPiece):
            cells = _cells(piece, comma)
            writer.writerow([cells.get(column, "") for column in COLUMNS])
    return out.getvalue()


def _cells(piece: ToolPiece | ArmourPiece | BonusPiece, comma: bool) -> dict[str, str]:
    data = encode(piece.data)
    cells = {"id": id_of(piece), "kind": kind_of_piece(piece).value}
    nodes = FIELDS[cells["kind"]]
    for name in nodes:
        if name not in LISTS:
            cells[name] = _written(data[name], comma)
    for one in data.get("modifiers", ()):
        line = f"{one['score']} {one['points']} {one['name']}"
        cells["modifiers"] = _joined(cells.get("modifiers"), line)
    for one in data.get("effects", ()):
        own = EFFECTS[one["kind"]]
        told = (f"{name}={text}" for name in own if (text := _written(one[name], comma)))
        cells["effects"] = _joined(cells.get("effects"), " ".join((one["kind"], *told)))
    return {
        name: text if _is_number(nodes.get(name)) else guarded(text) for name, text in cells.items()
    }


def _joined(before: str | None, line: str) -> str:
    return line if before is None else f"{before}\n{line}"


def _written(value: Any, comma: bool) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return "x"
    if isinstance(value, list):
        return "+".join(value)
    if isinstance(value, float):
        text = spelled(Fraction(repr(value)))
        text = text.replace(".", ",") if comma else text
        return f"{text}0" if two_readings(text) else text
    return str(value)


def _is_number(node: Node | None) -> bool:
    inner = node.inner if isinstance(node, Maybe) else node
    return isinstance(inner, Whole | Number)


# ------------------------------------------------------------------------------------- reading


def read_table(text: str) -> list[Row]:
    """Read a table as the data of pieces, with whatever is wrong with its shape."""
    head = text.lstrip("\ufeff\r\n").partition("\n")[0]
    mark = max(";,\t", key=head.count)
    reader = csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""), delimiter=mark, strict=True)
    rows: list[Row] = []
    columns: list[str] | None = None
    line = 1
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                pass
            elif columns is None:
                columns = [unguarded(cell).strip().casefold() for cell in cells]
                if wrong := tuple(_wrong_columns(columns)):
                    return [Row(line, None, wrong)]
            elif len(rows) == LONGEST_PACK:
                return [Row(line, None, (Mistake("", "too_long", {"most": LONGEST_PACK}),))]
            else:
                rows.append(_row(line, columns, cells))
            line = reader.line_num + 1
    except csv.Error:
        return [*rows, Row(line, None, (Mistake("", "table_unreadable"),))]
    if columns is None:
        return [Row(1, None, tuple(Mistake(name, "missing") for name in NEEDED))]
    return rows


def _wrong_columns(columns: list[str]) -> Iterator[Mistake]:
    for place, name in enumerate(columns, 1):
        if name and name not in COLUMNS:
            yield Mistake(f"columns[{place}]", "column_unknown", {"columns": COLUMNS})
        elif name and name in columns[: place - 1]:
            yield Mistake(name, "duplicate")
    yield from (Mistake(name, "missing") for name in NEEDED if name not in columns)


def _row(line: int, columns: list[str], cells: list[str]) -> Row:
    wrong = [
        Mistake(f"columns[{place}]", "unknown_field")
        for place, cell in enumerate(cells, 1)
        if cell.strip() and (place > len(columns) or not columns[place - 1])
    ]
    texts = {
        name: unguarded(cell).strip()
        for name, cell in zip(columns, cells, strict=False)
        if name and cell.strip()
    }
    wrong += [
        Mistake(name, "too_long", {"most": LONGEST_CELL})
        for name, text in texts.items()
        if len(text) > LONGEST_CELL
    ]
    kind = texts.get("kind", "").casefold()
    if kind not in FIELDS:
        code = "unknown_choice" if kind else "missing"
        facts = {"choices": tuple(FIELDS)} if kind else {}
        return Row(line, None, (*wrong, Mistake("kind", code, facts)))
    if wrong:
        return Row(line, None, tuple(wrong))
    return _read_row(line, kind, texts)


def _read_row(line: int, kind: str, texts: Mapping[str, str]) -> Row:
    nodes, wrong = FIELDS[kind], list[Mistake]()
    data: dict[str, object] = {}
    for name, text in texts.items():
        if name in ("id", "kind"):
            continue
        if name not in nodes:
            wrong.append(Mistake(name, "not_of_this_kind"))
        elif name == "modifiers":
            data[name] = [_modifier(one, place, wrong) for place, one in _lines(text)]
        elif name == "effects":
            data[name] = [_effect(one, place, wrong) for place, one in _lines(text)]
        else:
            data[name] = _read_cell(nodes[name], text)
    own = {"id": texts["id"]} if "id" in texts else {}
    if kind in (PieceKind.TECHNIQUE, PieceKind.WEAPON):
        piece: dict[str, object] = {"kind": "tool", "data": {**own, "means": kind, **data}}
    else:
        piece = {"kind": kind, **own, "data": data}
    return Row(line, piece, tuple(wrong))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """List the items of a cell, one a line."""
    items = (one.strip() for one in text.replace("\r", "\n").split("\n"))
    yield from enumerate(one for one in items if one)


def _modifier(text: str, place: int, wrong: list[Mistake]) -> object:
    parts = text.split(None, 2)
    if len(parts) < 3:
        wrong.append(Mistake(f"modifiers[{place}]", "modifier_cell"))
        return {}
    score, points, name = parts
    return {"score": score, "points": _read_cell(_BONUS["points"], points), "name": name}


def _effect(text: str, place: int, wrong: list[Mistake]) -> object:
    kind, *parts = text.split()
    told: dict[str, object] = {"kind": kind}
    own = EFFECTS.get(kind, {})
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals or not name or not value:
            wrong.append(Mistake(f"effects[{place}]", "effect_cell"))
        elif name in told:
            wrong.append(Mistake(f"effects[{place}].{name}", "duplicate"))
        else:
            told[name] = _read_cell(own[name], value) if name in own else value
    return told


def _read_cell(node: Node, text: str) -> object:
    """Read a cell as the JSON that its field wants; what does not fit stays for the codec."""
    inner = node.inner if isinstance(node, Maybe) else node
    match inner:
        case Flag():
            word = text.casefold()
            return True if word in _YES else False if word in _NO else text
        case Whole() | Number():
            return _read_number(inner, text)
        case Many():
            return [one for one in text.split("+") if one]
        case Text():
            return text
        case _:
            return text.strip()


def _read_number(node: Whole | Number, text: str) -> object:
    number = text.replace("−", "-")
    if _WHOLE.match(number):
        return int(number)
    if isinstance(node, Number):
        number = number.replace(",", ".")
        if two_readings(number):
            return number.replace(".", ",")  # as the codec refuses it, and says why
        return Decimal(number) if _DECIMAL.match(number) else number
    return text


def column_of(field: str) -> str:
    """Lead from the path of a mistake in a piece to the column that it stands in."""
    return field.removeprefix("data.").removeprefix("data")
