"""The tables of people: their accounts, what they log in by, and who was invited to what."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, UniqueConstraint
from sqlmodel import Field

from app.persistence.tables import Base, text_column, time_column


class PersonRow(Base, table=True):
    """Somebody with an account.

    ``name_key`` is the name as it is read and ``name_drawn`` as it is drawn, so that nobody can be
    taken for somebody else; ``email_key`` is compared likewise. ``password`` is a hash, and missing
    where another service vouches for the person.
    """

    __tablename__ = "people"
    __table_args__ = (
        UniqueConstraint("name_key"),
        UniqueConstraint("name_drawn"),
        UniqueConstraint("email_key"),
    )
    id: str = text_column(primary_key=True)
    name: str = text_column()
    name_key: str = text_column()
    name_drawn: str = text_column()
    email: str | None = text_column(nullable=True)
    email_key: str | None = text_column(nullable=True)
    password: str | None = text_column(nullable=True)
    is_admin: bool
    created_at: datetime = time_column()


class IdentityRow(Base, table=True):
    """Who a person is to a service that vouches for them (OpenID Connect)."""

    __tablename__ = "identities"
    __table_args__ = (
        ForeignKeyConstraint(["person"], ["people.id"], ondelete="CASCADE"),
        Index(None, "person"),
    )
    issuer: str = text_column(primary_key=True)
    subject: str = text_column(primary_key=True)
    person: str = text_column()
    created_at: datetime = time_column()


class OneTimeLinkRow(Base, table=True):
    """A link that lets a person do one thing once, by its digest."""

    __tablename__ = "one_time_links"
    __table_args__ = (
        ForeignKeyConstraint(["person"], ["people.id"], ondelete="CASCADE"),
        CheckConstraint("purpose IN ('reset')", name="purpose"),
        Index(None, "person"),
    )
    digest: str = text_column(primary_key=True)
    person: str = text_column()
    purpose: str = text_column()
    created_at: datetime = time_column()
    expires_at: datetime = time_column()
    used_at: datetime | None = time_column(nullable=True)


class InvitationRow(Base, table=True):
    """A link that lets so many people in: to the service, and with a role to a board.

    ``made_by`` is the person or the key that invites.
    """

    __tablename__ = "invitations"
    __table_args__ = (
        ForeignKeyConstraint(["board"], ["boards.id"]),
        UniqueConstraint("digest"),
        CheckConstraint("role IN ('owner', 'gm', 'player', 'spectator')", name="role"),
        CheckConstraint("uses >= 0", name="uses"),
        Index(None, "board"),
    )
    id: str = text_column(primary_key=True)
    board: str | None = text_column(nullable=True)
    role: str = text_column()
    digest: str = text_column()
    prefix: str = text_column()
    uses: int = Field(sa_column_kwargs={"autoincrement": False})
    made_by: str | None = text_column(nullable=True)
    created_at: datetime = time_column()
    expires_at: datetime = time_column()
    revoked_at: datetime | None = time_column(nullable=True)
