"""The odds of Warrior Dice duels: of any two, of all printed ones, of one against all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from app.engine.findings import Violation
from app.persistence.codec import decode, read_json
from app.rulesets.warrior_dice.design import points_of
from app.rulesets.warrior_dice.game import EDITION, WARRIOR_DICE
from app.rulesets.warrior_dice.ground import ground_of
from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.printed import PRINTED, sheet_of
from app.rulesets.warrior_dice.sheet import PrintedWarrior, Warrior
from app.rulesets.warrior_dice.solver.laws import Book
from app.rulesets.warrior_dice.solver.odds import TooLarge, best_chances, odds, win_chance
from app.rulesets.warrior_dice.state import Duel, Duellist, DuelSetup
from app.services.duel_shapes import (
    Begins,
    BestChoices,
    DesignQuestion,
    DuelMatrix,
    DuelOdds,
    DuelQuestion,
    Matchup,
    WarriorLine,
)
from app.services.errors import Malformed, Mistake, NotFound, Refused

# Worked out beforehand by `arbitro duel-matrix`; a test works it out anew.
MATRIX: Final = Path(__file__).with_name("duel_matrix.json")
FIRST: Final = "first"
SECOND: Final = "second"
PARTS: Final = 10**8  # of a chance that is told
UNLIKELY: Final = 1e-6  # turns after the last that is as likely as this are not told
FINE: Final = 1e-10  # when a pass that moves nothing by more is the last; eight places are told
MOST_CHOICES: Final = 700  # states of a duel whose best choices are worked out
MOST_HITS: Final = 400  # of a warrior that is held against all: the work grows with their square
KEPT: Final = 64  # answers that are remembered


@cache
def matrix() -> DuelMatrix:
    """Give the chances of every printed warrior against every other."""
    return decode(DuelMatrix, read_json(MATRIX.read_bytes()))


def solve_matrix() -> DuelMatrix:
    """Work out the chances of every printed warrior against every other; it takes a while."""
    ids = tuple(PRINTED)
    book = Book(DuelOptions(), ground_of(None))
    wins = [[Fraction(1, 2)] * len(ids) for _ in ids]
    for row, one in enumerate(ids):
        for column in range(row + 1, len(ids)):
            chance = told(pair_chance(one, ids[column], book))
            wins[row][column], wins[column][row] = chance, 1 - chance
    return DuelMatrix(edition=EDITION, warriors=ids, wins=tuple(map(tuple, wins)))


def pair_chance(first: str, second: str, book: Book) -> float:
    """Work out the chance of a printed warrior against another, with a starting roll."""
    asked = DuelQuestion(
        first=PrintedWarrior(warrior=first),
        second=PrintedWarrior(warrior=second),
        options=book.options,
    )
    return win_chance(_opened(asked), book, FINE)


def roster() -> tuple[WarriorLine, ...]:
    """List the printed warriors in the order of their tables."""
    return tuple(warrior(id) for id in PRINTED)


def warrior(id: str) -> WarriorLine:
    """Find a printed warrior; raise NotFound where there is none of that id."""
    printed = PRINTED.get(id)
    if printed is None:
        raise NotFound
    points = points_of(printed.sheet)
    chances = matrix().row(id)
    return WarriorLine(
        id=id,
        rule=printed.rule,
        name=printed.sheet.name,
        english=printed.english,
        hits=points.hits,
        attack=points.attack,
        defence=points.defence,
        points=points.total,
        declared=printed.sheet.declared,
        options=printed.sheet.options,
        mean=told(sum(chances) / len(chances)),
    )


def matchups_of(id: str) -> tuple[Matchup, ...]:
    """List every printed opponent of a printed warrior, the easiest first."""
    found = warrior(id)
    chances = zip(PRINTED, matrix().row(found.id), strict=True)
    return _sorted(_matchup(other, chance) for other, chance in chances)


def matchups(asked: DesignQuestion) -> tuple[Matchup, ...]:
    """Work out a warrior against every printed one, the easiest first."""
    found_hits = getattr(asked.sheet, "hits", 0)
    if found_hits > MOST_HITS:
        raise Malformed(Mistake("sheet.hits", "duel_too_large"))
    book = Book(asked.options, ground_of(asked.options.battlefield))
    found = []
    for id in PRINTED:
        other = PrintedWarrior(warrior=id)
        duel = _opened(
            DuelQuestion(first=asked.sheet, second=other, options=asked.options), "sheet"
        )
        try:
            found.append(_matchup(id, told(win_chance(duel, book))))
        except TooLarge:
            raise Malformed(Mistake("sheet.hits", "duel_too_large")) from None
    return _sorted(found)


def points_total(sheet: Warrior | PrintedWarrior) -> int:
    """Give the points value of a sheet; raise NotFound for a printed one that is not there."""
    found = sheet_of(sheet)
    if found is None:
        raise NotFound
    return points_of(found).total


def matrix_csv() -> str:
    """Write the matrix as a table of commas, a row for each warrior."""
    found = matrix()
    lines = [",".join(("warrior", *found.warriors))]
    for id, row in zip(found.warriors, found.wins, strict=True):
        lines.append(",".join((id, *(f"{float(chance):.8f}" for chance in row))))
    return "\r\n".join(lines) + "\r\n"


@cache
def _values() -> dict[str, int]:
    return {id: points_of(one.sheet).total for id, one in PRINTED.items()}


def told(number: float | Fraction) -> Fraction:
    """Round a number to the places that are told."""
    return Fraction(round(number * PARTS), PARTS)


def _matchup(id: str, win: Fraction) -> Matchup:
    name = PRINTED[id].sheet.name
    return Matchup(id=id, name=name, points=_values()[id], win=win)


def _sorted(found: Iterable[Matchup]) -> tuple[Matchup, ...]:
    return tuple(sorted(found, key=lambda one: (-one.win, one.name)))


def printed_odds(first: str, second: str) -> DuelOdds:
    """Work out the odds of two printed warriors; raise Refused for an id that none has."""
    return duel_odds(
        DuelQuestion(first=PrintedWarrior(warrior=first), second=PrintedWarrior(warrior=second))
    )


@lru_cache(maxsize=KEPT)
def duel_odds(asked: DuelQuestion) -> DuelOdds:
    """Work out the odds of a duel; raise Refused or Malformed for one that cannot be."""
    duel = _opened(asked)
    try:
        found = odds(duel)
    except TooLarge:
        raise Malformed(Mistake("first.hits", "duel_too_large")) from None
    best = None
    if asked.best_choices:
        try:
            chances = best_chances(duel, MOST_CHOICES)
        except TooLarge:
            raise Malformed(Mistake("best_choices", "duel_too_large")) from None
        first, second, both = map(told, chances)
        best = BestChoices(first=first, second=1 - second, both=both)
    last = max((turn for turn, one in enumerate(found.ends, 1) if one > UNLIKELY), default=0)
    one, other = duel.fighters
    first_name, second_name = _names(one.name, other.name)
    return DuelOdds(
        first_name=first_name,
        second_name=second_name,
        first_points=one.points,
        second_points=other.points,
        first=told(found.first),
        second=told(found.second),
        draw=told(found.draw),
        broken_off=told(found.broken_off),
        capped=told(found.capped),
        often_capped=found.often_capped,
        uncapped=told(found.uncapped),
        first_begins=told(found.by_start[0]),
        second_begins=told(found.by_start[1]),
        length=told(found.length),
        turns_5=found.within[0],
        turns_50=found.within[1],
        turns_95=found.within[2],
        turns_99=found.within[3],
        best_choices=best,
        ends=tuple(map(told, found.ends[:last])),
    )


def _names(one: str, other: str) -> tuple[str, str]:
    """Number two of one name, which a duel tells apart by ids that nobody but us knows."""
    name = one.removesuffix(f" ({FIRST})")
    alike = (one, other) == (f"{name} ({FIRST})", f"{name} ({SECOND})")
    return (f"{name} (1)", f"{name} (2)") if alike else (one, other)


def _opened(asked: DuelQuestion, first: str = FIRST) -> Duel:
    """Start the duel that is asked about; raise Refused with the fields of the question."""
    orders = (asked.first_orders, asked.second_orders)
    setup = DuelSetup(
        entrants=tuple(
            Duellist(id=id, sheet=sheet, standing=standing)
            for id, sheet, standing in zip(
                (FIRST, SECOND), (asked.first, asked.second), orders, strict=True
            )
        ),
        options=asked.options,
        battlefield=asked.battlefield,
        roll_battlefield=False,
        first=None if asked.begins is Begins.ROLL else asked.begins.value,
    )
    if obstacles := WARRIOR_DICE.check_setup(setup):
        raise Refused(
            tuple(
                replace(one, field=_renamed(one.field, first))
                if isinstance(one, Violation)
                else one
                for one in obstacles
            )
        )
    return WARRIOR_DICE.start(setup)


def _renamed(field: str, first: str) -> str:
    for place, name in enumerate((first, SECOND)):
        for before in (f"entrants.{place}.sheet", f"entrants.{place}"):
            if field == before or field.startswith(f"{before}."):
                return name + field.removeprefix(before)
    return field
