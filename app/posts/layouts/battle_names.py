"""The names of Battle Dice as they are shown: Portuguese, the reader's words beside."""

from __future__ import annotations

from typing import Final

from app.posts.phrases import say
from app.rulesets.battle_dice.terms import Kind

RULESET: Final = "battle_dice"
ORIGINAL: Final = "pt"


def both(language: str, section: str, key: str, **facts: object) -> tuple[str, str]:
    """Say something as the book calls it and in a language; that is empty where they agree."""
    original = say(ORIGINAL, RULESET, section, key, facts)
    translated = say(language, RULESET, section, key, facts)
    return original, "" if translated.casefold() == original.casefold() else translated


def headed(language: str, section: str, key: str, **facts: object) -> str:
    """Write a heading: ``Etapa de Combate / Mischia``."""
    return " / ".join(filter(None, both(language, section, key, **facts)))


def named(language: str, key: str) -> str:
    """Write a word with its translation, ``debandada (rotta)``, unless it has one already."""
    original, translated = both(language, "words", key)
    if not translated or original in translated:
        return translated or original
    return f"{original} ({translated})"


def kind_name(language: str, kind: Kind) -> str:
    """Write what a kind of dice stands for, without the dice: ``Infantaria (Fanteria)``."""
    ends = f" {kind.upper()}"
    original, translated = (one.removesuffix(ends) for one in both(language, "words", kind))
    return f"{original} ({translated})" if translated else original


def die_name(language: str, kind: Kind) -> str:
    """Write a kind of dice: ``D6 Infantaria (Fanteria)``."""
    return f"{kind.upper()} {kind_name(language, kind)}"
