"""Every statement about invitations: made, found, used up and taken back."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, bindparam, insert, select, update
from sqlmodel import col

from app.persistence.tables import SecretRow
from app.persistence.tables_people import InvitationRow


class InvitationNow(NamedTuple):
    """An invitation that holds."""

    id: str
    board: str | None
    role: str
    prefix: str
    uses: int
    created_at: datetime
    expires_at: datetime


_HOLDING: Final = (
    col(InvitationRow.revoked_at).is_(None),
    col(InvitationRow.uses) > 0,
    col(InvitationRow.expires_at) > bindparam("now"),
)
_INVITATIONS: Final[Select[Any]] = select(
    *(col(getattr(InvitationRow, name)) for name in InvitationNow._fields)
).where(*_HOLDING)


def add_invitation(connection: Connection, **values: object) -> None:
    """Insert an invitation."""
    connection.execute(insert(InvitationRow), [values])


def invitation(
    connection: Connection, digest: str, now: datetime, *, lock: bool = False
) -> InvitationNow | None:
    """Find an invitation that still holds."""
    wanted = _INVITATIONS.where(col(InvitationRow.digest) == digest)
    if lock:
        wanted = wanted.with_for_update()
    row = connection.execute(wanted, {"now": now}).first()
    return None if row is None else InvitationNow._make(row)


def invitations(connection: Connection, board: str, now: datetime) -> tuple[InvitationNow, ...]:
    """List the invitations to a board that still hold, newest first."""
    wanted = _INVITATIONS.where(col(InvitationRow.board) == board).order_by(
        col(InvitationRow.created_at).desc(), col(InvitationRow.id)
    )
    return tuple(InvitationNow._make(row) for row in connection.execute(wanted, {"now": now}))


def use_invitation(connection: Connection, id: str) -> None:
    """Let one person fewer come by an invitation."""
    connection.execute(
        update(InvitationRow)
        .where(col(InvitationRow.id) == id)
        .values(uses=col(InvitationRow.uses) - 1)
    )


def revoke_invitations_of(
    connection: Connection, board: str, person: str, roles: Collection[str], at: datetime
) -> None:
    """Take back what somebody invites to, by whichever of the keys that they have or had."""
    keys = select(col(SecretRow.id)).where(
        col(SecretRow.person) == person, col(SecretRow.board) == board
    )
    _revoke_invitations(connection, board, keys, at, col(InvitationRow.role).in_(roles))


def revoke_invitations_of_links(connection: Connection, board: str, at: datetime) -> None:
    """Take back what the links of a board invite to that are in force no more."""
    links = select(col(SecretRow.id)).where(
        col(SecretRow.board) == board,
        col(SecretRow.person).is_(None),
        col(SecretRow.scene).is_(None),
        col(SecretRow.revoked_at).is_not(None),
    )
    _revoke_invitations(connection, board, links, at)


def _revoke_invitations(
    connection: Connection,
    board: str,
    makers: Select[Any],
    at: datetime,
    *which: ColumnElement[bool],
) -> None:
    connection.execute(
        update(InvitationRow)
        .where(
            col(InvitationRow.board) == board,
            col(InvitationRow.made_by).in_(makers),
            col(InvitationRow.revoked_at).is_(None),
            *which,
        )
        .values(revoked_at=at)
    )


def revoke_invitation(connection: Connection, board: str, id: str, at: datetime) -> bool:
    """Take an invitation back; say whether it held."""
    done = connection.execute(
        update(InvitationRow)
        .where(
            col(InvitationRow.id) == id,
            col(InvitationRow.board) == board,
            col(InvitationRow.revoked_at).is_(None),
        )
        .values(revoked_at=at)
    )
    return done.rowcount == 1
