"""phpBB with the extension fancydice: ``[dice]3d6+1[/dice]``, no label, no blanks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.posts.blocks import Block, Die
from app.posts.dialects.bbcode_forum import NARROW
from app.posts.dialects.markup import write_post
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import reader, shape
from app.posts.dialects.thrown import GAP, LIST

# The form that the extension comes with, "3d6+1 => 2, 5, 4 => 12"; a board may have another one.
_SHOWN: Final = shape(rf"{GAP}=>{GAP}(?P<dice>{LIST}){GAP}=>{GAP}")


def render(blocks: Sequence[Block], language: str) -> str:
    """Write a post to paste."""
    return write_post(blocks, language, NARROW, _tag)


def _tag(die: Die) -> str:
    return f"[dice]{die.expression}[/dice] — {NARROW.text(die.label)}"


DIALECT: Final = Dialect(
    key="phpbb_fancydice",
    family="phpBB",
    verified=True,
    has_tags=True,
    write=render,
    markup=NARROW,
    tag=_tag,
    read=reader(_SHOWN),
)
