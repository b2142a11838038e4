"""The form of a piece, and the words in which the fields of pieces are told."""

from __future__ import annotations

import re
from typing import Any, Final

from app.http.language import Language
from app.persistence.codec import decode, encode
from app.rulesets.guida import sheet as guida
from app.rulesets.guida.terms import AreaForm, Bearer, Bind, Stack
from app.services.book_access import OPERATOR
from app.services.book_pieces import NEW, family_of
from app.services.book_shapes import Piece, SheetPiece, ToolPiece
from app.web.forms import Json, Nested, at, form_name, lift, rows_at, shown, text_at, whole_of
from app.web.pages import word
from app.web.rows import blank
from app.web.sheet_form import CHOICES, EFFECTS, LABELS, TITLES
from app.web.texts import marked, translated

FROM: Final = "~from"  # names of a part the piece and version that it was copied from
TYPES: Final[dict[str, type]] = {
    "tool": guida.Tool,
    "armour": guida.Armour,
    "bonus": guida.Modifier,
    "sheet": guida.Sheet,
}
KINDS: Final = {
    "technique": marked("technique"),
    "weapon": marked("weapon"),
    "armour": marked("armour"),
    "bonus": marked("passive bonus"),
    "sheet": marked("whole sheet"),
}
ROLES: Final = {
    "owner": marked("the owner of the board"),
    "gm": marked("a Master"),
    "player": marked("the player %(name)s"),
    "spectator": marked("the spectator %(name)s"),
    "seat": marked("who plays %(name)s"),
    "being": marked("the owner of a being"),
    OPERATOR: marked("whoever runs the service"),
}
FIELDS: Final = LABELS | {
    "name": marked("Name"),
    "means": marked("Kind"),
    "attacks": marked("to attack or counterattack"),
    "guards": marked("in a guard"),
    "parries": marked("to parry"),
    "supports": marked("as a secondary action"),
    "generic": marked("as a generic action"),
    "secondary": marked("Kind of secondary action"),
    "die": marked("Faces of its own die, as a generic action"),
    "governing": marked("Governing stat"),
    "potential_bonus": marked("Potential bonus"),
    "attack_kind": marked("How it spreads"),
    "volley_size": marked("Shots in a volley"),
    "max_targets": marked("Targets at most"),
    "area_m": marked("Radius of its area (metres)"),
    "optimal_m": marked("Best at, up to (metres)"),
    "max_m": marked("Reaches at most (metres)"),
    "link": marked("Address of the sheet on the forum"),
    "max_hp": marked("Hit points (maximum)"),
    "max_ep": marked("Energy points (maximum)"),
    "stats": marked("Stats: base levels"),
    "tools": marked("Techniques and weapons"),
    "armour": marked("Armour worn"),
    "modifiers": marked("Bonus"),
    "effects": marked("Effect"),
    "talents": marked("Talents"),
    "extra": marked("Another stat"),
    "level": marked("Level"),
    "size": marked("Size class"),
    "kind": marked("Kind of effect"),
}
OF_TOOLS: Final = {"ep": marked("Energy cost"), "form": marked("How it arrives")}
_WORDS: Final = frozenset(
    (
        *(one for codes in CHOICES.values() for one in codes),
        *(one.value for kind in (Stack, Bind, AreaForm, Bearer) for one in kind),
        *(kind for kind in EFFECTS if kind not in TITLES),
    )
)
_INDEX: Final = re.compile(r"\[([0-9]+)\]")


def family_in(kind: str) -> str:
    """Tell of which type a piece of some kind is; a technique for a word that is none."""
    found = family_of(kind)
    return found if found in TYPES else ToolPiece.kind


def first_texts(family: str) -> dict[str, Nested]:
    """Give the texts of an empty form."""
    row = blank(TYPES[family])
    return {"data": {**row, "attacks": "true"} if family == ToolPiece.kind else row}


