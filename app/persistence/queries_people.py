"""Every statement about people: their accounts, sessions and roles on boards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    delete,
    false,
    insert,
    select,
    true,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlmodel import col

from app.persistence.errors import Busy
from app.persistence.queries import is_id
from app.persistence.tables import BoardRow, SceneRow, SecretRow, SessionRow
from app.persistence.tables_people import IdentityRow, OneTimeLinkRow, PersonRow


class PersonNow(NamedTuple):
    """Somebody with an account."""

    id: str
    name: str
    email: str | None
    password: str | None
    is_admin: bool
    created_at: datetime


class Member(NamedTuple):
    """What somebody is on a board; ``key_id`` is the key that stands for it."""

    key_id: str
    person: str
    name: str
    role: str
    since: datetime


class Held(NamedTuple):
    """A key of a person: a role on a board, or something of a scene that they took as theirs."""

    id: str
    role: str
    board: str
    board_name: str
    scene: str | None
    title: str | None
    seat: str | None
    created_at: datetime


class Claimed(NamedTuple):
    """What somebody took of a scene as theirs: one of its seats, or its Master's place."""

    key_id: str
    person: str
    name: str
    role: str
    seat: str | None
    since: datetime


class OneTime(NamedTuple):
    """A link that lets somebody do one thing once."""

    person: str
    purpose: str
    expires_at: datetime
    used_at: datetime | None


def _columns(table: type[Any], shape: type[Any]) -> list[Any]:
    return [col(getattr(table, name)) for name in shape._fields]


_PEOPLE: Final[Select[Any]] = select(*_columns(PersonRow, PersonNow))


@contextmanager
def _alone() -> Iterator[None]:
    """Let whoever was a moment too late try again, and be told then what is taken."""
    try:
        yield
    except IntegrityError as error:
        raise Busy(str(error.orig)) from error


# ------------------------------------------------------------------------------------- accounts


def person_by(
    connection: Connection, *, name_key: str | None = None, email_key: str | None = None
) -> PersonNow | None:
    """Find somebody by the name or the address that they log in with."""
    where = (
        col(PersonRow.name_key) == name_key
        if email_key is None
        else col(PersonRow.email_key) == email_key
    )
    row = connection.execute(_PEOPLE.where(where)).first()
    return None if row is None else PersonNow._make(row)


def person_now(connection: Connection, person: str, *, lock: bool = False) -> PersonNow | None:
    """Read one person; with ``lock`` nobody else can do anything of theirs meanwhile."""
    if not is_id(person):
        return None
    wanted = _PEOPLE.where(col(PersonRow.id) == person)
    if lock:  # what only names them, as a role that they are given, need not wait
        wanted = wanted.with_for_update(key_share=True)
    row = connection.execute(wanted).first()
    return None if row is None else PersonNow._make(row)


def people(connection: Connection) -> tuple[PersonNow, ...]:
    """List everybody by name."""
    wanted = _PEOPLE.order_by(col(PersonRow.name), col(PersonRow.id))
    return tuple(PersonNow._make(row) for row in connection.execute(wanted))


def taken(
    connection: Connection,
    *,
    name_key: str,
    name_drawn: str,
    email_key: str | None,
    by_other_than: str | None = None,
) -> tuple[str, ...]:
    """Tell what of an account somebody has already: ``name`` and ``email``, or nothing."""
    same = {
        "name": (col(PersonRow.name_key) == name_key) | (col(PersonRow.name_drawn) == name_drawn),
        "email": false() if email_key is None else col(PersonRow.email_key) == email_key,
    }
    others = true() if by_other_than is None else col(PersonRow.id) != by_other_than
    wanted = {name: select(col(PersonRow.id)).where(test, others) for name, test in same.items()}
    return tuple(
        name for name, one in wanted.items() if connection.execute(one).first() is not None
    )


def add_person(connection: Connection, **values: object) -> None:
    """Insert a person; raise Busy where somebody took the name or address at the same moment."""
    with _alone():
        connection.execute(insert(PersonRow), [values])


def change_person(connection: Connection, person: str, **values: object) -> None:
    """Change something of a person; raise Busy as for a new one."""
    with _alone():
        connection.execute(update(PersonRow).where(col(PersonRow.id) == person).values(values))


def identity(connection: Connection, issuer: str, subject: str) -> str | None:
    """Find the person for whom another service vouches."""
    wanted = select(col(IdentityRow.person)).where(
        col(IdentityRow.issuer) == issuer, col(IdentityRow.subject) == subject
    )
    return connection.execute(wanted).scalar_one_or_none()


def add_identity(connection: Connection, **values: object) -> None:
    """Insert who a person is to another service; raise Busy where that was just done."""
    with _alone():
        connection.execute(insert(IdentityRow), [values])


# ------------------------------------------------------------------------------------- sessions


def sessions_of(connection: Connection, person: str) -> tuple[tuple[str, datetime, datetime], ...]:
    """List the browsers in which somebody is logged in: digest, since when, seen when."""
    wanted = (
        select(col(SessionRow.digest), col(SessionRow.created_at), col(SessionRow.seen_at))
        .where(col(SessionRow.person) == person)
        .order_by(col(SessionRow.seen_at).desc())
    )
    return tuple((row[0], row[1], row[2]) for row in connection.execute(wanted))


