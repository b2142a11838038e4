"""Markdown as Discourse and NodeBB take it, with the BBCode that they know besides."""

from __future__ import annotations

import re
from typing import Final

from app.posts.bbcode import JOINER, outside_links
from app.posts.dialects.inert import told, typed
from app.posts.dialects.markup import Markup
from app.posts.dialects.tables import markdown_table

_SIGNS: Final = re.compile(r"[\\`*_~|]")
# A bracket that a link or a note could begin at, somebody's name, a topic, a bot's command.
_JOINED: Final = re.compile(
    r"\](?=[(\[:])|!(?=\[)|\[(?=\^)|@(?=\w)|#(?=\w)|(?<![\w/])/(?=roll)", re.IGNORECASE
)
# What is something else at the beginning of a line: heading, list, quotation, rule, code.
_FIRST: Final = re.compile(
    r"^[^\S\n]*+(?:(?P<sign>[#>+=-])|(?P<number>[0-9]{1,9}+)(?=[.)](?:\s|$))|)", re.MULTILINE
)
# A closing bracket may be the label's: it is the address's where a link could begin behind it.
_IN_LINK: Final = re.compile(r"[\[\\`*_~|]|\](?=[(\[:])")
_TOUCHING: Final = re.compile(r"\](?=[(\[:])")


def _marked(part: str) -> str:
    return _JOINED.sub(lambda one: one[0] + JOINER, _SIGNS.sub(r"\\\g<0>", part))


def _first(found: re.Match[str]) -> str:
    # Blanks before a line would make it code; an amount such as "-5 PE" reads as it did.
    if found["sign"]:
        return f"\\{found['sign']}"
    return f"{found['number']}{JOINER}" if found["number"] else ""


def _in_links(text: str) -> str:
    """Write addresses so that nothing in them is emphasis; a server reads them alike."""
    text = outside_links(
        text,
        lambda part: part,
        lambda link: _IN_LINK.sub(lambda one: f"%{ord(one[0]):02X}", link),
    )
    return _TOUCHING.sub(f"]{JOINER}", text)


def _told(text: str) -> str:
    return _in_links(outside_links(told(text), _marked))


def _typed(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _in_links(_FIRST.sub(_first, outside_links(typed(lines), _marked)))


MARKDOWN: Final = Markup(
    text=_told,
    prose=_typed,
    bold=lambda text: f"**{text}**",
    italic=lambda text: f"*{text}*",
    heading=lambda text: f"## {text}",
    link=lambda text, target: f"[{text}](<{target}>)",
    struck=lambda text: f"~~{text}~~",
    table=markdown_table,
    brackets=False,
)
