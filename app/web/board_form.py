"""The board's form: how doubtful points are read, and numbers that the Guida does not give."""

from __future__ import annotations

import typing
from dataclasses import dataclass, fields
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final

from app import catalogue
from app.http.language import Language
from app.rulesets.guida.options import (
    Options,
    Regulation,
)
from app.rulesets.guida.readings import (
    StatBonus,
)
from app.rulesets.guida.terms import AttackKind
from app.web.board_texts import LABELS, OF_FIELD, WORDS
from app.web.forms import Json, Nested, lift, text_at, ticks_at
from app.web.texts import translated

AIMABLE: Final = (AttackKind.TARGETED, "multiple_1_5", AttackKind.AREA, AttackKind.MULTIPLE)
TABLES: Final = ("potential_by_category", "potential_bonus_by_category")


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option as the form shows it: its ruling says what it is about."""

    name: str
    ruling: str
    title: str
    statement: str
    kind: str
    choices: tuple[tuple[str, str], ...]


def option_fields(language: Language) -> tuple[OptionField, ...]:
    """List the options, each under the ruling that it settles otherwise."""
    hints = typing.get_type_hints(Options)
    by_option = {name: one for one in catalogue.rulings().values() for name in one.options}
    found = []
    for field in fields(Options):
        ruling = by_option.get(field.name)
        kind, values = _shape(hints[field.name])
        found.append(
            OptionField(
                name=field.name,
                ruling=ruling.id if ruling else "",
                title=translated(language, LABELS.get(field.name, field.name)),
                statement=ruling.statement[language] if ruling else "",
                kind=kind,
                choices=tuple((value, word(language, field.name, value)) for value in values),
            )
        )
    return tuple(found)


def word(language: Language, field: str, value: str) -> str:
    """Say a value of an option."""
    text = OF_FIELD.get((field, value)) or WORDS.get(value, value)
    return translated(language, text)


def stat_bonus_choices(language: Language) -> list[tuple[str, str]]:
    """List where a stat bonus may come from."""
    return [(value, word(language, "stat_bonus_source", value)) for value in StatBonus]


def write_options(form: Nested) -> Json:
    """Read the options of the form."""
    typed = form.get("options") if isinstance(form, dict) else None
    tree: dict[str, Nested] = dict(typed) if isinstance(typed, dict) else {}
    tree["aimable_kinds"] = list(ticks_at(form, "options.aimable_kinds"))
    return lift(Options, tree)


def write_regulation(form: Nested) -> Json:
    """Read the regulation of the form; a table left empty is taken away."""
    typed = form.get("regulation") if isinstance(form, dict) else None
    tree: dict[str, Nested] = dict(typed) if isinstance(typed, dict) else {}
    read: Any = lift(Regulation, tree)
    return {**dict.fromkeys(TABLES), **read}


def rename(path: str) -> str:
    """Lead from a path in the changes to the field of the form."""
    return path.replace("[", ".").replace("]", "").replace(".guida.", ".")


def shown_regulation(texts: Nested) -> Nested:
    """Write the ladder of ranges in one line, as the form has it."""
    if not isinstance(texts, dict):
        return texts
    ladder = texts.get("range_ladder_m")
    steps = [one for one in ladder if isinstance(one, str)] if isinstance(ladder, list) else []
    return {**texts, "range_ladder_m": ", ".join(steps) or text_at(texts, "range_ladder_m")}


def _shape(hint: Any) -> tuple[str, tuple[str, ...]]:
    """Tell how a field of a type is filled in, and among which values."""
    if hint is bool:
        return "tick", ()
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return "choice", tuple(hint)
    if hint in (int, Fraction, Fraction | None):
        return "number", ()
    return "ticks", tuple(str(kind) for kind in AIMABLE)
