"""How a board's forum shows its dice, learnt from one sample that its owner pasted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, TypeVar

from sqlalchemy import Connection

from app.engine.numbers import spelled
from app.engine.text import Between, Length
from app.persistence import queries_access as queries
from app.persistence.codec import load, store
from app.persistence.database import Database
from app.posts.calibration import LONGEST_SAMPLE, Uncalibrated, calibrate, mark
from app.posts.dialects.shown import ShownDie
from app.posts.dialects.thrown import number, read_sum
from app.posts.pattern import Pattern, calibrated, squeezed
from app.posts.shows import Shows, shows_of
from app.services.access import Principal
from app.services.errors import Malformed, Mistake, NotFound

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A roll as the forum shows it, and what in it is what.

    ``die`` is what was thrown, as 1d12+9; ``natural`` the face before any modifier. A label may be
    missing.
    """

    sample: Annotated[str, Length(1, LONGEST_SAMPLE, lines=True)]
    label: Annotated[str, Length(0, LONGEST_SAMPLE)] = ""
    die: Annotated[str, Length(1, 80)]
    natural: Annotated[int, Between(1, 10_000)]
    total: Annotated[str, Length(1, 24)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """What was learnt from a sample, and the sample read back by it."""

    sample: str
    label: str
    die: str
    natural: int
    total: str
    pattern: Pattern


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternRead:
    """What the board has learnt of its forum's dice; None where nobody has taught it."""

    learnt: Learnt | None


def stored_pattern(connection: Connection, board: str) -> Pattern | None:
    """Give the pattern by which the board's dice are read, if one was learnt."""
    learnt = _learnt(connection, board)
    return None if learnt is None else learnt.pattern


def read_pattern(db: Database, principal: Principal, board: str) -> PatternRead:
    """Show the owner what was learnt, with the sample."""
    if not principal.is_owner(board):
        raise NotFound
    with db.read() as connection:
        return PatternRead(learnt=_learnt(connection, board))


def shows_here(connection: Connection, board: str, *, dialect: str = "") -> Shows:
    """Give what reads the dice of the board's forum; ``dialect`` is a scene's own."""
    row = queries.board_now(connection, board)
    known = dialect or ("" if row is None else row.dialect)
    return shows_of(known, stored_pattern(connection, board))


def board_shows(db: Database, board: str) -> Shows:
    """Give what reads the dice of the board's forum."""
    with db.read() as connection:
        return shows_here(connection, board)


def has_pattern(db: Database, board: str) -> bool:
    """Say whether the board has learnt from a sample how its forum shows a roll."""
    with db.read() as connection:
        return stored_pattern(connection, board) is not None


def learn_pattern(db: Database, principal: Principal, board: str, sample: Sample) -> PatternRead:
    """Learn how the forum shows a roll, as the owner; what was learnt before is forgotten."""
    if not principal.is_owner(board):
        raise NotFound
    learnt = _learn(sample)
    with db.write() as connection:
        queries.board_now(connection, board, lock=True)
        queries.change_board(connection, board, {"pattern": store(learnt)})
    return PatternRead(learnt=learnt)


def forget_pattern(db: Database, principal: Principal, board: str) -> PatternRead:
    """Forget what was learnt, as the owner."""
    if not principal.is_owner(board):
        raise NotFound
    with db.write() as connection:
        queries.board_now(connection, board, lock=True)
        queries.change_board(connection, board, {"pattern": None})
    return PatternRead(learnt=None)


def _learnt(connection: Connection, board: str) -> Learnt | None:
    row = queries.board_now(connection, board)
    return None if row is None or row.pattern is None else load(Learnt, row.pattern)


def _learn(sample: Sample) -> Learnt:
    pattern = _calibrated(
        lambda: calibrate(
            sample.sample, mark(sample.sample, sample.label, sample.die, sample.total)
        )
    )
    _check_natural(sample)
    read = _read_back(sample, pattern)
    if read is None or read.naturals != (sample.natural,):
        raise Malformed(Mistake("sample", "sample_unreadable"))
    return Learnt(
        sample=sample.sample,
        label=read.label,
        die=read.expression,
        natural=sample.natural,
        total=spelled(read.total),
        pattern=pattern,
    )


def _read_back(sample: Sample, pattern: Pattern) -> ShownDie | None:
    """Read the sample by what was learnt from it."""
    wanted = (squeezed(sample.label), number(sample.total))
    read = calibrated(pattern)(sample.sample)
    return next((one for one in read if (one.label, one.total) == wanted), None)


def _check_natural(sample: Sample) -> None:
    """Hold the natural number against die and total, which say it too."""
    thrown = read_sum(sample.die)
    if thrown is None or thrown.count != 1:
        raise Malformed(Mistake("die", "sample_bad_die"))
    if sample.natural != number(sample.total) - thrown.modifier:
        facts = {"expected": spelled(Fraction(number(sample.total) - thrown.modifier))}
        raise Malformed(Mistake("natural", "sample_natural", facts))


def _calibrated(learn: Callable[[], T]) -> T:
    try:
        return learn()
    except Uncalibrated as error:
        field = error.part or "sample"
        raise Malformed(Mistake(field, f"sample_{error.code}")) from None
