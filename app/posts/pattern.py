"""A learnt pattern, and reading rolls by it: plain data, which is never itself compiled.

What is compiled is put together here, of escaped signs and of our own bounded parts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import Final

from app.posts.bbcode import JOINER
from app.posts.dialects.record import Read
from app.posts.dialects.shown import (
    EDGES,
    LONGEST_LABEL,
    MOST_SHOWN,
    ShownDie,
    label_before,
    read_total,
    settled,
)
from app.posts.dialects.thrown import (
    ADDENDS,
    EXPRESSION,
    GAP,
    LIST,
    NUMBER,
    SIGN,
    number,
    read_sum,
)

MOST_PARTS: Final = 800
KINDS: Final = frozenset({"text", "blank", "die", "natural", "addends", "number", "total"})
PLACES: Final = frozenset({"before", "after", "none"})

NUMBERS: Final = rf"{NUMBER}(?:{GAP},{GAP}{NUMBER}){{0,98}}+"
_BLANK: Final = r"\s{0,40}+"
_OPEN: Final = r"(?<![^\W_])"


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a pattern: a kind of ``KINDS``, and the sign itself where it is ``text``."""

    kind: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Pattern:
    """How a forum shows a roll: its parts in their order, and where the label stands to them.

    ``opening`` is what stands before a label on its line, ``joint`` what parts it from the roll.
    """

    parts: tuple[Part, ...]
    label: str
    opening: str = ""
    joint: str = ""


def calibrated(pattern: Pattern) -> Read:
    """Make what reads the rolls of a learnt pattern; raise ValueError for a spoilt one."""
    kinds = [part.kind for part in pattern.parts]
    once = kinds.count("die") == kinds.count("total") == 1 and kinds.count("natural") <= 1
    known = set(kinds) <= KINDS and pattern.label in PLACES
    if not (once and known and len(kinds) <= MOST_PARTS):
        raise ValueError("this is no pattern that was learnt here")
    last = pattern.parts[-1].kind == "total"
    source = "".join(map(_compiled, pattern.parts[:-1] if last else pattern.parts))
    apart = re.compile(_OPEN + source, re.IGNORECASE)
    return partial(_read, pattern, re.compile(source, re.IGNORECASE), apart)


def _compiled(part: Part) -> str:
    match part.kind:
        case "die":
            return rf"(?P<die>{EXPRESSION.pattern})"
        case "natural":
            return rf"(?P<natural>{LIST})"
        case "addends":
            return ADDENDS  # what is added may be nothing at all, and then no sign of it is shown
        case "number":
            return NUMBERS
        case "total":
            return rf"(?P<total>{SIGN}?+{NUMBER})"
        case "blank":
            return _BLANK
        case _:
            return re.escape(part.text[:1])


def _read(
    pattern: Pattern, touching: re.Pattern[str], apart: re.Pattern[str], text: str
) -> tuple[ShownDie, ...]:
    found: list[ShownDie] = []
    at = left = 0
    while len(found) < MOST_SHOWN:
        # A roll may touch the total before it, where text lost its line breaks.
        roll = touching.match(text, at) if found and at == left else None
        roll = roll or apart.search(text, at)
        if roll is None:
            break
        at = roll.end()
        shown = _shown(pattern, roll, text, left)
        if shown is not None:
            found.append(shown)
            at = left = shown.end
    return tuple(found)


def _shown(pattern: Pattern, roll: re.Match[str], text: str, left: int) -> ShownDie | None:
    expression = read_sum(roll["die"])
    if expression is None:
        return None
    groups = roll.groupdict()
    faces = tuple(int(one) for one in re.findall("[0-9]+", groups.get("natural") or ""))
    fits = len(faces) == expression.count
    if "total" in groups:
        total, end = number(roll["total"]), roll.end()
    else:
        printed = read_total(text, roll.end(), expression.sum_of(faces) if fits else None)
        if printed is None:
            return None
        total, end = printed
    core = (roll.start(), end)
    label, start, end = _label(pattern, text, left, roll.start(), end)
    naturals, issues = settled(expression, faces, None, total)
    return ShownDie(
        label=label,
        expression=str(expression),
        naturals=naturals,
        modifier=expression.modifier,
        total=total,
        start=start,
        end=end,
        core=core,
        verified=False,
        issues=issues,
    )


def _label(pattern: Pattern, text: str, left: int, start: int, end: int) -> tuple[str, int, int]:
    """Take the label from where the pattern has it, and say where the whole roll stands."""
    if pattern.label == "before":
        joint = pattern.joint.strip(EDGES)
        if "\n" in joint:
            start, joint = max(left, text.rfind("\n", left, start)), ""
        label, begin = label_before(text, left, start)
        label = label.removesuffix(joint).strip(EDGES) if joint else label
        opening = pattern.opening.strip(EDGES)
        return squeezed(label.removeprefix(opening).strip(EDGES)), begin, end
    if pattern.label == "after":
        rest = text[end : end + LONGEST_LABEL].lstrip()
        skipped = len(text[end : end + LONGEST_LABEL]) - len(rest)
        if rest.startswith(pattern.joint):
            line = rest[len(pattern.joint) :].split("\n", 1)[0]
            return squeezed(line), start, end + skipped + len(pattern.joint) + len(line)
    return "", start, end


def squeezed(text: str) -> str:
    """Write a label as it is compared: one line, without what is not seen."""
    return " ".join(text.replace(JOINER, "").split()).strip(EDGES)
