"""phpBB with the extension fancydice: ``[dice]3d6+1[/dice]``, no label, no blanks."""

from __future__ import annotations

from typing import Final

from app.posts.blocks import Die
from app.posts.dialects.bbcode_forum import NARROW
from app.posts.dialects.markup import writer
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import reader, shape
from app.posts.dialects.thrown import GAP, LIST

# The form that the extension comes with, "3d6+1 => 2, 5, 4 => 12"; a board may have another one.
_SHOWN: Final = shape(rf"{GAP}=>{GAP}(?P<dice>{LIST}){GAP}=>{GAP}")


def _tag(die: Die) -> str:
    return f"[dice]{die.expression}[/dice] — {NARROW.text(die.label)}"


DIALECT: Final = Dialect(
    key="phpbb_fancydice",
    family="phpBB",
    verified=True,
    has_tags=True,
    write=writer(NARROW, _tag),
    markup=NARROW,
    tag=_tag,
    read=reader(_SHOWN),
)
