"""Every statement about notices, feeds, mailboxes, and what somebody does not want to hear."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, delete, insert, or_, select, update
from sqlmodel import col

from app.persistence.queries_jobs import insert_new
from app.persistence.tables import SceneRow, SecretRow
from app.persistence.tables_notices import FeedRow, MailboxRow, MuteRow, NoticeRow


class NoticeNow(NamedTuple):
    """A notice as it is kept."""

    id: int
    uid: str
    board: str
    key_id: str | None
    scene: str | None
    seat: str | None
    kind: str
    facts: str
    at: datetime
    read_at: datetime | None


class Told(NamedTuple):
    """A notice with what its scene is called, and by which rules it is played."""

    notice: NoticeNow
    title: str
    ruleset: str


class KeyNow(NamedTuple):
    """A key of a scene in force, and whether notices go out to its holder by e-mail."""

    id: str
    role: str
    seat: str | None
    mailed: datetime | None


class FeedNow(NamedTuple):
    """The address of a feed, by how it begins."""

    id: int
    board: str
    key_id: str | None
    prefix: str
    created_at: datetime


class MailboxNow(NamedTuple):
    """Where an addressee wants notices by e-mail."""

    key_id: str
    address: str
    language: str
    token: str
    asked_at: datetime
    confirmed_at: datetime | None


_NEW: Final = tuple(name for name in NoticeNow._fields if name not in ("id", "read_at"))


def _columns(table: type[Any], shape: type[Any]) -> list[Any]:
    return [col(getattr(table, name)) for name in shape._fields]


def keys_of_scene(connection: Connection, scene: str) -> tuple[KeyNow, ...]:
    """List the keys of a scene in force."""
    columns = (col(SecretRow.id), col(SecretRow.role), col(SecretRow.seat))
    rows = connection.execute(
        select(*columns, col(MailboxRow.confirmed_at))
        .outerjoin(MailboxRow, col(MailboxRow.key_id) == col(SecretRow.id))
        .where(col(SecretRow.scene) == scene, col(SecretRow.revoked_at).is_(None))
        .order_by(col(SecretRow.created_at), col(SecretRow.id))
    )
    return tuple(KeyNow._make(row) for row in rows)


def add_notices(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Keep notices; what was told before is not told again."""
    if rows:
        statement = insert_new(connection, NoticeRow).values(list(rows))
        connection.execute(statement.on_conflict_do_nothing(index_elements=["uid"]))


def notices(
    connection: Connection,
    keys: Collection[str] | None,
    board: str,
    *,
    without: Iterable[tuple[str, str]] = (),
    unread: bool = False,
    before: str | None = None,
    limit: int = 50,
) -> tuple[Told, ...]:
    """List what some keys were told, newest first, or with None what the whole board was.

    ``without`` names pairs of an addressee and a kind that it does not want to see.
    """
    wanted = (
        select(*_columns(NoticeRow, NoticeNow), col(SceneRow.title), col(SceneRow.ruleset))
        .join(SceneRow, col(SceneRow.id) == col(NoticeRow.scene))
        .where(_addressed(keys, board))
    )
    for addressee, kind in without:
        unwanted: ColumnElement[bool] = col(NoticeRow.kind) == kind
        if keys is not None:
            unwanted = and_(col(NoticeRow.key_id) == addressee, unwanted)
        wanted = wanted.where(~unwanted)
    if unread:
        wanted = wanted.where(col(NoticeRow.read_at).is_(None))
    if before is not None:
        last = select(col(NoticeRow.id)).where(col(NoticeRow.uid) == before).scalar_subquery()
        wanted = wanted.where(col(NoticeRow.id) < last)
    rows = connection.execute(wanted.order_by(col(NoticeRow.id).desc()).limit(limit))
    return tuple(Told(NoticeNow._make(row[:-2]), row[-2], row[-1]) for row in rows)


def notice(connection: Connection, uid: str) -> Told | None:
    """Read one notice."""
    row = connection.execute(
        select(*_columns(NoticeRow, NoticeNow), col(SceneRow.title), col(SceneRow.ruleset))
        .join(SceneRow, col(SceneRow.id) == col(NoticeRow.scene))
        .where(col(NoticeRow.uid) == uid)
    ).first()
    return None if row is None else Told(NoticeNow._make(row[:-2]), row[-2], row[-1])


