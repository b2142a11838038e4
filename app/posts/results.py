"""Dice as forums show them once they have fallen, read from a line and never trusted.

Whatever is printed is reckoned again: the faces from the dice, the total from the faces. Where a
copied text has lost its blanks the next die stands in the total (``= 161d20 + 11``), and only the
reckoned total says where to cut. Each character is looked at a bounded number of times.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

from app.engine.numbers import exact
from app.posts.dialects.thrown import LEFT_OVER, added_up
from app.posts.dice_tag import MOST_DICE, MOST_FACES

_SIGNS: Final = {"-": -1, "−": -1, "–": -1}
_WHOLE: Final = "[0-9]{1,6}(?:[./][0-9]{1,4})?"
_TERM: Final = rf"(?:[0-9]{{0,2}}d[0-9]{{1,4}}|{_WHOLE})"
_EXPRESSION: Final = (
    rf"[0-9]{{0,2}}d[0-9]{{1,4}}(?![0-9])(?:\s?[-+−–]\s?{_TERM}(?![0-9]|d[0-9])){{0,40}}+"
)
_FIRST: Final = re.compile(rf"(?<![^\W_])\(?({_EXPRESSION})\)?", re.IGNORECASE)
_GLUED: Final = re.compile(rf"({_EXPRESSION})", re.IGNORECASE)
_TERMS: Final = re.compile(
    rf"([-+−–]?)\s?(?:([0-9]{{0,2}})d([0-9]{{1,4}})|({_WHOLE}))", re.IGNORECASE
)
_SHOWS: Final = re.compile(r"['’\"]?\s?(?:⇒|=>|→|->|:|=|results?:)?\s?", re.IGNORECASE)
_BODY: Final = re.compile(r"[0-9\s()\[\],+−–./-]{1,300}+")
_TOTAL: Final = re.compile(r"(?:⇒|=>|=|total\s?:?\s?=?)\s?([-−–]?)([0-9]{1,9})", re.IGNORECASE)
_NUMBER: Final = re.compile(rf"([-+−–]?)\s?[(\[]?\s?({_WHOLE})")
_SUM_AFTER: Final = re.compile(
    rf"\s?([-−–]?)([0-9]{{1,9}})\s\(({_WHOLE}(?:\s?[-+−–,]\s?{_WHOLE})*)\)"
)
_NEXT: Final = re.compile(r"d[0-9]", re.IGNORECASE)
_ARROWS: Final = ("⇒", "=>", "→", "->", "=")
_ANNOUNCERS: Final = ("rolled", "dice roll", "roll")  # a forum's own words, and no label
_EDGE: Final = " \t:;,.|—–-*_("
_BEHIND: Final = re.compile(r"\s?[—–]\s?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """A die as it was shown: ``text[start:end]`` of its line, with its label.

    ``faces`` are the natural dice, empty where they are told neither apart nor by their total;
    ``total`` is what was printed, None where nothing was; ``how`` says from what it was known.
    """

    start: int
    end: int
    label: str
    count: int
    sides: int
    modifier: Fraction
    faces: tuple[int, ...]
    shown_modifier: Fraction
    total: Fraction | int | None
    how: str = "general"

    @property
    def reckoned(self) -> Fraction | None:
        """Add faces and modifier up; None where there are no faces."""
        return self.modifier + sum(self.faces) if self.faces else None

    @property
    def impossible(self) -> tuple[int, ...]:
        """List the faces that such a die does not have."""
        return tuple(face for face in self.faces if not 1 <= face <= self.sides)

    @property
    def agrees(self) -> bool:
        """Say whether dice, modifier and total are those of one roll."""
        same = self.shown_modifier == self.modifier
        return same and (self.total is None or self.reckoned in (None, self.total))


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A place of a line that announces a result and shows none."""

    start: int
    end: int


Rendering: TypeAlias = Callable[[str], Iterable[Roll | Unreadable]]  # how one forum shows dice


@dataclass(frozen=True, slots=True)
class _Thrown:
    count: int
    sides: int
    modifier: Fraction
    plan: tuple[bool, ...]  # for each number that may be shown: whether it is a face


def read_rolls(line: str) -> Iterator[Roll | Unreadable]:
    """Read the dice of a line in whatever common way they are shown."""
    at, label_from = 0, 0
    glued = False
    while True:
        found = _GLUED.match(line, at) if glued else _FIRST.search(line, at)
        if found is None:
            return
        at, glued = found.end(), False
        thrown = _thrown(found[1])
        if thrown is None:
            continue
        shows = _SHOWS.match(line, at)
        body_at = shows.end() if shows else at
        announced = shows[0].strip() if shows else ""
        shown = _shown(line, body_at, thrown, announced=bool(announced))
        if shown is None:
            if announced in _ARROWS:
                yield Unreadable(found.start(), body_at)
            continue
        faces, modifier, total, end, glued = shown
        if not glued and (over := LEFT_OVER.match(line, end)):
            modifier, end = modifier + added_up(over[0]), over.end()
        label = line[label_from : found.start()].strip(_EDGE)
        if label.casefold() in _ANNOUNCERS or not any(map(str.isalnum, label)):
            label = ""  # "❖" in front of a die is an ornament
        at = end
        if not label and not glued and (behind := _BEHIND.match(line, end)):
            # Ours stands behind the result, to the end or to the next die.
            following = _FIRST.search(line, end)
            at = following.start() if following else len(line)
            label = line[behind.end() : at].strip()
        label_from = at
        yield Roll(
            start=found.start(),
            end=end,
            label=label,
            count=thrown.count,
            sides=thrown.sides,
            modifier=thrown.modifier,
            faces=faces,
            shown_modifier=modifier,
            total=total,
        )


