"""Rules found by words: whoever asks need not know the language, the accents or the id."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from app import catalogue
from app.catalogue import LANGUAGES, RuleText, RulingText, read_once

LONGEST_QUERY: Final = 100  # characters: more says nothing that a page could show
# How much a word weighs where it is found: titles before statements before the rest.
WEIGHTS: Final = {"id": 100, "title": 8, "glossary": 4, "statement": 2, "option": 1, "reason": 1}
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A rule or ruling that was found: in which of its texts, and by which words."""

    id: str
    fields: tuple[str, ...]
    terms: tuple[str, ...]
    score: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule or ruling as it is searched: its texts by field, folded, and the glossary's words."""

    id: str
    texts: Mapping[str, str]
    by_term: Mapping[str, str]


def fold(text: str) -> str:
    """Write a text as words without accents and capitals, each with a blank before it."""
    plain = "".join(part for char in text for part in _folded(char))
    return "".join(f" {word}" for word in _WORD.findall(plain))


def find(query: str) -> tuple[Match, ...]:
    """Find the rules and rulings that hold every word of a query, the best first.

    A word is found where one begins with it. An id may be written ``GC-4.2``, ``gc 4.2`` or
    ``4.2``, and ``gc 4`` stands for the whole chapter.
    """
    words = _words(query)
    if not words:
        return ()
    found = [match for entry in _entries() if (match := _match(entry, words))]
    return tuple(sorted(found, key=lambda match: -match.score))


def terms_of(query: str) -> tuple[catalogue.TermText, ...]:
    """List the glossary's concepts whose word, in either language, or code name is asked for."""
    words = _words(query)
    return tuple(
        term for term in _terms() if words and all(_begins(word, _names_of(term)) for word in words)
    )


def marks(text: str, query: str) -> tuple[tuple[str, bool], ...]:
    """Cut a text into pieces, and say of each whether a word of the query is in it."""
    folded, places = _with_places(text)
    hit = [False] * len(text)
    for word in _words(query):
        for match in re.finditer(rf"(?<!\w){re.escape(word)}\w*", folded):
            for place in places[match.start() : match.end()]:
                hit[place] = True
    pieces: list[tuple[str, bool]] = []
    start = 0
    for place in range(1, len(text) + 1):
        if place == len(text) or hit[place] != hit[start]:
            pieces.append((text[start:place], hit[start]))
            start = place
    return tuple(pieces)


def _match(entry: Entry, words: tuple[str, ...]) -> Match | None:
    fields: dict[str, None] = {}
    terms: dict[str, None] = {}
    score = 0
    for word in words:
        places = [name for name, text in entry.texts.items() if _holds(name, word, text)]
        if not places:
            return None
        fields.update(dict.fromkeys(places))
        score += sum(WEIGHTS[name.partition(".")[0]] for name in places)
        if "glossary" in places:
            told = (name for name, text in entry.by_term.items() if _begins(word, text))
            terms.update(dict.fromkeys(told))
    return Match(id=entry.id, fields=tuple(fields), terms=tuple(terms), score=score)


def _holds(name: str, word: str, text: str) -> bool:
    return _is_id(word, text) if name == "id" else _begins(word, text)


def _is_id(word: str, id: str) -> bool:
    """Say whether a word is this id, its number alone, or the chapter it is in."""
    book, _, number = id.casefold().partition("-")
    if word == number:
        return "." in number
    return word == id.casefold() or word == f"{book}-{number.partition('.')[0]}"


def _begins(word: str, text: str) -> bool:
    return f" {word}" in text


def _words(query: str) -> tuple[str, ...]:
    """Cut a query into folded words; of ``l'attacco`` only the noun is looked for."""
    text = "".join(part for char in query[:LONGEST_QUERY] for part in _folded(char))
    words = [_as_id(match) if match["book"] else match[0] for match in _asked().finditer(text)]
    long = [word for word in words if len(word) > 1 or word.isdecimal()]
    return tuple(dict.fromkeys(long or words))


@read_once
def _asked() -> re.Pattern[str]:
    """Tell words from ids: GC-4.2, AMB-18, WD-A1, AMB-WD-9; their parts may stand apart."""
    books = "|".join(sorted({id.partition("-")[0].casefold() for id in catalogue.rules()}))
    return re.compile(
        rf"\b(?P<book>amb(?:[\s–-]*(?:{books}))?|{books})"
        r"[\s–-]*(?P<number>[a-z]?[0-9]+(?:\.[0-9]+)?[a-z]?)\b"
        r"|[0-9]+\.[0-9]+\b|[^\W_]+"
    )


def _as_id(match: re.Match[str]) -> str:
    """Write an id as the catalogue does, whatever stood between its parts."""
    book = match["book"]
    game = re.sub(r"\Aamb[\s–-]*", "", book)
    return "-".join(["amb"] * (game != book) + [game] * bool(game) + [match["number"]])


@read_once
def _entries() -> tuple[Entry, ...]:
    rules = (_entry(rule, {"reason": rule.reason}) for rule in catalogue.rules().values())
    rulings = (
        _entry(ruling, {"option": {"": " ".join(ruling.options)}})
        for ruling in catalogue.rulings().values()
    )
    return (*rules, *rulings)


def _entry(found: RuleText | RulingText, more: Mapping[str, Mapping[str, str]]) -> Entry:
    texts = {"id": found.id}
    for name, by_language in {"title": found.title, "statement": found.statement, **more}.items():
        for language, text in by_language.items():
            texts[f"{name}.{language}" if language else name] = fold(text)
    spoken = {
        language: texts[f"title.{language}"] + texts[f"statement.{language}"]
        for language in LANGUAGES
    }
    by_term = {
        term.id: _names_of(term)
        for term, words in _spoken()
        if term.ruleset == found.ruleset  # a word of another game means something else
        and any(words[language] in spoken[language] for language in LANGUAGES)
    }
    if by_term:
        texts["glossary"] = "".join(by_term.values())
    return Entry(found.id, texts, by_term)


@read_once
def _terms() -> tuple[catalogue.TermText, ...]:
    rulesets = dict.fromkeys(rule.ruleset for rule in catalogue.rules().values())
    return tuple(term for ruleset in rulesets for term in catalogue.terms(ruleset).values())


@read_once
def _spoken() -> tuple[tuple[catalogue.TermText, Mapping[str, str]], ...]:
    """Fold the words of the glossary once: every rule is held against every one of them."""
    return tuple(
        (term, {language: fold(term.word[language]) for language in LANGUAGES}) for term in _terms()
    )


def _names_of(term: catalogue.TermText) -> str:
    return fold(" · ".join((*term.word.values(), term.id)))


def _folded(char: str) -> Iterable[str]:
    """Fold one character: the apostrophe of print is that of a keyboard, accents fall off."""
    if char in "’‘":
        return "'"
    parts = unicodedata.normalize("NFKD", char.casefold())
    return (part for part in parts if not unicodedata.combining(part))


def _with_places(text: str) -> tuple[str, list[int]]:
    """Fold a text, and say of each folded character where it was."""
    folded: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        for part in _folded(char):
            folded.append(part)
            places.append(place)
    return "".join(folded), places
