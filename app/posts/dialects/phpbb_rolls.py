"""phpBB with a tab for dice: the tab puts the id of a roll into the post."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.posts.blocks import Block
from app.posts.dialects.bbcode_forum import NARROW
from app.posts.dialects.markup import write_post
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import reader, shape
from app.posts.dialects.thrown import ADDENDS, GAP, LIST

# "Punch: 1d20+8: [16]+8 = 24", as seen on a forum.
_SHOWN: Final = shape(rf":{GAP}\[(?P<dice>{LIST})\](?P<addends>{ADDENDS}){GAP}={GAP}")


def render(blocks: Sequence[Block], language: str) -> str:
    """Write a post to paste."""
    return write_post(blocks, language, NARROW)


DIALECT: Final = Dialect(
    key="phpbb_rolls",
    family="phpBB",
    verified=True,
    has_tags=False,
    write=render,
    markup=NARROW,
    tag=None,
    read=reader(_SHOWN),
)
