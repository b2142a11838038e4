"""Every statement about the Master's desk: lists over many scenes, one page of them at a time."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    Connection,
    Select,
    and_,
    bindparam,
    func,
    literal,
    null,
    select,
    tuple_,
)
from sqlmodel import col

from app.persistence.queries import is_id
from app.persistence.tables import EntryRow, Moment, SceneRow
from app.persistence.tables_desk import DeskLookRow, DeskNoteRow, DeskSeenRow

MOST_COUNTED: Final = 1_000
"""Nobody counts further than that: a page costs the same however much lies below it."""


class Place(NamedTuple):
    """Where a turn lies on the desk: by age, and among those of one instant by scene and number."""

    at: datetime
    scene: str
    number: int


class OnDesk(NamedTuple):
    """A turn as the queue shows it."""

    scene: str
    number: int
    at: datetime
    seat: str
    who: str | None
    act: str
    review: str
    reviewed: int
    differs: bool
    title: str
    ruleset: str
    asks: int
    seen_at: datetime | None


class Asking(NamedTuple):
    """A scene on the desk, by what it waits for."""

    id: str
    title: str
    ruleset: str
    awaited: str
    awaited_names: str | None
    waiting: int | None
    asks: int
    since: datetime | None
    answer_by: datetime | None
    ended_at: datetime | None


class DeskCounts(NamedTuple):
    """How much lies on a desk, when its reader last looked, and their own note about it."""

    open: int
    returned: int
    dice: int
    questions: int
    fresh: int
    looked_at: datetime | None
    note: str | None


class Mine(NamedTuple):
    """Whose desk is read: the board, the scenes in it (None: all), and the reader's key."""

    board: str
    scenes: Collection[str] | None
    key_id: str


class Wanted(NamedTuple):
    """Which turns of a desk are asked for; an empty text asks for any."""

    review: str = "open"
    scene: str = ""
    seat: str = ""
    act: str = ""
    ruleset: str = ""
    differs: bool = False
    fresh: bool = False


_BEFORE_ALL: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SCENE: Final = (col(SceneRow.title), col(SceneRow.ruleset), col(SceneRow.asks))
_ENTRY: Final = tuple(col(getattr(EntryRow, name)) for name in OnDesk._fields[:9])
_PLACE: Final = (col(EntryRow.at), col(EntryRow.scene), col(EntryRow.number))
_IS_NEXT: Final = tuple_(*_PLACE)


_SCENES: Final[Any] = bindparam("scenes", expanding=True)
_PLACE_GIVEN: Final = tuple_(
    bindparam("at", type_=Moment), bindparam("place_scene"), bindparam("place_number")
)
_NARROWER: Final[dict[str, Any]] = {
    "scene": col(EntryRow.scene) == bindparam("scene"),
    "seat": col(EntryRow.seat) == bindparam("seat"),
    "act": col(EntryRow.act) == bindparam("act"),
    "ruleset": col(SceneRow.ruleset) == bindparam("ruleset"),
    "differs": col(EntryRow.differs),
}


# Statements are built once for each shape of what is asked: building one takes longer than it
# takes the database to answer it. What is asked for is bound when they are executed.


def _bound(mine: Mine) -> dict[str, Any]:
    return {"board": mine.board, "key": mine.key_id, "scenes": mine.scenes}


def _bound_place(place: Place | None) -> dict[str, Any]:
    if place is None:
        return {}
    return {"at": place.at, "place_scene": place.scene, "place_number": place.number}


def _on_desk(review: Any, *, all_scenes: bool) -> list[Any]:
    found: list[Any] = [
        col(EntryRow.desk) == bindparam("board"),
        col(EntryRow.review) == review,
    ]
    return found if all_scenes else [*found, col(EntryRow.scene).in_(_SCENES)]


@cache
def _page(asked: frozenset[str], *, all_scenes: bool, after: bool) -> Select[Any]:
    seen = and_(
        col(DeskSeenRow.key_id) == bindparam("key"),
        col(DeskSeenRow.scene) == col(EntryRow.scene),
        col(DeskSeenRow.entry) == col(EntryRow.number),
    )
    query = (
        select(*_ENTRY, *_SCENE, col(DeskSeenRow.at))
        .select_from(EntryRow)
        .join(SceneRow, col(SceneRow.id) == col(EntryRow.scene))
        .outerjoin(DeskSeenRow, seen)
        .where(*_on_desk(bindparam("review"), all_scenes=all_scenes))
        .where(*(found for name, found in _NARROWER.items() if name in asked))
        .order_by(*_PLACE)
        .limit(bindparam("most"))
    )
    if "fresh" in asked:
        query = query.where(_is_fresh())
    return query.where(_PLACE_GIVEN < _IS_NEXT) if after else query


