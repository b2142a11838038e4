"""What the trail says of a board's settings: their names and values as its forms have them."""

from __future__ import annotations

import json

from app.http.language import Language
from app.services.deeds import ARROW, DeedKind
from app.web.board_form import title, word
from app.web.board_texts import SETTING_NAMES, SETTING_VALUES, SETTING_WORDS
from app.web.pages import word as word_of_service
from app.web.texts import marked, translated


def told_change(language: Language, kind: str, about: str, change: str) -> tuple[str, str, str]:
    """Say which setting or option was changed, and what it was and is."""
    was, _, now = change.partition(ARROW)
    if kind == DeedKind.OPTION:
        ruleset, _, option = about.partition(".")
        name = title(language, ruleset, option)
        before, after = (_option(language, ruleset, option, one) for one in (was, now))
        return name, before, after
    name = translated(language, SETTING_NAMES.get(about, about))
    before, after = (_setting(language, about, one) for one in (was, now))
    return name, before, after


def _setting(language: Language, about: str, value: str) -> str:
    if about in SETTING_WORDS:
        return word_of_service(language, value)
    said = SETTING_VALUES.get((about, value))
    return value if said is None else translated(language, said)  # a name is nobody's to translate


def _option(language: Language, ruleset: str, option: str, written: str) -> str:
    value = json.loads(written)
    if isinstance(value, list):
        return ", ".join(word(language, ruleset, option, str(one)) for one in value) or "–"
    if isinstance(value, bool):
        return translated(language, marked("yes") if value else marked("no"))
    return "–" if value is None else word(language, ruleset, option, str(value))
