"""A pasted post as bare lines: markup of either kind, quotations and dice are taken out.

BBCode and HTML are both understood, since people paste either; nothing is obeyed. Each character is
looked at a fixed number of times, and each that is left knows where it was pasted.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from functools import partial
from typing import Final

from app.posts.bbcode import JOINER, TAGS, Tag, tokenise
from app.posts.dice_tag import FoundTag
from app.posts.traced import Cut, Line, Traced

QUOTES: Final = frozenset({"quote", "citazione"})
_BREAKS: Final = frozenset({"tr", "li", "*", "br", "hr", "p", "div", "h1", "h2", "h3", "h4"})
_ANCHOR: Final = re.compile(
    r"<a\s[^<>]{0,300}?href\s{0,3}=\s{0,3}[\"']?([^<>\"'\s]{1,2000})[^<>]{0,300}>", re.IGNORECASE
)
_HTML: Final = re.compile(r"<(/?)([a-z][a-z0-9]{0,15})(?:[\s/][^<>]{0,2000})?>(\n?)", re.IGNORECASE)
# What a browser never shows.
_HIDDEN: Final = re.compile(r"<!--|-->|<(/?)(?:style|script)(?:\s[^<>]{0,2000})?>", re.IGNORECASE)
# With its semicolon only: "?a=1&copy=2" is an address.
_ENTITY: Final = re.compile(r"&(?:#x?[0-9a-f]{1,7}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)
_RETURN: Final = re.compile(r"\r\n")
# Characters without a width, which some forums put into long words, and ours to keep tags apart.
_UNSEEN: Final = re.compile(f"[{JOINER}\u200b\u00ad\ufeff]")
_STARS: Final = re.compile(r"\*\*")  # bold where a forum takes Markdown, nothing anywhere else
_BLANKS: Final = re.compile(r"[^\S\n]{2,}|[^\S\n ]")
_EMPTY: Final = re.compile(r"\n(?:[ ]?\n){2,}")
_BULLETS: Final = "•*· "
_DECORATION: Final = (
    " \t=—–_#~>-*•:～"  # what headings are set off with, and never an amount's sign
)


def as_bbcode(text: str) -> str:
    """Turn the HTML of a pasted source into the few tags that are read; text stays text."""
    return bbcode_of(Traced.of(text)).text


def bbcode_of(source: Traced) -> Traced:
    """Turn the HTML of a pasted source into the few tags that are read, keeping places."""
    made = source.sub(_RETURN, lambda _: "\n")
    if "<" in made.text:
        made = made.replaced(list(_hidden(made.text)))
        made = made.sub(_ANCHOR, lambda found: f"[url={html.unescape(found[1])}]")
        made = made.sub(_HTML, _as_tag)
    return made.sub(_ENTITY, lambda found: html.unescape(found[0]))


def bare_lines(text: str, dice: tuple[FoundTag, ...] = ()) -> list[str]:
    """Give the lines of a post, without what is quoted from others and without its dice."""
    return [line.text for line in lines_of(bare(Traced.of(text), dice))]


def bare(source: Traced, dice: tuple[FoundTag, ...] = (), *, whole: bool = False) -> Traced:
    """Take markup, quotations and dice out of a text; of a ``whole`` quotation only its tags."""
    made = source.replaced(_apart(_without(source.text, dice, whole=whole)))
    for pattern, instead in ((_UNSEEN, ""), (_STARS, ""), (_BLANKS, " "), (_EMPTY, "\n\n")):
        made = made.sub(pattern, partial(_put, instead))
    return made


def lines_of(text: Traced) -> list[Line]:
    """Give the lines of a bare text, without what sets them in."""
    return [_outset(line) for line in text.lines()]


def heading(line: str) -> str:
    """Give a line without what headings are decorated with, ornaments of any kind included."""
    start, end = 0, len(line)
    while start < end and _decorates(line[start]):
        start += 1
    while start < end and _decorates(line[end - 1]):
        end -= 1
    return line[start:end]


def _decorates(sign: str) -> bool:
    return sign in _DECORATION or unicodedata.category(sign) == "So"


def _put(instead: str, _: re.Match[str]) -> str:
    return instead


def _outset(line: Line) -> Line:
    bared = line.text.strip().lstrip(_BULLETS)
    return Line(line.at + len(line.text.rstrip()) - len(bared), bared) if bared else line.part(0)


def _without(text: str, dice: tuple[FoundTag, ...], *, whole: bool) -> list[Cut]:
    cuts = [(found.start, found.end, " ") for found in dice]
    tags = list(tokenise(text))
    closed = {tag.name for tag in tags if tag.closing}
    quotes: list[Tag] = []
    for tag in tags:
        if tag.name in QUOTES and not whole and not tag.closing:
            quotes.append(tag)
        elif tag.name in QUOTES and quotes:
            cuts.append((quotes.pop().start, tag.end, "\n"))
        # "[Destrezza]" and "[Raggio Corto]" are words of a label, unless something closes them.
        meant = tag.name in TAGS or tag.name in closed or tag.name in _BREAKS
        if meant or tag.closing or text.startswith("=", tag.start + 1 + len(tag.name)):
            breaks = tag.name in _BREAKS or (whole and tag.name in QUOTES)
            cuts.append((tag.start, tag.end, "\n" if breaks else " "))
    # Where two begin together, the longer one comes first: a quotation before its own tag.
    return sorted(cuts, key=lambda cut: (cut[0], -cut[1]))


def _apart(cuts: list[Cut]) -> Iterator[Cut]:
    """Make cuts that reach into each other stand side by side."""
    at = 0
    for start, end, instead in cuts:
        if start >= at:
            yield start, end, instead
        elif end > at:
            yield at, end, ""
        at = max(at, end)


def _hidden(text: str) -> Iterator[Cut]:
    opened: re.Match[str] | None = None
    for found in _HIDDEN.finditer(text):
        comment = found[0] in ("<!--", "-->")
        closes = found[0] == "-->" or found[1] == "/"
        if opened is None:
            opened = None if closes else found
        elif closes and comment == (opened[0] == "<!--"):
            yield opened.start(), found.end(), " "
            opened = None


def _as_tag(found: re.Match[str]) -> str:
    name = found[2].lower()
    if name in ("br", "hr") or (name in _BREAKS and found[1]):
        return "\n"  # which takes the place of one in the source
    if name == "a" and found[1]:
        return f"[/url]{found[3]}"
    if name == "blockquote":
        return f"[{found[1]}quote]{found[3]}"
    return f" {found[3]}"
