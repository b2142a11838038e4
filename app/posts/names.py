"""Names inside a label: readable as they are, and unable to be read as anything but a name."""

from __future__ import annotations

import re
from typing import Final

from app.posts.bbcode import JOINER

_SQUARE: Final = str.maketrans("[]", "{}")  # what encloses lists and sources belongs to the label
_VERSUS: Final = re.compile(r"\b(v)(s)\b", re.IGNORECASE)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def safe_name(name: str) -> str:
    """Write a name so that it stays one name: no bracket, comma or "vs" of its own is grammar.

    Square brackets turn into braces, and so do round ones that do not pair up; a comma and a
    "vs" keep their looks and get a word joiner, which ``read_label`` takes for what it is.
    """
    text = " ".join(_CONTROL.sub(" ", name.replace(JOINER, "")).split()).translate(_SQUARE)
    text = _paired(text).replace(",", f"{JOINER},")
    return _VERSUS.sub(rf"\1{JOINER}\2", text) or "—"


def _paired(text: str) -> str:
    """Turn the round brackets that have no partner into braces."""
    letters = list(text)
    waiting: list[int] = []
    for at, letter in enumerate(text):
        if letter == "(":
            waiting.append(at)
        elif letter == ")" and waiting:
            waiting.pop()
        elif letter == ")":
            letters[at] = "}"
    for at in waiting:
        letters[at] = "{"
    return "".join(letters)
