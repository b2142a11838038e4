"""What a case file looks like, as JSON Schema; ``static/schemas/cases.json`` is written from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.ops.runner import OPS

ID: Final = "urn:arbitro:schema:cases"
RULE: Final = r"^(AMB-([A-Z]+-)?[0-9]+|[A-Z]{2,5}-[A-Z]?[0-9]+(\.[0-9]+)?[a-z]?)$"
RATIO: Final = r"^[+-]?[0-9]{1,12}/[0-9]{0,11}[1-9][0-9]{0,11}$"


def case_schema() -> dict[str, Any]:
    """Describe a file of cases; the operations are those that this edition adjudicates."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": ID,
        "title": "A file of worked cases",
        "description": (
            "What is given, and what must come of it. How expectations are matched and numbers "
            "are read is told in tests/cases/README.md and at /docs/runner."
        ),
        "type": "array",
        "minItems": 1,
        "items": {"$ref": "#/$defs/case"},
        "$defs": {
            "case": _case(),
            "op": {"anyOf": [_ops_of(game, ops) for game, ops in OPS.items()]},
            "given": {
                "description": "All that the engine may use; a field it does not know fails.",
                "type": "object",
                "additionalProperties": {"$ref": "#/$defs/value"},
            },
            "value": _value(),
            "number": _number(),
        },
    }


def _case() -> dict[str, Any]:
    text = {"type": "string", "minLength": 1}
    return {
        "type": "object",
        "properties": {
            "id": {
                "description": "Unique among all files; part of the address of its page.",
                "type": "string",
                "pattern": "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$",
            },
            "chapter": {
                "description": "Begins with the number that --chapter looks at.",
                "anyOf": [
                    {"type": "integer", "minimum": 1},
                    {"type": "string", "pattern": "^[0-9]"},
                ],
            },
            "title": {"description": "One line for people.", **text},
            "game": {"enum": sorted(OPS), "default": "guida"},
            "op": {"$ref": "#/$defs/op"},
            "rules": {
                "description": "The rules it proves.",
                "type": "array",
                "minItems": 1,
                "items": {"type": "string", "pattern": RULE},
            },
            "given": {"$ref": "#/$defs/given"},
            "expect": {"$ref": "#/$defs/value"},
            "note": {"description": "How the numbers are worked out.", "type": "string"},
        },
        "required": ["id", "title", "op", "rules", "given", "expect"],
        "additionalProperties": False,
    }


def _ops_of(game: str, ops: Mapping[str, object]) -> dict[str, Any]:
    return {"title": f"operations of {game}", "enum": sorted(ops)}


def _value() -> dict[str, Any]:
    """Describe what may stand anywhere; a decimal has to be read exactly."""
    inner = {"$ref": "#/$defs/value"}
    return {
        "anyOf": [
            {"type": ["null", "boolean"]},
            {"$ref": "#/$defs/number"},
            {"type": "string"},
            {"type": "array", "items": inner},
            {"type": "object", "additionalProperties": inner},
        ]
    }


def _number() -> dict[str, Any]:
    return {
        "description": "An integer, a decimal to be read exactly, or a fraction as a text p/q.",
        "anyOf": [{"type": "number"}, {"type": "string", "pattern": RATIO}],
    }
