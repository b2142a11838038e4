"""Every statement about beings, by name; none of them decides anything."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, and_, func, insert, select, update
from sqlmodel import col

from app.persistence.queries import is_id
from app.persistence.tables import SceneRow
from app.persistence.tables_beings import BeingRow, BeingVersionRow, SceneBeingRow


class BeingNow(NamedTuple):
    """A being as it stands."""

    id: str
    board: str
    ruleset: str
    name: str
    state: str
    version: int
    follows: str | None
    created_at: datetime


class BeingVersion(NamedTuple):
    """One version of a being."""

    being: str
    number: int
    cause: str
    state: str
    data: str
    points: int
    xp: int
    outcome: str | None
    scene: str | None
    entry: int | None
    at: datetime


class BeingHead(NamedTuple):
    """A being in a list, with what its newest version says and how many duels it has entered."""

    id: str
    ruleset: str
    name: str
    state: str
    version: int
    points: int
    xp: int
    updated_at: datetime
    duels: int


class SceneBeing(NamedTuple):
    """A being in a scene; ``ended_at`` is when the scene ended."""

    scene: str
    seat: str
    being: str
    version: int
    ended_at: datetime | None


def _columns(table: type[Any], shape: type[Any]) -> list[Any]:
    return [col(getattr(table, name)) for name in shape._fields]


_BEING: Final[Select[Any]] = select(*_columns(BeingRow, BeingNow))
_VERSION: Final[Select[Any]] = select(*_columns(BeingVersionRow, BeingVersion))
_DUELS: Final = (
    select(func.count())
    .select_from(SceneBeingRow)
    .where(col(SceneBeingRow.being) == col(BeingRow.id))
    .scalar_subquery()
)
_PLACE: Final[list[Any]] = [
    *(col(getattr(SceneBeingRow, name)) for name in ("scene", "seat", "being", "version")),
    col(SceneRow.ended_at),
]
_PLACES: Final[Select[Any]] = (
    select(*_PLACE)
    .join(SceneRow, col(SceneRow.id) == col(SceneBeingRow.scene))
    .order_by(col(SceneBeingRow.being), col(SceneRow.created_at), col(SceneRow.id))
)


def beings(
    connection: Connection, board: str, among: Collection[str] | None
) -> tuple[BeingHead, ...]:
    """List the beings of a board by name, all or some of them."""
    newest = and_(
        col(BeingVersionRow.being) == col(BeingRow.id),
        col(BeingVersionRow.number) == col(BeingRow.version),
    )
    wanted = (
        select(
            *(
                col(getattr(BeingRow, name))
                for name in ("id", "ruleset", "name", "state", "version")
            ),
            *(col(getattr(BeingVersionRow, name)) for name in ("points", "xp", "at")),
            _DUELS,
        )
        .join(BeingVersionRow, newest)
        .where(col(BeingRow.board) == board)
        .order_by(col(BeingRow.name), col(BeingRow.id))
    )
    if among is not None:
        wanted = wanted.where(col(BeingRow.id).in_(among))
    return tuple(BeingHead._make(row) for row in connection.execute(wanted))


def being_now(connection: Connection, being: str, *, lock: bool = False) -> BeingNow | None:
    """Read a being; with ``lock`` nobody else can do anything with it meanwhile."""
    if not is_id(being):
        return None
    wanted = _BEING.where(col(BeingRow.id) == being)
    row = connection.execute(wanted.with_for_update() if lock else wanted).first()
    return None if row is None else BeingNow._make(row)


def successor_of(connection: Connection, being: str) -> str | None:
    """Name the being that entered in the place of another."""
    wanted = select(col(BeingRow.id)).where(col(BeingRow.follows) == being)
    found: str | None = connection.execute(wanted).scalar()
    return found


def versions(connection: Connection, being: str) -> tuple[BeingVersion, ...]:
    """List every version of a being, from the first on."""
    wanted = _VERSION.where(col(BeingVersionRow.being) == being)
    rows = connection.execute(wanted.order_by(col(BeingVersionRow.number)))
    return tuple(BeingVersion._make(row) for row in rows)


def being_version(connection: Connection, being: str, number: int) -> BeingVersion:
    """Read one version of a being."""
    wanted = _VERSION.where(
        col(BeingVersionRow.being) == being, col(BeingVersionRow.number) == number
    )
    return BeingVersion._make(connection.execute(wanted).one())


def last_version_of_scene(connection: Connection, being: str, scene: str) -> BeingVersion | None:
    """Read the newest version that a scene has given a being."""
    wanted = _VERSION.where(
        col(BeingVersionRow.being) == being, col(BeingVersionRow.scene) == scene
    ).order_by(col(BeingVersionRow.number).desc())
    row = connection.execute(wanted.limit(1)).first()
    return None if row is None else BeingVersion._make(row)


def places_of_scene(connection: Connection, scene: str) -> tuple[SceneBeing, ...]:
    """List the beings in a scene."""
    rows = connection.execute(_PLACES.where(col(SceneBeingRow.scene) == scene))
    return tuple(SceneBeing._make(row) for row in rows)


def places_of_being(connection: Connection, being: str) -> tuple[SceneBeing, ...]:
    """List the scenes that a being has entered, from the first on."""
    rows = connection.execute(_PLACES.where(col(SceneBeingRow.being) == being))
    return tuple(SceneBeing._make(row) for row in rows)


def add_being(connection: Connection, **values: object) -> None:
    """Insert a being."""
    connection.execute(insert(BeingRow), [values])


def add_version(connection: Connection, **values: object) -> None:
    """Insert a version of a being, and let the being stand there."""
    connection.execute(insert(BeingVersionRow), [values])
    connection.execute(
        update(BeingRow)
        .where(col(BeingRow.id) == values["being"])
        .values(version=values["number"], state=values["state"])
    )


def add_place(connection: Connection, **values: object) -> None:
    """Let a being take a seat of a scene."""
    connection.execute(insert(SceneBeingRow), [values])
