"""Everything that has a code, as a sentence: one file a language and ruleset, one for the service.

A phrase names its facts in braces: ``{name}`` as it is, ``{amount:+}`` with its sign,
``{amount:abs}`` without, ``{aim:word}`` an enumeration's word as people say it, ``{binds:words}``
several; a sum is written
term by term, or with ``{hit:+}`` as its total. A table chooses among phrases by one fact: ``by``
names it, the other keys are its values, or ``none`` (nothing there), ``yes``, ``no``,
``negative``, ``other``.
"""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from app import catalogue
from app.catalogue import read_once
from app.engine.numbers import spelled
from app.engine.tally import Tally, Term
from app.posts.names import safe_name

LANGUAGES: Final = catalogue.LANGUAGES
FOLDER: Final = Path(__file__).parent
SERVICE: Final = "service"  # the file of what no single ruleset says
FORMS: Final = ("", "+", "abs", "word", "words")

Phrase: TypeAlias = "str | dict[str, Phrase]"
_PARSER: Final = string.Formatter()
_TO: Final = re.compile(r"(?<!\w)[aA] \Z")
_OPEN: Final = frozenset("aàáâäãåAÀÁÂÄÃÅ")


class Spell(Protocol):
    """How a number is spelled: posts and pages differ."""

    def __call__(self, value: Fraction | int, *, sign: bool = False) -> str:
        """Spell a number, with its sign if wanted."""


class MissingPhrase(KeyError):
    """No file has this phrase, or the phrase asks for a fact that is not there: a defect."""


def say(
    language: str,
    ruleset: str,
    section: str,
    key: str,
    facts: Mapping[str, object] | None = None,
    spell: Spell = spelled,
) -> str:
    """Say a phrase of a ruleset, else of the service, with these facts; raise MissingPhrase.

    What comes back is plain text: whoever puts it into a post or a page escapes it.
    """
    given = facts or {}
    phrase = find(language, ruleset, section, key)
    if phrase is None:
        raise MissingPhrase(f"{language}/{ruleset}: {section}.{key}")
    try:
        return _Saying(language, ruleset, spell).filled(_chosen(phrase, given), given).strip()
    except MissingPhrase as problem:
        raise MissingPhrase(f"{language}/{ruleset}: {section}.{key}: {problem}") from problem


def find(language: str, ruleset: str, section: str, key: str) -> Phrase | None:
    """Find a phrase as it is written, in the ruleset's file, the service's, or the glossary."""
    for file in (ruleset, SERVICE):
        phrase = sections(language, file).get(section, {}).get(key)
        if phrase is not None:
            return phrase
    if section == "words" and key in catalogue.terms(ruleset):
        return catalogue.term(key, ruleset).word.get(language)
    return None


@read_once
def languages_of(name: str) -> tuple[str, ...]:
    """List the languages that a file is written in: a book may have one of its own besides."""
    written = [language for language in catalogue.WORDS_IN if _file(language, name).is_file()]
    return (*LANGUAGES, *(language for language in written if language not in LANGUAGES))


@read_once
def sections(language: str, name: str) -> Mapping[str, Mapping[str, Phrase]]:
    """Read one file of phrases; a ruleset or a language without one has none."""
    path = _file(language, name)
    if language not in languages_of(name) or not path.is_file():
        return {}
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _file(language: str, name: str) -> Path:
    """Say where phrases stand: those of a game that came as one package lie with the rest of it."""
    home = catalogue.HOMES.get(name)
    brought = None if home is None else home / "phrases" / f"{language}.toml"
    if brought is not None and brought.is_file():
        return brought
    return FOLDER / language / f"{name}.toml"


def placeholders(phrase: Phrase) -> Iterator[tuple[str, str]]:
    """List the facts that a phrase and its choices may ask for, each with its form."""
    if isinstance(phrase, str):
        for _, name, form, _ in _PARSER.parse(phrase):
            if name is not None:
                yield name, form or ""
        return
    for key, value in phrase.items():
        if key == "by":
            yield str(value), ""
        else:
            yield from placeholders(value)


def written_tally(language: str, ruleset: str, tally: Tally) -> str:
    """Write every term of a sum with its sign and source: ``+2 [Bonus Arma], -1 [Mirato]``."""
    return _Saying(language, ruleset).tally(tally)


def source(language: str, ruleset: str, term: Term) -> str:
    """Name where a term comes from; what a table of the board supplied is marked as such."""
    said = say(language, ruleset, "terms", term.key, {"name": term.name or ""})
    if term.board:
        said = say(language, ruleset, "marks", "board", {"source": said})
    return safe_name(said)


def _chosen(phrase: Phrase, facts: Mapping[str, object]) -> str:
    while not isinstance(phrase, str):
        fact = _fact(facts, str(phrase["by"]))
        found = next((phrase[key] for key in _keys(fact) if key in phrase), None)
        if found is None:
            raise MissingPhrase(f"no choice for {phrase['by']} = {fact!r}")
        phrase = found
    return phrase


def _keys(fact: object) -> Iterator[str]:
    """Give the names of a fact's value, the most telling first."""
    if isinstance(fact, bool):
        yield "yes" if fact else "no"
    elif isinstance(fact, int | Fraction):
        yield spelled(fact)
        if fact < 0:
            yield "negative"
    elif fact is None or fact in ("", ()):
        yield "none"
    elif isinstance(fact, str):
        yield str(fact)
    yield "other"


def _fact(facts: Mapping[str, object], name: str) -> object:
    if name not in facts:
        raise MissingPhrase(f"no fact {name}")
    return facts[name]


@dataclass(frozen=True, slots=True)
class _Saying:
    """In whose words a phrase is said, and how its numbers are spelled."""

    language: str
    ruleset: str
    spell: Spell = spelled

    def filled(self, phrase: str, facts: Mapping[str, object]) -> str:
        """Put the facts in their places."""
        parts: list[str] = []
        for text, name, form, _ in _PARSER.parse(phrase):
            said = "" if name is None else self.shown(_fact(facts, name), form or "")
            parts += [_before(self.language, text, said), said]
        return "".join(parts)

    def tally(self, tally: Tally) -> str:
        """Write every term of a sum."""
        return ", ".join(
            f"{self.spell(term.value, sign=True)} [{source(self.language, self.ruleset, term)}]"
            for term in tally.terms
        )

    def shown(self, fact: object, form: str) -> str:
        """Write one fact in the form that a phrase asks for."""
        if isinstance(fact, tuple):
            return ", ".join(self.shown(one, form) for one in fact)
        if isinstance(fact, Tally):
            return self.spell(fact.total, sign=True) if form == "+" else self.tally(fact)
        if isinstance(fact, bool):
            return self._word("yes" if fact else "no")
        if isinstance(fact, int | Fraction):
            value = Fraction(fact)
            return self.spell(abs(value) if form == "abs" else value, sign=form == "+")
        if fact is None or fact == "":
            return ""
        # One line, whatever was typed: nobody's reason may look like a line of the register.
        text = " ".join(str(fact).split())
        if form == "words":
            return ", ".join(self._word(one) for one in text.split(", "))
        return self._word(text) if form == "word" else text

    def _word(self, code: str) -> str:
        return say(self.language, self.ruleset, "words", code)


def _before(language: str, text: str, said: str) -> str:
    """Write what stands before a fact: in Italian ``a`` is ``ad`` before another a."""
    meets = language == "it" and said[:1] in _OPEN and _TO.search(text) is not None
    return f"{text[:-1]}d " if meets else text
