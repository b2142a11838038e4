"""XenForo with a button for dice, which stand under the post and are thrown by no tag.

How they read is not known, so they are read by calibration.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.posts.dialects.bbcode_forum import BBCODE
from app.posts.dialects.markup import writer
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import reader
from app.posts.dialects.tables import bbcode_table, tagged_head

_XENFORO: Final = replace(
    BBCODE,
    heading=lambda text: f"[heading=2]{text}[/heading]",
    table=lambda rows: bbcode_table(rows, tagged_head),
    bare_dice=True,
)


DIALECT: Final = Dialect(
    key="xenforo",
    family="XenForo",
    verified=False,
    has_tags=False,
    write=writer(_XENFORO),
    markup=_XENFORO,
    tag=None,
    read=reader(),
)
