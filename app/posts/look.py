"""How a post will look: what forums make of the tags that templates use, as harmless HTML.

It stands for no forum exactly. Only tags known here become HTML, with values that were read and
not passed on; everything else is shown as it was typed. A post of HTML is to be cleaned elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Final

from app.posts.bbcode import DICE_TAGS, Tag, tokenise

_COLOUR: Final = re.compile(r"#[0-9A-Fa-f]{3}(?:[0-9A-Fa-f]{3})?|[A-Za-z]{3,20}")
_FONT: Final = re.compile(r"[A-Za-z][A-Za-z0-9 ]{1,40}")
_SIZE: Final = re.compile(r"[0-9]{1,3}")
_PLAIN: Final = {
    "b": ("<b>", "</b>"),
    "i": ("<i>", "</i>"),
    "u": ("<u>", "</u>"),
    "s": ("<s>", "</s>"),
    "center": ('<div style="text-align:center">', "</div>"),
    "quote": ('<blockquote class="quote">', "</blockquote>"),
    "url": ('<span class="link">', "</span>"),
    "heading": ("<h2>", "</h2>"),
    "table": ('<table class="table">', "</table>"),
    "tr": ("<tr>", "</tr>"),
    "td": ("<td>", "</td>"),
    "wrap": ('<span class="die">', "</span>"),
}
# Behind these a line break of the text makes no line, and around cells none at all.
_BLOCKS: Final = ("table", "center", "quote", "heading")
_CELLS: Final = ("tr", "td")
_BREAK: Final = "\n"
_DICE: Final = re.compile(r"\[dice=([^\]\n]{1,60})\](.{0,4000}?)\[/dice\]", re.DOTALL)
_MARKDOWN: Final = (
    (re.compile(r"^## (.{1,200})$", re.MULTILINE), r"<h2>\1</h2>"),
    (re.compile(r"(?<!\\)\*\*(.{1,400}?)(?<!\\)\*\*"), r"<b>\1</b>"),
    (re.compile(r"(?<![\\*])\*([^*\n]{1,2000})(?<!\\)\*"), r"<i>\1</i>"),
    (
        re.compile(r"\[([^\[\]\n]{1,200})\]\(&lt;[^\n()]{1,2000}&gt;\)"),
        r'<span class="link">\1</span>',
    ),
    (re.compile(r"\\([\\`*_~|#>+=-])"), r"\1"),
)


def as_shown(text: str, *, markdown: bool = False) -> str:
    """Show a post of BBCode, or of Markdown with some BBCode, as HTML that does nothing."""
    made = "".join(_pieces(text))
    if markdown:
        for pattern, instead in _MARKDOWN:
            made = pattern.sub(instead, made)
    return made.replace(_BREAK, "<br>\n")


def dice_in_html(text: str) -> str:
    """Show the dice tags of a post that is HTML already, as their forum would."""
    return _DICE.sub(r'<span class="die">\1</span> \2', text)


def _pieces(text: str) -> Iterator[str]:
    """Write text and tags in turn; what is not closed in its order is shown as typed."""
    tags = _paired(list(tokenise(text)))
    at = 0
    for tag, html in tags:
        if tag.start < at:
            continue
        plain = text[at : tag.start]
        if tag.name in _CELLS:
            plain = plain.removesuffix(_BREAK)
        yield escape(plain)
        yield html
        at = tag.end
        closed = tag.name in _BLOCKS and tag.closing
        if (closed or tag.name in _CELLS) and text.startswith(_BREAK, at):
            at += 1
    yield escape(text[at:])


def _paired(tags: list[Tag]) -> list[tuple[Tag, str]]:
    """Pair opening and closing tags; of what nothing closes nothing is made."""
    made: dict[int, tuple[Tag, str]] = {}
    opened: list[tuple[Tag, tuple[str, str]]] = []
    for tag in tags:
        if not tag.closing:
            html = _html(tag)
            if html is not None:
                opened.append((tag, html))
            continue
        for place in range(len(opened) - 1, -1, -1):
            one, html = opened[place]
            if one.name == tag.name:
                del opened[place:]  # what was opened inside and not closed stays text
                made[one.start] = (one, html[0])
                made[tag.start] = (tag, html[1])
                break
    return [made[start] for start in sorted(made)]


def _html(tag: Tag) -> tuple[str, str] | None:
    value = tag.value.strip("\"'")
    if tag.name == "color" and _COLOUR.fullmatch(value):
        return f'<span style="color:{value}">', "</span>"
    if tag.name == "font" and _FONT.fullmatch(value):
        return f'<span style="font-family:{value}">', "</span>"
    if tag.name == "size" and _SIZE.fullmatch(value):
        return f'<span style="font-size:{min(max(int(value), 8), 40)}px">', "</span>"
    if tag.name in DICE_TAGS:
        said = f"{escape(value)}</span> <span>" if value else ""
        return f'<span class="die">{said}', "</span>"
    return _PLAIN.get(tag.name)
