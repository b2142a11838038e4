"""Texts of the pages in both languages: gettext catalogues, read from ``.po`` at the start."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

LANGUAGES: Final = ("it", "en")
DOMAIN: Final = "web"
LOCALE: Final = Path(__file__).parent / "locale"


def catalogue_path(language: str) -> Path:
    """Say where the catalogue of a language lies; English, the language of the code, needs none."""
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


@cache
def translations(language: str) -> Translations:
    """Read a catalogue once, without a build step between the ``.po`` file and the page."""
    path = catalogue_path(language)
    if not path.exists():
        return Translations()
    with path.open("rb") as file:
        catalogue = read_po(file, locale=language, domain=DOMAIN, abort_invalid=True)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled, domain=DOMAIN)


def translated(language: str, text: str) -> str:
    """Say one text of the pages in a language."""
    return str(translations(language).gettext(text))


def marked(text: str) -> str:
    """Mark a text for the catalogue where it is written down before its language is known."""
    return text
