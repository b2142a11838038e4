"""Numbers as pages show them: with a minus sign, and the decimal sign of the language.

Posts spell them as forums' dice do; what a form takes back is spelled so too.
"""

from __future__ import annotations

from fractions import Fraction

from app.engine.numbers import spelled
from app.http.language import Language

DECIMAL_SIGN: dict[Language, str] = {"it": ",", "en": "."}


def shown(language: Language, value: Fraction | int, *, sign: bool = False) -> str:
    """Show a number to the reader of a page: ``7``, ``−2``, ``+17,5``, ``8/3``."""
    text = spelled(value, sign=sign)
    return text.replace("-", "−").replace(".", DECIMAL_SIGN[language])
