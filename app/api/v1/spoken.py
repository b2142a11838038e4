"""A sentence as answers carry it: in the reader's language, and in each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypedDict

from app.http.language import LANGUAGES, Language


class Spoken(TypedDict):
    """The two fields of an answer that hold a sentence."""

    message: str
    messages: Mapping[str, str]


def spoken(language: Language, sentence: Callable[[str], str]) -> Spoken:
    """Say something in each language; ``sentence`` says it in one."""
    messages = {str(one): sentence(one) for one in LANGUAGES}
    return Spoken(message=messages[language], messages=messages)
