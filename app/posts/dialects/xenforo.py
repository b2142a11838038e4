"""XenForo with a button for dice, which stand under the post and are thrown by no tag.

How they read is not known, so they are read by calibration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.posts.blocks import Block
from app.posts.dialects.bbcode_forum import BBCODE
from app.posts.dialects.markup import write_post
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import reader

_XENFORO: Final = replace(
    BBCODE, heading=lambda text: f"[heading=2]{text}[/heading]", bare_dice=True
)


def render(blocks: Sequence[Block], language: str) -> str:
    """Write a post to paste."""
    return write_post(blocks, language, _XENFORO)


DIALECT: Final = Dialect(
    key="xenforo",
    family="XenForo",
    verified=False,
    has_tags=False,
    write=render,
    markup=_XENFORO,
    tag=None,
    read=reader(),
)
