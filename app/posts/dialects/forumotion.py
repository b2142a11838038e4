"""Forumotion and Forumattivo: a menu under the form throws the dice, a post of its own shows them.

No tag is typed and no modifier is thrown; what the Game Master's post says is set by the board, so
it is read by calibration.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.posts.dialects.bbcode_forum import BBCODE
from app.posts.dialects.markup import writer
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import reader

_FORUMOTION: Final = replace(BBCODE, bare_dice=True)


DIALECT: Final = Dialect(
    key="forumotion",
    family="Forumotion",
    verified=False,
    has_tags=False,
    write=writer(_FORUMOTION),
    markup=_FORUMOTION,
    tag=None,
    read=reader(),
)