def end_sessions_of(connection: Connection, person: str, but: str | None = None) -> int:
    """Log somebody out of every browser, or of all but one; tell out of how many."""
    done = connection.execute(
        delete(SessionRow).where(
            col(SessionRow.person) == person,
            *(() if but is None else (col(SessionRow.digest) != but,)),
        )
    )
    return int(done.rowcount)


# ----------------------------------------------------------------------------- one-time links


def add_one_time(connection: Connection, **values: object) -> None:
    """Insert a link that works once; those before it for the same thing work no more."""
    person_now(connection, str(values["person"]), lock=True)
    connection.execute(
        delete(OneTimeLinkRow).where(
            col(OneTimeLinkRow.person) == values["person"],
            col(OneTimeLinkRow.purpose) == values["purpose"],
        )
    )
    connection.execute(insert(OneTimeLinkRow), [values])


def end_one_time_of(connection: Connection, person: str) -> None:
    """Let the links of somebody that were not used yet work no more."""
    connection.execute(
        delete(OneTimeLinkRow).where(
            col(OneTimeLinkRow.person) == person, col(OneTimeLinkRow.used_at).is_(None)
        )
    )


def one_time(connection: Connection, digest: str, *, lock: bool = False) -> OneTime | None:
    """Find a link that works once."""
    wanted = select(*_columns(OneTimeLinkRow, OneTime)).where(col(OneTimeLinkRow.digest) == digest)
    row = connection.execute(wanted.with_for_update() if lock else wanted).first()
    return None if row is None else OneTime._make(row)


def use_one_time(connection: Connection, digest: str, at: datetime) -> None:
    """Note that such a link was used."""
    connection.execute(
        update(OneTimeLinkRow).where(col(OneTimeLinkRow.digest) == digest).values(used_at=at)
    )


# ------------------------------------------------------------------------------ roles and keys


def members(connection: Connection, board: str) -> tuple[Member, ...]:
    """List who has which role on a board, by name."""
    wanted = (
        select(
            *(col(getattr(SecretRow, name)) for name in ("id", "person")),
            col(PersonRow.name),
            *(col(getattr(SecretRow, name)) for name in ("role", "created_at")),
        )
        .join(PersonRow, col(PersonRow.id) == col(SecretRow.person))
        .where(
            col(SecretRow.board) == board,
            col(SecretRow.scene).is_(None),
            col(SecretRow.role) != "being",
            col(SecretRow.revoked_at).is_(None),
        )
        .order_by(col(PersonRow.name), col(SecretRow.created_at), col(SecretRow.id))
    )
    return tuple(Member._make(row) for row in connection.execute(wanted))


def held_by(connection: Connection, person: str) -> tuple[Held, ...]:
    """List what a person is and holds, board by board."""
    wanted = (
        select(
            *(col(getattr(SecretRow, name)) for name in ("id", "role", "board")),
            col(BoardRow.name),
            col(SecretRow.scene),
            col(SceneRow.title),
            *(col(getattr(SecretRow, name)) for name in ("seat", "created_at")),
        )
        .join(BoardRow, col(BoardRow.id) == col(SecretRow.board))
        .outerjoin(SceneRow, col(SceneRow.id) == col(SecretRow.scene))
        .where(col(SecretRow.person) == person, col(SecretRow.revoked_at).is_(None))
        .order_by(col(BoardRow.name), col(SecretRow.created_at), col(SecretRow.id))
    )
    return tuple(Held._make(row) for row in connection.execute(wanted))


def claims(connection: Connection, scene: str) -> tuple[Claimed, ...]:
    """List who took what of a scene as theirs: seats first, then its Master's place."""
    wanted = (
        select(
            col(SecretRow.id),
            *(col(getattr(PersonRow, name)) for name in ("id", "name")),
            *(col(getattr(SecretRow, name)) for name in ("role", "seat", "created_at")),
        )
        .join(PersonRow, col(PersonRow.id) == col(SecretRow.person))
        .where(col(SecretRow.scene) == scene, col(SecretRow.revoked_at).is_(None))
        .order_by(col(SecretRow.role).desc(), col(SecretRow.seat), col(PersonRow.name))
    )
    return tuple(Claimed._make(row) for row in connection.execute(wanted))


def revoke_claim(connection: Connection, scene: str, key: str, at: datetime) -> bool:
    """Take back what somebody took as theirs of a scene; say whether they had it."""
    return _revoke(connection, key, at, col(SecretRow.scene) == scene)


def revoke_key(connection: Connection, key: str, person: str, at: datetime) -> bool:
    """Take a key from a person; say whether they had it."""
    return _revoke(connection, key, at, col(SecretRow.person) == person)


def _revoke(connection: Connection, key: str, at: datetime, whose: ColumnElement[bool]) -> bool:
    """Revoke the key of a person, never a link; say whether it was in force."""
    done = connection.execute(
        update(SecretRow)
        .where(
            col(SecretRow.id) == key,
            col(SecretRow.person).is_not(None),
            col(SecretRow.revoked_at).is_(None),
            whose,
        )
        .values(revoked_at=at)
    )
    return done.rowcount == 1
