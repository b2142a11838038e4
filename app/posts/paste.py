"""A pasted post as bare lines: markup of either kind, quotations and dice are taken out.

BBCode and HTML are both understood, since people paste either; nothing is obeyed. Each character is
looked at a fixed number of times.
"""

from __future__ import annotations

import html
import re
from typing import Final

from app.posts.bbcode import JOINER, Tag, tokenise
from app.posts.dice_tag import FoundTag

_QUOTES: Final = frozenset({"quote", "citazione"})
_BREAKS: Final = frozenset({"tr", "li", "*", "br", "hr", "p", "div", "h1", "h2", "h3", "h4"})
_ANCHOR: Final = re.compile(
    r"<a\s[^<>]{0,300}?href\s{0,3}=\s{0,3}[\"']?([^<>\"'\s]{1,2000})[^<>]{0,300}>", re.IGNORECASE
)
_HTML: Final = re.compile(r"<(/?)([a-z][a-z0-9]{0,15})(?:[\s/][^<>]{0,2000})?>(\n?)", re.IGNORECASE)
# With its semicolon only: "?a=1&copy=2" is an address.
_ENTITY: Final = re.compile(r"&(?:#x?[0-9a-f]{1,7}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)
_BLANKS: Final = re.compile(r"[^\S\n]+")
_DECORATION: Final = " \t=—–_#~>"  # what headings are set off with, and never an amount's sign


def as_bbcode(text: str) -> str:
    """Turn the HTML of a pasted source into the few tags that are read; text stays text."""
    text = text.replace("\r\n", "\n")
    if "<" in text:
        text = _ANCHOR.sub(lambda found: f"[url={html.unescape(found[1])}]", text)
        text = _HTML.sub(_as_tag, text)
    return _ENTITY.sub(lambda found: html.unescape(found[0]), text)


def bare_lines(text: str, dice: tuple[FoundTag, ...] = ()) -> list[str]:
    """Give the lines of a post, without what is quoted from others and without its dice."""
    parts: list[str] = []
    at = 0
    for start, end, instead in _without(text, dice):
        if start >= at:
            parts += [text[at:start], instead]
        elif end <= at:
            continue
        at = max(at, end)
    parts.append(text[at:])
    # Two stars are bold where a forum takes Markdown, and mean nothing anywhere.
    lines = "".join(parts).replace(JOINER, "").replace("**", "").split("\n")
    return [_BLANKS.sub(" ", line).strip().lstrip("•*· ") for line in lines]


def heading(line: str) -> str:
    """Give a line without what headings are decorated with."""
    return line.strip(_DECORATION + "-*•:")


def _without(text: str, dice: tuple[FoundTag, ...]) -> list[tuple[int, int, str]]:
    cuts = [(found.start, found.end, " ") for found in dice]
    quotes: list[Tag] = []
    for tag in tokenise(text):
        if tag.name in _QUOTES and not tag.closing:
            quotes.append(tag)
        elif tag.name in _QUOTES and quotes:
            cuts.append((quotes.pop().start, tag.end, "\n"))
        cuts.append((tag.start, tag.end, "\n" if tag.name in _BREAKS else " "))
    # Where two begin together, the longer one comes first: a quotation before its own tag.
    return sorted(cuts, key=lambda cut: (cut[0], -cut[1]))


def _as_tag(found: re.Match[str]) -> str:
    name = found[2].lower()
    if name in ("br", "hr") or (name in _BREAKS and found[1]):
        return "\n"  # which takes the place of one in the source
    if name == "a" and found[1]:
        return f"[/url]{found[3]}"
    if name == "blockquote":
        return f"[{found[1]}quote]{found[3]}"
    return f" {found[3]}"
