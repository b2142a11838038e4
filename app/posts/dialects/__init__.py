"""One small module for each forum family: how it writes a post, and a die above all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from app.posts.blocks import Block
from app.posts.dialects import (
    discourse_dice,
    discourse_roller,
    forumotion,
    guida,
    mybb_cortalabs,
    mybb_feathertail,
    mybb_vaultbb,
    nodebb,
    paizo,
    phpbb_fancydice,
    phpbb_rolls,
    plain,
    smf_rolls,
    smf_rpg,
    vbulletin,
    xenforo,
)
from app.posts.dialects.record import Dialect

# In the order in which they are offered: where the Guida is played first, plain text last.
_KNOWN: Final = (
    *(guida, forumotion, phpbb_rolls, phpbb_fancydice),
    *(mybb_feathertail, mybb_cortalabs, mybb_vaultbb, smf_rolls, smf_rpg),
    *(xenforo, vbulletin, discourse_dice, discourse_roller, nodebb, paizo, plain),
)
DIALECTS: Final[Mapping[str, Dialect]] = MappingProxyType(
    {module.DIALECT.key: module.DIALECT for module in _KNOWN}
)
GUIDA: Final = guida.DIALECT.key
# Those whose open dice are tags that a forum rolls.
WITH_TAGS: Final = frozenset(key for key, one in DIALECTS.items() if one.has_tags)


def render(blocks: Sequence[Block], language: str, dialect: str) -> str:
    """Write a post in a dialect; raise KeyError for one that is not there."""
    return DIALECTS[dialect].write(blocks, language)


def offered(dialect: str) -> tuple[str, ...]:
    """Name the dialects that a post is offered in: its own, the Guida's, and plain text."""
    return tuple(key for key in DIALECTS if key in {dialect, GUIDA, plain.DIALECT.key})
