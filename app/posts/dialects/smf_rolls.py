"""SMF with the mod for rolls in posts: ``[roll]{Attack} 1d20+3[/roll]``, the label in braces."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.posts.blocks import Die
from app.posts.dialects.bbcode_forum import TABLES
from app.posts.dialects.markup import writer
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import ShownDie, reader, shape
from app.posts.dialects.thrown import ADDENDS, GAP, LIST

_BRACES: Final = str.maketrans("{}", "‹›")  # a name's own ones would end the label
_UNNAMED: Final = "Rolled"  # what the forum says instead of a label
# "Freezing 1d10 : 1, total 1" and "Rolled 2d12+5 : 6, 11 + 5, total 22".
_SHOWN: Final = shape(rf"{GAP}:{GAP}(?P<dice>{LIST})(?P<addends>{ADDENDS}){GAP},{GAP}total{GAP}")
_READ: Final = reader(_SHOWN)


def _tag(die: Die) -> str:
    label = TABLES.text(die.label.translate(_BRACES))
    return f"[roll]{{{label}}} {die.expression}[/roll]"


def _read(text: str) -> tuple[ShownDie, ...]:
    return tuple(replace(one, label="") if one.label == _UNNAMED else one for one in _READ(text))


DIALECT: Final = Dialect(
    key="smf_rolls",
    family="SMF",
    verified=True,
    has_tags=True,
    write=writer(TABLES, _tag),
    markup=TABLES,
    tag=_tag,
    read=_read,
)
