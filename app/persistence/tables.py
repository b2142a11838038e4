"""The tables, for Alembic and for queries; no request ever fills one of these models.

Texts have no length here: the codec bounds them, in characters and alike on every database. Rules'
values are stored as text that the codec wrote, so that no number passes through a float.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, ClassVar, Final

from sqlalchemy import (
    CheckConstraint,
    DateTime,
    Dialect,
    ForeignKeyConstraint,
    Index,
    MetaData,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)
from sqlmodel import Field, SQLModel

FIRST_BOARD: Final = "board"
"""The id of the board that a service has from its first start on; further ones are made."""

WAITS: Final = text("waiting IS NOT NULL")
REVISION: Final = "0017"
"""The revision that this code needs: the newest in ``migrations``."""

NAMES: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Moment(TypeDecorator[datetime]):
    """An aware time in UTC, on a database that keeps time zones and on one that does not."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """Refuse a time without a zone: nobody could say when it was."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time needs its zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: Any | None, _dialect: Dialect) -> datetime | None:
        """Give the time back in UTC."""
        if not isinstance(value, datetime):
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(SQLModel):
    """What all tables share: one way of naming their constraints."""

    metadata: ClassVar[MetaData] = MetaData(naming_convention=NAMES)


def text_column(**options: Any) -> Any:
    """Make a column of text without a bound."""
    return Field(sa_type=Text, **options)


def time_column(**options: Any) -> Any:
    """Make a column of moments."""
    return Field(sa_type=Moment, **options)


class BoardRow(Base, table=True):
    """A forum, or one campaign on it, with the settings that new scenes copy.

    The first migration inserts the first row. ``joining`` says how people become players of it;
    ``pattern`` is what was learnt of how its forum shows dice.
    """

    __tablename__ = "boards"
    __table_args__ = (
        CheckConstraint("dice IN ('service', 'forum')", name="dice"),
        CheckConstraint("openers IN ('owner', 'gms', 'anyone')", name="openers"),
        CheckConstraint("seal_hours >= 0", name="seal_hours"),
        CheckConstraint("joining IN ('invited', 'open')", name="joining"),
    )
    id: str = text_column(primary_key=True)
    name: str = text_column()
    language: str = text_column()
    dialect: str = text_column()
    dice: str = text_column()
    openers: str = text_column()
    seal_hours: int = Field(sa_column_kwargs={"server_default": "24"})
    options: str = text_column()
    regulation: str = text_column()
    pattern: str | None = text_column(nullable=True)
    template: str | None = text_column(nullable=True)
    joining: str = text_column(sa_column_kwargs={"server_default": "invited"})
    created_at: datetime = time_column()


class SheetRow(Base, table=True):
    """A stored sheet; a ``model`` is one to copy several combatants from.

    ``template`` is the character's own template of posts.
    """

    __tablename__ = "sheets"
    __table_args__ = (ForeignKeyConstraint(["board"], ["boards.id"]), Index(None, "board", "name"))
    id: str = text_column(primary_key=True)
    board: str = text_column()
    ruleset: str = text_column()
    name: str = text_column()
    data: str = text_column()
    model: bool
    template: str | None = text_column(nullable=True)
    version: int
    updated_at: datetime = time_column()


