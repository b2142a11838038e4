"""Paizo, and who took over its way: ``[dice=label]1d20+3[/dice]``."""

from __future__ import annotations

from typing import Final

from app.posts.blocks import Die
from app.posts.dialects.bbcode_forum import BBCODE
from app.posts.dialects.markup import in_attribute, writer
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import ARROW, reader, shape
from app.posts.dialects.thrown import ADDENDS, GAP, LIST

# "Spellcraft: 1d20 + 6 ⇒ (13) + 6 = 19", and of one die alone "1d20 ⇒ 8".
_SHOWN: Final = shape(rf"{GAP}{ARROW}{GAP}\((?P<dice>{LIST})\)(?P<addends>{ADDENDS}){GAP}={GAP}")
_ALONE: Final = shape(rf"{GAP}{ARROW}{GAP}(?=[0-9])")


def _tag(die: Die) -> str:
    return f"[dice={BBCODE.text(in_attribute(die.label))}]{die.expression}[/dice]"


DIALECT: Final = Dialect(
    key="paizo",
    family="Paizo",
    verified=True,
    has_tags=True,
    write=writer(BBCODE, _tag),
    markup=BBCODE,
    tag=_tag,
    read=reader(_SHOWN, _ALONE),
)
