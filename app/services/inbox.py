"""What somebody was told: read, marked, wanted by which ways; whoever holds a key hears of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Final

from sqlalchemy import Connection

from app.config import Settings
from app.engine.text import Length
from app.persistence import queries_notices as queries
from app.persistence.codec import checked
from app.persistence.database import Database
from app.persistence.queries_access import board_now
from app.persistence.queries_notices import FeedNow, MailboxNow
from app.services.access import Grant, Principal, Role
from app.services.answers import digest
from app.services.channels import Channel, Mute, check_mutes
from app.services.errors import Conflict, Malformed, Mistake, NotFound
from app.services.jobs import Kind, plan
from app.services.secret import SHOWN, new_secret
from app.services.told import Message, message
from app.services.world import World

A_PAGE: Final = 50
OWN_WAYS: Final = (Channel.INBOX, Channel.FEED, Channel.MAIL)
BETWEEN_CONFIRMATIONS: Final = timedelta(minutes=10)
"""How long after one mail that asks to confirm an address the next may go out."""
_ADDRESS: Final = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+\Z", re.ASCII
)
Address = Annotated[str, Length(0, 200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbox:
    """Notices, newest first, and how many of all are unread; ``more``: there are older ones."""

    notices: tuple[Message, ...]
    unread: int
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What somebody does not want to hear by which way."""

    muted: tuple[Mute, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WishesRead(Wishes):
    """What somebody wants: what not, to which address, by which feed.

    ``mails``: this service can send mails; ``address`` is used once it is ``confirmed``.
    ``missing``: they have opened a link since, of which the feed does not tell yet.
    """

    mails: bool
    address: str
    confirmed: bool
    feed: str
    feed_since: datetime | None
    missing: bool


def keys_of(principal: Principal) -> tuple[str, ...]:
    """List the keys through which somebody is told something; a being is told nothing.

    Of several that give the same, as a link and the seat that was claimed by it, the last one is.
    Whoever oversees a board by their account hears of its scenes as that, not as a Master of each.
    """
    overseen = {
        one.board
        for one in principal.grants
        if one.kept and one.role in (Role.OWNER, Role.GM) and one.scene_id is None
    }
    told = (
        one
        for one in principal.grants
        if one.role is not Role.BEING and not (one.role is Role.GM and _is_covered(one, overseen))
    )
    keys = {(one.role, one.board, one.scene_id, one.seat): one.secret_id for one in told}
    return tuple(keys.values())


def _is_covered(grant: Grant, overseen: Collection[str]) -> bool:
    return grant.scene_id is not None and grant.board in overseen


def read_inbox(
    db: Database,
    principal: Principal,
    board: str,
    language: str,
    *,
    unread: bool = False,
    before: str | None = None,
    limit: int = A_PAGE,
) -> Inbox:
    """Read what somebody was told, as far as they want to see it here."""
    keys = _keys(principal)
    with db.read() as connection:
        without = _without(connection, keys, Channel.INBOX)
        rows = queries.notices(
            connection, keys, board, without=without, unread=unread, before=before, limit=limit + 1
        )
        waiting = queries.count_unread(connection, keys, without)
    told = tuple(message(row, language) for row in rows[:limit])
    return Inbox(notices=told, unread=waiting, more=len(rows) > limit)


def count_unread(db: Database, principal: Principal) -> int:
    """Count what somebody was told and has not read."""
    keys = keys_of(principal)
    if not keys:
        return 0
    with db.read() as connection:
        return queries.count_unread(connection, keys, _without(connection, keys, Channel.INBOX))


def mark_read(db: Database, world: World, principal: Principal, ids: Sequence[str] | None) -> int:
    """Note that somebody has read notices of theirs, or with None all of them; count them."""
    keys = _keys(principal)
    with db.write() as connection:
        return queries.mark_read(connection, keys, ids, world.now())


# ------------------------------------------------------------------------------------ wishes


def read_wishes(db: Database, principal: Principal, settings: Settings) -> WishesRead:
    """Read what somebody wants to hear, and by which ways."""
    keys = _keys(principal)
    with db.read() as connection:
        muted = queries.mutes(connection, keys)
        boxes = queries.mailboxes(connection, keys=keys)
        feeds = queries.feeds(connection, keys, None)
    ways = {(way, kind) for _, way, kind in muted}
    box = boxes[0] if boxes else None
    return WishesRead(
        muted=tuple(Mute.of(way, kind) for way, kind in sorted(ways)),
        mails=bool(settings.smtp_host),
        address="" if box is None else box.address,
        confirmed=box is not None and box.confirmed_at is not None,
        feed=feeds[0].prefix if feeds else "",
        feed_since=feeds[0].created_at if feeds else None,
        missing=bool(feeds) and {one.key_id for one in feeds} < set(keys),
    )


def change_wishes(db: Database, principal: Principal, wishes: Wishes) -> None:
    """Change what somebody does not want to hear, for all of their keys."""
    keys = _keys(principal)
    wanted: Wishes = checked(Wishes, wishes)
    check_mutes(wanted.muted, OWN_WAYS)
    with db.write() as connection:
        queries.lock_keys(connection, keys)
        for key in keys:
            queries.set_mutes(connection, key, ((one.channel, one.kind) for one in wanted.muted))


def set_address(
    db: Database,
    world: World,
    principal: Principal,
    settings: Settings,
    address: str,
    language: str,
) -> None:
    """Let notices go to an address once it was confirmed; an empty one takes it away."""
    keys = _keys(principal)
    text: str = checked(Address, address.strip(), "address")
    now = world.now()
    with db.write() as connection:
        queries.lock_keys(connection, keys)
        known = queries.mailboxes(connection, keys=keys)
        if not text:
            _empty(connection, known)
            return
        if not settings.smtp_host:
            raise Malformed(Mistake("address", "mail_not_sent_here"))
        if not _ADDRESS.match(text):
            raise Malformed(Mistake("address", "address_unusable"))
        if _all_have(known, text, keys):
            return
        _check_pause(connection, principal, keys, text, now)
        token = world.token()
        for key in keys:
            queries.keep_mailbox(
                connection,
                key,
                address=text,
                language=language,
                token=token,
                asked_at=now,
                confirmed_at=None,
            )
        plan(connection, Kind.CONFIRM, token, now)


def confirm_address(db: Database, world: World, token: str) -> None:
    """Confirm an address by the token that was sent to it."""
    with db.write() as connection:
        if not queries.mailboxes(connection, token=token):
            raise NotFound
        queries.confirm_mailboxes(connection, token, world.now())


def stop_mails(db: Database, token: str) -> None:
    """Send nothing more to the address that the token was sent to; a second time changes nothing.

    Whoever follows the link of an old mail learns nothing from the answer either.
    """
    with db.write() as connection:
        _empty(connection, queries.mailboxes(connection, token=token))


def _all_have(known: Sequence[MailboxNow], text: str, keys: Sequence[str]) -> bool:
    confirmed = [one for one in known if one.address == text and one.confirmed_at is not None]
    return len(confirmed) == len(keys)


def _check_pause(
    connection: Connection, principal: Principal, keys: Sequence[str], text: str, now: datetime
) -> None:
    """Raise Conflict while a mail is on its way: nobody's letter box may be filled by us.

    That it was taken away again, stopped, or asked for by another key changes nothing.
    """
    me = principal.person
    mine = () if me is None else (one.id for one in queries.keys_of_person(connection, me.id))
    last = queries.last_asked(connection, {*keys, *mine}, text.lower(), _mark(text))
    if last is not None and now - last < BETWEEN_CONFIRMATIONS:
        left = BETWEEN_CONFIRMATIONS - (now - last)
        raise Conflict("mail_too_soon", {"minutes": 1 + int(left.total_seconds()) // 60})


def _empty(connection: Connection, boxes: Sequence[MailboxNow]) -> None:
    for box in boxes:
        queries.empty_mailbox(connection, box.key_id, mark=_mark(box.address))


def _mark(address: str) -> str:
    return digest(f"mailbox {address.lower()}")


# ------------------------------------------------------------------------------------- feeds


def new_feed(db: Database, world: World, principal: Principal, board: str) -> str:
    """Make a new address for somebody's feed, in the place of the one before; it is shown once."""
    return _new_feed(db, world, board, _keys(principal))


def new_board_feed(db: Database, world: World, principal: Principal, board: str) -> str:
    """Make a new address for the feed of a board, as its owner."""
    if not principal.is_owner(board):
        raise NotFound
    return _new_feed(db, world, board, None)


def revoke_feed(db: Database, world: World, principal: Principal, board: str) -> None:
    """Let the address of somebody's feed lead nowhere any more."""
    keys = _keys(principal)
    with db.write() as connection:
        queries.revoke_feeds(connection, board, keys, world.now())


def revoke_board_feed(db: Database, world: World, principal: Principal, board: str) -> None:
    """Let the address of a board's feed lead nowhere any more, as its owner."""
    if not principal.is_owner(board):
        raise NotFound
    with db.write() as connection:
        queries.revoke_feeds(connection, board, None, world.now())


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """What a feed tells, newest first; ``id`` names it for good without opening it."""

    id: str
    board: str
    name: str
    notices: tuple[Message, ...]
    since: datetime


def read_feed(db: Database, token: str, language: str) -> Feed:
    """Read a feed by its address; raise NotFound for one that leads nowhere."""
    with db.read() as connection:
        found = queries.feed(connection, digest(token))
        if not found:
            raise NotFound
        rows = _told_by(connection, found)
        board = board_now(connection, found[0].board)
    return Feed(
        board=found[0].board,
        id=digest(f"feed {token}"),
        name="" if board is None else board.name,
        notices=tuple(message(row, language) for row in rows),
        since=found[0].created_at,
    )


def _told_by(connection: Connection, found: Sequence[FeedNow]) -> tuple[queries.Told, ...]:
    board = found[0].board
    keys = tuple(one.key_id for one in found if one.key_id is not None)
    if not keys:
        muted = _without(connection, (board,), Channel.FEED)
        return queries.notices(connection, None, board, without=muted, limit=A_PAGE)
    without = _without(connection, keys, Channel.FEED)
    return queries.notices(connection, keys, board, without=without, limit=A_PAGE)


def _new_feed(db: Database, world: World, board: str, keys: tuple[str, ...] | None) -> str:
    token, now = new_secret(world.token()), world.now()
    with db.write() as connection:
        if keys is None:
            board_now(connection, board, lock=True)
        else:
            queries.lock_keys(connection, keys)
        queries.revoke_feeds(connection, board, keys, now)
        for key in (None,) if keys is None else keys:
            queries.add_feed(
                connection,
                board=board,
                key_id=key,
                digest=digest(token),
                prefix=token[:SHOWN],
                created_at=now,
            )
    return token


def _keys(principal: Principal) -> tuple[str, ...]:
    keys = keys_of(principal)
    if not keys:
        raise NotFound
    return keys


def _without(
    connection: Connection, addressees: tuple[str, ...], way: Channel
) -> tuple[tuple[str, str], ...]:
    found = queries.mutes(connection, addressees)
    return tuple((who, kind) for who, channel, kind in found if channel == way)
