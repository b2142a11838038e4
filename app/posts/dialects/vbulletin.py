"""vBulletin with dice as on Myth-Weavers: ``[DICE]1d20+1[/DICE]``, no label."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.posts.blocks import Die
from app.posts.dialects.bbcode_forum import TABLES
from app.posts.dialects.markup import writer
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import ShownDie, reader, shape
from app.posts.dialects.thrown import GAP, LIST

_BOX: Final = "Dice Roll"  # the head of the box, which is no label
# "Dice Roll: 1d20+1" and below it "d20 Results: 19 (Total = 20)".
_SHOWN: Final = shape(
    rf"{GAP}d[0-9]{{1,4}}+ Results:{GAP}(?P<dice>{LIST}){GAP}"
    rf"\(Total{GAP}={GAP}(?P<total>[-−–]?+[0-9]{{1,9}}+)\)",
    below=True,
)
_READ: Final = reader(_SHOWN)


def _tag(die: Die) -> str:
    return f"[dice]{die.expression}[/dice] — {TABLES.text(die.label)}"


def _read(text: str) -> tuple[ShownDie, ...]:
    return tuple(replace(one, label="") if one.label == _BOX else one for one in _READ(text))


DIALECT: Final = Dialect(
    key="vbulletin",
    family="vBulletin",
    verified=True,
    has_tags=True,
    write=writer(TABLES, _tag),
    markup=TABLES,
    tag=_tag,
    read=_read,
)
