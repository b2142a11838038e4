"""Every statement about the board, sheets, secrets, sessions and remembered answers."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, and_, bindparam, delete, insert, select, true, update
from sqlmodel import col

from app.persistence.queries import is_id
from app.persistence.queries_jobs import insert_new
from app.persistence.tables import (
    BoardRow,
    GrantRow,
    IdempotencyRow,
    SecretRow,
    SessionRow,
    SheetRow,
)
from app.persistence.tables_people import PersonRow


class BoardNow(NamedTuple):
    """A board's settings."""

    id: str
    name: str
    language: str
    dialect: str
    dice: str
    openers: str
    seal_hours: int
    options: str
    regulation: str
    pattern: str | None
    template: str | None
    joining: str
    created_at: datetime


class SheetNow(NamedTuple):
    """A stored sheet."""

    id: str
    board: str
    ruleset: str
    name: str
    data: str
    model: bool
    template: str | None
    version: int
    updated_at: datetime


class SecretNow(NamedTuple):
    """A key in force: a link, or that of a person."""

    id: str
    role: str
    board: str
    person: str | None
    scene: str | None
    seat: str | None
    prefix: str
    created_at: datetime
    used_at: datetime | None


class SessionNow(NamedTuple):
    """A browser, who has logged in there, and one of the keys in force that it has, if any."""

    seen_at: datetime
    person: str | None
    name: str | None
    is_admin: bool | None
    id: str | None
    role: str | None
    board: str | None
    scene: str | None
    seat: str | None
    holder: str | None


class Remembered(NamedTuple):
    """What a call was, and what it was answered."""

    fingerprint: str
    result: str


def _columns(table: type[Any], shape: type[Any]) -> list[Any]:
    return [col(getattr(table, name)) for name in shape._fields]


_BOARD: Final[Select[Any]] = select(*_columns(BoardRow, BoardNow)).where(
    col(BoardRow.id) == bindparam("board")
)
_LOCKED_BOARD: Final[Select[Any]] = _BOARD.with_for_update()
_IN_FORCE: Final = col(SecretRow.revoked_at).is_(None)
_SECRETS: Final[Select[Any]] = select(*_columns(SecretRow, SecretNow)).where(_IN_FORCE)
_SECRET: Final[Select[Any]] = _SECRETS.where(
    col(SecretRow.digest) == bindparam("digest"), col(SecretRow.person).is_(None)
)
_OPENED: Final = select(col(GrantRow.secret)).where(
    col(GrantRow.session) == bindparam("digest"),
)
# What a person took as theirs and what a browser has opened, each by its own index: one condition
# of two kinds would be asked of every key that there is.
_HELD: Final = (
    select(col(SecretRow.id))
    .join(SessionRow, col(SessionRow.person) == col(SecretRow.person))
    .where(col(SessionRow.digest) == bindparam("digest"))
    .union(_OPENED)
    .subquery()
)
_SESSION: Final[Select[Any]] = (
    select(
        col(SessionRow.seen_at),
        *(col(getattr(PersonRow, name)) for name in ("id", "name", "is_admin")),
        *(col(getattr(SecretRow, name)) for name in ("id", "role", "board", "scene", "seat")),
        col(SecretRow.person),
    )
    .select_from(SessionRow)
    .outerjoin(PersonRow, col(PersonRow.id) == col(SessionRow.person))
    .outerjoin(_HELD, true())
    .outerjoin(SecretRow, and_(col(SecretRow.id) == _HELD.c.id, _IN_FORCE))
    .where(col(SessionRow.digest) == bindparam("digest"))
    .order_by(col(SecretRow.created_at), col(SecretRow.id))
)
_REMEMBERED: Final[Select[Any]] = select(*_columns(IdempotencyRow, Remembered)).where(
    col(IdempotencyRow.principal) == bindparam("principal"),
    col(IdempotencyRow.key) == bindparam("key"),
)


# --------------------------------------------------------------------------------- the boards


def board_now(connection: Connection, board: str, *, lock: bool = False) -> BoardNow | None:
    """Read a board; with ``lock`` nobody else can do anything of the board's meanwhile."""
    if not is_id(board):
        return None
    row = connection.execute(_LOCKED_BOARD if lock else _BOARD, {"board": board}).first()
    return None if row is None else BoardNow._make(row)


def change_board(connection: Connection, board: str, values: dict[str, object]) -> None:
    """Change settings."""
    if values:
        connection.execute(update(BoardRow).where(col(BoardRow.id) == board).values(values))


def add_board(connection: Connection, **values: object) -> None:
    """Insert a board."""
    connection.execute(insert(BoardRow), [values])


def board_names(
    connection: Connection, among: Collection[str] | None = None
) -> tuple[tuple[str, str], ...]:
    """List the boards by name, or some of them, each as id and name."""
    wanted = select(col(BoardRow.id), col(BoardRow.name)).order_by(
        col(BoardRow.name), col(BoardRow.id)
    )
    if among is not None:
        wanted = wanted.where(col(BoardRow.id).in_(among))
    return tuple((row[0], row[1]) for row in connection.execute(wanted))


# ------------------------------------------------------------------------------------- sheets


def sheets(connection: Connection, board: str) -> tuple[SheetNow, ...]:
    """List the stored sheets of a board by name, models and others."""
    wanted = (
        select(*_columns(SheetRow, SheetNow))
        .where(col(SheetRow.board) == board)
        .order_by(col(SheetRow.name), col(SheetRow.id))
    )
    return tuple(SheetNow._make(row) for row in connection.execute(wanted))


