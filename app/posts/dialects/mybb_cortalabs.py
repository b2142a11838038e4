"""MyBB with the plugin dice_roller: ``[roll=Attack]1d20+7[/roll]``, the label in the attribute."""

from __future__ import annotations

from typing import Final

from app.posts.blocks import Die
from app.posts.dialects.bbcode_forum import ENTITIES
from app.posts.dialects.markup import in_attribute, writer
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import reader, shape
from app.posts.dialects.thrown import ADDENDS, GAP, LIST

# "Attack: 1d20+7 [12] +7 = 19", behind which may stand a word for the best and the worst face.
_SHOWN: Final = shape(rf"{GAP}\[(?P<dice>{LIST})\](?P<addends>{ADDENDS}){GAP}={GAP}")


def _tag(die: Die) -> str:
    label = ENTITIES.text(in_attribute(die.label))
    return f"[roll={label}]{die.expression}[/roll]"


DIALECT: Final = Dialect(
    key="mybb_cortalabs",
    family="MyBB",
    verified=True,
    has_tags=True,
    write=writer(ENTITIES, _tag),
    markup=ENTITIES,
    tag=_tag,
    read=reader(_SHOWN),
)
