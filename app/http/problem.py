"""Refusals on the wire: RFC 9457 problem+json, in the reader's language and in both."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from app.engine.findings import Facts
from app.engine.numbers import spelled
from app.engine.tally import Tally
from app.http.context import shared
from app.http.flaws import Flaw, Kind, Problem
from app.http.language import LANGUAGES, Language, language_of

MEDIA_TYPE: Final = "application/problem+json"
FOR_MACHINES: Final = ("/api/", "/healthz")
TYPES: Final = "/docs/errors#"  # the page that explains every code


@cache
def kinds() -> Mapping[str, Kind]:
    """Read every kind of refusal, by code."""
    text = Path(__file__).with_name("problems.toml").read_text(encoding="utf-8")
    return {
        code: Kind(code, row["status"], row["title"], row["detail"])
        for code, row in tomllib.loads(text).items()
    }


def problem(
    code: str,
    *,
    facts: Facts | None = None,
    flaws: tuple[Flaw, ...] = (),
    left_off: int = 0,
    headers: Mapping[str, str] | None = None,
) -> Problem:
    """Put a refusal together; raise KeyError for a code that problems.toml does not have."""
    kind = kinds()[code]
    shown = {name: _shown(fact) for name, fact in (facts or {}).items()}
    messages = {language: kind.detail[language].format_map(shown) for language in LANGUAGES}
    return Problem(kind, messages, flaws, left_off, headers or {})


def _shown(fact: object) -> str:
    return spelled(fact.total) if isinstance(fact, Tally) else str(fact)


def problem_body(found: Problem, language: Language) -> dict[str, object]:
    """Write a refusal as the members of a problem document."""
    return {
        "type": f"{TYPES}{found.kind.code}",
        "title": found.kind.title[language],
        "status": found.kind.status,
        "code": found.kind.code,
        "detail": found.messages[language],
        "messages": dict(found.messages),
        "errors": [
            {
                "field": flaw.field,
                "code": flaw.code,
                "rule": flaw.rule,
                "message": flaw.messages[language],
                "messages": dict(flaw.messages),
            }
            for flaw in found.flaws
        ],
        "left_off": found.left_off,
    }


class Refusal(Exception):
    """A request that is refused before any use case sees it."""

    def __init__(self, refused: Problem) -> None:
        super().__init__(refused.kind.code)
        self.problem = refused


def answer_problem(request: Request, found: Problem) -> Response:
    """Answer a refusal: a problem document to machines, else the page that pages have for it."""
    page = shared(request).problem_page
    if page is not None and not request.scope["path"].startswith(FOR_MACHINES):
        answer = page(request, found)
        answer.headers.update(found.headers)
        return answer
    language = language_of(request)
    return Response(
        json.dumps(problem_body(found, language), ensure_ascii=False),
        found.kind.status,
        {**found.headers, "Content-Language": language, "Vary": "Accept-Language"},
        MEDIA_TYPE,
    )
