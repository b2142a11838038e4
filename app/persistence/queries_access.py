"""Every statement about the board, sheets, secrets, sessions and remembered answers."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, and_, bindparam, delete, insert, select, update
from sqlmodel import col

from app.persistence.queries import is_id
from app.persistence.tables import (
    BOARD,
    BoardRow,
    GrantRow,
    IdempotencyRow,
    SecretRow,
    SessionRow,
    SheetRow,
)


class BoardNow(NamedTuple):
    """The board's settings."""

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
    created_at: datetime


class SheetNow(NamedTuple):
    """A stored sheet."""

    id: str
    ruleset: str
    name: str
    data: str
    model: bool
    template: str | None
    version: int
    updated_at: datetime


class SecretNow(NamedTuple):
    """A secret in force."""

    id: str
    role: str
    scene: str | None
    seat: str | None
    prefix: str
    created_at: datetime
    used_at: datetime | None


class SessionNow(NamedTuple):
    """A browser, and one of the secrets in force that it has opened, if there is any."""

    seen_at: datetime
    id: str | None
    role: str | None
    scene: str | None
    seat: str | None


class Remembered(NamedTuple):
    """What a call was, and what it was answered."""

    fingerprint: str
    result: str


def _columns(table: type[Any], shape: type[Any]) -> list[Any]:
    return [col(getattr(table, name)) for name in shape._fields]


_BOARD: Final[Select[Any]] = select(*_columns(BoardRow, BoardNow)).where(col(BoardRow.id) == BOARD)
_LOCKED_BOARD: Final[Select[Any]] = _BOARD.with_for_update()
_IN_FORCE: Final = col(SecretRow.revoked_at).is_(None)
_SECRETS: Final[Select[Any]] = select(*_columns(SecretRow, SecretNow)).where(_IN_FORCE)
_SECRET: Final[Select[Any]] = _SECRETS.where(col(SecretRow.digest) == bindparam("digest"))
_SESSION: Final[Select[Any]] = (
    select(
        col(SessionRow.seen_at),
        *(col(getattr(SecretRow, name)) for name in ("id", "role", "scene", "seat")),
    )
    .select_from(SessionRow)
    .outerjoin(GrantRow, col(GrantRow.session) == col(SessionRow.digest))
    .outerjoin(SecretRow, and_(col(SecretRow.id) == col(GrantRow.secret), _IN_FORCE))
    .where(col(SessionRow.digest) == bindparam("digest"))
    .order_by(col(SecretRow.created_at), col(SecretRow.id))
)
_REMEMBERED: Final[Select[Any]] = select(*_columns(IdempotencyRow, Remembered)).where(
    col(IdempotencyRow.principal) == bindparam("principal"),
    col(IdempotencyRow.key) == bindparam("key"),
)
_REMEMBER: Final = insert(IdempotencyRow)


# ---------------------------------------------------------------------------------- the board


def board_now(connection: Connection, *, lock: bool = False) -> BoardNow | None:
    """Read the board; with ``lock`` nobody else can do anything of the board's meanwhile."""
    row = connection.execute(_LOCKED_BOARD if lock else _BOARD).first()
    return None if row is None else BoardNow._make(row)


def change_board(connection: Connection, values: dict[str, object]) -> None:
    """Change settings."""
    if values:
        connection.execute(update(BoardRow).where(col(BoardRow.id) == BOARD).values(values))


# ------------------------------------------------------------------------------------- sheets


def sheets(connection: Connection) -> tuple[SheetNow, ...]:
    """List the stored sheets by name, models and others."""
    wanted = (
        select(*_columns(SheetRow, SheetNow))
        .where(col(SheetRow.board) == BOARD)
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
    connection.execute(insert(SheetRow), [{"board": BOARD, **values}])


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
    connection: Connection, role: str, scene: str | None, seat: str | None, at: datetime
) -> None:
    """Revoke every secret that gives this."""
    connection.execute(
        update(SecretRow)
        .where(
            col(SecretRow.role) == role,
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
    """Read a browser's session: one row for each secret, or one without; none if there is none."""
    return tuple(SessionNow._make(row) for row in connection.execute(_SESSION, {"digest": digest}))


def add_session(connection: Connection, digest: str, secrets: list[str], at: datetime) -> None:
    """Insert a session that has opened these secrets."""
    connection.execute(insert(SessionRow), [{"digest": digest, "created_at": at, "seen_at": at}])
    connection.execute(
        insert(GrantRow), [{"session": digest, "secret": secret} for secret in secrets]
    )


def see_session(connection: Connection, digest: str, at: datetime) -> None:
    """Note that a browser was here."""
    connection.execute(
        update(SessionRow).where(col(SessionRow.digest) == digest).values(seen_at=at)
    )


def end_session(connection: Connection, digest: str) -> None:
    """Delete a session."""
    connection.execute(delete(SessionRow).where(col(SessionRow.digest) == digest))


def end_sessions_before(connection: Connection, unseen_since: datetime) -> None:
    """Delete the sessions of browsers that have not been here for long."""
    connection.execute(delete(SessionRow).where(col(SessionRow.seen_at) < unseen_since))


# -------------------------------------------------------------------------- remembered answers


def remembered(connection: Connection, principal: str, key: str) -> Remembered | None:
    """Find what a call with this key was answered."""
    row = connection.execute(_REMEMBERED, {"principal": principal, "key": key}).first()
    return None if row is None else Remembered._make(row)


def remember(connection: Connection, **values: object) -> None:
    """Insert what a call was answered."""
    connection.execute(_REMEMBER, [values])
