"""The lines of a ledger as they were stored: their heads, their JSON, the fields of each kind."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeGuard

from app.engine.seal import MOST_SIDES, next_head
from app.persistence.json_text import MOST_DEPTH, is_broken

Line: TypeAlias = Mapping[str, Any]
Shape: TypeAlias = "str | tuple[str, ...]"

DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_LONGEST: Final = 15  # digits: beyond that other people's checkers would lose some
_MOMENT: Final = re.compile(r"[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}(\.[0-9]+)?(Z|\+00:00)")
_TEXTS: Final = {
    "digest": DIGEST,
    "hex": re.compile(r"([0-9a-f]{2})*"),
    "salt": re.compile(r"([0-9a-fA-F]{32})?"),
    "moment": _MOMENT,
}

# What a checker needs of each kind (app/LEDGER.md); "?" after a name: may be left out, a tuple: one
# of these. Fields that no check depends on are anything.
_ORDER: Final[Mapping[str, Shape]] = {
    "entry": "number",
    "seat?": "text",
    "act?": "text",
    "turn?": "digest",
    "request?": "text",
    "sealed?": "digest",
    "saw?": "digest",
}
KINDS: Final[Mapping[str, Mapping[str, Shape]]] = {
    "open": {
        "scheme": "text",
        "match": "text",
        "anchor?": "digest",
        "links?": "number",
        "dice": ("service", "forum"),
        "seats": "texts",
        "beacon?": "text",
        "checks?": "digest",
        "hidden?": "digests",
        "sealed?": "digest",
    },
    "seal": {"seat": "text", "seal": "digest"},
    "salt": {"seat": "text", "salt": "salt", "missing?": ("limit", "waived")},
    "redo": {"anchor": "digest", "why": ("unrevealed", "other_device")},
    "batch": {"from": "number", "hidden": "digests"},
    "accept": {**_ORDER, "waits": ("seals", "beacon", "forum"), "round?": "number"},
    "roll": {
        **_ORDER,
        "r": "number",
        "seed": "digest",
        "beacon?": "text",
        "signature?": "hex",
        "dice": "dice",
    },
    "order": _ORDER,
    "forum": {
        "entry": "number",
        "dice?": "dice",
        "how?": ("forum", "typed", "plugin"),
        "sealed?": "digest",
    },
    "hidden": {"entry?": "number", "q": "number", "sealed": "digest", "saw?": "digest"},
    "void": {
        "entry": "number",
        "voids": "number",
        "seat?": "text",
        "sealed?": "digest",
        "saw?": "digest",
    },
    "amend": {**_ORDER, "before": "number"},
    "correct": {**_ORDER, "corrects": "number"},
    "check": {"r": "number", "seed": "digest", "dice": "dice"},
    "promise": {"sealed": "digest"},
    "opened": {"of": "number", "nonce": "digest", "payload": "text", "secret?": "digest"},
    "fallback": {"entry": "number", "round": "number"},
    "clock": {"what": "text"},
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a ledger; ``line`` counts from 0, None means the whole file."""

    line: int | None
    code: str
    facts: Mapping[str, str | int] = field(default_factory=dict)


class Unreadable(Exception):
    """A line, or what was sealed, is not one JSON object that reads the same for everybody."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def lines_of(data: bytes) -> tuple[bytes, ...]:
    """Cut a file at its line feeds; what stands after the last is a line too."""
    *lines, rest = data.split(b"\n")
    return (*lines, rest) if rest else tuple(lines)


def heads_of(lines: tuple[bytes, ...]) -> tuple[str, ...]:
    """Give the head after each line."""
    heads: list[str] = []
    head = ""
    for line in lines:
        head = next_head(head, line)
        heads.append(head)
    return tuple(heads)


def read_object(raw: bytes) -> dict[str, Any]:
    """Read one JSON object; raise Unreadable. A number that is not whole is read as None."""
    try:
        found = json.loads(
            raw.decode("utf-8"),
            parse_int=lambda text: int(text) if len(text) <= _LONGEST else None,
            parse_float=lambda _: None,
            parse_constant=_refuse,
            object_pairs_hook=_object,
        )
    except (ValueError, RecursionError):
        raise Unreadable("not_json") from None
    if not isinstance(found, dict) or not _is_plain(found):
        raise Unreadable("not_json")
    return found


def wrong_fields(kind: str, line: Line) -> Iterator[str]:
    """Name the fields of a line that are not what its kind says, or that are missing."""
    for name, shape in {"at": "moment", **KINDS[kind]}.items():
        bare = name.removesuffix("?")
        if bare not in line:
            if bare == name:
                yield bare
        elif not fits(shape, line[bare]):
            yield bare


def told_fields(kind: str, line: Line) -> Line:
    """Leave out the fields that no check looked at, whatever stands in them."""
    names = {"kind"} | {name.removesuffix("?") for name in KINDS[kind]}
    return {name: value for name, value in line.items() if name in names}


def fits(shape: Shape, value: object) -> bool:
    """Say whether a value has a shape."""
    if isinstance(shape, tuple):
        return isinstance(value, str) and value in shape
    if shape == "number":
        return _is_number(value)
    if shape == "digests":
        return isinstance(value, list) and all(fits("digest", one) for one in value)
    if shape == "texts":
        return isinstance(value, list) and all(fits("text", one) for one in value)
    if shape == "dice":
        return isinstance(value, list) and all(_is_place(one) for one in value)
    if not isinstance(value, str):
        return False
    return shape not in _TEXTS or _TEXTS[shape].fullmatch(value) is not None


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_place(value: object) -> bool:
    """Say whether this names the dice of one place, whatever they show; a free place has none."""
    if not isinstance(value, dict) or not _is_number(value.get("count")):
        return False
    faces = value.get("faces", [])
    if not isinstance(faces, list) or not all(_is_number(face) for face in faces):
        return False
    sides = value.get("sides")
    return not value["count"] or (_is_number(sides) and 2 <= sides <= MOST_SIDES)


def _refuse(constant: str) -> None:
    raise ValueError(constant)  # NaN and the infinities, which are no JSON


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Unreadable("duplicate_key")
    return found


def _is_plain(data: object) -> bool:
    """Say whether every text can be written as UTF-8, and nothing is nested without end."""
    waiting: list[tuple[object, int]] = [(data, 0)]
    while waiting:
        value, depth = waiting.pop()
        if depth > MOST_DEPTH:
            return False
        if isinstance(value, dict):
            waiting += [(part, depth + 1) for pair in value.items() for part in pair]
        elif isinstance(value, list):
            waiting += [(part, depth + 1) for part in value]
        elif isinstance(value, str) and is_broken(value):
            return False
    return True