class SceneRow(Base, table=True):
    """A scene: what it started from, and a snapshot of where its decisions have led.

    ``last`` is the number of its last entry, ``waiting`` that of a declared entry whose dice are
    awaited, after which only stories are corrected; ``awaited`` is kept so that a list of scenes
    need not read their states, with the ``awaited_names`` of its seats as the Master knows them.
    ``scheme`` is how its dice are thrown: ``pbf1``, or ``system`` in a scene from before that could
    be checked. ``templates`` are those that it took along for its posts. ``answer_by`` is until
    when what is awaited may be answered, within so many hours, and ``answer_for`` the name of what
    is. ``asks`` counts the open questions to the Master, ``since`` is when the scene came to stand
    as it does; both serve lists over many scenes.
    """

    __tablename__ = "scenes"
    __table_args__ = (
        ForeignKeyConstraint(["board"], ["boards.id"]),
        CheckConstraint("dice IN ('service', 'forum')", name="dice"),
        CheckConstraint("scheme IN ('pbf1', 'system')", name="scheme"),
        CheckConstraint("waiting IS NULL OR waiting <= last", name="waiting"),
        Index(None, "board", "created_at", "id"),
        Index(None, "board", "asks"),
        # Whoever waits for dice is looked for again and again, among all that has ever been played.
        Index("ix_scenes_waiting", "dice", sqlite_where=WAITS, postgresql_where=WAITS),
    )
    id: str = text_column(primary_key=True)
    board: str = text_column()
    title: str = text_column()
    ruleset: str = text_column()
    edition: str = text_column()
    language: str = text_column()
    dialect: str = text_column()
    dice: str = text_column()
    scheme: str = text_column(sa_column_kwargs={"server_default": "system"})
    templates: str | None = text_column(nullable=True)
    setup: str = text_column()
    state: str = text_column()
    awaited: str = text_column()
    version: int
    last: int
    waiting: int | None
    created_at: datetime = time_column()
    ended_at: datetime | None = time_column(nullable=True)
    answer_within: int | None
    answer_by: datetime | None = time_column(nullable=True)
    answer_for: str | None = text_column(nullable=True)
    asks: int = Field(sa_column_kwargs={"server_default": "0"})
    since: datetime | None = time_column(nullable=True)
    awaited_names: str | None = text_column(nullable=True)


