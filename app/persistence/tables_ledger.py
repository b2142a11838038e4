"""The tables of what makes dice checkable: the ledger, which is only ever added to, and secrets."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, LargeBinary, UniqueConstraint
from sqlmodel import Field

from app.persistence.tables import Base, text_column, time_column


class LedgerRow(Base, table=True):
    """A line of a scene's ledger, as the very bytes that its head was made of.

    Triggers refuse to change or remove one. ``entry`` is the entry that the line is about.
    """

    __tablename__ = "ledger"
    __table_args__ = (
        ForeignKeyConstraint(["scene"], ["scenes.id"]),
        UniqueConstraint("scene", "head"),
        CheckConstraint("number >= 0", name="number"),
        Index(None, "scene", "entry"),
    )
    scene: str = text_column(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    entry: int | None
    line: bytes = Field(sa_type=LargeBinary)
    head: str = text_column()


class SceneDiceRow(Base, table=True):
    """Where the dice of a scene stand, and what their seeds are made of with the master key.

    ``noise`` makes the chain of seeds, ``secret_noise`` the secrets of hidden rolls and the chain
    of checks; neither is of use without the key named by ``key_name``,
    of which ``key_print`` tells another that was given the same name. ``rolls``, ``hidden`` and
    ``checks`` count what was rolled; ``committed`` counts the secrets for hidden rolls in the
    ledger. ``since`` is when the wait for salts began that goes on, ``beacon_round`` the round that
    the declared entry waits for.
    """

    __tablename__ = "scene_dice"
    __table_args__ = (ForeignKeyConstraint(["scene"], ["scenes.id"]),)
    scene: str = text_column(primary_key=True)
    key_name: str = text_column()
    key_print: str = text_column()
    noise: bytes = Field(sa_type=LargeBinary)
    secret_noise: bytes = Field(sa_type=LargeBinary)
    anchor: str = text_column()
    links: int
    wait_hours: int
    beacon: str | None = text_column(nullable=True)
    rolls: int
    hidden: int
    committed: int
    checks: int
    frozen: bool
    redone: bool
    since: datetime | None = time_column(nullable=True)
    beacon_round: int | None


class SaltRow(Base, table=True):
    """A seat's part in the dice of a scene: its seal, then its salt, or why it has none."""

    __tablename__ = "salts"
    __table_args__ = (
        ForeignKeyConstraint(["scene"], ["scenes.id"]),
        CheckConstraint("missing IN ('', 'limit', 'waived')", name="missing"),
    )
    scene: str = text_column(primary_key=True)
    seat: str = text_column(primary_key=True)
    seal: str = text_column()
    salt: str | None = text_column(nullable=True)
    missing: str = text_column()


class SealedLineRow(Base, table=True):
    """What a line of a ledger commits to, kept until it is opened in the line ``opened``.

    ``seat`` is who may see it before, ``secret`` that of the hidden roll it is about.
    """

    __tablename__ = "sealed_lines"
    __table_args__ = (
        ForeignKeyConstraint(["scene", "line"], ["ledger.scene", "ledger.number"]),
        ForeignKeyConstraint(["scene", "opened"], ["ledger.scene", "ledger.number"]),
    )
    scene: str = text_column(primary_key=True)
    line: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    kind: str = text_column()
    seat: str = text_column()
    nonce: str = text_column()
    payload: str = text_column()
    secret: str | None = text_column(nullable=True)
    opened: int | None
