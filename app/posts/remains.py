"""What is left of a post whatever a forum does to it: words and figures, line by line.

Tags, emphasis, addresses, smileys, capital letters and punctuation go, since forums take them, show
them in their own way or add to them. Each line is looked at by itself, so that what somebody typed
cannot swallow the lines below it. A line about a die is known by what is thrown in it.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import Final

from app.posts.bbcode import DICE_TAGS, TAGS, UNSEEN_ONE
from app.posts.dialects.inert import narrow
from app.posts.traced import Traced

_WIDE: Final = re.compile("[\U00010000-\U0010ffff]+")
# In an address what could be a tag or an entity is spelled out, so that it is none.
_SPELLED: Final = re.compile("%26#|%5B")
_LINK: Final = re.compile(r"\[url=[^\]\s]*+\]", re.IGNORECASE)
_ENTITY: Final = re.compile(r"&(?:#x?[0-9a-f]{1,7}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)
_HTML: Final = re.compile(
    r"</?([a-z][a-z0-9]{0,11})(?:\s{1,9}+[a-z-]{1,30}+=(?:\"[^\"<>]{0,2000}+\"|'[^'<>]{0,2000}+'"
    r"|[^\s<>\"']{1,2000}+)){0,30}+\s{0,9}+/?>",
    re.IGNORECASE,
)
_BLOCKS: Final = """
    br hr p div li ul ol tr td table blockquote h1 h2 h3 h4 h5 h6 section article
"""
_PARTS: Final = """
    a abbr b big center code del em font i img ins pre q s small span strike strong sub sup u
"""
_BREAKS: Final = frozenset(_BLOCKS.split())
_INLINE: Final = frozenset(_PARTS.split())
# A tag of ours, or of a template: what somebody typed has a joiner in it.
_REAL: Final = re.compile(r"\[/?([a-z*][a-z0-9*]{0,15})(?:=[^\[\]\n]*+)?\]", re.IGNORECASE)
# What was typed may have lost its end to another part of the post, so that none is waited for.
_TAG: Final = re.compile(r"\[/?([a-z*][a-z0-9*]{0,15})(?:=([^\[\]\s]*+)\]?|\])", re.IGNORECASE)
_TAGS: Final = TAGS | {"heading", "*"}
# Emphasis may end where a smiley would begin: it is gone before anybody looks for one.
_SIGNS: Final = str.maketrans("", "", "\\*~")
_ADDRESS: Final = re.compile(r"https?://\S*+", re.IGNORECASE)
# What some forum shows as a picture, or as another sign: faces, words between colons, "(c)".
_PICTURE: Final = re.compile(
    r"(?<![^\W_])(?:[:;=]['^o-]?(?:[dposx]+(?![^\W_])|3(?![0-9]))|[8bx]-(?=[()])|[bx](?=[()])"
    r"|:[a-z][a-z0-9_+-]{0,30}:|xd+(?![^\W_])|[ot][_.][ot](?![^\W_]))|\((?:c|r|p|tm)\)|[©®™℗]",
    re.IGNORECASE,
)
# A run of letters and figures is one word: how many a head of the ledger has must not be chance.
_WORD: Final = re.compile(
    r"(?:(?<![-+−–—±])[-+−](?=[0-9]))?[0-9]+(?:[./,:][0-9]+)*(?![^\W_])|[^\W_]+"
)
# Bounded on both sides: a digest in hexadecimal may begin with "12d34".
_DIE: Final = re.compile(
    r"(?<![^\W_])[0-9]{0,2}d[0-9]{1,4}(?:t[0-9]{1,4})?(?![^\W_])", re.IGNORECASE
)
_RESULTS: Final = re.compile(r"\W*+d[0-9]{1,4} results", re.IGNORECASE)
_COMMAND: Final = re.compile(r"[^\w/]*+/roll\b", re.IGNORECASE)
# What may stand below a die and still be about it: a row of figures, or a label behind a dash.
_BELOW: Final = re.compile(r"[\W0-9]*?[—–]\s|[\W0-9]*+\Z")


def flat(text: Traced) -> Traced:
    """Take the tags of HTML out, and undo what dialects do to single characters."""
    for pattern, instead in (
        (_HTML, _untagged),  # what was typed has a joiner in it, and is no tag
        (_LINK, lambda _: ""),
        (_REAL, _unmarked),
        (_ADDRESS, lambda _: " "),  # whole, before an entity in it could break it
        (UNSEEN_ONE, lambda _: ""),
        (_SPELLED, lambda found: "[" if found[0] == "%5B" else "&#"),
        (_ENTITY, lambda found: html.unescape(found[0])),
        (UNSEEN_ONE, lambda _: ""),
        (_WIDE, lambda found: narrow(found[0])),
    ):
        text = text.sub(pattern, instead)
    return text


def _untagged(found: re.Match[str]) -> str:
    name = found[1].lower()
    return "\n" if name in _BREAKS else "" if name in _INLINE else found[0]


def _unmarked(found: re.Match[str]) -> str:
    name = found[1].lower()
    return "" if name in _TAGS - DICE_TAGS else found[0]


def bare_line(line: str) -> str:
    """Take tags, addresses and the signs of Markdown out of a line."""
    line = line.translate(_SIGNS)
    line = _TAG.sub(_untied, _ADDRESS.sub(" ", line))
    return _WIDE.sub("", unicodedata.normalize("NFKC", line))


def _untied(tag: re.Match[str]) -> str:
    name = tag[1].lower()
    if name in DICE_TAGS:
        return f" {tag[2] or ''} "  # what is thrown stands there, and tells the line
    return "" if name in _TAGS else tag[0]


def words_of(line: str) -> list[str]:
    """List the words and figures of a bare line."""
    return [word.casefold() for word in _WORD.findall(_PICTURE.sub(" ", line))]


def dice_lines(lines: list[str]) -> tuple[set[int], set[int]]:
    """Find the lines that are about dice, and those of them that begin a die."""
    about: set[int] = set()
    begin: set[int] = set()
    above = -1  # the last line that is not empty
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        if _DIE.search(line):
            if not (above in about and _RESULTS.match(line)):
                begin.add(number)
            if _COMMAND.match(line):
                about.add(above)  # its label, which may have somebody's die in a name
                begin.discard(above)
            about.add(number)
        elif above in about and _BELOW.match(line):
            about.add(number)
        above = number
    return about, begin
