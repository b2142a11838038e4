"""Exact odds as a table: every outcome with its probability, in words, number and a bar."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from app.engine.ruleset import Forecast
from app.http.language import Language


@dataclass(frozen=True, slots=True)
class Outcome:
    """One thing that may come of a turn."""

    facts: tuple[tuple[str, Fraction | str], ...]
    percent: str


@dataclass(frozen=True, slots=True)
class OddsTable:
    """The outcomes of one uncertain thing, and the average of what is lost."""

    key: str
    about: Mapping[str, str]
    columns: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    average: str


def laws_of(forecast: Forecast | None, language: Language) -> tuple[OddsTable, ...]:
    """Turn a forecast into tables; percentages are rounded for the eye only."""
    if forecast is None:
        return ()
    return tuple(
        OddsTable(
            key=law.key,
            about=dict(law.about),
            columns=tuple(name for name, _ in law.chances[0].outcome) if law.chances else (),
            outcomes=tuple(
                Outcome(chance.outcome, percent(chance.probability, language))
                for chance in law.chances
            ),
            average=_average(
                [
                    (fact, chance.probability)
                    for chance in law.chances
                    for name, fact in chance.outcome
                    if name == "hp_lost" and isinstance(fact, Fraction)
                ],
                language,
            ),
        )
        for law in forecast.laws
    )


def percent(probability: Fraction, language: Language) -> str:
    """Write a probability with one decimal; what is possible is never written as 0 or 100."""
    if probability in (0, 1):
        return f"{int(probability) * 100}%"
    rounded = min(max(round(probability * 1000), 1), 999)
    return f"{_tenths(rounded, language)}%"


def _average(weighted: list[tuple[Fraction, Fraction]], language: Language) -> str:
    mean = sum((value * weight for value, weight in weighted), Fraction(0))
    return _tenths(round(mean * 10), language) if weighted else ""


def _tenths(tenths: int, language: Language) -> str:
    """Write a number of tenths, with the decimal sign of the language."""
    return f"{tenths // 10}{',' if language == 'it' else '.'}{tenths % 10}"
