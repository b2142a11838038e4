"""What the head of every page tells its reader: how their boards are called, and what is unread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection

from app.persistence.database import Database
from app.persistence.queries_access import session_now
from app.persistence.queries_heading import heading_of
from app.services.access import Principal
from app.services.answers import digest
from app.services.channels import Channel
from app.services.inbox import keys_of
from app.services.links import principal_in, see_browser
from app.services.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The names of the boards that somebody has to do with, and how many notices are unread."""

    boards: Mapping[str, str] = field(default_factory=dict)
    unread: int = 0


def read_heading(db: Database, principal: Principal) -> Heading:
    """Read the heading of somebody's pages; whoever holds nothing has an empty one."""
    with db.read() as connection:
        return _heading(connection, principal)


def read_visitor(db: Database, world: World, cookie: str) -> tuple[Principal, Heading] | None:
    """Tell who a browser is and what heads its pages, in one transaction; None for a stranger's."""
    now = world.now()
    with db.read() as connection:
        rows = session_now(connection, digest(cookie))
        principal = principal_in(rows, now)
        heading = Heading() if principal is None else _heading(connection, principal)
    see_browser(db, cookie, rows, now)
    return None if principal is None else (principal, heading)


def _heading(connection: Connection, principal: Principal) -> Heading:
    if not principal.grants:
        return Heading()
    keys = keys_of(principal)
    boards, unread = heading_of(connection, principal.boards(), keys, Channel.INBOX)
    return Heading(boards=boards, unread=unread)
