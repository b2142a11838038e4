"""What people call things in a post: the words of both languages, and what each stands for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from app import catalogue
from app.posts.phrases import LANGUAGES, find
from app.rulesets.guida.terms import Action, Phase, Stat

RULESET = "guida"


def actions_called(name: str) -> frozenset[Action]:
    """Give the actions that a label may mean by a name; none where it is the author's own word."""
    return _by_name().get(plain(name), frozenset())


@cache
def stats_called() -> Mapping[str, Stat]:
    """Give every word for a stat."""
    return {word: stat for stat in Stat for word in _words("words", stat)}


@cache
def words_for(*keys: str) -> frozenset[str]:
    """Give every word for something that the layout names, such as ``hp`` or ``register``."""
    found: set[str] = set()
    for key in keys:
        for section in ("post", "words"):
            found |= _words(section, key)
    return frozenset(found)


def phase_names() -> frozenset[str]:
    """Give every heading of a phase."""
    return frozenset(phases_called())


@cache
def phases_called() -> Mapping[str, Phase]:
    """Give every word for a phase."""
    return {word: phase for phase in Phase for word in _words("phases", phase)}


def plain(name: str) -> str:
    """Write a name as names are compared."""
    return " ".join(name.split()).casefold()


def shortened(text: str, most: int) -> str:
    """Write a text in so many characters at most; one that is cut ends with a word and a sign."""
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    return (cut.rpartition(" ")[0] or cut).rstrip(" ,;:[(+-") + "…"


@cache
def _by_name() -> Mapping[str, frozenset[Action]]:
    found: dict[str, frozenset[Action]] = {}
    for action in Action:
        for word in _words("actions", action) | _words("continuations", action):
            found[word] = found.get(word, frozenset()) | {action}
    return found


def _words(section: str, key: str) -> set[str]:
    return {plain(word) for word in _said(section, key)}


def _said(section: str, key: str) -> Iterable[str]:
    for language in LANGUAGES:
        phrase = find(language, RULESET, section, key)
        if isinstance(phrase, str):
            yield phrase
    term = catalogue.terms(RULESET).get(key)
    if term is not None:
        yield from term.word.values()