def texts_of(piece: Piece) -> dict[str, Nested]:
    """Give the texts of a form that shows a piece, each part with where it came from."""
    texts = shown(encode(piece.data))
    if isinstance(piece, SheetPiece) and isinstance(texts, dict):
        note_sources(texts, ((one.place, one.piece, one.version) for one in piece.sources))
    return {"data": texts}


def piece_in(data: dict[str, Nested], family: str, id: str = NEW) -> Piece:
    """Read a piece from a form; raise Malformed with the paths of its fields."""
    read: Any = lift(TYPES[family], at(data, "data") or {})
    whole: dict[str, Json] = {"kind": family, "data": read}
    if family == ToolPiece.kind:
        read["id"] = id
    else:
        whole["id"] = id
    if family == SheetPiece.kind:
        whole["sources"] = sources_in(at(data, "data") or {})
    found: Piece = decode(Piece, whole, "piece")
    return found


def field_of_form(path: str) -> str:
    """Lead from ``piece.data.effects[0].count`` to the field of the form."""
    return form_name(_INDEX.sub(r".\1", path)).removeprefix("piece.")


# ---------------------------------------------------------------------------------- where from


def places_in(tree: Nested) -> dict[str, str]:
    """Tell of each part of a sheet's form its place in the sheet, by its path in the form."""
    found = {
        f"tools.{i}": f"tools.{text_at(tree, f'tools.{i}.id')}" for i in rows_at(tree, "tools")
    }
    found["armour"] = "armour"
    for i in rows_at(tree, "modifiers"):
        found[f"modifiers.{i}"] = f"modifiers.{text_at(tree, f'modifiers.{i}.name')}"
    return found


def source_at(tree: Nested, path: str) -> tuple[str, int] | None:
    """Read which piece and version a part of a form was copied from."""
    piece, _, version = text_at(tree, f"{path}.{FROM}").partition("@")
    number = whole_of(version, 6)
    return None if not piece or number is None else (piece, number)


def sources_in(tree: Nested) -> list[Json]:
    """List where the parts of a sheet's form were copied from."""
    found: dict[str, Json] = {}
    for path, place in places_in(tree).items():
        is_there = bool(text_at(tree, f"{path}.name").strip())
        source = source_at(tree, path)
        if is_there and source is not None and place not in found:
            found[place] = {"place": place, "piece": source[0], "version": source[1]}
    return list(found.values())


def note_sources(tree: dict[str, Nested], sources: Any) -> None:
    """Write into the texts of a sheet's form where its parts came from."""
    known = {place: f"{piece}@{version}" for place, piece, version in sources}
    for path, place in places_in(tree).items():
        part = at(tree, path)
        if place in known and isinstance(part, dict):
            part[FROM] = known[place]


# -------------------------------------------------------------------------------------- telling


def told_field(language: Language, path: str) -> str:
    """Name a field of a piece as people know it: ``effects.0.count`` is an effect's count."""
    steps = path.split(".")
    words: list[str] = []
    of_tool = "effects" not in steps
    for step in steps:
        if step.isdecimal():
            words[-1:] = [f"{words[-1]} {int(step) + 1}"] if words else [step]
        elif of_tool and step in OF_TOOLS:
            words.append(translated(language, OF_TOOLS[step]))
        elif step in FIELDS:
            words.append(translated(language, FIELDS[step]))
        else:
            words.append(word(language, step) if step in _WORDS else step)
    return " · ".join(words)


def told_value(language: Language, path: str, text: str | None) -> str:
    """Write a value of a piece as people read it."""
    last = path.rpartition(".")[2]
    if text is None:
        return "–"
    if text == "true":
        return translated(language, marked("yes"))
    if last in ("name", "link", "id"):
        return text
    if last == "kind" and text in TITLES:
        return translated(language, TITLES[text])
    return word(language, text) if text in _WORDS else text


def told_who(language: Language, role: str, name: str) -> str:
    """Say who did something."""
    return translated(language, ROLES[role]) % {"name": name}