def _thrown(text: str) -> _Thrown | None:
    """Take an expression apart; None for one whose dice are of several kinds, or too many."""
    count, sides, modifier = 0, 0, Fraction(0)
    plan: list[bool] = []
    for sign, number, faces, whole in _TERMS.findall(text):
        factor = _SIGNS.get(sign, 1)
        if faces:
            dice = int(number or 1)
            if factor < 0 or sides not in (0, int(faces)):
                return None
            count, sides = count + dice, int(faces)
            plan += [True] * dice
        else:
            value = _value(whole)
            if value is None:
                return None
            modifier += factor * value
            plan.append(False)
    if not (1 <= count <= MOST_DICE and 1 <= sides <= MOST_FACES):
        return None
    return _Thrown(count, sides, modifier, tuple(plan))


_Shown: TypeAlias = tuple[tuple[int, ...], Fraction, int | None, int, bool]


def _shown(line: str, at: int, thrown: _Thrown, *, announced: bool) -> _Shown | None:
    """Read faces, the modifier as shown, the total, where it ends and whether a die is glued on."""
    first = _SUM_AFTER.match(line, at)  # 17 (12 + 5)
    if first is not None:
        parts = _parts(first[3], thrown)
        if parts is None:  # the total of what is no sum of this die
            return None
        return *parts, _signed(first[1], first[2]), first.end(), False
    body = _BODY.match(line, at)
    if body is None:
        return None
    total = _TOTAL.match(line, body.end())
    if total is not None:
        parts = _parts(body[0], thrown)
        if parts is None:
            return None
        reckoned = sum(parts[0], parts[1])
        digits, glued = _cut(line, total, total[1] + total[2], reckoned)
        end = total.start(1) + len(digits)
        return *parts, _signed("", digits.replace("−", "-").replace("–", "-")), end, glued
    return _alone(line, body, thrown) if announced else None  # "2d6 3" says nothing


def _alone(line: str, body: re.Match[str], thrown: _Thrown) -> _Shown | None:
    """Read a result without a sign before its total: faces alone, or nothing but the total."""
    text = body[0]
    glued = bool(_NEXT.match(line, body.end())) and text[-1:].isdigit()
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return None
    whole = [found for found in numbers if not found[2].strip("0123456789")]
    if glued and len(numbers) == 1:
        text = text[:-1]  # one die at a time is what people throw
        numbers = list(_NUMBER.finditer(text))
        if not numbers:
            return None
    elif not glued and len(numbers) == len(thrown.plan) > 1:
        parts = _parts(text, thrown)
        if parts is not None and parts[1] == thrown.modifier:
            return *parts, None, body.start() + numbers[-1].end(), False
    if not whole:
        return None
    first = numbers[0]
    if first[2].strip("0123456789") or "(" in first[0] or "[" in first[0]:
        return None
    total = _signed(first[1], first[2])
    natural = total - thrown.modifier
    faces = (int(natural),) if thrown.count == 1 and natural.denominator == 1 else ()
    end = body.start() + first.end()
    return faces, thrown.modifier, total, end, glued and end == body.end() - 1


def _parts(text: str, thrown: _Thrown) -> tuple[tuple[int, ...], Fraction] | None:
    """Tell the faces from the rest of a shown sum; None where it is not one of this die."""
    values = [
        _SIGNS.get(sign, 1) * value
        for sign, digits in _NUMBER.findall(text)
        if (value := _value(digits)) is not None
    ]
    if len(values) == thrown.count:  # without the modifier: 3d6+1 => 2, 3, 4 => 10
        plan: tuple[bool, ...] = (True,) * thrown.count
        rest = thrown.modifier
    else:
        plan, rest = thrown.plan, Fraction(0)
        if thrown.count == 1 and values:  # a modifier may be shown in one piece, or in several
            plan = (True, *(False,) * (len(values) - 1)) if thrown.plan[0] else plan
    if len(values) != len(plan):
        return None
    faces = [value for value, face in zip(values, plan, strict=True) if face]
    if any(face.denominator != 1 for face in faces):
        return None
    rest += sum(value for value, face in zip(values, plan, strict=True) if not face)
    return tuple(int(face) for face in faces), rest


def _cut(
    line: str, total: re.Match[str], digits: str, reckoned: Fraction | int
) -> tuple[str, bool]:
    """Cut a total where the next die begins, by what it should be."""
    if not _NEXT.match(line, total.end()):
        return digits, False
    expected = str(reckoned)
    plain = digits.replace("−", "-").replace("–", "-")
    # "= 16d20" is 16 and a d20; "= 161d20" is 16 and 1d20; three figures belong to no count.
    if plain.startswith(expected) and len(plain) - len(expected) <= 2:
        return digits[: len(expected)], True
    return digits[:-1] if len(digits) > 1 else digits, True


def _value(digits: str) -> Fraction | None:
    try:
        return exact(digits)
    except ValueError:
        return None


def _signed(sign: str, digits: str) -> int:
    return _SIGNS.get(sign, 1) * int(digits)
