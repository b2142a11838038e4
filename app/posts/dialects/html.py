"""HTML, for forums that take it beside their BBCode: what a dialect writes, escaped once more."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from app.posts.dialects.markup import Markup
from app.posts.dialects.tables import html_table

BREAK: Final = "<br>"

# Text is inert as BBCode by now. A numbered entity is ours, for a character of four bytes: one
# that was typed has a joiner in it, which makes of its sign a plain one.
_SIGN: Final = re.compile(r"&(?!#[0-9]{1,7};)|[<>\"']")
_ESCAPED: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


def as_html(markup: Markup) -> Markup:
    """Let a dialect write HTML: its text stays inert as BBCode and becomes inert as HTML, too."""
    return replace(
        markup,
        text=_escaping(markup.text),
        prose=_escaping(markup.prose),
        bold=lambda text: f"<b>{text}</b>",
        italic=lambda text: f"<i>{text}</i>",
        heading=lambda text: f"<b>{text}</b>",
        struck=lambda text: f"<s>{text}</s>",
        table=html_table,
        link=lambda text, target: f'<a href="{escaped(target)}">{text}</a>',
    )


def escaped(text: str) -> str:
    """Write text so that nothing in it is HTML."""
    return _SIGN.sub(lambda found: _ESCAPED[found[0]], text)


def _escaping(write: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: escaped(write(text))
