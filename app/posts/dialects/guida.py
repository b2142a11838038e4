"""The forums the Guida is played on: BBCode of ForumFree and ForumCommunity.

The tags written here are ``[b]``, ``[i]``, ``[url]`` and, where the forum rolls, ``[dice]``: old,
plain and known to both. Everything else is text and goes through ``escape``, our own sentences
too, since they quote names. What was adjudicated stands in bold or italics, which no story can
have, so that a story which imitates a result is seen to be one.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.posts.bbcode import escape, link_target
from app.posts.blocks import (
    Block,
    Die,
    Field,
    Heading,
    Note,
    Prose,
    RegisterLine,
    SheetLink,
    Title,
)
from app.posts.dialects.lines import gathered, pending


def render(blocks: Sequence[Block], language: str) -> str:
    """Write a post as BBCode to paste."""
    return gathered(blocks, lambda block: _written(block, language))


def _written(block: Block, language: str) -> str:
    match block:
        case Title(text) | Heading(text):
            return f"[b]{escape(text)}[/b]"
        case SheetLink(text, address):
            target = link_target(address)
            if target is None:  # not a web address: said, but not made a link
                return f"{escape(text)}: {escape(address)}"
            return f"[url={target}]{escape(text)}[/url]"
        case Field(name, value):
            return f"[b]{escape(name)}[/b]: {escape(value)}"
        case RegisterLine(text):
            return f"• {escape(text)}"
        case Note(text):
            return f"[i]{escape(text)}[/i]"
        case Prose(text):
            return escape(text)
        case Die():
            return _die(block, language)


def _die(die: Die, language: str) -> str:
    # The label is escaped as a whole: a weapon called "b" would else open a tag in our brackets.
    label = escape(die.label)
    if die.live:
        return f"[dice={die.expression}]{label}[/dice]"
    if die.result is None:
        return f"{die.expression}: {escape(pending(language))} — {label}"
    return f"[b]{die.result}[/b] — {label}"