class EntryRow(Base, table=True):
    """A decision, one taken back, or new words for one; completed once when awaited dice arrive.

    ``dice_by`` is the seat that told what the forum rolled, ``dice_at`` when, and ``dice_remarks``
    what was noticed in the post that it was read from. ``restated`` holds, on an amendment, what
    the entries after it came to with their own dice. ``veils`` says what of it which seats may not
    know; nothing is kept where everybody may know everything. ``corrects`` is the entry to whose
    story this one gives another wording. ``places`` says that its story may have places for its
    dice. What the Master's desk shows of a player's order stands beside it: ``desk`` is the board
    on whose desk it lies, ``review`` how it stands there after ``reviewed`` decisions, ``who`` the
    author's name, and ``differs`` whether their own figures were others than the computed ones.
    """

    __tablename__ = "entries"
    __table_args__ = (
        ForeignKeyConstraint(["scene"], ["scenes.id"]),
        ForeignKeyConstraint(["scene", "voids"], ["entries.scene", "entries.number"]),
        ForeignKeyConstraint(["scene", "before"], ["entries.scene", "entries.number"]),
        ForeignKeyConstraint(["scene", "corrects"], ["entries.scene", "entries.number"]),
        ForeignKeyConstraint(["key_id"], ["secrets.id"]),
        UniqueConstraint("scene", "voids"),
        CheckConstraint("kind IN ('order', 'void', 'correction')", name="kind"),
        CheckConstraint("status IN ('declared', 'resolved')", name="status"),
        CheckConstraint("number > 0", name="number"),
        Index(None, "desk", "review", "at", "scene", "number"),
        Index(None, "scene", "review", "at", "number"),
    )
    scene: str = text_column(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    kind: str = text_column()
    act: str = text_column()
    seat: str = text_column()
    order: str | None = text_column(nullable=True)
    narration: str | None = text_column(nullable=True)
    places: bool = Field(sa_column_kwargs={"server_default": "false"})
    asked: str = text_column()
    rolls: str | None = text_column(nullable=True)
    provenance: str = text_column()
    dice_by: str | None = text_column(nullable=True)
    dice_at: datetime | None = time_column(nullable=True)
    dice_remarks: str | None = text_column(nullable=True)
    findings: str = text_column()
    veils: str | None = text_column(nullable=True)
    restated: str | None = text_column(nullable=True)
    voids: int | None
    before: int | None
    corrects: int | None
    status: str = text_column()
    reason: str = text_column()
    edition: str = text_column()
    at: datetime = time_column()
    key_id: str | None = text_column(nullable=True)
    desk: str | None = text_column(nullable=True)
    review: str | None = text_column(nullable=True)
    reviewed: int = Field(sa_column_kwargs={"server_default": "0"})
    who: str | None = text_column(nullable=True)
    differs: bool = Field(sa_column_kwargs={"server_default": "false"})


class PrecedentRow(Base, table=True):
    """An answer of a Master that was kept, to be followed; its number is never given again.

    ``situation`` tells what the question was about, without names. A retired one can still be read.
    """

    __tablename__ = "precedents"
    __table_args__ = (
        ForeignKeyConstraint(["board"], ["boards.id"]),
        ForeignKeyConstraint(["scene", "entry"], ["entries.scene", "entries.number"]),
        ForeignKeyConstraint(["key_id"], ["secrets.id"]),
        ForeignKeyConstraint(["retired_by"], ["secrets.id"]),
        UniqueConstraint("scene", "entry"),
        CheckConstraint("number > 0", name="number"),
        Index(None, "board", "ruleset", "code"),
    )
    board: str = text_column(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    ruleset: str = text_column()
    code: str = text_column()
    rule: str = text_column()
    situation: str = text_column()
    choice: str = text_column()
    reason: str = text_column()
    scene: str = text_column()
    entry: int
    at: datetime = time_column()
    key_id: str = text_column()
    retired_at: datetime | None = time_column(nullable=True)
    retired_reason: str | None = text_column(nullable=True)
    retired_by: str | None = text_column(nullable=True)


class OptionChangeRow(Base, table=True):
    """One change of an option: from when on the board reads a doubtful point in another way."""

    __tablename__ = "option_changes"
    __table_args__ = (ForeignKeyConstraint(["board"], ["boards.id"]),)
    board: str = text_column(primary_key=True)
    ruleset: str = text_column(primary_key=True)
    option: str = text_column(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    before: str = text_column()
    after: str = text_column()
    at: datetime = time_column()


class SecretRow(Base, table=True):
    """A key by which somebody acts: a secret link, or what a person is.

    Of a link there is only a digest, and how it begins. A key with a ``person`` cannot be opened:
    it is that person's role on the board, or a seat that they took as theirs. ``seat`` is that of a
    scene, or the being whose link it is.
    """

    __tablename__ = "secrets"
    __table_args__ = (
        ForeignKeyConstraint(["board"], ["boards.id"]),
        ForeignKeyConstraint(["person"], ["people.id"]),
        ForeignKeyConstraint(["scene"], ["scenes.id"]),
        UniqueConstraint("digest"),
        CheckConstraint(
            "role IN ('owner', 'gm', 'player', 'spectator', 'seat', 'being')", name="role"
        ),
        Index(None, "scene"),
        Index(None, "person"),
        Index(None, "board", "role"),
    )
    id: str = text_column(primary_key=True)
    role: str = text_column()
    board: str = text_column()
    person: str | None = text_column(nullable=True)
    scene: str | None = text_column(nullable=True)
    seat: str | None = text_column(nullable=True)
    digest: str = text_column()
    prefix: str = text_column()
    created_at: datetime = time_column()
    used_at: datetime | None = time_column(nullable=True)
    revoked_at: datetime | None = time_column(nullable=True)


class SessionRow(Base, table=True):
    """A browser, by the digest of its cookie; ``person`` is who has logged in there."""

    __tablename__ = "sessions"
    __table_args__ = (
        ForeignKeyConstraint(["person"], ["people.id"], ondelete="CASCADE"),
        Index(None, "seen_at"),
        Index(None, "person"),
    )
    digest: str = text_column(primary_key=True)
    person: str | None = text_column(nullable=True)
    created_at: datetime = time_column()
    seen_at: datetime = time_column()


class GrantRow(Base, table=True):
    """A secret that a browser has opened."""

    __tablename__ = "grants"
    __table_args__ = (
        ForeignKeyConstraint(["session"], ["sessions.digest"], ondelete="CASCADE"),
        ForeignKeyConstraint(["secret"], ["secrets.id"]),
        Index(None, "secret"),
    )
    session: str = text_column(primary_key=True)
    secret: str = text_column(primary_key=True)


class IdempotencyRow(Base, table=True):
    """What a call answered, so that the same call gets the same answer.

    ``key`` is a digest: some answers are derived from the key itself.
    """

    __tablename__ = "idempotency"
    principal: str = text_column(primary_key=True)
    key: str = text_column(primary_key=True)
    fingerprint: str = text_column()
    result: str = text_column()
    at: datetime = time_column()
