"""Read the dice that a forum shows, in any of its shapes; each roll is added up anew.

A roll is an expression with what came of it behind it. The printed total is never believed: where
text was pasted without its line breaks, ``= 161d20 + 11`` is a total of 16 and then another roll,
so the total is cut where the dice that are shown say that it ends.

Every pattern is possessive and bounded, and reading goes on behind what was looked at: each
character is looked at a fixed number of times.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

from app.engine.numbers import spelled
from app.posts.bbcode import JOINER
from app.posts.dialects.thrown import (
    ADDENDS,
    EXPRESSION,
    GAP,
    LEFT_OVER,
    LIST,
    SIGN,
    SIGNED,
    START,
    Expression,
    ImpossibleTotal,
    added_up,
    natural_of,
    number,
    parsed,
    value_of,
)

ARROW: Final = "(?:⇒|→|=>)"

LONGEST_LABEL: Final = 4_000
MOST_SHOWN: Final = 500
# Why what a forum shows cannot have been rolled so.
ISSUES: Final = ("impossible_face", "wrong_count", "wrong_modifier", "impossible_total")

_TOTAL: Final = re.compile(rf"(?:[-−–]{GAP})?+([0-9]{{1,9}}+)(\.[0-9]{{1,8}}+)?+")
_LABEL: Final = r"—[^\S\n]{0,8}+([^\n]{1,4000}+)"
_BESIDE: Final = re.compile(rf"(?:\[/b\]|\*\*)?+[^\S\n]{{0,8}}+{_LABEL}")
_BELOW: Final = re.compile(rf"{GAP}{_LABEL}")
EDGES: Final = " \t\u00a0\r:*•>|`"
_OURS: Final = rf":{GAP}[\[(](?P<dice>{LIST})[\])](?P<addends>{ADDENDS}){GAP}={GAP}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownDie:
    """A roll as a text shows it: ``text[start:end]``, of which ``core`` is what has no label.

    ``naturals`` is empty where only a total of several dice is shown. ``own`` says that the line is
    written as our own results are; ``verified`` that the shape is known and not learnt from a
    sample. ``added`` is what the text shows as added to the dice, None where it shows only dice
    and total. Nothing in a text proves that it was not typed by hand.
    """

    label: str
    expression: str
    naturals: tuple[int, ...]
    modifier: Fraction
    total: Fraction
    start: int
    end: int
    core: tuple[int, int]
    verified: bool
    own: bool = False
    added: Fraction | None = None
    issues: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """What stands between an expression and its total.

    Its groups: ``dice`` is a list of faces and ``addends`` what is added to them; ``row`` has both
    in a row, ``terms`` each lot of dice in a bracket. A ``total`` of its own stands apart from
    what follows; else it begins where the pattern ends, or is the face itself where ``lone`` is.
    ``below`` says that a label behind it may stand on a line of its own.
    """

    pattern: re.Pattern[str]
    own: bool = False
    below: bool = False


Reader: TypeAlias = Callable[[str], tuple[ShownDie, ...]]
OURS: Final = Shape(re.compile(_OURS), own=True)


def shape(pattern: str, *, below: bool = False) -> Shape:
    """Compile what stands behind an expression on some forum."""
    return Shape(re.compile(pattern, re.IGNORECASE), below=below)


def reader(*shapes: Shape) -> Reader:
    """Make what reads these shapes, and the results that we write ourselves."""
    return lambda text: tuple(_read(text, shapes))


def settled(
    expression: Expression, naturals: tuple[int, ...], added: Fraction | None, total: Fraction
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Hold dice, addends and total against what was to be thrown; give the dice and the issues.

    Where no die is shown, one die is recovered from the total. ``added`` is None where the
    addends are not shown.
    """
    issues: list[str] = []
    if added is not None and added != expression.modifier:
        issues.append("wrong_modifier")
    if not naturals:
        if expression.count != 1 or expression.groups[0][0] < 0:
            return (), tuple(issues)
        try:
            return (natural_of(expression.groups[0][2], expression.modifier, total),), ()
        except ImpossibleTotal:
            return (), ("impossible_total",)
    if len(naturals) != expression.count:
        return naturals, (*issues, "wrong_count")
    if any(
        not 1 <= face <= faces for face, (_, faces) in zip(naturals, expression.sides, strict=True)
    ):
        issues.append("impossible_face")
    if expression.sum_of(naturals) != total:
        issues.append("impossible_total")
    return naturals, tuple(issues)


