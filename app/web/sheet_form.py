"""The sheet editor's form: its choices, the fields of each effect, its rows."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final

from app.http.language import Language
from app.rulesets.guida import sheet as guida
from app.rulesets.guida.terms import (
    AttackForm,
    AttackKind,
    Category,
    DamageType,
    Means,
    Score,
    Secondary,
    Stat,
    Talent,
)
from app.web.forms import Nested, text_at
from app.web.rows import Row, Rows, blank, unused_id
from app.web.texts import marked, translated

CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "stat": tuple(Stat),
    "score": tuple(Score),
    "category": tuple(Category),
    "means": tuple(Means),
    "form": tuple(AttackForm),
    "attack_kind": tuple(AttackKind),
    "damage": tuple(DamageType),
    "secondary": tuple(Secondary),
    "talent": tuple(Talent),
}
EFFECTS: Final[dict[str, type]] = {kind.kind: kind for kind in typing.get_args(guida.Effect)}
# In the order in which somebody who writes a sheet looks for them.
GROUPS: Final = {
    marked("Bonuses and costs"): ("stat_points", "score_points", "armour", "ep_per_turn"),
    marked("Healing and remedies"): ("heal", "regeneration", "stack_removal"),
    marked("On whoever it hits"): ("stacks", "additional_damage", "knockback", "blinding"),
    marked("Constraints"): ("constraint", "liberation", "gigantism"),
    marked("Finding and hiding"): ("perception", "camouflage", "masking"),
    marked("Control areas"): ("area",),
}
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
    "max_range_m": marked("How far it lets its target go (metres)"),
    "deals_damage": marked("The attack does its damage too"),
    "size": marked("Size class while it lasts"),
    "form": marked("How large it is"),
    "curtain": marked("Which curtain it is"),
    "radius_m": marked("Radius (metres)"),
    "saturation": marked("Saturation"),
    "passive": marked("It works by itself, as a talent does"),
}
LASTING: Final = marked("Empty: for the whole scene.")
HINTS: Final = {
    ("constraint", "max_range_m"): marked(
        "For a distance limit. Empty: the reach of the technique."
    ),
    ("gigantism", "size"): marked("0 is the usual one."),
    ("area", "radius_m"): marked("Of a static area."),
    ("area", "saturation"): marked("Of an expansive area; a static one may have none."),
}
# What the words of the Guida call otherwise: an attack also has an area, a stack is poison too.
TITLES: Final = {"area": marked("Control area")}
CURTAINS: Final = {"smoke": marked("Smoke"), "poison": marked("Poison")}
ABOUT: Final = {
    "knockback": marked("If you declare it, what is done with it may throw back at no price."),
    "liberation": marked("It may break constraints, and nothing of its bonus is lost."),
    "heal": marked("It follows from potential and stat bonus."),
}


@dataclass(frozen=True, slots=True)
class EffectField:
    """One field of an effect's row; ``optional`` is a choice that may be left open.

    ``named`` are choices that have names of their own here.
    """

    name: str
    label: str
    hint: str
    shape: str
    choices: tuple[str, ...]
    optional: bool
    named: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class EffectKind:
    """One kind of effect as the form shows it."""

    kind: str
    title: str
    about: str
    fields: tuple[EffectField, ...]


def effect_kinds(language: Language) -> dict[str, EffectKind]:
    """List the kinds of effects with the fields that their types have."""
    return {
        kind: EffectKind(
            kind=kind,
            title=translated(language, TITLES[kind]) if kind in TITLES else "",
            about=translated(language, ABOUT[kind]) if kind in ABOUT else "",
            fields=tuple(_fields(kind, record, language)),
        )
        for kind, record in EFFECTS.items()
    }


def effect_groups(language: Language) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Group the kinds of effects as the form offers them."""
    return tuple((translated(language, title), kinds) for title, kinds in GROUPS.items())


def _fields(kind: str, record: type, language: Language) -> Iterator[EffectField]:
    hints = typing.get_type_hints(record)
    for field in fields(record):
        shape, choices, optional = _shape(hints[field.name])
        hint = HINTS.get((kind, field.name), LASTING if field.name == "turns" and optional else "")
        yield EffectField(
            name=field.name,
            label=translated(language, LABELS[field.name]),
            hint=translated(language, hint) if hint else "",
            shape=shape,
            choices=choices,
            optional=optional,
            named=tuple((one, translated(language, CURTAINS[one])) for one in choices)
            if field.name == "curtain"
            else (),
        )


def _shape(hint: Any) -> tuple[str, tuple[str, ...], bool]:
    """Tell how a field of a type is filled in, among which values, and whether it may be open."""
    parts = [part for part in typing.get_args(hint) if part is not type(None)]
    optional = len(parts) == 1 and type(None) in typing.get_args(hint)
    kind = parts[0] if optional else hint
    if typing.get_origin(kind) is tuple:
        return "ticks", tuple(typing.get_args(kind)[0]), False
    if kind is bool:
        return "tick", (), False
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return "choice", tuple(kind), optional
    return ("fraction" if kind is Fraction else "number"), (), optional


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
