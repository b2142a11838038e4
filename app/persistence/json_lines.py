"""In which line of a JSON text each value begins, so that a mistake in it can be found."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


def lines_of(text: str) -> Mapping[str, int]:
    """Tell the line of every value of sound JSON by its path, as in ``pieces[3].data``."""
    found: dict[str, int] = {}
    # One level for each open bracket: the path of what is in it, and the place or key of the next.
    levels: list[tuple[str, int | str]] = []
    line, before, is_key = 1, 0, False
    for match in _TOKEN.finditer(text):
        line += text.count("\n", before, match.start())
        before, token = match.start(), match[0]
        if token in "]}":
            levels.pop()
            is_key = False
        elif token == ",":
            at, place = levels[-1]
            is_key = isinstance(place, str)
            levels[-1] = (at, place if isinstance(place, str) else place + 1)
        elif token == ":":
            is_key = False
        elif is_key:
            levels[-1] = (levels[-1][0], json.loads(token))
        else:
            path = _path(levels)
            found[path] = line
            if token in "[{":
                levels.append((path, 0 if token == "[" else ""))
                is_key = token == "{"
    return found


def line_of_fault(raw: bytes) -> int:
    """Tell in which line a text stops being JSON."""
    try:
        json.loads(raw.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        return error.lineno
    except (ValueError, RecursionError):
        return 1
    return 1


def _path(levels: list[tuple[str, int | str]]) -> str:
    if not levels:
        return ""
    at, place = levels[-1]
    if isinstance(place, int):
        return f"{at}[{place}]"
    return f"{at}.{place}" if at else place
