"""What the trail says of a board's settings: their names and values as its forms have them."""

from __future__ import annotations

import json
from typing import Final

from app.http.language import Language
from app.services.deeds import ARROW, DeedKind
from app.web.board_form import title, word
from app.web.pages import word as word_of_service
from app.web.texts import marked, translated

NAMES: Final = {
    "name": marked("Name of the board"),
    "language": marked("Language of the posts"),
    "dialect": marked("Format of the posts"),
    "dice": marked("Who rolls the dice"),
    "openers": marked("Who may open scenes"),
    "joining": marked("Who may become a player"),
    "seal_hours": marked("How long the first dice wait for the players, in hours"),
}
VALUES: Final = {
    "openers.owner": marked("only the owner"),
    "openers.gms": marked("the owner and the Masters of scenes"),
    "openers.anyone": marked("anybody"),
    "joining.invited": marked("whoever is invited"),
    "joining.open": marked("anybody with an account"),
}
WORDS: Final = ("language", "dialect", "dice")


def told_change(language: Language, kind: str, about: str, change: str) -> tuple[str, str, str]:
    """Say which setting or option was changed, and what it was and is."""
    was, _, now = change.partition(ARROW)
    if kind == DeedKind.OPTION:
        ruleset, _, option = about.partition(".")
        name = title(language, ruleset, option)
        before, after = (_option(language, ruleset, option, one) for one in (was, now))
        return name, before, after
    name = translated(language, NAMES[about]) if about in NAMES else about
    before, after = (_setting(language, about, one) for one in (was, now))
    return name, before, after


def _setting(language: Language, about: str, value: str) -> str:
    said = VALUES.get(f"{about}.{value}")
    if said is not None:
        return translated(language, said)
    return word_of_service(language, value) if about in WORDS else value


def _option(language: Language, ruleset: str, option: str, written: str) -> str:
    value = json.loads(written)
    if isinstance(value, list):
        return ", ".join(word(language, ruleset, option, str(one)) for one in value) or "–"
    if isinstance(value, bool):
        return translated(language, marked("yes") if value else marked("no"))
    return "–" if value is None else word(language, ruleset, option, str(value))
