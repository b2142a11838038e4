"""Every statement about notices, feeds, mailboxes, and what somebody does not want to hear."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, or_, select, update
from sqlmodel import col

from app.persistence.queries_jobs import insert_new, put
from app.persistence.tables import BoardRow, SceneRow, SecretRow
from app.persistence.tables_notices import FeedRow, MailboxRow, MuteRow, NoticeRow
from app.persistence.tables_time import BoardTimeRow


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
    """A notice with what its scene is called, and by which rules it is played.

    One that is about no scene has the name of its board, and no rules.
    """

    notice: NoticeNow
    title: str
    ruleset: str


class KeyNow(NamedTuple):
    """A key of a scene in force, and whether notices go out to its holder by e-mail."""

    id: str
    role: str
    seat: str | None
    mailed: datetime | None


class HolderKey(NamedTuple):
    """A key with whose it is, whether it still holds, and whether notices go out by e-mail."""

    id: str
    role: str
    scene: str | None
    person: str | None
    revoked_at: datetime | None
    mailed: datetime | None


class KeysNow(NamedTuple):
    """The keys of whoever hears of a scene; ``hooked`` says that its board has a webhook too."""

    keys: tuple[KeyNow, ...]
    hooked: bool


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


def _columns(table: type[Any], shape: type[Any]) -> list[Any]:
    return [col(getattr(table, name)) for name in shape._fields]


def keys_of_scene(connection: Connection, scene: str, board: str) -> KeysNow:
    """List the keys of a scene in force, and those of the people who oversee its board."""
    overseers = and_(
        col(SecretRow.board) == board,
        col(SecretRow.scene).is_(None),
        col(SecretRow.person).is_not(None),
        col(SecretRow.role).in_(("owner", "gm")),
    )
    columns = (col(SecretRow.id), col(SecretRow.role), col(SecretRow.seat))
    rows = connection.execute(
        select(*columns, col(MailboxRow.confirmed_at), col(BoardTimeRow.webhook))
        .select_from(BoardRow)
        .outerjoin(BoardTimeRow, col(BoardTimeRow.board) == col(BoardRow.id))
        .outerjoin(
            SecretRow,
            and_(
                or_(col(SecretRow.scene) == scene, overseers), col(SecretRow.revoked_at).is_(None)
            ),
        )
        .outerjoin(MailboxRow, col(MailboxRow.key_id) == col(SecretRow.id))
        .where(col(BoardRow.id) == board)
        .order_by(col(SecretRow.created_at), col(SecretRow.id))
    ).all()
    keys = tuple(KeyNow._make(row[:-1]) for row in rows if row.role)
    return KeysNow(keys, bool(rows and rows[0][-1]))


def keys_of_person(connection: Connection, person: str) -> tuple[HolderKey, ...]:
    """List the keys of a person, those that hold no more too; a being's is told nothing."""
    return _holder_keys(connection, col(SecretRow.person) == person)


def keys_of_holder(connection: Connection, key: str) -> tuple[HolderKey, ...]:
    """List a key and, if it is a person's, the others that they have."""
    found = _holder_keys(connection, col(SecretRow.id) == key)
    if found and found[0].person is not None:
        return keys_of_person(connection, found[0].person)
    return found


def lock_keys(connection: Connection, keys: Collection[str]) -> None:
    """Let nobody else change what the holder of some keys hears until this transaction ends."""
    wanted = select(col(SecretRow.id)).where(col(SecretRow.id).in_(keys))
    # Always in one order; what only names a key meanwhile need not wait.
    connection.execute(wanted.order_by(col(SecretRow.id)).with_for_update(key_share=True)).all()


def deciders(connection: Connection, board: str) -> tuple[HolderKey, ...]:
    """List the keys in force of whoever decides on a board.

    Links that make somebody the Master of one scene are left out: a board has as many as scenes.
    """
    return _holder_keys(
        connection,
        and_(
            col(SecretRow.board) == board,
            col(SecretRow.role).in_(("owner", "gm")),
            or_(col(SecretRow.scene).is_(None), col(SecretRow.person).is_not(None)),
            col(SecretRow.revoked_at).is_(None),
        ),
    )


def _holder_keys(connection: Connection, wanted: ColumnElement[bool]) -> tuple[HolderKey, ...]:
    columns = (col(getattr(SecretRow, name)) for name in HolderKey._fields[:-1])
    rows = connection.execute(
        select(*columns, col(MailboxRow.confirmed_at))
        .outerjoin(MailboxRow, col(MailboxRow.key_id) == col(SecretRow.id))
        .where(wanted, col(SecretRow.role) != "being")
        .order_by(col(SecretRow.created_at), col(SecretRow.id))
    )
    return tuple(HolderKey._make(row) for row in rows)


