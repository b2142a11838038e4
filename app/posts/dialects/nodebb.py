"""NodeBB with nodebb-plugin-dice: a line ``/roll 2d6+3``, answered by a bot."""

from __future__ import annotations

from typing import Final

from app.posts.blocks import Die
from app.posts.dialects.markdown import MARKDOWN
from app.posts.dialects.markup import writer
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import reader, shape
from app.posts.dialects.thrown import ADDENDS, GAP, LIST

# "2d6+3: [3, 4]+3 = 10".
_SHOWN: Final = shape(rf":{GAP}\[(?P<dice>{LIST})\](?P<addends>{ADDENDS}){GAP}={GAP}")


def _tag(die: Die) -> str:
    # The command must begin its line; the label comes first, so that the answer stands below it.
    return f"{MARKDOWN.text(die.label)}\n/roll {die.expression}"


DIALECT: Final = Dialect(
    key="nodebb",
    family="NodeBB",
    verified=True,
    has_tags=False,
    write=writer(MARKDOWN, _tag),
    markup=MARKDOWN,
    tag=_tag,
    read=reader(_SHOWN),
)
