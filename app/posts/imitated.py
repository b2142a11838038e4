"""What a template says by itself, and whether it speaks in Arbitro's name or a forum's tongue.

A post is believed for its notes on the dice and for its digest: a template that has such a line of
its own would put it below every post, whatever is true of it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from typing import Final

from jinja2 import nodes

from app.posts.bbcode import TAGS, tokenise
from app.posts.dialects.record import Dialect
from app.posts.digest import find_digests
from app.posts.phrases import LANGUAGES, SERVICE, find, sections
from app.posts.remains import bare_line, flat, words_of
from app.posts.template import Fault
from app.posts.template_tags import is_link
from app.posts.traced import Traced

_NOTES: Final = (
    *(("dice", f"proof_{key}") for key in ("roll", "anchor", "without", "line")),
    ("digest", "line"),
    ("digest", "corrected"),
)
_SLOT: Final = " x "
_FACT: Final = re.compile(r"\{[a-z_]+\}")
_GAP: Final = r"(?: \S{1,80}){0,6}? "  # what may stand where a fact does
_SMALLEST: Final = 8
# Where a size is no number of pixels: a share of the forum's own, or a step of seven.
_LEAST: Final = {"phpBB": 70, "XenForo": 2, "vBulletin": 2}
_SIZE: Final = re.compile(r"\+?([0-9]{1,3})(px|pt|%|)", re.IGNORECASE)
_UNITS: Final = {"px": 8.0, "pt": 6.0, "%": 70.0}
_NAMED: Final = re.compile(r"(?:x-)?small|medium|(?:xx?-)?large|larger", re.IGNORECASE)


class Own:
    """The text of a template without its slots, and on which line each place of it stands."""

    def __init__(self, tree: nodes.Template) -> None:
        parts: list[str] = []
        self._starts: list[int] = []
        self._lines: list[int] = []
        length = 0
        for node in tree.find_all(nodes.Output):
            for one in node.nodes:
                part = one.data if isinstance(one, nodes.TemplateData) else _SLOT
                self._starts.append(length)
                self._lines.append(one.lineno)
                parts.append(part)
                length += len(part)
        self.text = "".join(parts)

    def line(self, place: int) -> int:
        """Give the line of a place."""
        at = bisect_right(self._starts, place) - 1
        if at < 0:
            return 1
        return self._lines[at] + self.text.count("\n", self._starts[at], place)


def foreign(own: Own, dialect: Dialect) -> Iterator[tuple[str, int]]:
    """Find tags of BBCode in a template for a forum that reads none."""
    if dialect.markup is not None and dialect.markup.brackets:
        return
    for tag in tokenise(own.text):
        if tag.name in TAGS and not is_link(own.text, tag):
            yield own.text[tag.start : tag.end][:40], own.line(tag.start)


def too_small(own: Own, dialect: Dialect) -> Iterator[Fault]:
    """Find what a template writes in a size that nobody reads, as its forum counts sizes."""
    for tag in tokenise(own.text):
        if tag.name == "size" and not tag.closing and not _legible(tag.value, dialect.family):
            facts: dict[str, str | int] = {"line": own.line(tag.start)}
            facts["what"] = own.text[tag.start : tag.end][:40]
            yield Fault(code="template_forbidden", facts=facts)


def _legible(value: str, family: str) -> bool:
    value = value.strip("\"' ")
    found = _SIZE.fullmatch(value)
    if found is None:
        return bool(_NAMED.fullmatch(value))
    least = _UNITS.get(found[2].lower(), _LEAST.get(family, _SMALLEST))
    return least <= int(found[1]) <= 300


def imitations(own: Own) -> Iterator[Fault]:
    """Find what a reader of posts, or of the forum, would take for a note of Arbitro's."""
    found: dict[int, Fault] = {}
    for digest in find_digests(own.text):
        said = " ".join(own.text[digest.start : digest.end].split())
        line = own.line(digest.start)
        found.setdefault(line, _imitates(said, line))
    for said, place in notes_in(own.text):
        found.setdefault(own.line(place), _imitates(said, own.line(place)))
    yield from found.values()


def notes_in(text: str) -> Iterator[tuple[str, int]]:
    """Find the notes of Arbitro's in a text, in any language, and where their lines begin."""
    read = flat(Traced.of(text))
    words: list[str] = []
    places: list[int] = []
    for line in read.lines():
        place = read.place(line.at, line.at + len(line.text))[0] if line.text else 0
        told = words_of(bare_line(line.text))
        words += told
        places += [place] * len(told)
    joined = f" {' '.join(words)} "
    for pattern in _notes():
        for found in pattern.finditer(joined):
            yield found[0].strip(), places[joined.count(" ", 0, found.start() + 1) - 1]


@cache
def _notes() -> tuple[re.Pattern[str], ...]:
    """Make what finds each note in each language, from its phrase."""
    phrases: list[str] = []
    for language in LANGUAGES:
        keys = [
            *_NOTES,
            *(("provenance", key) for key in sections(language, SERVICE)["provenance"]),
        ]
        phrases += [str(find(language, SERVICE, *key)) for key in keys]
    patterns = []
    for phrase in phrases:
        parts = [" ".join(words_of(bare_line(part))) for part in _FACT.split(phrase)]
        said = _GAP.join(re.escape(part) for part in parts if part)
        patterns.append(re.compile(f" {said}(?= )"))
    return tuple(patterns)


def _imitates(said: str, line: int) -> Fault:
    return Fault(code="template_imitates", facts={"line": line, "said": said[:80]})
