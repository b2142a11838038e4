"""What the head of every page tells its reader: how their boards are called, and what is unread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.persistence.database import Database
from app.persistence.queries_heading import heading_of
from app.services.access import Principal
from app.services.channels import Channel
from app.services.inbox import keys_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The names of the boards that somebody has to do with, and how many notices are unread."""

    boards: Mapping[str, str] = field(default_factory=dict)
    unread: int = 0


def read_heading(db: Database, principal: Principal) -> Heading:
    """Read the heading of somebody's pages; whoever holds nothing has an empty one."""
    if not principal.grants:
        return Heading()
    with db.read() as connection:
        boards, unread = heading_of(
            connection, principal.boards(), keys_of(principal), Channel.INBOX
        )
    return Heading(boards=boards, unread=unread)
