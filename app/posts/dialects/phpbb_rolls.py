"""phpBB with a tab for dice: the tab puts the id of a roll into the post."""

from __future__ import annotations

from typing import Final

from app.posts.dialects.bbcode_forum import NARROW
from app.posts.dialects.markup import writer
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import reader, shape
from app.posts.dialects.thrown import ADDENDS, GAP, LIST

# "Punch: 1d20+8: [16]+8 = 24", as seen on a forum.
_SHOWN: Final = shape(rf":{GAP}\[(?P<dice>{LIST})\](?P<addends>{ADDENDS}){GAP}={GAP}")


DIALECT: Final = Dialect(
    key="phpbb_rolls",
    family="phpBB",
    verified=True,
    has_tags=False,
    write=writer(NARROW),
    markup=NARROW,
    tag=None,
    read=reader(_SHOWN),
)
