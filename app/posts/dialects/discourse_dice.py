"""Discourse with the theme component discourse-dice: ``[wrap=dice]2d6+1[/wrap]``, no label."""

from __future__ import annotations

from typing import Final

from app.posts.blocks import Die
from app.posts.dialects.markdown import MARKDOWN
from app.posts.dialects.markup import writer
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import reader, shape
from app.posts.dialects.thrown import GAP, ROW

# A quotation: "2d6+1", perhaps with a number to reach, and below it "3+4 +1 = 8".
_SHOWN: Final = shape(rf"(?:t[0-9]{{1,4}}+)?+{GAP}>?+{GAP}(?P<row>{ROW}){GAP}={GAP}", below=True)


def _tag(die: Die) -> str:
    return f"[wrap=dice]{die.expression}[/wrap] — {MARKDOWN.text(die.label)}"


DIALECT: Final = Dialect(
    key="discourse_dice",
    family="Discourse",
    verified=True,
    has_tags=True,
    write=writer(MARKDOWN, _tag),
    markup=MARKDOWN,
    tag=_tag,
    read=reader(_SHOWN),
)
