"""A whole post in any markup: what each block becomes, said once for all forums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from app.posts.bbcode import link_target
from app.posts.blocks import (
    Block,
    Die,
    Field,
    Heading,
    Line,
    Note,
    Piece,
    Prose,
    RegisterLine,
    SheetLink,
    Style,
    Table,
    Title,
)
from app.posts.dialects.lines import added_here, gathered, pending, to_throw

Write: TypeAlias = Callable[[Sequence[Block], str], str]
WriteTag: TypeAlias = Callable[[Die], str]
ROUND: Final = str.maketrans("[]", "()")


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """How one markup writes. ``text`` and ``prose`` make typed text inert, ours and the player's;
    the others put markup around text that is inert already; ``face`` writes how a die fell.
    ``struck`` is None where a forum knows no such tag.
    ``brackets`` says that it is BBCode, beside which a forum may take HTML; ``bare_dice`` that the
    forum throws dice from a menu which has no modifiers.
    """

    text: Callable[[str], str]
    prose: Callable[[str], str]
    bold: Callable[[str], str]
    italic: Callable[[str], str]
    heading: Callable[[str], str]
    link: Callable[[str, str], str]
    struck: Callable[[str], str] | None = None
    table: Callable[[Sequence[Sequence[str]]], str] | None = None
    face: str = "[{}]"  # "(8)" would be a smiley on many forums
    brackets: bool = True
    bare_dice: bool = False


def write_post(
    blocks: Sequence[Block], language: str, markup: Markup, tag: WriteTag | None = None
) -> str:
    """Write a post; without ``tag`` a die that the forum is to roll is asked for in words."""
    return gathered(blocks, lambda block: _written(block, language, markup, tag))


def writer(markup: Markup, tag: WriteTag | None = None) -> Write:
    """Make what writes the posts of a dialect."""
    return lambda blocks, language: write_post(blocks, language, markup, tag)


def in_attribute(label: str) -> str:
    """Write a label as it may stand in a tag's attribute: no square bracket, no straight quote."""
    return label.translate(ROUND).replace('"', "”")


def _written(block: Block, language: str, markup: Markup, tag: WriteTag | None) -> str:
    match block:
        case Title(text) | Heading(text):
            return markup.heading(markup.text(text))
        case SheetLink(text, address):
            target = link_target(address)
            if target is None:  # not a web address: said, but not made a link
                return f"{markup.text(text)}: {markup.text(address)}"
            return markup.link(markup.text(text), target)
        case Field(name, value):
            return f"{markup.bold(markup.text(name))}: {markup.text(value)}"
        case RegisterLine(text):
            return f"• {markup.text(text)}"
        case Note(text):
            return markup.italic(markup.text(text))
        case Line(pieces):
            return "".join(_piece(one, markup) for one in pieces)
        case Table(rows):
            cells = [[markup.text(cell) for cell in row] for row in rows]
            return in_rows(cells) if markup.table is None else markup.table(cells)
        case Prose(text):
            return markup.prose(text)
        case Die():
            return _die(block, language, markup, tag)


def in_rows(rows: Sequence[Sequence[str]]) -> str:
    """Write a table where there are none: a row a line."""
    return "\n".join(" | ".join(row) for row in rows)


def _piece(piece: Piece, markup: Markup) -> str:
    text = markup.text(piece.text)
    if piece.style is Style.BOLD:
        return markup.bold(text)
    if piece.style is Style.STRUCK:
        return f"[{text}]" if markup.struck is None else markup.struck(text)
    return text


def _die(die: Die, language: str, markup: Markup, tag: WriteTag | None) -> str:
    if die.live and tag is not None:
        return tag(die)
    # The label is made inert as a whole: a weapon called "b" would else open a tag in our brackets.
    label = markup.text(die.label)
    if die.live:
        words = markup.text(to_throw(language))
        if markup.bare_dice and die.modifier:
            return f"{words} 1d{die.sides} {markup.text(added_here(language))} — {label}"
        return f"{words} {die.expression} — {label}"
    if die.result is None:
        return f"{die.expression}: {markup.text(pending(language))} — {label}"
    fallen = die.result.replace(f"({die.face})", markup.face.format(die.face), 1)
    return f"{markup.bold(fallen)} — {label}"
