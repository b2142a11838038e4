"""Text without any tag, for a forum nobody has described yet, a chat, or a mail."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from app.posts.bbcode import escape
from app.posts.blocks import (
    Block,
    Die,
    Field,
    Heading,
    Line,
    Note,
    Prose,
    RegisterLine,
    SheetLink,
    Style,
    Table,
    Title,
)
from app.posts.dialects.lines import gathered, pending, to_throw
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import reader

# Without markup a story could imitate what was adjudicated: such a line is set off as a quotation.
_LIKE_OURS: Final = re.compile(r"^(?=[^\S\n]*+(?:•|==|[0-9]{0,3}[dD][0-9]))", re.MULTILINE)


def render(blocks: Sequence[Block], language: str) -> str:
    """Write a post as plain text; what a player typed is no tag here either."""
    return gathered(blocks, lambda block: escape(_written(block, language)))


def _written(block: Block, language: str) -> str:
    match block:
        case Title(text):
            return text
        case Heading(text):
            return f"== {text} =="
        case SheetLink(text, address):
            return f"{text}: {address}"
        case Field(name, value):
            return f"{name}: {value}"
        case RegisterLine(text) | Note(text):
            return f"• {text}"
        case Line(pieces):
            return "".join(
                f"[{one.text}]" if one.style is Style.STRUCK else one.text for one in pieces
            )
        case Table(rows):
            return "\n".join(" | ".join(row) for row in rows)
        case Prose(text):
            return _LIKE_OURS.sub("> ", text)
        case Die():
            return _die(block, language)


def _die(die: Die, language: str) -> str:
    if die.result is not None:
        return f"{die.result} — {die.label}"
    if die.live:
        return f"{to_throw(language)} {die.expression} — {die.label}"
    return f"{die.expression}: {pending(language)} — {die.label}"


DIALECT: Final = Dialect(
    key="plain",
    family="",
    verified=True,
    has_tags=False,
    write=render,
    markup=None,
    tag=None,
    read=reader(),
)
