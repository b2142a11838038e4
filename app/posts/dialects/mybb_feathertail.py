"""MyBB with the plugin Dice Rolls: ``[dice=1d20+5]`` closes by itself and has no label."""

from __future__ import annotations

from typing import Final

from app.posts.blocks import Die
from app.posts.dialects.bbcode_forum import ENTITIES
from app.posts.dialects.markup import writer
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import reader, shape
from app.posts.dialects.thrown import GAP, ROW

# "1d20+5 → 17 (12 + 5)": the total first, then dice and addends in one row.
_SHOWN: Final = shape(rf"{GAP}→{GAP}(?P<total>[-−–]?+[0-9]{{1,9}}+){GAP}\((?P<row>{ROW})\)")


def _tag(die: Die) -> str:
    return f"[dice={die.expression}] — {ENTITIES.text(die.label)}"


DIALECT: Final = Dialect(
    key="mybb_feathertail",
    family="MyBB",
    verified=True,
    has_tags=True,
    write=writer(ENTITIES, _tag),
    markup=ENTITIES,
    tag=_tag,
    read=reader(_SHOWN),
)