def read_total(text: str, at: int, expected: Fraction | None) -> tuple[Fraction, int] | None:
    """Read the total at a place and give where it ends; a following roll may touch it."""
    found = _TOTAL.match(text, at)
    if found is None:
        return None
    if expected is not None:
        said = spelled(abs(expected))
        digits = found.start(1)
        negative = digits > at
        touching = text.startswith(said, digits) and negative == (expected < 0)
        end = digits + len(said)
        if touching and (end == found.end() or EXPRESSION.match(text, end)):
            return expected, end
    end = found.end()
    # Wrong as it is, a total does not take in the count of the roll behind it.
    if found[2] is None and len(found[1]) > 1 and text[end : end + 1] in ("d", "D"):
        end -= 1
    return number(text[at:end]), end


def label_before(text: str, left: int, at: int) -> tuple[str, int]:
    """Give the label that ends at a place, on its line and behind ``left``, and where it begins."""
    left = max(left, text.rfind("\n", left, at) + 1, at - LONGEST_LABEL)
    label = text[left:at].strip(EDGES)
    return label, text.index(label, left, at) if label else at


def _read(text: str, shapes: tuple[Shape, ...]) -> Iterator[ShownDie]:
    at = 0
    left = 0  # where the label of the next roll may begin
    known = (OURS, *shapes)
    for _ in range(MOST_SHOWN):
        shown = None
        while shown is None:
            found = _glued(text, at, left) or START.search(text, at)
            if found is None:
                return
            at = found.end()
            shown = _shown(text, found, left, known)
        yield shown
        at = left = shown.end


def _glued(text: str, at: int, left: int) -> re.Match[str] | None:
    """Find the roll that touches the total before it."""
    return EXPRESSION.match(text, at) if at and at == left else None


def _shown(
    text: str, thrown: re.Match[str], left: int, shapes: tuple[Shape, ...]
) -> ShownDie | None:
    expression = parsed(thrown[0])
    if expression is None:
        return None
    for one in shapes:
        found = one.pattern.match(text, thrown.end())
        if found is None:
            continue
        dice = _dice(expression, found)
        if dice is None:  # such a die has no face of seven and a half
            return None
        naturals, added = dice
        expected = None
        if len(naturals) == expression.count:
            expected = expression.sum_of(naturals) - expression.modifier + (added or 0)
        groups = found.re.groupindex
        if "total" in groups:
            total, end = number(found["total"]), found.end()
        elif (printed := read_total(text, found.end(), expected)) is not None:
            total, end = printed
        else:
            continue
        if (over := LEFT_OVER.match(text, end)) is not None:
            added = (expression.modifier if added is None else added) + added_up(over[0])
            end = over.end()
        naturals, issues = settled(expression, naturals, added, total)
        beside = (_BELOW if one.below else _BESIDE).match(text, end)
        if one.own and beside is None:  # the same shape without our dash is a forum's
            continue
        start = thrown.start()
        core = (start, end)
        if beside is not None:
            label, end = beside[1], beside.end()
        else:
            label, start = label_before(text, left, start)
        return ShownDie(
            label=" ".join(label.replace(JOINER, "").split()),
            expression=str(expression),
            naturals=naturals,
            modifier=expression.modifier,
            total=total,
            start=start,
            end=end,
            core=core,
            verified=True,
            own=one.own,
            added=added,
            issues=issues,
        )
    return None


def _dice(
    expression: Expression, found: re.Match[str]
) -> tuple[tuple[int, ...], Fraction | None] | None:
    """Take dice and addends out of a match; addends that are not shown are None.

    None for dice that are no whole numbers.
    """
    groups = found.groupdict()
    if groups.get("dice"):
        faces = tuple(int(face) for face in re.findall("[0-9]+", groups["dice"]))
        addends = groups.get("addends")
        return faces, None if addends is None else added_up(addends)
    if groups.get("row"):
        numbers = [value_of(*one) for one in SIGNED.findall(groups["row"])]
        if any(one.denominator != 1 for one in numbers[: expression.count]):
            return None
        faces = tuple(abs(int(one)) for one in numbers[: expression.count])
        return faces, sum(numbers[expression.count :], Fraction(0))
    if groups.get("terms"):
        inside = re.findall(r"\(([^()]*+)\)", groups["terms"])
        faces = tuple(int(face) for one in inside for face in re.findall("[0-9]+", one))
        outside = re.sub(rf"{SIGN}?+{GAP}\([^()]*+\)", " ", groups["terms"])
        return faces, added_up(outside)
    return (), None
