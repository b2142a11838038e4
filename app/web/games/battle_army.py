"""An army list on a form: dice of each kind, and one type of hero or a table of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.http.language import Language
from app.posts.layouts.battle_names import RULESET, die_name, kind_name
from app.posts.phrases import say
from app.rulesets.battle_dice.orders import Army, CustomTable
from app.rulesets.battle_dice.tables import HERO_POWERS, HERO_TABLES, SCORES_FROM
from app.rulesets.battle_dice.terms import Hero, Kind, Power
from app.web.forms import Json, Nested, at, lift, rows_at, text_at
from app.web.written import Written

OWN: Final = "own"  # the choice of a table of one's own, among the types of heroes
ROWS: Final = 20  # as many as the largest die has faces
FIRST_ROWS: Final = 6
_ROW: Final = ("low", "high", "name", "power")


@dataclass(frozen=True, slots=True)
class KindShown:
    """A kind of dice: what it is called, and from which result on it scores."""

    kind: Kind
    sides: int
    name: str
    named: str
    scores_from: int


@dataclass(frozen=True, slots=True)
class RowShown:
    """A row of a hero table: its faces, its name, and the rule that says what it does."""

    faces: str
    name: str
    rule: str


@dataclass(frozen=True, slots=True)
class HeroShown:
    """A type of hero with its table."""

    key: Hero
    name: str
    sides: int
    rows: tuple[RowShown, ...]


def kinds_shown(language: Language) -> tuple[KindShown, ...]:
    """List the kinds of dice."""
    return tuple(
        KindShown(
            kind=kind,
            sides=kind.sides,
            name=kind_name(language, kind),
            named=die_name(language, kind),
            scores_from=SCORES_FROM[kind],
        )
        for kind in Kind
    )


def heroes_shown(language: Language) -> tuple[HeroShown, ...]:
    """List the printed types of hero with their tables."""
    return tuple(
        HeroShown(
            key=hero,
            name=say(language, RULESET, "words", hero),
            sides=table.sides,
            rows=tuple(
                RowShown(
                    faces=str(row.low) if row.low == row.high else f"{row.low}–{row.high}",
                    name=say(language, RULESET, "words", row.key),
                    rule=row.rule,
                )
                for row in table.rows
            ),
        )
        for hero, table in HERO_TABLES.items()
    )


def powers_shown(language: Language) -> tuple[tuple[Power, str], ...]:
    """List what a row of a table of one's own may do (AMB-BD-24)."""
    return tuple(
        (power, say(language, RULESET, "words", power)) for power in Power if power in HERO_POWERS
    )


def write_army(form: Nested, path: str, written: Written) -> Json:
    """Make the army list of a form's fields below ``path``, which is where it is in the order too.

    Empty rows of a table of one's own say nothing.
    """
    tree = at(form, path)
    army: dict[str, Nested] = {"units": at(form, f"{path}.units") or {}}
    hero = text_at(form, f"{path}.~hero")
    written.origins[f"{path}.heroes"] = f"{path}.~hero"
    if hero == OWN and isinstance(tree, dict):
        rows: list[Nested] = []
        for index in rows_at(form, f"{path}.custom.rows"):
            row = {name: text_at(form, f"{path}.custom.rows.{index}.{name}") for name in _ROW}
            if any(row[name].strip() for name in _ROW[:3]):
                at_form, there = (f"{path}.custom.rows.{at}" for at in (index, len(rows)))
                written.origins[there] = at_form
                written.origins.update((f"{there}.{name}", f"{at_form}.{name}") for name in _ROW)
                rows.append({**row})
        table = {name: text_at(form, f"{path}.custom.{name}") for name in ("name", "die")}
        read = lift(Army, army)
        assert isinstance(read, dict)
        return {**read, "custom": lift(CustomTable, {**table, "rows": rows})}
    if hero:
        army["heroes"] = [hero]
    return lift(Army, army)
