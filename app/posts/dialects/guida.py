"""The forums the Guida is played on: BBCode of ForumFree and ForumCommunity.

The tags written here are ``[b]``, ``[i]``, ``[url]`` and, where the forum rolls, ``[dice]``: old,
plain and known to both. Everything else is text and goes through ``escape``, our own sentences
too, since they quote names. What was adjudicated stands in bold or italics, which no story can
have, so that a story which imitates a result is seen to be one. How the forum shows a roll is not
known, so it is read by calibration.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.posts.bbcode import escape
from app.posts.blocks import Die
from app.posts.dialects.bbcode_forum import BBCODE
from app.posts.dialects.markup import writer
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import reader

# The network's smileys are none that a number or a label of ours could make.
_GUIDA: Final = replace(BBCODE, text=escape, prose=escape, face="({})")


def _tag(die: Die) -> str:
    return f"[dice={die.expression}]{escape(die.label)}[/dice]"


DIALECT: Final = Dialect(
    key="guida",
    family="ForumFree",
    verified=False,
    has_tags=True,
    write=writer(_GUIDA, _tag),
    markup=_GUIDA,
    tag=_tag,
    read=reader(),
)
