"""Discourse with the plugin discourse-dice-roller: ``[roll 2d6]`` is replaced by what it gave."""

from __future__ import annotations

from typing import Final

from app.posts.blocks import Die
from app.posts.dialects.markdown import MARKDOWN
from app.posts.dialects.markup import writer
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import reader, shape
from app.posts.dialects.thrown import GAP, ROW

# "2d6: 3 + 4 = 7", as code within the line.
_SHOWN: Final = shape(rf":{GAP}(?P<row>{ROW}){GAP}={GAP}")


def _tag(die: Die) -> str:
    return f"[roll {die.expression}] — {MARKDOWN.text(die.label)}"


DIALECT: Final = Dialect(
    key="discourse_roller",
    family="Discourse",
    verified=True,
    has_tags=True,
    write=writer(MARKDOWN, _tag),
    markup=MARKDOWN,
    tag=_tag,
    read=reader(_SHOWN),
)