def on_desk(
    connection: Connection, mine: Mine, wanted: Wanted, after: Place | None, limit: int
) -> tuple[OnDesk, ...]:
    """List turns, oldest first, after a place: one statement, whatever lies before and behind."""
    asked = wanted._asdict()
    shape = frozenset(name for name, asks in asked.items() if asks)
    query = _page(shape, all_scenes=mine.scenes is None, after=after is not None)
    bound = {**asked, **_bound(mine), **_bound_place(after), "most": limit}
    return tuple(OnDesk._make(row) for row in connection.execute(query, bound))


def _looked() -> Any:
    return (
        select(col(DeskLookRow.at))
        .where(
            col(DeskLookRow.key_id) == bindparam("key"),
            col(DeskLookRow.board) == bindparam("board"),
        )
        .scalar_subquery()
    )


def _note() -> Any:
    return (
        select(col(DeskNoteRow.text))
        .where(
            col(DeskNoteRow.key_id) == bindparam("key"),
            col(DeskNoteRow.board) == bindparam("board"),
            col(DeskNoteRow.scene) == "",
        )
        .scalar_subquery()
    )


def _is_fresh() -> Any:
    # One comparison and no "or", so that the index leads to the first fresh turn.
    return col(EntryRow.at) > func.coalesce(_looked(), literal(_BEFORE_ALL, Moment))


@cache
def _counts(*, all_scenes: bool) -> Select[Any]:
    def few(query: Select[Any]) -> Any:
        # In the order of the index: a planner who may read any thousand takes them from the table,
        # wherever they lie.
        found = query.limit(MOST_COUNTED).subquery()
        return select(func.count()).select_from(found).scalar_subquery()

    def turns(review: str, *more: Any) -> Any:
        mine = _on_desk(review, all_scenes=all_scenes)
        return few(select(col(EntryRow.number)).where(*mine, *more).order_by(*_PLACE))

    asking = select(col(SceneRow.id)).where(col(SceneRow.board) == bindparam("board"))
    asking = asking.where(col(SceneRow.asks) > 0, col(SceneRow.ended_at).is_(None))
    if not all_scenes:
        asking = asking.where(col(SceneRow.id).in_(_SCENES))
    return select(
        turns("open"),
        turns("returned"),
        turns("dice"),
        few(asking.order_by(col(SceneRow.asks))),
        turns("open", _is_fresh()),
        _looked(),
        _note(),
    )


def counts(connection: Connection, mine: Mine) -> DeskCounts:
    """Count what lies on a desk, no further than anybody counts, in one statement."""
    query = _counts(all_scenes=mine.scenes is None)
    return DeskCounts._make(connection.execute(query, _bound(mine)).one())


def asking(
    connection: Connection, mine: Mine, *, only_questions: bool, limit: int
) -> tuple[Asking, ...]:
    """List the scenes that go on, those that have waited longest first."""
    query = (
        select(*(col(getattr(SceneRow, name)) for name in Asking._fields))
        .where(col(SceneRow.board) == mine.board, col(SceneRow.ended_at).is_(None))
        .order_by(col(SceneRow.since), col(SceneRow.id))
        .limit(limit)
    )
    if only_questions:
        query = query.where(col(SceneRow.asks) > 0)
    if mine.scenes is not None:
        query = query.where(col(SceneRow.id).in_(mine.scenes))
    return tuple(Asking._make(row) for row in connection.execute(query))


def desk_entry(connection: Connection, scene: str, number: int) -> OnDesk | None:
    """Read one turn as the queue shows it; None for an entry that is nobody's to review."""
    query = (
        select(*_ENTRY, *_SCENE, null())
        .select_from(EntryRow)
        .join(SceneRow, col(SceneRow.id) == col(EntryRow.scene))
        .where(
            col(EntryRow.scene) == scene,
            col(EntryRow.number) == number,
            col(EntryRow.review).is_not(None),
        )
    )
    row = connection.execute(query).first() if is_id(scene) else None
    return None if row is None else OnDesk._make(row)


@cache
def _nearest(*, all_scenes: bool, later: bool) -> Select[Any]:
    columns: tuple[Any, ...] = _PLACE
    query: Select[Any] = select(*columns).where(*_on_desk("open", all_scenes=all_scenes)).limit(1)
    if later:
        return query.where(_PLACE_GIVEN < _IS_NEXT).order_by(*_PLACE)
    return query.where(_PLACE_GIVEN > _IS_NEXT).order_by(*(column.desc() for column in _PLACE))


def beside(connection: Connection, mine: Mine, place: Place) -> tuple[Place | None, Place | None]:
    """Name the turns to review before and after a place."""
    bound = {**_bound(mine), **_bound_place(place)}

    def nearest(*, later: bool) -> Place | None:
        query = _nearest(all_scenes=mine.scenes is None, later=later)
        row = connection.execute(query, bound).first()
        return None if row is None else Place._make(row)

    return nearest(later=False), nearest(later=True)
