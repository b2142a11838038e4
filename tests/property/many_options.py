"""Values of any annotation by seed, as they could be read from outside; options and regulations."""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from fractions import Fraction
from random import Random
from typing import Any

from app.engine.text import Between, Length
from app.rulesets.guida.options import ByCategory, Options, Regulation
from app.rulesets.guida.readings import StatBonus


def anything(pick: Random, annotation: Any, ids: tuple[str, ...] = ()) -> Any:
    """Pick a value of any annotation, as it could be read from outside: marks and bounds hold.

    ``ids`` are the words that mean something in the scene; text is one of them, or is not.
    """
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return _marked(pick, arguments[0], arguments[1:], ids)
    if origin is tuple:
        return tuple(anything(pick, arguments[0], ids) for _ in range(pick.choice((0, 1, 1, 2))))
    if origin in (typing.Union, types.UnionType):
        return anything(pick, pick.choice(arguments), ids)
    if dataclasses.is_dataclass(annotation) and isinstance(annotation, type):
        hints = typing.get_type_hints(annotation, include_extras=True)
        given = {
            one.name: anything(pick, hints[one.name], ids) for one in dataclasses.fields(annotation)
        }
        return annotation(**given)
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return pick.choice(tuple(annotation))
    plain: dict[Any, Any] = {
        str: pick.choice(ids or ("word",)),
        bool: bool(pick.randint(0, 1)),
        int: pick.randint(-9, 40),
        Fraction: Fraction(pick.randint(-9, 40), pick.choice((1, 2))),
        types.NoneType: None,
    }
    return plain[annotation]


def _marked(pick: Random, base: Any, marks: tuple[Any, ...], ids: tuple[str, ...]) -> Any:
    for mark in marks:
        if isinstance(mark, Between):
            least, most = int(mark.least), min(int(mark.most), int(mark.least) + 60)
            return base(pick.choice((least, most, pick.randint(least, most), int(mark.most))))
        if isinstance(mark, Length) and base is not str:
            item = typing.get_args(base)[0]
            many = pick.randint(mark.least, min(mark.most, mark.least + 2))
            return tuple(anything(pick, item, ids) for _ in range(many))
    return anything(pick, base, ids)


def some_options(pick: Random) -> Options:
    """Pick options: as they are, or about one in six changed, or every one of them."""
    often = pick.choice((0, 1, 1, 1, 6))
    hints = typing.get_type_hints(Options, include_extras=True)
    changed: dict[str, Any] = {}
    for field in dataclasses.fields(Options):
        if pick.randint(1, 6) > often:
            continue
        if field.name == "aimable_kinds":
            changed[field.name] = tuple(pick.sample(("targeted", "multiple_1_5", "area"), 2))
        elif isinstance(field.default, Fraction):
            changed[field.name] = pick.choice((Fraction(0), Fraction(1, 2), Fraction(2)))
        else:
            changed[field.name] = anything(pick, hints[field.name])
    return Options(**changed)


def a_regulation(pick: Random) -> Regulation:
    """Pick what a board supplies, or does not."""
    table = ByCategory(D=Fraction(2), C=Fraction(4), B=Fraction(6), A=Fraction(8), S=Fraction(10))
    return Regulation(
        potential_by_category=pick.choice((None, table)),
        potential_bonus_by_category=pick.choice((None, table, table)),
        stat_bonus_source=pick.choice(tuple(StatBonus)),
        range_ladder_m=pick.choice(((5, 10, 25, 60, 100, 250), (2, 20))),
    )
