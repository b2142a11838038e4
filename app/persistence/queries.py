"""Every statement about scenes and their entries, by name; none of them decides anything."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, bindparam, insert, literal, or_, select, tuple_, update
from sqlmodel import col

from app.persistence.tables import EntryRow, Moment, SceneRow


class VeiledEntry(NamedTuple):
    """An entry of which something is withheld, and what it takes back or puts into other words."""

    number: int
    order: str | None
    voids: int | None
    corrects: int | None


class SceneNow(NamedTuple):
    """A scene as it stands, with all that a decision needs."""

    id: str
    board: str
    title: str
    ruleset: str
    edition: str
    language: str
    dialect: str
    dice: str
    scheme: str
    templates: str | None
    setup: str
    state: str
    awaited: str
    version: int
    last: int
    waiting: int | None
    created_at: datetime
    ended_at: datetime | None
    answer_within: int | None
    answer_by: datetime | None
    answer_for: str | None
    asks: int
    since: datetime | None
    awaited_names: str | None


class SceneState(NamedTuple):
    """A scene as it stands, and nothing else of it."""

    id: str
    ruleset: str
    edition: str
    state: str


class SceneHead(NamedTuple):
    """A scene in a list."""

    id: str
    board: str
    title: str
    ruleset: str
    version: int
    awaited: str
    waiting: int | None
    created_at: datetime
    ended_at: datetime | None
    answer_by: datetime | None


class EntryHead(NamedTuple):
    """An entry in the history of a scene."""

    number: int
    kind: str
    seat: str
    act: str
    status: str
    voids: int | None
    before: int | None
    corrects: int | None
    reason: str
    at: datetime
    provenance: str
    veils: str | None
    restated: str | None


class EntryFull(NamedTuple):
    """An entry with everything in it."""

    number: int
    kind: str
    seat: str
    act: str
    status: str
    voids: int | None
    before: int | None
    corrects: int | None
    reason: str
    at: datetime
    order: str | None
    narration: str | None
    places: bool
    asked: str
    rolls: str | None
    provenance: str
    dice_by: str | None
    dice_at: datetime | None
    dice_remarks: str | None
    findings: str
    veils: str | None
    review: str | None
    reviewed: int


class Correction(NamedTuple):
    """An entry that says something about others: a void, an amendment, new words for a story."""

    number: int
    voids: int | None
    before: int | None
    corrects: int | None
    restated: str | None


class StoredWording(NamedTuple):
    """The words of a story that an entry gives to another, or to itself."""

    number: int
    corrects: int | None
    narration: str | None
    at: datetime


class LoggedOrder(NamedTuple):
    """What a replay needs of an entry."""

    number: int
    act: str
    order: str | None
    rolls: str | None
    voids: int | None
    before: int | None
    status: str


MOVED: Final = (
    *("state", "awaited", "awaited_names", "version", "last", "waiting", "ended_at"),
    *("answer_by", "answer_for", "asks", "since"),
)
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}\Z", re.ASCII)
_LARGEST: Final = 2**31 - 1


def is_id(text: str) -> bool:
    """Say whether a text could be the id of a row; others must not reach the database at all."""
    return _ID.match(text) is not None


def _columns(table: type[Any], shape: type[Any]) -> list[Any]:
    return [col(getattr(table, name)) for name in shape._fields]


_SCENE: Final[Select[Any]] = select(*_columns(SceneRow, SceneNow)).where(
    col(SceneRow.id) == bindparam("scene")
)
_LOCKED_SCENE: Final[Select[Any]] = _SCENE.with_for_update()
_HEADS: Final[Select[Any]] = (
    select(*_columns(EntryRow, EntryHead))
    .where(col(EntryRow.scene) == bindparam("scene"))
    .order_by(col(EntryRow.number))
)
_FULL: Final[Select[Any]] = select(*_columns(EntryRow, EntryFull)).where(
    col(EntryRow.scene) == bindparam("scene")
)
_ENTRY: Final[Select[Any]] = _FULL.where(col(EntryRow.number) == bindparam("number"))
_ENTRIES: Final[Select[Any]] = (
    _FULL.where(col(EntryRow.number) > bindparam("after"))
    .order_by(col(EntryRow.number))
    .limit(bindparam("limit"))
)
_CORRECTIONS: Final[Select[Any]] = (
    select(*_columns(EntryRow, Correction))
    .where(
        col(EntryRow.scene) == bindparam("scene"),
        or_(
            col(EntryRow.voids).is_not(None),
            col(EntryRow.before).is_not(None),
            col(EntryRow.corrects).is_not(None),
        ),
    )
    .order_by(col(EntryRow.number))
)
_LOG: Final[Select[Any]] = (
    select(*_columns(EntryRow, LoggedOrder))
    .where(col(EntryRow.scene) == bindparam("scene"))
    .order_by(col(EntryRow.number))
)
_ADD_SCENE: Final = insert(SceneRow)
_ADD_ENTRY: Final = insert(EntryRow)
_MOVE_SCENE: Final = (
    update(SceneRow)
    .where(col(SceneRow.id) == bindparam("scene"))
    .values({name: bindparam(f"new_{name}") for name in MOVED})
)
_COMPLETED: Final = (
    *("asked", "rolls", "provenance", "dice_by", "dice_at", "dice_remarks"),
    *("findings", "veils", "status", "review", "differs"),
)
_COMPLETE_ENTRY: Final = (
    update(EntryRow)
    .where(
        col(EntryRow.scene) == bindparam("in_scene"), col(EntryRow.number) == bindparam("in_number")
    )
    .values({name: bindparam(f"new_{name}") for name in _COMPLETED})
)
_BY_AGE: Final = (col(SceneRow.created_at).desc(), col(SceneRow.id).desc())


def scene_now(connection: Connection, scene: str, *, lock: bool = False) -> SceneNow | None:
    """Read a scene; with ``lock`` nobody else can move it until this transaction ends."""
    if not is_id(scene):
        return None
    row = connection.execute(_LOCKED_SCENE if lock else _SCENE, {"scene": scene}).first()
    return None if row is None else SceneNow._make(row)


def scene_states(connection: Connection, among: Collection[str]) -> tuple[SceneState, ...]:
    """Read how some scenes stand."""
    if not among:
        return ()
    wanted = select(*_columns(SceneRow, SceneState)).where(col(SceneRow.id).in_(among))
    return tuple(SceneState._make(row) for row in connection.execute(wanted))


def scene_heads(
    connection: Connection,
    among: Collection[str],
    boards: Collection[str],
    after: str | None,
    limit: int,
    *,
    board: str | None = None,
) -> tuple[SceneHead, ...]:
    """List scenes from the newest on: some, and all of some boards; perhaps of one ``board`` only.

    ``after`` is one of them, from which on they are listed.
    """
    listed = or_(col(SceneRow.id).in_(among), col(SceneRow.board).in_(boards))
    wanted = select(*_columns(SceneRow, SceneHead)).where(listed)
    if board is not None:
        wanted = wanted.where(col(SceneRow.board) == board)
    if after is not None:
        last = scene_now(connection, after)
        if last is None:
            return ()
        place = tuple_(col(SceneRow.created_at), col(SceneRow.id))
        wanted = wanted.where(place < tuple_(literal(last.created_at, Moment), last.id))
    rows = connection.execute(wanted.order_by(*_BY_AGE).limit(limit))
    return tuple(SceneHead._make(row) for row in rows)


def scene_ids(connection: Connection) -> tuple[str, ...]:
    """List the ids of all scenes, from the oldest on."""
    ids = select(col(SceneRow.id)).order_by(col(SceneRow.created_at), col(SceneRow.id))
    return tuple(connection.execute(ids).scalars())


def entry_heads(connection: Connection, scene: str) -> tuple[EntryHead, ...]:
    """List the entries of a scene."""
    return tuple(EntryHead._make(row) for row in connection.execute(_HEADS, {"scene": scene}))


def entry_full(connection: Connection, scene: str, number: int) -> EntryFull | None:
    """Read one entry."""
    if not is_id(scene) or not 0 < number <= _LARGEST:
        return None
    row = connection.execute(_ENTRY, {"scene": scene, "number": number}).first()
    return None if row is None else EntryFull._make(row)


def entries_full(
    connection: Connection, scene: str, after: int, limit: int
) -> tuple[EntryFull, ...]:
    """Read entries in their order, from the one after ``after``."""
    place = {"scene": scene, "after": min(after, _LARGEST), "limit": limit}
    rows = connection.execute(_ENTRIES, place)
    return tuple(EntryFull._make(row) for row in rows)


def corrections(connection: Connection, scene: str) -> tuple[Correction, ...]:
    """List the voids, amendments and corrections of a scene."""
    rows = connection.execute(_CORRECTIONS, {"scene": scene})
    return tuple(Correction._make(row) for row in rows)


def wordings(
    connection: Connection, scene: str, entries: Iterable[int]
) -> tuple[StoredWording, ...]:
    """List the stories that corrections have given to some entries, from the first on."""
    wanted = (
        select(*_columns(EntryRow, StoredWording))
        .where(col(EntryRow.scene) == scene, col(EntryRow.corrects).in_(tuple(entries)))
        .order_by(col(EntryRow.number))
    )
    return tuple(StoredWording._make(row) for row in connection.execute(wanted))


def logged_orders(connection: Connection, scene: str) -> tuple[LoggedOrder, ...]:
    """List what a replay of a scene needs."""
    return tuple(LoggedOrder._make(row) for row in connection.execute(_LOG, {"scene": scene}))


def add_scene(connection: Connection, **values: object) -> None:
    """Insert a scene."""
    connection.execute(_ADD_SCENE, [values])


def add_entry(connection: Connection, **values: object) -> None:
    """Insert an entry."""
    connection.execute(_ADD_ENTRY, [values])


def move_scene(connection: Connection, scene: str, **values: object) -> None:
    """Put a scene's snapshot where its decisions have led."""
    connection.execute(_MOVE_SCENE, {"scene": scene, **_new(values)})


