"""From every way in which a request can fail to the one shape in which that is told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import iter_route_contexts
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from app.catalogue import rules, rulings
from app.engine.findings import Facts, Obstacle, Question, Violation
from app.http.flaws import Flaw, Problem
from app.http.language import LANGUAGES, Language
from app.http.problem import Refusal, answer_problem, problem
from app.posts.phrases import say
from app.services.errors import (
    ArbitroError,
    Busy,
    Conflict,
    LoginNeeded,
    Malformed,
    Mistake,
    Refused,
    Stale,
    TooMany,
)

RETRY: Final = {"Retry-After": "2"}  # seconds
BY_COOKIE: Final = {"WWW-Authenticate": "Cookie"}  # what a log-in gives; no header replaces it

# What a missing or malformed header is called; anything else that FastAPI finds wrong is a path
# that no object can have, or a query parameter.
HEADERS: Final = {
    "idempotency-key": ("idempotency_key_missing", "idempotency_key_malformed"),
    "if-match": ("version_missing", "version_malformed"),
}
STATUSES: Final = {
    404: "not_found",
    405: "method_not_allowed",
    413: "body_too_long",
    415: "media_type_unsupported",
}


# A body may hold a mistake in every other byte; an answer must not be a multiple of it.
MOST_TOLD: Final = 100
_INDEX: Final = re.compile(r"\[([0-9]+)\]")


def answer_refusals(app: FastAPI) -> None:
    """Let an application answer whatever it refuses as a problem."""
    app.add_exception_handler(Refusal, _answer)
    app.add_exception_handler(ArbitroError, _answer)
    app.add_exception_handler(RequestValidationError, _answer)
    app.add_exception_handler(HTTPException, _answer)


async def _answer(request: Request, error: Exception) -> Response:
    return answer_problem(request, problem_of(error, request))


def problem_of(error: Exception, request: Request) -> Problem:
    """Say what kind of refusal an error is; whatever is none of ours is raised again."""
    match error:
        case Refusal():
            return error.problem
        case ArbitroError():
            return _problem_of_service(error)
        case RequestValidationError():
            return _problem_of_parameter(error.errors()[0])
        case HTTPException():
            return _problem_of_protocol(error, request)
        case _:
            raise error


def _problem_of_service(error: ArbitroError) -> Problem:
    match error:
        case Malformed():
            told = flaws_of_mistakes(error.mistakes[:MOST_TOLD])
            return problem("malformed", flaws=told, left_off=len(error.mistakes) - len(told))
        case Refused():
            return problem("refused", flaws=flaws_of(error.obstacles))
        case Stale():
            return problem("stale", facts={"version": error.version})
        case Conflict():
            return problem(error.code, facts=error.facts)
        case Busy():
            return problem(error.code, headers=RETRY)
        case TooMany(seconds=seconds):
            headers = {"Retry-After": str(seconds)}
            return problem(error.code, facts={"seconds": seconds}, headers=headers)
        case LoginNeeded():
            return problem(error.code, headers=BY_COOKIE)
        case _:
            return problem(error.code)


def _problem_of_parameter(wrong: Mapping[str, Any]) -> Problem:
    place, name = str(wrong["loc"][0]), str(wrong["loc"][-1])
    if place == "path":
        return problem("not_found")
    missing, malformed = HEADERS.get(name.lower(), ("parameter_malformed",) * 2)
    return problem(missing if wrong["type"] == "missing" else malformed, facts={"name": name})


def _problem_of_protocol(error: HTTPException, request: Request) -> Problem:
    code = STATUSES.get(error.status_code, "request_malformed")
    if code == "method_not_allowed":
        return problem(code, headers={"Allow": ", ".join(methods_at(request))})
    return problem(code)


def methods_at(request: Request) -> list[str]:
    """List the methods to which an address answers, whichever of its routes has them."""
    path = request.scope["path"]
    found: set[str] = set()
    for route in iter_route_contexts(request.app.routes):
        shape = getattr(route, "path_regex", None)
        if shape is not None and shape.match(path):
            found |= getattr(route, "methods", None) or set()
    return sorted(found) or ["GET", "HEAD"]  # files answer to these and have no list of their own


def flaws_of(obstacles: Iterable[Obstacle], at: str = "") -> tuple[Flaw, ...]:
    """Say everything that stands in the way, in each language.

    ``at`` is where in what was sent the thing stands whose fields the rules name.
    """
    return tuple(_flaw_of_obstacle(obstacle, at) for obstacle in obstacles)


def flaws_of_mistakes(mistakes: Iterable[Mistake]) -> tuple[Flaw, ...]:
    """Say everything that cannot be understood, in each language."""
    return tuple(
        Flaw(
            _INDEX.sub(r".\1", one.field),  # the rules write the same path with dots throughout
            one.code,
            _said("service", "mistakes", one.code, one.facts),
        )
        for one in mistakes
    )


def _flaw_of_obstacle(obstacle: Obstacle, at: str) -> Flaw:
    ruleset = _ruleset_of(obstacle.rule)
    match obstacle:
        case Violation(rule=rule, code=code, field=field, facts=facts):
            field = ".".join(part for part in (at, field) if part)
            return Flaw(field, code, _said(ruleset, "violations", code, facts), rule)
        case Question(rule=rule, code=code, details=details):
            return Flaw(at, code, _said(ruleset, "questions", code, dict(details)), rule)


def _ruleset_of(rule: str) -> str:
    return (rules().get(rule) or rulings()[rule]).ruleset


def _said(ruleset: str, section: str, code: str, facts: Facts) -> Mapping[Language, str]:
    return {language: say(language, ruleset, section, code, facts) for language in LANGUAGES}
