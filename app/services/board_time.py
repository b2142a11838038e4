"""How a board keeps time, and what it tells everybody: by its owner, for the scenes to come."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated
from zoneinfo import available_timezones

from sqlalchemy import Connection

from app.engine.text import Length
from app.integrations.webhook import HookFault, target_of
from app.persistence import queries_notices as notices
from app.persistence import queries_time as queries
from app.persistence.codec import checked
from app.persistence.database import Database
from app.persistence.queries_access import board_now
from app.persistence.queries_time import BoardTimeNow
from app.services.access import Principal
from app.services.channels import Channel, Mute, check_mutes
from app.services.clock_shapes import BoardTime
from app.services.errors import Malformed, Mistake, NotFound

AS_BEFORE = BoardTimeNow(0, 0, False, "UTC", None)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardTimeChange(BoardTime):
    """How a board is to keep time; ``webhook`` empty takes it away, null leaves it as it is.

    ``muted`` lists the kinds of notices that its feed or its webhook do without.
    """

    webhook: Annotated[str, Length(0, 500)] | None = None
    muted: tuple[Mute, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardTimeRead(BoardTime):
    """How a board keeps time; of its webhook only the host is told, and to its owner alone."""

    webhook: str = ""
    muted: tuple[Mute, ...] = ()
    has_feed: bool = False


@cache
def zones() -> tuple[str, ...]:
    """List the time zones by their names, UTC first."""
    places = (one for one in available_timezones() if "/" in one and not one.startswith("Etc/"))
    return ("UTC", *sorted(places))


def read_board_time(db: Database, principal: Principal, board: str) -> BoardTimeRead:
    """Read how a board keeps time."""
    with db.read() as connection:
        if board_now(connection, board) is None:
            raise NotFound
        return _read(connection, principal, board)


def change_board_time(
    db: Database, principal: Principal, board: str, change: BoardTimeChange
) -> BoardTimeRead:
    """Change how a board keeps time, as its owner; scenes that are open keep their clocks."""
    if not principal.is_owner(board):
        raise NotFound
    wanted: BoardTimeChange = checked(BoardTimeChange, change)
    if wanted.zone not in zones():
        raise Malformed(Mistake("zone", "zone_unknown"))
    check_mutes(wanted.muted, (Channel.FEED, Channel.HOOK))
    with db.write() as connection:
        board_now(connection, board, lock=True)
        before = queries.board_time(connection, board) or AS_BEFORE
        webhook = before.webhook if wanted.webhook is None else _usable(wanted.webhook)
        queries.keep_board_time(
            connection,
            board,
            remind_hours=wanted.remind_hours,
            grace_hours=wanted.grace_hours,
            automatic=wanted.automatic,
            zone=wanted.zone,
            webhook=webhook,
        )
        notices.set_mutes(connection, board, ((one.channel, one.kind) for one in wanted.muted))
        return _read(connection, principal, board)


def zone_of_board(connection: Connection, board: str) -> str:
    """Name the zone in which a board's posts tell the time."""
    return (queries.board_time(connection, board) or AS_BEFORE).zone


def _usable(address: str) -> str | None:
    text = address.strip()
    if not text:
        return None
    try:
        target_of(text)
    except HookFault:
        raise Malformed(Mistake("webhook", "webhook_unusable")) from None
    return text


def _read(connection: Connection, principal: Principal, board: str) -> BoardTimeRead:
    found = queries.board_time(connection, board) or AS_BEFORE
    host = (
        f"{target_of(found.webhook).host}/…" if found.webhook and principal.is_owner(board) else ""
    )
    muted = notices.mutes(connection, (board,)) if principal.is_owner(board) else ()
    feeds = notices.feeds(connection, (), board) if principal.is_owner(board) else ()
    return BoardTimeRead(
        remind_hours=found.remind_hours,
        grace_hours=found.grace_hours,
        automatic=found.automatic,
        zone=found.zone,
        webhook=host,
        muted=tuple(Mute.of(way, kind) for _, way, kind in muted),
        has_feed=bool(feeds),
    )