def set_deadline(connection: Connection, scene: str, **values: object) -> None:
    """Change until when what a scene awaits may be answered."""
    connection.execute(update(SceneRow).where(col(SceneRow.id) == scene).values(values))


def complete_entry(connection: Connection, scene: str, number: int, **values: object) -> None:
    """Write into a declared entry what its dice have decided."""
    place = {"in_scene": scene, "in_number": number}
    connection.execute(_COMPLETE_ENTRY, {**place, **_new(values)})


def veiled(connection: Connection, scene: str) -> tuple[VeiledEntry, ...]:
    """List the entries of a scene of which something is withheld, from the first on."""
    rows = connection.execute(
        select(*_columns(EntryRow, VeiledEntry))
        .where(col(EntryRow.scene) == scene, col(EntryRow.veils).is_not(None))
        .order_by(col(EntryRow.number))
    )
    return tuple(VeiledEntry._make(row) for row in rows)


def lift_veils(connection: Connection, scene: str, numbers: Iterable[int]) -> None:
    """Withhold nothing of some entries any more."""
    connection.execute(
        update(EntryRow)
        .where(col(EntryRow.scene) == scene, col(EntryRow.number).in_(tuple(numbers)))
        .values(veils=None)
    )


def _new(values: dict[str, object]) -> dict[str, object]:
    return {f"new_{name}": value for name, value in values.items()}
