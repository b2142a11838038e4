"""The sheet editor's form: its rows, and what adding or removing one does to what was typed."""

from __future__ import annotations

import typing
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from typing import Any, Final

from app.http.language import Language
from app.rulesets.guida import sheet as guida
from app.rulesets.guida.terms import (
    AttackForm,
    AttackKind,
    Bearer,
    Category,
    DamageType,
    Means,
    Score,
    Stack,
    Stat,
)
from app.web.forms import Nested, at
from app.web.texts import marked, translated

APPLIED: Final[tuple[Any, ...]] = guida.APPLIED
CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "stat": tuple(Stat),
    "score": tuple(Score),
    "category": tuple(Category),
    "means": tuple(Means),
    "form": tuple(AttackForm),
    "attack_kind": tuple(AttackKind),
    "damage": tuple(DamageType),
    "applied": tuple(str(effect.kind) for effect in APPLIED),
}
EFFECTS: Final[dict[str, type]] = {kind.kind: kind for kind in typing.get_args(guida.Effect)}
LABELS: Final = {
    "stat": marked("Stat"),
    "score": marked("Score it changes"),
    "points": marked("Points"),
    "turns": marked("For how many turns"),
    "on": marked("On whom"),
    "potential": marked("Potential"),
    "stack": marked("Condition"),
    "count": marked("How many stacks"),
    "ep": marked("Energy each turn"),
    "binds": marked("What it binds"),
    "radius_m": marked("Radius (metres)"),
    "saturation": marked("Saturation"),
}
OFFERED: Final[dict[str, type[Enum]]] = {"stat": Stat, "score": Score, "stack": Stack, "on": Bearer}
LONGEST: Final[dict[str, int]] = {"tools": 60, "modifiers": 20, "effects": 10}


@dataclass(frozen=True, slots=True)
class EffectField:
    """One field of an effect's row."""

    name: str
    label: str
    hint: str
    choices: tuple[str, ...]
    many: bool


def effect_fields(language: Language) -> dict[str, tuple[EffectField, ...]]:
    """List the fields of each kind of effect, as its type has them."""
    lasting = translated(language, marked("Empty: for the whole scene."))
    return {
        kind: tuple(
            EffectField(
                name=field.name,
                label=translated(language, LABELS[field.name]),
                hint=lasting if field.name == "turns" else "",
                choices=tuple(OFFERED.get(field.name, ())),
                many=field.name == "binds",
            )
            for field in fields(record)
        )
        for kind, record in EFFECTS.items()
    }


def blank(record: type, **known: str) -> dict[str, Nested]:
    """Give the texts of a new row: the defaults of its type."""
    row: dict[str, Nested] = {}
    for field in fields(record):
        default = field.default
        if default in (MISSING, None, False) or isinstance(default, tuple):
            continue
        row[field.name] = str(default)
    return {**row, **known}


def change_rows(tree: dict[str, Nested], what: str) -> str:
    """Add or remove the row that a button names, in place; give the path of a new one."""
    verb, _, path = what.partition(":")
    if verb == "remove":
        above, _, index = path.rpartition(".")
        rows = at(tree, above)
        if isinstance(rows, list) and index.isdecimal() and int(index) < len(rows):
            del rows[int(index)]
        return ""
    parent, _, last = path.rpartition(".")
    holder = at(tree, parent)
    if verb != "add" or last not in LONGEST or not isinstance(holder, dict):
        return ""
    rows = holder.setdefault(last, [])
    if not isinstance(rows, list):
        rows = holder[last] = []
    if len(rows) >= LONGEST[last]:
        return ""
    rows.append(_new_row(tree, parent, last, rows))
    return f"{path}.{len(rows) - 1}"


def _new_row(
    tree: dict[str, Nested], parent: str, what: str, rows: list[Nested]
) -> dict[str, Nested]:
    """Make a row of one kind."""
    if what == "modifiers":
        return blank(guida.Modifier)
    if what == "tools":
        return blank(guida.Tool, id=_unused_id(rows))
    kind = at(tree, f"new_effect.{parent.rpartition('.')[2]}")
    record: Any = EFFECTS.get(kind if isinstance(kind, str) else "", guida.StatPoints)
    return blank(record, kind=record.kind)


def _unused_id(rows: list[Nested]) -> str:
    """Give the first of t1, t2, … that no technique of the sheet has."""
    taken = {row.get("id") for row in rows if isinstance(row, dict)}
    number = 1
    while f"t{number}" in taken:
        number += 1
    return f"t{number}"