def add_notices(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Keep notices; what was told before is not told again."""
    if rows:
        statement = insert_new(connection, NoticeRow).values(list(rows))
        connection.execute(statement.on_conflict_do_nothing(index_elements=["uid"]))


def _told() -> Any:
    """Select notices with what they are about: a scene, or a board where there is none."""
    title = func.coalesce(col(SceneRow.title), col(BoardRow.name))
    ruleset = func.coalesce(col(SceneRow.ruleset), "")
    return (
        select(*_columns(NoticeRow, NoticeNow), title, ruleset)
        .join(BoardRow, col(BoardRow.id) == col(NoticeRow.board))
        .outerjoin(SceneRow, col(SceneRow.id) == col(NoticeRow.scene))
    )


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
    wanted = _told().where(_addressed(keys, board), *_wanted(without, of_keys=keys is not None))
    if unread:
        wanted = wanted.where(col(NoticeRow.read_at).is_(None))
    if before is not None:
        last = select(col(NoticeRow.id)).where(col(NoticeRow.uid) == before).scalar_subquery()
        wanted = wanted.where(col(NoticeRow.id) < last)
    rows = connection.execute(wanted.order_by(col(NoticeRow.id).desc()).limit(limit))
    return tuple(Told(NoticeNow._make(row[:-2]), row[-2], row[-1]) for row in rows)


def notice(connection: Connection, uid: str) -> Told | None:
    """Read one notice."""
    row = connection.execute(_told().where(col(NoticeRow.uid) == uid)).first()
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


def count_unread(
    connection: Connection, keys: Collection[str], without: Iterable[tuple[str, str]]
) -> int:
    """Count what some keys' holders have not read."""
    wanted = select(func.count()).where(
        col(NoticeRow.key_id).in_(keys),
        col(NoticeRow.read_at).is_(None),
        *_wanted(without, of_keys=True),
    )
    return connection.execute(wanted).scalar() or 0


def _wanted(without: Iterable[tuple[str, str]], *, of_keys: bool) -> Iterator[ColumnElement[bool]]:
    for addressee, kind in without:
        unwanted: ColumnElement[bool] = col(NoticeRow.kind) == kind
        yield ~and_(col(NoticeRow.key_id) == addressee, unwanted) if of_keys else ~unwanted


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
    """Put what an addressee, which is locked, does not want in the place of what it did not."""
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


def feed(connection: Connection, digest: str) -> tuple[FeedNow, ...]:
    """List what the feed of an address tells of: keys that are in force, or a board."""
    rows = connection.execute(
        select(*_columns(FeedRow, FeedNow))
        .outerjoin(SecretRow, col(SecretRow.id) == col(FeedRow.key_id))
        .where(
            col(FeedRow.digest) == digest,
            col(FeedRow.revoked_at).is_(None),
            col(SecretRow.revoked_at).is_(None),
        )
        .order_by(col(FeedRow.id))
    )
    return tuple(FeedNow._make(row) for row in rows)


def add_feed(connection: Connection, **values: object) -> None:
    """Keep the address of a feed."""
    connection.execute(insert(FeedRow), [values])


def revoke_feeds(
    connection: Connection, board: str, keys: Collection[str] | None, at: datetime
) -> None:
    """Let the addresses of some keys' feeds, or with None the board's, lead nowhere any more."""
    whose: ColumnElement[bool] = col(FeedRow.key_id).is_(None)
    if keys is not None:
        of_them = select(col(FeedRow.digest)).where(col(FeedRow.key_id).in_(keys))
        whose = col(FeedRow.digest).in_(of_them)
    connection.execute(
        update(FeedRow)
        .where(col(FeedRow.board) == board, whose, col(FeedRow.revoked_at).is_(None))
        .values(revoked_at=at)
    )


# --------------------------------------------------------------------------------- mailboxes


def mailboxes(
    connection: Connection, *, keys: Collection[str] = (), token: str | None = None
) -> tuple[MailboxNow, ...]:
    """Find where some keys' notices go, or all that have a token of the mails in common."""
    wanted = select(*_columns(MailboxRow, MailboxNow)).where(col(MailboxRow.address) != "")
    if token is None:
        wanted = wanted.where(col(MailboxRow.key_id).in_(keys))
    else:
        wanted = wanted.where(col(MailboxRow.token) == token)
    rows = connection.execute(wanted.order_by(col(MailboxRow.key_id)))
    return tuple(MailboxNow._make(row) for row in rows)


def keep_mailbox(connection: Connection, key: str, **values: object) -> None:
    """Change where a key's notices go."""
    put(connection, MailboxRow, {"key_id": key}, values)


def confirm_mailboxes(connection: Connection, token: str, at: datetime) -> None:
    """Note that whoever reads the mails of an address wants them."""
    connection.execute(
        update(MailboxRow)
        .where(col(MailboxRow.token) == token, col(MailboxRow.confirmed_at).is_(None))
        .values(confirmed_at=at)
    )


def empty_mailbox(connection: Connection, key: str, *, mark: str) -> None:
    """Forget where a key's notices went, but not when that was asked; the mark stands for it."""
    connection.execute(
        update(MailboxRow)
        .where(col(MailboxRow.key_id) == key)
        .values(address="", token=mark, confirmed_at=None)
    )


def last_asked(
    connection: Connection, keys: Collection[str], address: str, mark: str
) -> datetime | None:
    """Tell when one of some keys last asked for mails, or anybody for mails to an address."""
    to_it = or_(func.lower(col(MailboxRow.address)) == address, col(MailboxRow.token) == mark)
    wanted = select(func.max(col(MailboxRow.asked_at))).where(
        or_(col(MailboxRow.key_id).in_(keys), to_it)
    )
    return connection.execute(wanted).scalar()
