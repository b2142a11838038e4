"""What a piece of a book is: its id, its name, its content, and how two versions differ."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, assert_never

from app.persistence.codec import encode, load, store, write_json
from app.rulesets.guida.sheet import Armour, Modifier, Sheet, Tool
from app.rulesets.guida.terms import Means
from app.services.book_shapes import (
    ArmourPiece,
    BonusPiece,
    FieldChange,
    Piece,
    PieceKind,
    SheetPiece,
    ToolPiece,
)
from app.services.errors import Mistake

NEW: Final = "new"
"""The id of a piece that is to get one that is made of its name; no piece keeps it."""

ID_FORM: Final = re.compile(r"[a-z][a-z0-9-]{0,39}\Z", re.ASCII)
_NOT_IN_IDS: Final = re.compile(r"[^a-z0-9]+")


def id_of(piece: Piece) -> str:
    """Give the id of a piece."""
    return piece.data.id if isinstance(piece, ToolPiece) else piece.id


def named(piece: Piece, id: str) -> Piece:
    """Give a piece under another id."""
    if isinstance(piece, ToolPiece):
        return replace(piece, data=replace(piece.data, id=id))
    return replace(piece, id=id)


def kind_of_piece(piece: Piece) -> PieceKind:
    """Tell what a piece is."""
    match piece:
        case ToolPiece(data=Tool(means=means)):
            return PieceKind.WEAPON if means is Means.WEAPON else PieceKind.TECHNIQUE
        case ArmourPiece():
            return PieceKind.ARMOUR
        case BonusPiece():
            return PieceKind.BONUS
        case SheetPiece():
            return PieceKind.SHEET
        case _:
            assert_never(piece)


def family_of(kind: str) -> str:
    """Tell of which type the versions of a piece are: techniques and weapons are of one."""
    return ToolPiece.kind if kind in (PieceKind.TECHNIQUE, PieceKind.WEAPON) else kind


def kept(piece: Piece) -> str:
    """Write a piece as it is stored."""
    return store(piece, Piece)


def read_piece_data(text: str) -> Piece:
    """Read a stored piece."""
    found: Piece = load(Piece, text)
    return found


def check_id(piece: Piece, at: str) -> tuple[Mistake, ...]:
    """List what is wrong with the id of a piece: it has to survive addresses and spreadsheets."""
    if ID_FORM.match(id_of(piece)) and id_of(piece) != NEW:
        return ()
    return (Mistake(f"{at}.{id_path(piece)}", "piece_id_form"),)


def id_path(piece: Piece) -> str:
    """Tell where in a piece its id stands."""
    return "data.id" if isinstance(piece, ToolPiece) else "id"


def id_for(name: str, taken: Container[str]) -> str:
    """Make an id out of a name: ``Artigli Affilati`` is ``artigli-affilati``, or with a number."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem = _NOT_IN_IDS.sub("-", plain).strip("-").lstrip("-0123456789")[:32].strip("-") or "p"
    number, found = 1, stem
    while found in taken or found == NEW:
        number += 1
        found = f"{stem}-{number}"
    return found


def content(part: Tool | Armour | Modifier | Sheet) -> str:
    """Write what a piece is apart from its id, so that two can be compared."""
    data = encode(part)
    if isinstance(part, Tool):
        del data["id"]
    return write_json(data)


def part_at(sheet: Sheet, place: str) -> Tool | Armour | Modifier | None:
    """Find the part of a sheet that a place names."""
    where, _, which = place.partition(".")
    if where == "tools":
        return sheet.tool(which)
    if where == "modifiers":
        return next((one for one in sheet.modifiers if one.name == which), None)
    return sheet.armour if place == "armour" else None


def parts_of(sheet: Sheet) -> Iterator[tuple[str, str, Tool | Armour | Modifier]]:
    """List what of a sheet may come from a book: its place, its field, and itself."""
    for index, tool in enumerate(sheet.tools):
        yield f"tools.{tool.id}", f"tools[{index}]", tool
    if sheet.armour is not None:
        yield "armour", "armour", sheet.armour
    for index, modifier in enumerate(sheet.modifiers):
        yield f"modifiers.{modifier.name}", f"modifiers[{index}]", modifier


def differences(before: Piece, after: Piece) -> tuple[FieldChange, ...]:
    """List the fields that differ between two versions of a piece, in the order of the fields."""
    old, new = (dict(_flat(encode(one.data), "")) for one in (before, after))
    for one in (old, new):
        one.pop("id", None)
    return tuple(
        FieldChange(field=path, before=old.get(path), after=new.get(path))
        for path in dict.fromkeys((*new, *old))
        if old.get(path) != new.get(path)
    )


def fields_told(piece: Piece) -> tuple[FieldChange, ...]:
    """List every field of a piece that says something, by its path."""
    told = (one for one in _flat(encode(piece.data), "") if one[0] != "id")
    return tuple(FieldChange(field=path, before=None, after=text) for path, text in told)


def _flat(value: Any, at: str) -> Iterator[tuple[str, str]]:
    """Spell out data as paths and texts; rows that have an id are known by it, others by place."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _flat(part, f"{at}.{name}" if at else name)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            known = part.get("id") if isinstance(part, Mapping) else None
            yield from _flat(part, f"{at}.{known or index}")
    elif value is not None and value is not False and value != "":
        yield at, "true" if value is True else str(value)
