"""MyBB with Advanced Dice: ``[dice=label="Attack"]1d20[/dice]``, shown in a list below the post.

How the list reads is not known, so it is read by calibration.
"""

from __future__ import annotations

from typing import Final

from app.posts.blocks import Die
from app.posts.dialects.bbcode_forum import ENTITIES
from app.posts.dialects.markup import in_attribute, writer
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import reader


def _tag(die: Die) -> str:
    label = ENTITIES.text(in_attribute(die.label))
    return f'[dice=label="{label}"]{die.expression}[/dice]'


DIALECT: Final = Dialect(
    key="mybb_vaultbb",
    family="MyBB",
    verified=False,
    has_tags=True,
    write=writer(ENTITIES, _tag),
    markup=ENTITIES,
    tag=_tag,
    read=reader(),
)
