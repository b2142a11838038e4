"""The OpenAPI document: routes as FastAPI knows them, types as the codec reads them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, Final

from fastapi.openapi.utils import get_openapi
from starlette.routing import BaseRoute

from app.api.operations import OPERATIONS, Operation
from app.api.schemas import Schemas
from app.engine.findings import Facts, Violation
from app.http.flaws import Flaw
from app.http.language import LANGUAGES, Language
from app.http.problem import MEDIA_TYPE, kinds, problem, problem_body
from app.http.refusals import flaws_of, flaws_of_mistakes
from app.services.errors import Mistake

VERSION: Final = "1"
REF: Final = "#/components/schemas/"
JSON: Final = "application/json"
SOME_FACTS: Final[Facts] = {
    "version": 7,
    "entry": 5,
    "most": 256,
    "name": "limit",
    "seconds": 60,
    "until": "2025-03-30T14:00:00+00:00",
    "minutes": 10,
}
EXAMPLES: Final = Path(__file__).with_name("examples")
ANSWERS: Final = EXAMPLES.with_name("answers.json")

# How a call may be refused before any use case sees it, by what it carries.
ALWAYS: Final = ("secret_unknown", "busy")
WITH_PATH: Final = ("not_found",)
WITH_QUERY: Final = ("parameter_malformed",)
WITH_BODY: Final = ("malformed", "body_too_long", "encoding_unsupported", "media_type_unsupported")
CHANGING: Final = ("cross_site",)
WITH_HEADER: Final = {
    "Idempotency-Key": ("idempotency_key_missing", "idempotency_key_malformed"),
    "If-Match": ("version_missing", "version_malformed", "stale"),
}


@cache
def texts() -> Mapping[str, Any]:
    """Read what the document says to people, in each language."""
    path = Path(__file__).with_name("texts.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


def describe(routes: Sequence[BaseRoute], language: Language) -> dict[str, Any]:
    """Write the document of the given routes in one language."""
    said = texts()
    document = get_openapi(
        title=said["info"]["title"][language],
        version=VERSION,
        description=said["info"]["description"][language],
        routes=routes,
        tags=[{"name": name, "description": row[language]} for name, row in said["tags"].items()],
    )
    schemas = Schemas(REF)
    for method, one in _operations(document):
        name = one["operationId"] = _name(one["operationId"])
        noted = OPERATIONS[name]
        one.update(_said(said["operations"][name], language))
        _describe_parameters(one, said["parameters"], language)
        _describe_body(one, noted, name, schemas)
        one["responses"] = {
            **_answered(name, noted, language, schemas),
            **_refused(method, one, noted, language),
        }
    components = document.setdefault("components", {})
    components["schemas"] = {**schemas.components(), **problem_schema()}
    return document


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in document["paths"].values():
        yield from path.items()


def _name(unique: str) -> str:
    """Take the function's name out of FastAPI's id, which appends path and method to it."""
    return next(name for name in OPERATIONS if unique.startswith(f"{name}_api_v1_"))


def _said(row: Mapping[str, Any], language: Language) -> dict[str, str]:
    return {part: row[part][language] for part in ("summary", "description") if part in row}


def _describe_parameters(
    one: Mapping[str, Any], said: Mapping[str, Any], language: Language
) -> None:
    for parameter in one.get("parameters", ()):
        row = said[parameter["name"]]
        parameter["description"] = row[language]
        if "example" in row:
            parameter["example"] = row["example"]


def _describe_body(one: dict[str, Any], noted: Operation, name: str, schemas: Schemas) -> None:
    if noted.body is None:
        return
    content: dict[str, Any] = {"schema": schemas.sent(noted.body)}
    if examples := examples_of(name):
        content["examples"] = {title: {"value": value} for title, value in examples.items()}
    one["requestBody"] = {"required": True, "content": {JSON: content}}


def _answered(name: str, noted: Operation, language: Language, schemas: Schemas) -> dict[str, Any]:
    said = texts()["operations"][name]["answer"][language]
    described: dict[str, Any] = {"description": said}
    if noted.answer is not None:
        content = {"schema": schemas.of(noted.answer)}
        if name in answers():
            content["example"] = answers()[name]
        described["content"] = {JSON: content} | {
            kind: {"schema": {"type": "string"}, "example": example}
            for kind, example in noted.besides
        }
    return {str(noted.status): described}


def _refused(
    method: str, one: Mapping[str, Any], noted: Operation, language: Language
) -> dict[str, Any]:
    by_status: dict[int, list[str]] = {}
    for code in dict.fromkeys(_codes(method, one, noted)):
        by_status.setdefault(kinds()[code].status, []).append(code)
    return {
        str(status): {
            "description": " · ".join(
                f"`{code}`: {kinds()[code].title[language]}" for code in codes
            ),
            "content": {
                MEDIA_TYPE: {
                    "schema": {"$ref": f"{REF}Problem"},
                    "examples": {one: {"value": _refusal(one, language)} for one in codes},
                }
            },
        }
        for status, codes in sorted(by_status.items())
    }


def _refusal(code: str, language: Language) -> dict[str, Any]:
    """Show a refusal as it would be answered, with the facts and flaws of some request."""
    flaws: tuple[Flaw, ...] = ()
    if code == "malformed":
        flaws = flaws_of_mistakes((Mistake("narration.initial", "too_long", {"most": 20_000}),))
    if code == "refused":
        limb = Violation("GC-4.24", "limb_missing", "main.limb")
        flaws = flaws_of((limb,), "order")
    return problem_body(problem(code, facts=SOME_FACTS, flaws=flaws), language)


def _codes(method: str, one: Mapping[str, Any], noted: Operation) -> Iterator[str]:
    yield from ALWAYS
    yield from noted.refuses
    if method != "get":
        yield from CHANGING
    if noted.body is not None:
        yield from WITH_BODY
    for parameter in one.get("parameters", ()):
        if parameter["in"] == "path":
            yield from WITH_PATH
        elif parameter["in"] == "query":
            yield from WITH_QUERY
        else:
            yield from WITH_HEADER[parameter["name"]]


def problem_schema() -> dict[str, Any]:
    """Describe a refusal as it goes over the wire."""
    text = {"type": "string"}
    messages = {
        "type": "object",
        "properties": dict.fromkeys(LANGUAGES, text),
        "required": list(LANGUAGES),
        "additionalProperties": False,
    }
    flaw = {
        "field": text,
        "code": text,
        "rule": {"type": ["string", "null"]},
        "message": text,
        "messages": messages,
    }
    members = {
        "type": {"type": "string", "format": "uri-reference"},
        "title": text,
        "status": {"type": "integer"},
        "code": {"type": "string", "enum": sorted(kinds())},
        "detail": text,
        "messages": messages,
        "errors": {"type": "array", "items": {"$ref": f"{REF}Flaw"}},
        "left_off": {"type": "integer", "minimum": 0},
    }
    return {"Problem": _closed(members), "Flaw": _closed(flaw)}


def _closed(members: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": deepcopy(dict(members)),
        "required": list(members),
        "additionalProperties": False,
    }


@cache
def examples_of(name: str) -> Mapping[str, Any]:
    """Read the bodies that the document shows for an operation, by their titles."""
    path = EXAMPLES / f"{name}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


@cache
def answers() -> Mapping[str, Any]:
    """Read an answer of each operation, as tests/api/story.py wrote them down."""
    if not ANSWERS.is_file():
        return {}
    found: dict[str, Any] = json.loads(ANSWERS.read_text(encoding="utf-8"))
    return found
