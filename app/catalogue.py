"""The rulebooks as text: catalogue and glossary of every ruleset, read once."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

LANGUAGES: Final = ("it", "en")  # Italian first: it is the default everywhere
WORDS_IN: Final = {"it": "italian", "en": "english", "pt": "portuguese"}
RULESETS: Final = Path(__file__).parent / "rulesets"

Text = TypeVar("Text")


class UnknownRule(KeyError):
    """No catalogue has a rule, a ruling or a word of this name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleText:
    """One rule as people read it; titles and statements by language.

    ``reason`` says why no code decides a rule that is left to people; for others it is empty.
    """

    id: str
    ruleset: str
    status: str
    title: Mapping[str, str]
    statement: Mapping[str, str]
    lines: str
    rulings: tuple[str, ...]
    reason: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingText:
    """What we decided about one doubtful point, and the options that decide it otherwise."""

    id: str
    ruleset: str
    title: Mapping[str, str]
    statement: Mapping[str, str]
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TermText:
    """One concept: its code name, the word for it and its meaning by language.

    The word is also there in the book's own language where that is neither of ours.
    """

    id: str
    ruleset: str
    word: Mapping[str, str]
    meaning: Mapping[str, str]


Readings: TypeAlias = "Mapping[str, Mapping[str, Mapping[str, str]]]"
"""By option and value, what the value means and what follows from it, by language."""


def rule(id: str) -> RuleText:
    """Give a rule by its id, such as ``GC-5.3``; raise UnknownRule."""
    return _found(rules(), id)


def ruling(id: str) -> RulingText:
    """Give a ruling by its id, such as ``AMB-18``; raise UnknownRule."""
    return _found(rulings(), id)


def term(word: str, ruleset: str = "guida") -> TermText:
    """Give a concept of a ruleset by its code name; raise UnknownRule."""
    return _found(terms(ruleset), word)


@cache
def rules() -> Mapping[str, RuleText]:
    """Read the rules of all rulesets, in the order of their books."""
    return {
        id: RuleText(
            id=id,
            ruleset=ruleset,
            status=row["status"],
            title=_by_language(row, "title"),
            statement=_by_language(row, "statement"),
            lines=row["lines"],
            rulings=tuple(row["rulings"]),
            reason={
                language: row[f"reason_{language}"]
                for language in LANGUAGES
                if f"reason_{language}" in row
            },
        )
        for ruleset, data in _read("catalogue.toml").items()
        for id, row in data["rules"].items()
    }


@cache
def rulings() -> Mapping[str, RulingText]:
    """Read the rulings of all rulesets."""
    return {
        id: RulingText(
            id=id,
            ruleset=ruleset,
            title=_by_language(row, "title"),
            statement=_by_language(row, "statement"),
            options=tuple(row.get("option", ())),
        )
        for ruleset, data in _read("catalogue.toml").items()
        for id, row in data["rulings"].items()
    }


@cache
def terms(ruleset: str) -> Mapping[str, TermText]:
    """Read the glossary of one ruleset; a ruleset without one has no words."""
    return {
        id: TermText(
            id=id,
            ruleset=ruleset,
            word={language: row[name] for language, name in WORDS_IN.items() if name in row},
            meaning={language: row[language] for language in LANGUAGES},
        )
        for id, row in _read("glossary.toml").get(ruleset, {}).get("terms", {}).items()
    }


@cache
def readings(ruleset: str) -> Readings:
    """Read what each value of each option means; a ruleset without doubts has none.

    ``number``, ``list``, ``table`` and ``none`` stand for any of these.
    """
    return _read("readings.toml").get(ruleset, {})


@cache
def _read(name: str) -> dict[str, dict[str, Any]]:
    """Read one file of every ruleset that has it; TOML itself refuses a key written twice."""
    return {
        path.parent.name: tomllib.loads(path.read_text(encoding="utf-8"))
        for path in sorted(RULESETS.glob(f"*/{name}"))
    }


def _by_language(row: Mapping[str, Any], key: str) -> dict[str, str]:
    return {language: row[language][key] for language in LANGUAGES}


def _found(table: Mapping[str, Text], id: str) -> Text:
    try:
        return table[id]
    except KeyError:
        raise UnknownRule(id) from None
