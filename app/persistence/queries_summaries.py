"""Every statement about the links to summaries."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, insert, select, update
from sqlmodel import col

from app.persistence.queries import is_id
from app.persistence.tables_summaries import SummaryLinkRow


class SummaryLink(NamedTuple):
    """A link in force."""

    scene: str
    token: str
    made_at: datetime


_COLUMNS: Final = tuple(col(getattr(SummaryLinkRow, name)) for name in SummaryLink._fields)
_IN_FORCE: Final[Select[Any]] = select(*_COLUMNS).where(col(SummaryLinkRow.revoked_at).is_(None))


def link_by_token(connection: Connection, token: str) -> SummaryLink | None:
    """Find the link that has a token, if it is in force."""
    if not is_id(token):
        return None
    row = connection.execute(_IN_FORCE.where(col(SummaryLinkRow.token) == token)).first()
    return None if row is None else SummaryLink._make(row)


def link_of_scene(connection: Connection, scene: str) -> SummaryLink | None:
    """Find the link of a scene that is in force; there is at most one."""
    wanted = _IN_FORCE.where(col(SummaryLinkRow.scene) == scene)
    row = connection.execute(wanted.order_by(col(SummaryLinkRow.made_at).desc())).first()
    return None if row is None else SummaryLink._make(row)


def add_link(connection: Connection, **values: object) -> None:
    """Insert a link."""
    connection.execute(insert(SummaryLinkRow), [values])


def revoke_links(connection: Connection, scene: str, at: datetime, by: str) -> None:
    """Revoke the links of a scene."""
    connection.execute(
        update(SummaryLinkRow)
        .where(col(SummaryLinkRow.scene) == scene, col(SummaryLinkRow.revoked_at).is_(None))
        .values(revoked_at=at, revoked_by=by)
    )
