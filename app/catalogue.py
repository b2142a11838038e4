"""The rulebooks as text: catalogue and glossary of every ruleset, read once."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar

from app.rulesets import RULESETS

LANGUAGES: Final = ("it", "en")  # Italian first: it is the default everywhere
WORDS_IN: Final = {"it": "italian", "en": "english", "pt": "portuguese"}

# Where the files of each game lie, in the order of the games.
HOMES: Final[dict[str, Path]] = {key: Path(__file__).parent / "rulesets" / key for key in RULESETS}

Text = TypeVar("Text")
Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")

_KEPT: Final[list[Callable[[], None]]] = []


def read_once(function: Callable[Asked, Answer]) -> Callable[Asked, Answer]:
    """Keep what a function reads off the games, until another game joins them."""
    kept = cache(function)
    _KEPT.append(kept.cache_clear)
    return kept  # type: ignore[return-value]  # a cache asks for arguments that can be hashed


def forget() -> None:
    """Let everything that was read off the games be read again: there is another one."""
    for clear in _KEPT:
        clear()


class UnknownRule(KeyError):
    """No catalogue has a rule, a ruling or a word of this name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A chapter of a book: its number, what it is about, and the rule that it begins with."""

    number: int
    first: str
    title: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """The rulebook of a game: its name, what the game is, and its chapters in their order."""

    ruleset: str
    name: str
    about: Mapping[str, str]
    chapters: tuple[Chapter, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleText:
    """One rule as people read it; titles and statements by language.

    ``reason`` says why no code decides a rule that is left to people; for others it is empty.
    Titles and statements are also there in the book's own language where somebody wrote them so.
    """

    id: str
    ruleset: str
    chapter: int
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


@read_once
def books() -> Mapping[str, Book]:
    """Read what each book says of itself, by game."""
    return {
        ruleset: Book(
            ruleset=ruleset,
            name=row["name"],
            about={language: row[language] for language in LANGUAGES},
            chapters=tuple(
                Chapter(
                    number=number,
                    first=one["first"],
                    title={language: one[language] for language in LANGUAGES},
                )
                for number, one in enumerate(row["chapters"], start=1)
            ),
        )
        for ruleset, data in _read("catalogue.toml").items()
        for row in (data["book"],)
    }


@read_once
def rules() -> Mapping[str, RuleText]:
    """Read the rules of all rulesets, in the order of their books."""
    return {
        id: RuleText(
            id=id,
            ruleset=ruleset,
            chapter=chapter,
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
        for chapter, id, row in _in_chapters(ruleset, data["rules"])
    }


@read_once
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


@read_once
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


@read_once
def readings(ruleset: str) -> Readings:
    """Read what each value of each option means; a ruleset without doubts has none.

    ``number``, ``list``, ``table`` and ``none`` stand for any of these.
    """
    return _read("readings.toml").get(ruleset, {})


@read_once
def _read(name: str) -> dict[str, dict[str, Any]]:
    """Read one file of every ruleset that has it; TOML itself refuses a key written twice."""
    return {
        ruleset: tomllib.loads(path.read_text(encoding="utf-8"))
        for ruleset, home in HOMES.items()
        if (path := home / name).is_file()
    }


def _in_chapters(ruleset: str, rows: Mapping[str, Any]) -> Iterator[tuple[int, str, Any]]:
    """Tell of each rule of a book which chapter it stands in."""
    begins = {one.first: one.number for one in books()[ruleset].chapters}
    chapter = 0
    for id, row in rows.items():
        chapter = begins.get(id, chapter)
        yield chapter, id, row


def _by_language(row: Mapping[str, Any], key: str) -> dict[str, str]:
    """Give a text in our languages, and in the book's own after them."""
    return {language: row[language][key] for language in WORDS_IN if language in row}


def _found(table: Mapping[str, Text], id: str) -> Text:
    try:
        return table[id]
    except KeyError:
        raise UnknownRule(id) from None
