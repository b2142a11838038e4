"""Forms and JSON: indexed field names become nested data, and texts become what a type expects.

A form sends texts under names such as ``tools.0.effects.1.turns``. `nest` builds the tree of
texts, `lift` reads it with a type beside it into the JSON that the codec decodes, so that a
mistake of the codec names the very field it came from; `shown` goes the other way.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Annotated, Any, Final, TypeAlias, Union

from app.engine.numbers import two_readings

Nested: TypeAlias = "str | list[Nested] | dict[str, Nested]"
Json: TypeAlias = "bool | int | float | Decimal | str | list[Json] | dict[str, Json] | None"

DEEPEST: Final = 12
TICKED: Final = "true"
OWN: Final = "~"  # in a name: a field that serves the page and is no part of the data
WAS: Final = "~was"  # ends the name of the hidden twin of a prefilled field
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,24}\Z", re.ASCII)
_DECIMAL: Final = re.compile(r"[+-]?[0-9]{1,24}\.[0-9]{1,24}\Z", re.ASCII)
_INDEX: Final = re.compile(r"\[([0-9]+)\]")
_WHOLE_OF: Final = re.compile(r"\A(order|setup|sheet)\.")  # a form is about one of these


TOKEN: Final = "[A-Za-z0-9_-]{1,64}"  # what ids that we made look like
_TOKEN: Final = re.compile(TOKEN)


class TooDeep(ValueError):
    """A field name nests deeper than any form of ours."""


# ------------------------------------------------------------------------ names to a tree


def nest(items: Iterable[tuple[str, str]]) -> dict[str, Nested]:
    """Build the tree that dotted names describe; a repeated name becomes a list of texts."""
    root: dict[str, Any] = {}
    for name, text in items:
        path = name.split(".")
        if len(path) > DEEPEST:
            raise TooDeep(name)
        place = root
        for part in path[:-1]:
            below = place.get(part)
            if not isinstance(below, dict):
                below = place[part] = {}
            place = below
        _put(place, path[-1], text.replace("\r\n", "\n"))
    return {name: _listed(value) for name, value in root.items()}


def _put(place: dict[str, Any], name: str, text: str) -> None:
    """Keep every text that was sent under one name."""
    old = place.get(name)
    if isinstance(old, list):
        old.append(text)
    elif isinstance(old, str):
        place[name] = [old, text]
    else:
        place[name] = text


def _listed(value: Any) -> Nested:
    """Turn a table whose keys are all numbers into a list, closing the gaps of removed rows."""
    if isinstance(value, dict):
        if value and all(is_index(key) for key in value):
            return [_listed(value[key]) for key in sorted(value, key=int)]
        return {key: _listed(one) for key, one in value.items()}
    return typing.cast(Nested, value)


def whole_of(text: str, digits: int = 9) -> int | None:
    """Read a whole number of at most so many digits; None for what is none.

    Python makes no number of thousands of digits, and takes those of other scripts for digits.
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def is_index(text: str) -> bool:
    """Say whether a part of a name numbers a row."""
    return whole_of(text, 5) is not None


def at(tree: Nested, path: str) -> Nested | None:
    """Follow a dotted path down a tree, or give None where it leads nowhere."""
    for part in path.split(".") if path else ():
        if isinstance(tree, dict) and part in tree:
            tree = tree[part]
        elif isinstance(tree, list) and is_index(part) and int(part) < len(tree):
            tree = tree[int(part)]
        else:
            return None
    return tree


def text_at(tree: Nested, path: str, default: str = "") -> str:
    """Give the text at a path, or the default where there is none."""
    found = at(tree, path)
    return found if isinstance(found, str) else default


def is_token(text: str) -> bool:
    """Say whether a text can be an id that we made."""
    return _TOKEN.fullmatch(text) is not None


def ticks_at(tree: Nested, path: str) -> tuple[str, ...]:
    """Give the boxes that are ticked under one name: none, one, or several."""
    found = at(tree, path)
    if isinstance(found, list):
        return tuple(one for one in found if isinstance(one, str))
    return (found,) if isinstance(found, str) and found else ()


def rows_at(tree: Nested, path: str) -> range:
    """Give the numbers of the rows at a path."""
    found = at(tree, path)
    return range(len(found)) if isinstance(found, list) else range(0)


def moved_at(tree: Nested, path: str) -> bool:
    """Say whether any prefilled distance of a move was changed."""
    return any(
        text_at(tree, f"{row}.metres") != text_at(tree, f"{row}.metres{WAS}")
        for row in (f"{path}.distances.{index}" for index in rows_at(tree, f"{path}.distances"))
    )


