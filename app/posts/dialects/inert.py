"""What forums do to text besides markup: smileys, and characters that a database cannot store."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from app.posts.bbcode import JOINER, escape, outside_links

_AFTER_DIGIT: Final = re.compile(r"(?<=[0-9])(?=\))")
# Eyes before a mouth, a word between colons, and faces that lie between two equal signs.
_SMILEY: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:[:;=](?=['^o-]?[()DdPpOoSsXx|/\\*$@?!3<>\[\]])|[8BX](?=-?[()]))"
    r"|>(?=[:=.])"
    r"|:(?=[A-Za-z0-9_+-]{1,30}+:)"
    r"|[\^<>oOTt-](?=[_.][\^<>oOTt-])"
)
_WIDE: Final = re.compile("[\U00010000-\U0010ffff]")
_MISSING: Final = "□"  # a name must not vanish, nor two halves of a tag come together


def without_smileys(text: str) -> str:
    """Write text, made inert before, so that no filter for smileys finds one in it."""
    return outside_links(text, lambda part: _SMILEY.sub(_joined, after_digits(part)))


def after_digits(text: str) -> str:
    """Keep a bracket from the digit before it: ``8)`` wears sunglasses on many forums."""
    return _AFTER_DIGIT.sub(JOINER, text)


def told(text: str) -> str:
    """Write a sentence of ours for a forum with smileys."""
    return without_smileys(escape(text))


def typed(text: str) -> str:
    """Write a player's own words: a smiley that was typed was wanted, one made of a number not."""
    return outside_links(escape(text), after_digits)


def narrow(text: str) -> str:
    """Write a box for each character of four bytes, at which an old database cuts the whole post.

    Letters that only look special, such as mathematical ones, become plain letters. This comes
    before ``escape``, since what is left may be a tag that was none.
    """
    return _WIDE.sub(_plain, text)


def entities(text: str) -> str:
    """Write the characters of four bytes as numbers, which is how such forums store them.

    This comes after ``escape``, which would take the sign of an entity apart.
    """
    text = outside_links(text, lambda part: _WIDE.sub(lambda one: f"&#{ord(one[0])};", part))
    return _WIDE.sub(lambda one: "".join(f"%{byte:02X}" for byte in one[0].encode()), text)


def _joined(found: re.Match[str]) -> str:
    return found[0] + JOINER


def _plain(found: re.Match[str]) -> str:
    folded = unicodedata.normalize("NFKC", found[0])
    return _MISSING if _WIDE.search(folded) else folded
