"""JSON as it comes in and goes out: strict, bounded, and without a single float on the way in."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Final, TypeAlias

from app.engine.numbers import LONGEST
from app.persistence.errors import Malformed, Mistake

MOST_BYTES: Final = 256 * 1024
MOST_DEPTH: Final = 40

At: TypeAlias = "tuple[At, str | int] | None"
"""Where in the input something stands, from the inside out; None is the whole of it."""


class _NotANumber:
    """Stands where a number was written that is none, or too long to be one of ours."""


class _Duplicate:
    """Stands at a key that was written twice."""


_NOT_A_NUMBER: Final = _NotANumber()
_DUPLICATE: Final = _Duplicate()


def read_json(raw: bytes) -> object:
    """Read JSON from outside: numbers become int or Decimal; raise Malformed with what is wrong."""
    if len(raw) > MOST_BYTES:
        raise Malformed(Mistake("", "too_long", {"most": MOST_BYTES}))
    try:
        text = raw.decode("utf-8")
        data: object = json.loads(
            text,
            parse_int=_whole,
            parse_float=_decimal,
            parse_constant=lambda _: _NOT_A_NUMBER,
            object_pairs_hook=_object,
        )
    except RecursionError:
        raise Malformed(Mistake("", "too_deep", {"most": MOST_DEPTH})) from None
    except ValueError:  # of which both the decoding and the syntax errors are
        raise Malformed(Mistake("", "not_json")) from None
    if mistakes := _mistakes(data):
        raise Malformed(*mistakes)
    return data


def read_stored(text: str) -> object:
    """Read JSON that we wrote ourselves; numbers keep every digit."""
    data: object = json.loads(text, parse_float=Decimal)
    return data


def write_json(data: object) -> str:
    """Write JSON so that equal data give equal text."""
    return json.dumps(
        data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def path(at: At) -> str:
    """Spell where something stands: ``main.support[0]``."""
    steps: list[str] = []
    while at is not None:
        at, step = at
        steps.append(f"[{step}]" if isinstance(step, int) else f".{step}")
    return "".join(reversed(steps)).removeprefix(".")


def is_broken(text: str) -> bool:
    """Say whether a text cannot be stored: NUL, or half of a surrogate pair."""
    if "\0" in text:
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _whole(text: str) -> object:
    return int(text) if len(text) <= LONGEST else _NOT_A_NUMBER


def _decimal(text: str) -> object:
    return Decimal(text) if len(text) <= LONGEST else _NOT_A_NUMBER


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        found[key] = _DUPLICATE if key in found else value
    return found


def _mistakes(data: object) -> list[Mistake]:
    """Walk the whole of it without recursion, since its depth is the sender's choice."""
    mistakes: list[Mistake] = []
    waiting: list[tuple[object, At, int]] = [(data, None, 0)]
    while waiting:
        value, at, depth = waiting.pop()
        if depth > MOST_DEPTH:
            return [Mistake("", "too_deep", {"most": MOST_DEPTH})]
        if isinstance(value, dict):
            if any(is_broken(key) for key in value):
                mistakes.append(Mistake(path(at), "bad_text"))
                continue
            waiting += [(inner, (at, key), depth + 1) for key, inner in value.items()]
        elif isinstance(value, list):
            waiting += [(inner, (at, index), depth + 1) for index, inner in enumerate(value)]
        elif isinstance(value, str):
            if is_broken(value):
                mistakes.append(Mistake(path(at), "bad_text"))
        elif value is _NOT_A_NUMBER:
            mistakes.append(Mistake(path(at), "not_a_number"))
        elif value is _DUPLICATE:
            mistakes.append(Mistake(path(at), "duplicate"))
    return sorted(mistakes, key=lambda mistake: mistake.field)
