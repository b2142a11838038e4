"""What the pages of Combat Dice call armours, shields and choices, and what those mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from app import catalogue
from app.http.language import Language
from app.rulesets.combat_dice.terms import Armor, Shield
from app.web.pages import word_of
from app.web.texts import marked, translated

KEY: Final = "combat_dice"
UNLISTED: Final = "unlisted"  # a sheet that is silent about shields (AMB-CD-2)
ARMORS: Final[Mapping[str, str]] = {
    Armor.NONE: marked("no armor"),
    Armor.LIGHT: marked("light armor"),
    Armor.MEDIUM: marked("medium armor"),
    Armor.HEAVY: marked("heavy armor"),
}
SHIELDS: Final[Mapping[str, str]] = {
    Shield.NONE: marked("no shield"),
    Shield.SMALL: marked("small shield"),
    Shield.MEDIUM: marked("medium shield"),
    Shield.LARGE: marked("large shield"),
    UNLISTED: marked("the sheet says nothing of a shield"),
}

Options = tuple[tuple[str, str], ...]


def options_of(texts: Mapping[str, str], language: Language) -> Options:
    """Give codes with their texts, as a field for one choice lists them."""
    return tuple((str(code), translated(language, text)) for code, text in texts.items())


def words_for(codes: Iterable[str], language: Language) -> Options:
    """Give codes with their words from the glossary."""
    return tuple((str(code), said(code, language)) for code in codes)


def said(code: str, language: Language) -> str:
    """Say a word of the game as the beginning of a line."""
    word = word_of(language, KEY, code)
    return word[:1].upper() + word[1:]


def meaning_of(code: str, language: Language) -> str:
    """Say what a word of the game means."""
    return catalogue.terms(KEY)[str(code)].meaning[language]
