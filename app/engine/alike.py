"""Names that a reader would take for one another, in whatever letters they are typed."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

_SMALL_CAPITALS: Final = ("ᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "ABCDEGHIJKLMNOPRSTUVWYZ")
# The usual ones, letter by letter. A whole table of Unicode would hold thousands, and find names
# alike that nobody confuses.
_DRAWN_LIKE: Final = (
    ("аеорсухіјѕԁһӏԛԝкү", "aeopcyxijsdhlqwky"),  # Cyrillic
    ("АВЕКМНОРСТУХІЈЅԌӀԚԜҮ", "ABEKMHOPCTYXIJSGIQWY"),
    ("αβγεικνορτυχωϳ", "abyeikvoptuxwj"),  # Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧͿ", "ABEZHIKMNOPTYXJ"),
    ("ıɑɡ", "iag"),
    _SMALL_CAPITALS,
)
_LATIN: Final[Mapping[int, str]] = MappingProxyType(
    {
        ord(letter): latin
        for letters, latins in _DRAWN_LIKE
        for letter, latin in zip(letters, latins, strict=True)
    }
)
_STROKES: Final[Mapping[int, str]] = MappingProxyType(
    {ord("I"): "l", ord("1"): "l", ord("|"): "l", ord("0"): "O"}
)
# Characters that take no room, beside those that Unicode calls formatting.
_UNSEEN: Final = frozenset(
    map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x3164, 0xFFA0))
) | frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))


def alike(one: str, other: str) -> bool:
    """Say whether two names are the same for a reader: in small or large letters, or as drawn."""
    return any(seen(one) == seen(other) for seen in (plain, folded, drawn))


def plain(name: str) -> str:
    """Give a name without what is not seen, in its plainest characters and in small letters."""
    return _settled(name, lambda text: _bare(text).casefold())


def folded(name: str) -> str:
    """Give a name in the Latin letters that its own look like, and in small ones."""
    return _settled(name, lambda text: _bare(text).translate(_LATIN).casefold())


def drawn(name: str) -> str:
    """Give a name as it is drawn: a capital I, a small l, a 1 and a bar are one stroke."""
    return _settled(name, lambda text: _bare(text).translate(_LATIN).translate(_STROKES))


def _bare(name: str) -> str:
    plainest = unicodedata.normalize("NFKC", name)
    seen = (one for one in plainest if one not in _UNSEEN and unicodedata.category(one) != "Cf")
    return " ".join("".join(seen).split())


def _settled(name: str, step: Callable[[str], str]) -> str:
    """Take a step until it changes nothing: one alone may leave letters for the next."""
    before, now = name, step(name)
    while now != before:
        before, now = now, step(now)
    return now