def sheet_now(connection: Connection, sheet: str) -> SheetNow | None:
    """Read one stored sheet."""
    if not is_id(sheet):
        return None
    wanted = select(*_columns(SheetRow, SheetNow)).where(col(SheetRow.id) == sheet)
    row = connection.execute(wanted).first()
    return None if row is None else SheetNow._make(row)


def add_sheet(connection: Connection, **values: object) -> None:
    """Insert a sheet."""
    connection.execute(insert(SheetRow), [values])


def change_sheet(
    connection: Connection, sheet: str, version: int, values: dict[str, object]
) -> bool:
    """Replace a sheet of exactly this version; say whether there was one."""
    done = connection.execute(
        update(SheetRow)
        .where(col(SheetRow.id) == sheet, col(SheetRow.version) == version)
        .values(version=version + 1, **values)
    )
    return done.rowcount == 1


# ------------------------------------------------------------------------ secrets and sessions


def secret_by_digest(connection: Connection, digest: str) -> SecretNow | None:
    """Find a secret in force."""
    row = connection.execute(_SECRET, {"digest": digest}).first()
    return None if row is None else SecretNow._make(row)


def is_in_force(connection: Connection, secret: str) -> bool:
    """Say whether a key still holds."""
    wanted = _SECRETS.where(col(SecretRow.id) == secret)
    return connection.execute(wanted).first() is not None


def secrets_of_scene(connection: Connection, scene: str) -> tuple[SecretNow, ...]:
    """List the secrets of a scene that are in force."""
    wanted = _SECRETS.where(col(SecretRow.scene) == scene).order_by(
        col(SecretRow.role), col(SecretRow.seat), col(SecretRow.created_at)
    )
    return tuple(SecretNow._make(row) for row in connection.execute(wanted))


def add_secrets(connection: Connection, rows: list[dict[str, object]]) -> None:
    """Insert secrets."""
    connection.execute(insert(SecretRow), rows)


def revoke_secrets(
    connection: Connection,
    role: str,
    board: str,
    scene: str | None,
    seat: str | None,
    at: datetime,
) -> None:
    """Revoke every link that gives this; what people are stays."""
    connection.execute(
        update(SecretRow)
        .where(
            col(SecretRow.role) == role,
            col(SecretRow.board) == board,
            col(SecretRow.person).is_(None),
            col(SecretRow.scene) == scene if scene is not None else col(SecretRow.scene).is_(None),
            col(SecretRow.seat) == seat if seat is not None else col(SecretRow.seat).is_(None),
            _IN_FORCE,
        )
        .values(revoked_at=at)
    )


def use_secret(connection: Connection, secret: str, at: datetime) -> None:
    """Note that a secret was opened."""
    connection.execute(update(SecretRow).where(col(SecretRow.id) == secret).values(used_at=at))


def session_now(connection: Connection, digest: str) -> tuple[SessionNow, ...]:
    """Read a browser's session: one row for each key, or one without; none if there is none."""
    return tuple(SessionNow._make(row) for row in connection.execute(_SESSION, {"digest": digest}))


def opened_links(connection: Connection, digest: str) -> tuple[str, ...]:
    """List the links that a browser has opened, in force or not."""
    return tuple(connection.execute(_OPENED, {"digest": digest}).scalars())


def links_opened(connection: Connection, digest: str) -> tuple[SecretNow, ...]:
    """List the links in force that a browser has opened."""
    wanted = _SECRETS.where(
        col(SecretRow.id).in_(_OPENED.scalar_subquery()), col(SecretRow.person).is_(None)
    ).order_by(col(SecretRow.created_at), col(SecretRow.id))
    rows = connection.execute(wanted, {"digest": digest})
    return tuple(SecretNow._make(row) for row in rows)


def add_session(
    connection: Connection, digest: str, person: str | None, secrets: list[str], at: datetime
) -> None:
    """Insert a session of somebody, or of nobody known, that has opened these links."""
    session = {"digest": digest, "person": person, "created_at": at, "seen_at": at}
    connection.execute(insert(SessionRow), [session])
    if secrets:
        grants = [{"session": digest, "secret": secret} for secret in secrets]
        connection.execute(insert(GrantRow), grants)


def see_session(connection: Connection, digest: str, at: datetime) -> None:
    """Note that a browser was here."""
    connection.execute(
        update(SessionRow).where(col(SessionRow.digest) == digest).values(seen_at=at)
    )


def end_session(connection: Connection, digest: str) -> bool:
    """Delete a session; say whether it was there still."""
    done = connection.execute(delete(SessionRow).where(col(SessionRow.digest) == digest))
    return done.rowcount == 1


def end_sessions_before(connection: Connection, unseen_since: datetime) -> None:
    """Delete the sessions of browsers that have not been here for long."""
    connection.execute(delete(SessionRow).where(col(SessionRow.seen_at) < unseen_since))


# -------------------------------------------------------------------------- remembered answers


def remembered(connection: Connection, principal: str, key: str) -> Remembered | None:
    """Find what a call with this key was answered."""
    row = connection.execute(_REMEMBERED, {"principal": principal, "key": key}).first()
    return None if row is None else Remembered._make(row)


def remember(connection: Connection, **values: object) -> bool:
    """Insert what a call was answered; say whether its key served nobody else just now."""
    statement = insert_new(connection, IdempotencyRow).values(values)
    kept = statement.on_conflict_do_nothing().returning(col(IdempotencyRow.key))
    return connection.execute(kept).first() is not None