def form_name(field: str) -> str:
    """Spell the path of a mistake as a form does: ``sheet.tools[2].name`` is ``tools.2.name``."""
    return _WHOLE_OF.sub("", _INDEX.sub(r".\1", field))


# ------------------------------------------------------------------------- tree to JSON


def lift(kind: Any, tree: Nested | None) -> Json:
    """Read a tree of texts as JSON for a type; a text that does not fit stays for the codec."""
    kind = _bare(kind)
    origin = typing.get_origin(kind)
    if origin in (Union, types.UnionType):
        return _lift_union(typing.get_args(kind), tree)
    if origin in (tuple, frozenset):
        return _lift_many(typing.get_args(kind)[0], tree)
    if is_dataclass(kind) and isinstance(kind, type):
        return _lift_record(kind, tree)
    return _lift_text(kind, tree)


def _bare(kind: Any) -> Any:
    """Take the marks off an annotated type."""
    while typing.get_origin(kind) is Annotated:
        kind = typing.get_args(kind)[0]
    return kind


def _lift_union(options: tuple[Any, ...], tree: Nested | None) -> Json:
    """Read an optional value, or the record that the tree's ``kind`` names."""
    if type(None) in options and _blank(tree):
        return None
    kinds = [_bare(option) for option in options if option is not type(None)]
    if len(kinds) == 1:
        return lift(kinds[0], tree)
    wanted = tree.get("kind") if isinstance(tree, dict) else None
    for kind in kinds:
        if getattr(kind, "kind", None) == wanted:
            return lift(kind, tree)
    return plain(tree)


def _lift_many(item: Any, tree: Nested | None) -> Json:
    """Read a list: of rows, of ticked boxes, or of numbers in one text."""
    if tree is None or tree == "":
        return []
    if isinstance(tree, str):  # one ticked box, or several numbers in one field
        tree = list(re.split(r"[\s,;]+", tree)) if _bare(item) is int else [tree]
    if isinstance(tree, list):
        return [lift(item, part) for part in tree if part != ""]
    return plain(tree)


def _lift_record(kind: type, tree: Nested | None) -> Json:
    """Read a record: an empty text says nothing, and an unticked box sends nothing."""
    if not isinstance(tree, dict):
        return plain(tree) if tree else {}
    hints = typing.get_type_hints(kind, include_extras=True)
    read: dict[str, Json] = {}
    for field in fields(kind):
        hint, part = hints[field.name], tree.get(field.name)
        if _bare(hint) is bool:
            read[field.name] = part == TICKED
        elif part is None or (part == "" and not _keeps_empty(hint, field.default)):
            continue
        else:
            read[field.name] = lift(hint, part)
    known = {field.name for field in fields(kind)}
    unknown = {
        name: plain(part) for name, part in tree.items() if name not in known and OWN not in name
    }
    return {**read, **unknown}


def _keeps_empty(hint: Any, default: object) -> bool:
    """Say whether an empty text is a value here: of a required text, or one that may be empty."""
    return _bare(hint) is str and default in (MISSING, "")


def _lift_text(kind: Any, tree: Nested | None) -> Json:
    """Read one text as a number where the type wants one."""
    if not isinstance(tree, str):
        return plain(tree)
    number = tree.strip().replace("−", "-")
    if kind is Fraction:
        number = number.replace(",", ".")
    if kind in (int, Fraction) and _WHOLE.match(number):
        return int(number)
    if kind is Fraction and two_readings(number):
        return number.replace(".", ",")  # as the codec refuses it, and says why
    if kind is Fraction:
        return Decimal(number) if _DECIMAL.match(number) else number
    return tree.strip() if isinstance(kind, type) and issubclass(kind, Enum) else tree


def _blank(tree: Nested | None) -> bool:
    """Say whether nothing was written anywhere in a tree."""
    if isinstance(tree, dict):
        return all(
            _blank(part) for name, part in tree.items() if name != "kind" and OWN not in name
        )
    if isinstance(tree, list):
        return all(_blank(part) for part in tree)
    return tree is None or tree.strip() == ""


def plain(tree: Nested | None) -> Json:
    """Pass a tree on as it is, for the codec to judge."""
    return typing.cast(Json, tree)


# ------------------------------------------------------------------------- JSON to a tree


def shown(value: Json) -> Nested:
    """Spell JSON as the texts that fields show."""
    if isinstance(value, Mapping):
        return {name: shown(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [shown(part) for part in value]
    if value is None or value is False:
        return ""
    text = TICKED if value is True else str(value)
    numeric = isinstance(value, float | Decimal)
    return f"{text}0" if numeric and two_readings(text) else text
