"""The sheet editor's form: its choices, the fields of each effect, its rows."""

from __future__ import annotations

import typing
from dataclasses import dataclass, fields
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
    Secondary,
    Stack,
    Stat,
)
from app.web.forms import Nested, text_at
from app.web.rows import Row, Rows, blank, unused_id
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
    "secondary": tuple(Secondary),
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
    "category": marked("Category"),
    "stat_bonus": marked("Stat bonus"),
    "damage": marked("Damage"),
    "blocks_pure": marked("It stops pure damage too"),
    "stack": marked("Condition"),
    "count": marked("How many stacks"),
    "ep": marked("Energy each turn"),
    "binds": marked("What it binds"),
    "radius_m": marked("Radius (metres)"),
    "saturation": marked("Saturation"),
}
OFFERED: Final[dict[str, type[Enum]]] = {
    "stat": Stat,
    "score": Score,
    "stack": Stack,
    "on": Bearer,
    "category": Category,
    "damage": DamageType,
}


@dataclass(frozen=True, slots=True)
class EffectField:
    """One field of an effect's row."""

    name: str
    label: str
    hint: str
    choices: tuple[str, ...]
    many: bool
    tick: bool


def effect_fields(language: Language) -> dict[str, tuple[EffectField, ...]]:
    """List the fields of each kind of effect, as its type has them."""
    lasting = translated(language, marked("Empty: for the whole scene."))
    return {
        kind: tuple(
            EffectField(
                name=field.name,
                label=translated(language, LABELS[field.name]),
                hint=lasting if field.name == "turns" and field.default is None else "",
                choices=tuple(OFFERED.get(field.name, ())),
                many=field.name == "binds",
                tick=field.default is False,
            )
            for field in fields(record)
        )
        for kind, record in EFFECTS.items()
    }


def _new_effect(tool: Row, _: list[Nested]) -> Row:
    """Make an effect of the kind that was chosen beside the button."""
    record: Any = EFFECTS.get(text_at(tool, "~effect"), guida.StatPoints)
    return blank(record, kind=record.kind)


ROWS: Final[dict[str, Rows]] = {
    "tools": Rows(60, lambda _, rows: blank(guida.Tool, id=unused_id(rows, "t"))),
    "modifiers": Rows(20, lambda *_: blank(guida.Modifier)),
    "effects": Rows(10, _new_effect),
    "extra": Rows(20, lambda *_: blank(guida.ExtraStat)),
}
