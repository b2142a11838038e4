"""The tables of notices: what somebody is told, by which ways, and what they want to hear."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, UniqueConstraint, text
from sqlmodel import Field

from app.persistence.tables import Base, text_column, time_column

UNREAD: Final = text("read_at IS NULL")


class NoticeRow(Base, table=True):
    """Something that one addressee is told, or the whole board where ``key_id`` is empty.

    ``uid`` is its name for others: a digest of what it tells, so that nothing is told twice and
    nobody can count what others are told. ``facts`` are only what its addressee may know.
    """

    __tablename__ = "notices"
    __table_args__ = (
        ForeignKeyConstraint(["board"], ["boards.id"]),
        ForeignKeyConstraint(["key_id"], ["secrets.id"]),
        ForeignKeyConstraint(["scene"], ["scenes.id"]),
        UniqueConstraint("uid"),
        Index(None, "board", "key_id", "id"),
        Index(None, "key_id", "id"),
        # Every page counts what its reader has not read, however much they have.
        Index("ix_notices_unread", "key_id", sqlite_where=UNREAD, postgresql_where=UNREAD),
    )
    id: int | None = Field(default=None, primary_key=True)
    uid: str = text_column()
    board: str = text_column()
    key_id: str | None = text_column(nullable=True)
    scene: str | None = text_column(nullable=True)
    seat: str | None = text_column(nullable=True)
    kind: str = text_column()
    facts: str = text_column()
    at: datetime = time_column()
    read_at: datetime | None = time_column(nullable=True)


class MuteRow(Base, table=True):
    """A kind of notice that an addressee does not want by one of the ways.

    ``addressee`` is the id of a key, or of a board for what it tells everybody.
    """

    __tablename__ = "mutes"
    __table_args__ = (
        CheckConstraint("channel IN ('inbox', 'feed', 'mail', 'hook')", name="channel"),
    )
    addressee: str = text_column(primary_key=True)
    channel: str = text_column(primary_key=True)
    kind: str = text_column(primary_key=True)


class FeedRow(Base, table=True):
    """The address of a feed, by its digest: a row for each key it tells of, or that of a board."""

    __tablename__ = "feeds"
    __table_args__ = (
        ForeignKeyConstraint(["board"], ["boards.id"]),
        ForeignKeyConstraint(["key_id"], ["secrets.id"]),
        UniqueConstraint("digest", "key_id"),
        Index(None, "key_id"),
    )
    id: int | None = Field(default=None, primary_key=True)
    board: str = text_column()
    key_id: str | None = text_column(nullable=True)
    digest: str = text_column()
    prefix: str = text_column()
    created_at: datetime = time_column()
    revoked_at: datetime | None = time_column(nullable=True)


class MailboxRow(Base, table=True):
    """Where an addressee wants notices by e-mail; nothing is sent before it was confirmed.

    ``token`` stands in every mail, the same for all keys of one address: it confirms that and takes
    it away, and can do no more. One that was taken away has no address any more, and in place of
    the token a digest of it: with when it was asked for, so that nobody asks again at once.
    """

    __tablename__ = "mailboxes"
    __table_args__ = (
        ForeignKeyConstraint(["key_id"], ["secrets.id"]),
        Index(None, "token"),
    )
    key_id: str = text_column(primary_key=True)
    address: str = text_column()
    language: str = text_column()
    token: str = text_column()
    asked_at: datetime = time_column()
    confirmed_at: datetime | None = time_column(nullable=True)
