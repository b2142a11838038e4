"""The board's forms: how doubtful points are read, and numbers that the Guida does not give."""

from __future__ import annotations

import typing
from dataclasses import dataclass, fields
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final

from app import catalogue
from app.http.language import Language
from app.posts.phrases import find
from app.rulesets.guida.options import (
    Options,
    Regulation,
)
from app.rulesets.guida.readings import (
    StatBonus,
)
from app.rulesets.guida.terms import AttackKind
from app.services.games import board_types
from app.web.board_texts import LABELS, OF_FIELD, WORDS
from app.web.forms import Json, Nested, lift, text_at, ticks_at
from app.web.pages import RULESET
from app.web.texts import marked, translated

AIMABLE: Final = (AttackKind.TARGETED, "multiple_1_5", AttackKind.AREA, AttackKind.MULTIPLE)
NUMBERS: Final = {
    "stat_bonus_source": marked("Stat bonus"),
    "potential_by_category": marked("Potential by category"),
    "potential_bonus_by_category": marked("Potential bonus by category"),
    "range_ladder_m": marked("Bounds of the ranges, in metres"),
}
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


def option_fields(language: Language, ruleset: str) -> tuple[OptionField, ...]:
    """List the options of a game, each under the ruling that it settles otherwise."""
    options = board_types(ruleset).get("options")
    if options is None:
        return ()
    by_option = {
        name: one
        for one in catalogue.rulings().values()
        if one.ruleset == ruleset
        for name in one.options
    }
    hints = typing.get_type_hints(options)
    found = []
    for field in fields(options):
        ruling = by_option.get(field.name)
        kind, values = _shape(hints[field.name])
        found.append(
            OptionField(
                name=field.name,
                ruling=ruling.id if ruling else "",
                title=title(language, ruleset, field.name),
                statement=ruling.statement[language] if ruling else "",
                kind=kind,
                choices=tuple(
                    (value, word(language, ruleset, field.name, value)) for value in values
                ),
            )
        )
    return tuple(found)


def title(language: Language, ruleset: str, option: str) -> str:
    """Name an option of a game."""
    if ruleset == RULESET:
        return translated(language, LABELS.get(option) or NUMBERS.get(option, option))
    return _said(language, ruleset, "options", option) or option


def word(language: Language, ruleset: str, option: str, value: str) -> str:
    """Say a value of an option."""
    if ruleset == RULESET:
        return translated(language, OF_FIELD.get((option, value)) or WORDS.get(value, value))
    return _said(language, ruleset, "option_values", f"{option}.{value}") or value


def _said(language: Language, ruleset: str, section: str, key: str) -> str:
    """Say what a game's phrases call something; numbers and the like they do not name."""
    phrase = find(language, ruleset, section, key)
    return phrase if isinstance(phrase, str) else ""


def stat_bonus_choices(language: Language) -> list[tuple[str, str]]:
    """List where a stat bonus may come from."""
    return [(value, word(language, RULESET, "stat_bonus_source", value)) for value in StatBonus]


def write_options(form: Nested, ruleset: str) -> Json:
    """Read the options of the form of a game; a number left empty is none at all."""
    typed = form.get("options") if isinstance(form, dict) else None
    tree: dict[str, Nested] = dict(typed) if isinstance(typed, dict) else {}
    options = board_types(ruleset)["options"]
    if options is Options:
        tree["aimable_kinds"] = list(ticks_at(form, "options.aimable_kinds"))
    read: Any = lift(options, tree)
    return {**dict.fromkeys(_without(options)), **read}


def write_regulation(form: Nested) -> Json:
    """Read the regulation of the form; a table left empty is taken away."""
    typed = form.get("regulation") if isinstance(form, dict) else None
    tree: dict[str, Nested] = dict(typed) if isinstance(typed, dict) else {}
    read: Any = lift(Regulation, tree)
    return {**dict.fromkeys(TABLES), **read}


def rename(path: str, ruleset: str = RULESET) -> str:
    """Lead from a path in the changes to the field of the form."""
    return path.replace("[", ".").replace("]", "").replace(f".{ruleset}.", ".")


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
    if hint in (int, Fraction):
        return "number", ()
    if hint in (int | None, Fraction | None):
        return "number_or_none", ()
    return "ticks", tuple(str(kind) for kind in AIMABLE)


def _without(options: Any) -> tuple[str, ...]:
    """List the options that may be none at all."""
    hints = typing.get_type_hints(options)
    return tuple(name for name, hint in hints.items() if _shape(hint)[0] == "number_or_none")
