"""What the codec reads, told to others as JSON Schema (2020-12, the dialect of OpenAPI 3.1)."""

from __future__ import annotations

from typing import Any, Final, assert_never

from app.engine.text import Length
from app.persistence.codec_types import (
    Anything,
    Choice,
    Fixed,
    Flag,
    Many,
    Maybe,
    Mixed,
    Moment,
    Node,
    Number,
    OneOf,
    Record,
    Table,
    Text,
    Whole,
    fields_of,
    kind_of,
    node_of,
)

Schema = dict[str, Any]

IN_LINES: Final = (
    r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069"
    r"\ufffe\uffff]*$"
)
IN_LINE: Final = r"^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufffe\uffff]*$"
FRACTION: Final = r"^[+-]?[0-9]{1,12}(\.[0-9]{1,8}|/[0-9]{0,11}[1-9])?$"


def json_schema(annotation: Any, ref: str = "#/$defs/") -> Schema:
    """Describe an annotation; the dataclasses in it are under ``$defs``, referred to by ``ref``."""
    found: dict[str, Schema] = {}
    schema = _schema(node_of(annotation), ref, found)
    return {**schema, "$defs": found} if found else schema


def _schema(node: Node, ref: str, found: dict[str, Schema]) -> Schema:  # noqa: C901  # one case for each node
    match node:
        case Text(length, or_empty):
            return _text(length, 0 if or_empty else length.least)
        case Whole(between):
            return {"type": "integer", "minimum": between.least, "maximum": between.most}
        case Number(between):
            number = {"type": "number", "minimum": between.least, "maximum": between.most}
            return {"anyOf": [number, {"type": "string", "pattern": FRACTION, "maxLength": 24}]}
        case Flag():
            return {"type": "boolean"}
        case Moment():
            return {"type": "string", "format": "date-time"}
        case Anything():
            return {}
        case Choice(words):
            return {"type": "string", "enum": [word.value for word in words]}
        case Maybe(inner):
            return {"anyOf": [_schema(inner, ref, found), {"type": "null"}]}
        case Many(item, length, is_set):
            return _many(_schema(item, ref, found), length, is_set)
        case Fixed(items):
            parts = [_schema(item, ref, found) for item in items]
            size = {"minItems": len(parts), "maxItems": len(parts)}
            return {"type": "array", "prefixItems": parts, **size}
        case Table(value):
            return {"type": "object", "additionalProperties": _schema(value, ref, found)}
        case Record(cls):
            return _record(cls, ref, found)
        case OneOf(records):
            return _one_of(records, ref, found)
        case Mixed(nodes):
            return {"anyOf": [_schema(inner, ref, found) for inner in nodes]}
        case _:
            assert_never(node)


def _text(length: Length, least: int) -> Schema:
    schema: Schema = {
        "type": "string",
        "maxLength": length.most,
        "pattern": IN_LINES if length.lines else IN_LINE,
    }
    if least:
        schema["minLength"] = least
    return schema


def _many(item: Schema, length: Length, is_set: bool) -> Schema:
    schema: Schema = {"type": "array", "items": item, "maxItems": length.most}
    if length.least:
        schema["minItems"] = length.least
    if is_set:
        schema["uniqueItems"] = True
    return schema


def _record(cls: type, ref: str, found: dict[str, Schema]) -> Schema:
    name = cls.__name__
    if name not in found:
        found[
            name
        ] = {}  # stands here already while its fields are described: a type may hold itself
        kind = kind_of(cls)
        properties: Schema = {} if kind is None else {"kind": {"type": "string", "const": kind}}
        properties |= {one.name: _schema(one.node, ref, found) for one in fields_of(cls)}
        found[name] = {
            "type": "object",
            "description": (cls.__doc__ or "").strip().split("\n")[0],
            "properties": properties,
            "additionalProperties": False,
        }
        if required := [one.name for one in fields_of(cls) if one.required]:
            found[name]["required"] = required
    return {"$ref": ref + name}


def _one_of(records: tuple[type, ...], ref: str, found: dict[str, Schema]) -> Schema:
    branches = []
    mapping: dict[str, str] = {}
    for cls in records:
        branch = _record(cls, ref, found)
        kind = kind_of(cls)
        if kind is None:
            branches.append(branch)
            continue
        mapping[kind] = branch["$ref"]
        branches.append({"allOf": [branch, {"type": "object", "required": ["kind"]}]})
    if not mapping:
        return {"anyOf": branches}
    return {"oneOf": branches, "discriminator": {"propertyName": "kind", "mapping": mapping}}
