"""In which of our languages to answer a request."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias, get_args

from starlette.requests import HTTPConnection

Language: TypeAlias = Literal["it", "en"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
DEFAULT: Final[Language] = "it"
COOKIE: Final = "lang"

_LONGEST_HEADER: Final = 500  # characters; a browser sends fewer than a hundred
_RANGE: Final = re.compile(
    r"([a-zA-Z]{1,8}|\*)(?:-[a-zA-Z0-9-]{1,40})?(?:;q=([01](?:\.\d{1,3})?))?"
)


def language_of(request: HTTPConnection) -> Language:
    """Choose by ``?lang=``, else by the choice kept in a cookie, else by ``Accept-Language``."""
    for wanted in (request.query_params.get("lang"), request.cookies.get(COOKIE)):
        for language in LANGUAGES:
            if wanted == language:
                return language
    return accepted(request.headers.get("accept-language", ""))


def accepted(header: str) -> Language:
    """Choose the language that an ``Accept-Language`` header likes best, or else Italian."""
    best, liking = DEFAULT, 0.0
    for part in header[:_LONGEST_HEADER].split(","):
        match = _RANGE.fullmatch(part.replace(" ", ""))
        if match is None:
            continue
        weight = float(match[2] or 1)
        for language in LANGUAGES:
            if match[1].lower() == language and weight > liking:
                best, liking = language, weight
    return best
