"""SMF with RPG-DiceRoller: ``[dice=label]d10+2d6+4-1[/dice]``, the label in the attribute."""

from __future__ import annotations

from typing import Final

from app.posts.blocks import Die
from app.posts.dialects.bbcode_forum import TABLES
from app.posts.dialects.markup import in_attribute, writer
from app.posts.dialects.record import Dialect
from app.posts.dialects.shown import reader, shape
from app.posts.dialects.thrown import GAP, LIST, NUMBER, SIGN

# "label: d10 + 2d6 + 4 - 1 => (7) + (3, 5) + 4 - 1 = 18": each lot of dice in its bracket.
_TERM: Final = rf"(?:\({LIST}\)|{NUMBER})"
_SHOWN: Final = shape(
    rf"{GAP}=>{GAP}(?P<terms>{_TERM}(?:{GAP}{SIGN}{GAP}{_TERM}){{0,40}}+){GAP}={GAP}"
)


def _tag(die: Die) -> str:
    label = TABLES.text(in_attribute(die.label))
    return f"[dice={label}]{die.expression}[/dice]"


DIALECT: Final = Dialect(
    key="smf_rpg",
    family="SMF",
    verified=True,
    has_tags=True,
    write=writer(TABLES, _tag),
    markup=TABLES,
    tag=_tag,
    read=reader(_SHOWN),
)
