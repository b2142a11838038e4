"""Hit points and energy in a header: the count of now, or why it cannot be told.

The first figure under a name decides: where it is not understood, no later one is taken instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from app.engine.findings import Facts
from app.posts.header_words import (
    FIRST,
    REST,
    SUM,
    is_other,
    other_vital,
    vital,
    vital_begins,
    whole,
)
from app.posts.spots import Spot, spot_in
from app.posts.traced import Line

_CLAUSE: Final = re.compile(r"[,.:]\s")
_BETWEEN: Final = "|;,/)0123456789"  # what may stand before a field on its line


def find_vital(unit: str, lines: Sequence[Line], listed: Sequence[Line]) -> Spot | None:
    """Find the hit points or the energy, and the maximum if it is told; or why they are not read.

    A register may run on into them; with a sign they would be one of its changes, and a sum
    without a maximum is there to say whether it balances.
    """
    for text in (lines, listed):
        for line in text:
            for begun in vital_begins(unit).finditer(line.text):
                if is_other(line.text[: begun.start()]) or unbalanced(line.text, begun):
                    continue
                found = vital(unit).match(line.text, begun.start())
                if found is None:
                    if text is lines and _is_field(line.text, begun):
                        return _strange(line, begun)
                    continue
                if _is_count(found, listed=text is listed):
                    return spot_in(unit, line, found.span(), _counts(found))
    return None


def unbalanced(line: str, begun: re.Match[str]) -> bool:
    """Say whether a figure begins the sentence of ours that a register does not balance."""
    first = FIRST.match(line, begun.end())
    sums = SUM.match(line, first.end()) if first else None
    return sums is not None and not sums[0].endswith("=")


def _is_count(found: re.Match[str], *, listed: bool) -> bool:
    """Say whether a figure counts what there is, in a register or outside."""
    if not listed:
        return True
    changed = found["sign"] and not found["before"]
    return not changed and not ("=" in found["before"] and found["most"] is None)


def _counts(found: re.Match[str]) -> Facts:
    now = -whole(found["now"]) if found["sign"] not in ("", "+") else whole(found["now"])
    return {"now": now, "most": None if found["most"] is None else whole(found["most"])}


def _is_field(line: str, begun: re.Match[str]) -> bool:
    """Say whether a name stands where a field of a header does, and not in a sentence."""
    before = line[: begun.start()].rstrip(" [")
    return begun["gap"].strip() not in ("", "]") or not before or before[-1] in _BETWEEN


def _strange(line: Line, begun: re.Match[str]) -> Spot:
    rest = REST.match(line.text, begun.end())
    said = _CLAUSE.split(rest[0])[0].rstrip() if rest else ""
    facts: Facts = {"name": begun["name"], "said": said}
    return spot_in("strange_field", line, (begun.start(), begun.end() + len(said)), facts)


def other_vitals(unit: str, lines: Sequence[Line], read: Spot) -> Iterator[Spot]:
    """Find later figures of the same name that say otherwise: only the first ones were read."""
    for line in lines:
        for found in vital(unit).finditer(line.text):
            facts = _counts(found)
            if line.at + found.start() <= read.start or is_other(line.text[: found.start()]):
                continue
            if not (begins_field(line.text, found) and facts["now"] != read.facts["now"]):
                continue
            name = line.text[found.start() : found.start("gap")].strip()
            more: Facts = {"name": name, "now": facts["now"], "first": read.facts["now"]}
            yield spot_in("second_field", line, found.span(), more)


def begins_field(line: str, found: re.Match[str]) -> bool:
    """Say whether a figure is set like one of a header, and is no change and no sum."""
    before = line[: found.start()].rstrip(" [")
    set_off = found["most"] is not None or ":" in found["gap"] or "=" in found["gap"]
    changed = found["sign"] and found["most"] is None
    sums = "=" in found["before"] and found["most"] is None
    return set_off and not changed and not sums and (not before or before[-1] in _BETWEEN)


def vitals_named_otherwise(unit: str, lines: Sequence[Line]) -> Iterator[Spot]:
    """Find fields that may be the count of now under a name which does not say so."""
    for line in lines:
        for found in other_vital(unit).finditer(line.text):
            facts: Facts = {"name": found["name"], "said": found["said"].strip()}
            yield spot_in("other_field", line, (found.start("name"), found.end()), facts)
