"""Learn how a forum shows a roll, from one sample in which somebody marked what is what.

What is learnt is plain data, to be stored with a board: the order of die, face, addends and total,
and the signs between them, taken literally. It must read its own sample back, or it is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from app.posts.dialects.thrown import (
    GAP,
    NUMBER,
    SIGN,
    Expression,
    ImpossibleTotal,
    natural_of,
    number,
    read_sum,
)
from app.posts.pattern import NUMBERS, Part, Pattern, calibrated, squeezed

LONGEST_SAMPLE: Final = 2_000
LONGEST_CORE: Final = 400  # characters from die to total
CODES: Final = (
    *("too_long", "absent", "overlapping", "bad_die", "bad_total", "impossible_total"),
    *("label_inside", "too_far_apart", "unreadable"),
)
_PAIRS: Final = (("label", "die"), ("label", "total"), ("die", "total"))
_TOKEN: Final = re.compile(
    rf"(?P<addends>(?:{GAP}{SIGN}{GAP}{NUMBER}){{1,40}}+)|(?P<number>{NUMBERS})"
    r"|(?P<blank>\s++)|(?P<text>[^\s0-9])"
)


class Uncalibrated(ValueError):
    """A sample that cannot be understood: a code of ``CODES``, and the mark it is about."""

    def __init__(self, code: str, part: str = "") -> None:
        super().__init__(f"{code}: {part}" if part else code)
        self.code = code
        self.part = part


@dataclass(frozen=True, slots=True)
class Marks:
    """Where label, die and total stand in a sample, each from its start to its end.

    A label may be empty; the die is the expression that was thrown.
    """

    label: tuple[int, int]
    die: tuple[int, int]
    total: tuple[int, int]


def mark(sample: str, label: str, die: str, total: str) -> Marks:
    """Find three texts in a sample: the die first, the last total that is not part of a number."""
    at = {"label": (0, 0)}
    for part, text in (("die", die.strip()), ("label", label.strip())):
        start = sample.find(text)
        if start < 0 or not (text or part == "label"):
            raise Uncalibrated("absent", part)
        at[part] = (start, start + len(text))
    total = total.strip()
    if not re.fullmatch(rf"{SIGN}?{NUMBER}", total):
        raise Uncalibrated("bad_total", "total")
    places = re.finditer(rf"(?<![0-9.]){re.escape(total)}(?![0-9])", sample)
    taken = [at["label"], at["die"]]
    free = [one.span() for one in places if not any(_meet(one.span(), two) for two in taken)]
    if not free:
        raise Uncalibrated("absent", "total")
    behind = [span for span in free if span[0] >= at["die"][1]]
    equal = [span for span in behind if sample[: span[0]].rstrip().endswith(("=", "⇒", "→"))]
    return Marks(at["label"], at["die"], (equal or behind or free)[-1])


def calibrate(sample: str, marks: Marks) -> Pattern:
    """Learn the pattern of a sample; raise Uncalibrated where it cannot be understood."""
    if len(sample) > LONGEST_SAMPLE:
        raise Uncalibrated("too_long")
    spans = {"label": marks.label, "die": marks.die, "total": marks.total}
    for part, (start, end) in spans.items():
        if not 0 <= start <= end <= len(sample):
            raise Uncalibrated("absent", part)
    if any(_meet(spans[one], spans[two]) for one, two in _PAIRS):
        raise Uncalibrated("overlapping")
    expression = read_sum(sample[slice(*marks.die)])
    if expression is None:
        raise Uncalibrated("bad_die", "die")
    if not re.fullmatch(rf"{SIGN}?\s*{NUMBER}", sample[slice(*marks.total)]):
        raise Uncalibrated("bad_total", "total")
    total = number(sample[slice(*marks.total)])
    pattern = _learnt(sample, marks, _parts(sample, marks, expression, total))
    read = calibrated(pattern)(sample)
    label = squeezed(sample[slice(*marks.label)])
    if not any(
        (one.label, one.expression, one.total) == (label, str(expression), total) for one in read
    ):
        raise Uncalibrated("unreadable")
    return pattern


def _learnt(sample: str, marks: Marks, parts: tuple[Part, ...]) -> Pattern:
    first, last = min(marks.die[0], marks.total[0]), max(marks.die[1], marks.total[1])
    start, end = marks.label
    if start == end:
        return Pattern(parts, "none")
    if end <= first:
        joint = sample[end:first]
        if joint.count("\n") > 1 or len(joint) > LONGEST_CORE:
            raise Uncalibrated("too_far_apart", "label")
        line = sample.rfind("\n", 0, start) + 1
        return Pattern(parts, "before", sample[line:start].strip(), joint.strip(" \t"))
    if start >= last:
        joint = sample[last:start]
        if len(joint) > LONGEST_CORE:
            raise Uncalibrated("too_far_apart", "label")
        return Pattern(parts, "after", joint=joint.strip())
    raise Uncalibrated("label_inside", "label")


def _parts(sample: str, marks: Marks, expression: Expression, total: Fraction) -> tuple[Part, ...]:
    """Take apart what stands between die and total; a number that is the face is known as such."""
    first, second = sorted((("die", marks.die), ("total", marks.total)), key=lambda one: one[1])
    between = sample[first[1][1] : second[1][0]]
    if len(between) > LONGEST_CORE:
        raise Uncalibrated("too_far_apart", "total")
    tail = ""
    if first[0] == "die":
        # Where dice stand in brackets behind the total, they belong to the roll.
        found = re.match(rf"{GAP}\({GAP}{NUMBER}[^()\n]{{0,300}}+\)", sample[second[1][1] :])
        tail = found[0] if found and marks.label[0] <= second[1][1] else ""
    if expression.count == 1 and expression.groups[0][0] > 0:
        try:
            natural_of(expression.groups[0][2], expression.modifier, total)
        except ImpossibleTotal:
            raise Uncalibrated("impossible_total", "total") from None
    middle = [Part(first[0]), *_tokens(between), Part(second[0]), *_tokens(tail)]
    return tuple(_with_natural(middle, expression, total))


def _tokens(text: str) -> Iterator[Part]:
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or "text"
        yield Part(kind, found[0] if kind in ("text", "number") else "")


def _with_natural(parts: Sequence[Part], expression: Expression, total: Fraction) -> Iterator[Part]:
    """Tell which number is that of the dice: the first that makes up the total."""
    found = False
    unadded = False  # the sample has no modifier: where one would stand is behind the dice
    for part in parts:
        if unadded and not (part.kind == "text" and part.text in ")]"):
            unadded = False
            yield Part("addends")
        faces = tuple(int(one) for one in re.findall("[0-9]+", part.text))
        fits = len(faces) == expression.count and expression.sum_of(faces) == total
        if part.kind == "number" and fits and not found:
            found, unadded = True, not expression.modifier
            yield Part("natural")
        else:
            yield part if part.kind == "text" else Part(part.kind)


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]
