"""What the dice of both armies may be expected to do in the roll of a turn (BD-14)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from babel.numbers import format_decimal

from app.http.language import Language
from app.posts.layouts.battle_names import die_name
from app.rulesets.battle_dice.tables import SCORES_FROM
from app.rulesets.battle_dice.terms import Kind
from app.rulesets.battle_dice.view import View
from app.web.odds import percent


@dataclass(frozen=True, slots=True)
class OddsRow:
    """The chance that a die of a kind scores, and how many of each side will on average."""

    named: str
    scores_from: int
    chance: str
    expected: tuple[str, ...]


def odds_shown(view: View, language: Language) -> tuple[OddsRow, ...]:
    """List the odds of each kind that is on the field."""
    counts = {
        kind: [sum(one.count for one in side.troops if one.kind is kind) for side in view.sides]
        for kind in Kind
    }
    return tuple(
        OddsRow(
            named=die_name(language, kind),
            scores_from=SCORES_FROM[kind],
            chance=percent(_chance(kind), language),
            expected=tuple(
                format_decimal(float(number * _chance(kind)), "0.0", locale=language)
                for number in numbers
            ),
        )
        for kind, numbers in counts.items()
        if any(numbers)
    )


def _chance(kind: Kind) -> Fraction:
    return Fraction(kind.sides + 1 - SCORES_FROM[kind], kind.sides)
