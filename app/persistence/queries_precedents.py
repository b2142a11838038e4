"""Every statement about precedents, and about when options were changed."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, and_, bindparam, func, insert, or_, select, update
from sqlalchemy.orm import aliased
from sqlmodel import col

from app.persistence.queries import Correction
from app.persistence.tables import (
    EntryRow,
    OptionChangeRow,
    PrecedentRow,
    SceneRow,
    SecretRow,
)


class PrecedentNow(NamedTuple):
    """A precedent, with whose answer it was, and what has become of that entry since."""

    number: int
    ruleset: str
    code: str
    rule: str
    situation: str
    choice: str
    reason: str
    scene: str
    entry: int
    at: datetime
    retired_at: datetime | None
    retired_reason: str | None
    title: str
    role: str
    veils: str | None
    voided_by: int | None


class OptionChange(NamedTuple):
    """One change of an option."""

    ruleset: str
    option: str
    number: int
    before: str
    after: str
    at: datetime


_VOID: Final = aliased(EntryRow)
_PRECEDENTS: Final[Select[Any]] = (
    select(
        *(col(getattr(PrecedentRow, name)) for name in PrecedentNow._fields[:12]),
        col(SceneRow.title),
        col(SecretRow.role),
        col(EntryRow.veils),
        col(_VOID.number),
    )
    .select_from(PrecedentRow)
    .join(SceneRow, col(SceneRow.id) == col(PrecedentRow.scene))
    .join(SecretRow, col(SecretRow.id) == col(PrecedentRow.key_id))
    .join(
        EntryRow,
        and_(
            col(EntryRow.scene) == col(PrecedentRow.scene),
            col(EntryRow.number) == col(PrecedentRow.entry),
        ),
    )
    .outerjoin(
        _VOID,
        and_(
            col(_VOID.scene) == col(PrecedentRow.scene),
            col(_VOID.voids) == col(PrecedentRow.entry),
        ),
    )
    .where(col(PrecedentRow.board) == bindparam("of_board"))
    .order_by(col(PrecedentRow.number).desc())
)


def precedents(connection: Connection, board: str) -> tuple[PrecedentNow, ...]:
    """List all precedents of a board, newest first."""
    rows = connection.execute(_PRECEDENTS, {"of_board": board})
    return tuple(PrecedentNow._make(row) for row in rows)


def precedents_of(
    connection: Connection, board: str, ruleset: str, codes: set[str]
) -> tuple[PrecedentNow, ...]:
    """List the precedents of a board of some kinds of question, newest first."""
    wanted = _PRECEDENTS.where(
        col(PrecedentRow.ruleset) == ruleset, col(PrecedentRow.code).in_(sorted(codes))
    )
    rows = connection.execute(wanted, {"of_board": board})
    return tuple(PrecedentNow._make(row) for row in rows)


def precedent(connection: Connection, board: str, number: int) -> PrecedentNow | None:
    """Read one precedent of a board."""
    wanted = _PRECEDENTS.where(col(PrecedentRow.number) == number)
    row = connection.execute(wanted, {"of_board": board}).first()
    return None if row is None else PrecedentNow._make(row)


def amendments(connection: Connection, scenes: set[str]) -> tuple[tuple[str, Correction], ...]:
    """List the voids and amendments of some scenes, each with its scene."""
    wanted = (
        select(col(EntryRow.scene), *(col(getattr(EntryRow, name)) for name in Correction._fields))
        .where(
            col(EntryRow.scene).in_(sorted(scenes)),
            or_(col(EntryRow.voids).is_not(None), col(EntryRow.before).is_not(None)),
        )
        .order_by(col(EntryRow.scene), col(EntryRow.number))
    )
    found = connection.execute(wanted) if scenes else ()
    return tuple((row[0], Correction._make(row[1:])) for row in found)


def last_precedent(connection: Connection, board: str) -> int:
    """Give the greatest number so far; the board is locked by whoever gives the next."""
    wanted = select(func.max(col(PrecedentRow.number))).where(col(PrecedentRow.board) == board)
    return int(connection.execute(wanted).scalar_one() or 0)


def add_precedent(connection: Connection, **values: object) -> None:
    """Insert a precedent."""
    connection.execute(insert(PrecedentRow), [values])


def retire_precedent(
    connection: Connection, board: str, number: int, *, at: datetime, reason: str, by: str
) -> bool:
    """Note that a precedent no longer holds; say whether it did until now."""
    done = connection.execute(
        update(PrecedentRow)
        .where(
            col(PrecedentRow.board) == board,
            col(PrecedentRow.number) == number,
            col(PrecedentRow.retired_at).is_(None),
        )
        .values(retired_at=at, retired_reason=reason, retired_by=by)
    )
    return done.rowcount == 1


def option_changes(connection: Connection, board: str) -> tuple[OptionChange, ...]:
    """List all changes of a board's options, each option's in their order."""
    wanted = (
        select(*(col(getattr(OptionChangeRow, name)) for name in OptionChange._fields))
        .where(col(OptionChangeRow.board) == board)
        .order_by(
            col(OptionChangeRow.ruleset), col(OptionChangeRow.option), col(OptionChangeRow.number)
        )
    )
    return tuple(OptionChange._make(row) for row in connection.execute(wanted))


def add_option_changes(connection: Connection, board: str, changes: list[OptionChange]) -> None:
    """Insert changes of a board's options."""
    if changes:
        rows = [{"board": board, **change._asdict()} for change in changes]
        connection.execute(insert(OptionChangeRow), rows)