def mark_read(
    connection: Connection, keys: Collection[str], uids: Collection[str] | None, at: datetime
) -> int:
    """Note that some keys' holders have read notices, or with None all of theirs; count them."""
    change = update(NoticeRow).where(
        col(NoticeRow.key_id).in_(keys), col(NoticeRow.read_at).is_(None)
    )
    if uids is not None:
        change = change.where(col(NoticeRow.uid).in_(uids))
    return connection.execute(change.values(read_at=at)).rowcount


def _addressed(keys: Collection[str] | None, board: str) -> Any:
    if keys is None:
        return and_(col(NoticeRow.board) == board, col(NoticeRow.key_id).is_(None))
    return col(NoticeRow.key_id).in_(keys)


# ---------------------------------------------------------------------------- what is unwanted


def mutes(connection: Connection, addressees: Collection[str]) -> tuple[tuple[str, str, str], ...]:
    """List what addressees do not want: who, by which way, which kind."""
    rows = connection.execute(
        select(col(MuteRow.addressee), col(MuteRow.channel), col(MuteRow.kind))
        .where(col(MuteRow.addressee).in_(addressees))
        .order_by(col(MuteRow.addressee), col(MuteRow.channel), col(MuteRow.kind))
    )
    return tuple((row[0], row[1], row[2]) for row in rows)


def set_mutes(connection: Connection, addressee: str, rows: Iterable[tuple[str, str]]) -> None:
    """Put what an addressee does not want in the place of what it did not want before."""
    connection.execute(delete(MuteRow).where(col(MuteRow.addressee) == addressee))
    new = [{"addressee": addressee, "channel": way, "kind": kind} for way, kind in rows]
    if new:
        connection.execute(insert(MuteRow), new)


# ------------------------------------------------------------------------------------- feeds


def feeds(connection: Connection, keys: Collection[str], board: str | None) -> tuple[FeedNow, ...]:
    """List the feeds in force of some keys, and of a board where one is named."""
    whose: ColumnElement[bool] = col(FeedRow.key_id).in_(keys)
    if board is not None:
        whose = or_(whose, and_(col(FeedRow.board) == board, col(FeedRow.key_id).is_(None)))
    rows = connection.execute(
        select(*_columns(FeedRow, FeedNow))
        .where(whose, col(FeedRow.revoked_at).is_(None))
        .order_by(col(FeedRow.id))
    )
    return tuple(FeedNow._make(row) for row in rows)


def feed(connection: Connection, digest: str) -> FeedNow | None:
    """Find the feed in force that has this address, unless the key it tells of was revoked."""
    row = connection.execute(
        select(*_columns(FeedRow, FeedNow))
        .outerjoin(SecretRow, col(SecretRow.id) == col(FeedRow.key_id))
        .where(
            col(FeedRow.digest) == digest,
            col(FeedRow.revoked_at).is_(None),
            col(SecretRow.revoked_at).is_(None),
        )
    ).first()
    return None if row is None else FeedNow._make(row)


def add_feed(connection: Connection, **values: object) -> None:
    """Keep the address of a feed."""
    connection.execute(insert(FeedRow), [values])


def revoke_feeds(connection: Connection, board: str, key: str | None, at: datetime) -> None:
    """Let the address of a key's feed, or of the board's, lead nowhere any more."""
    whose = col(FeedRow.key_id).is_(None) if key is None else col(FeedRow.key_id) == key
    connection.execute(
        update(FeedRow)
        .where(col(FeedRow.board) == board, whose, col(FeedRow.revoked_at).is_(None))
        .values(revoked_at=at)
    )


# --------------------------------------------------------------------------------- mailboxes


def mailbox(
    connection: Connection, *, key: str | None = None, token: str | None = None
) -> MailboxNow | None:
    """Find where a key's notices go, by the key or by the token of the mails."""
    wanted = select(*_columns(MailboxRow, MailboxNow))
    if key is not None:
        wanted = wanted.where(col(MailboxRow.key_id) == key)
    if token is not None:
        wanted = wanted.where(col(MailboxRow.token) == token)
    row = connection.execute(wanted).first()
    return None if row is None else MailboxNow._make(row)


def keep_mailbox(connection: Connection, key: str, **values: object) -> None:
    """Change where a key's notices go."""
    statement = insert_new(connection, MailboxRow).values(key_id=key, **values)
    connection.execute(statement.on_conflict_do_update(index_elements=["key_id"], set_=values))


def drop_mailbox(connection: Connection, key: str) -> None:
    """Forget where a key's notices went."""
    connection.execute(delete(MailboxRow).where(col(MailboxRow.key_id) == key))
