"""Every statement about the Master's desk: lists over many scenes, one page of them at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    Connection,
    Select,
    and_,
    func,
    insert,
    literal,
    null,
    select,
    tuple_,
    update,
)
from sqlmodel import col

from app.persistence.queries import is_id
from app.persistence.tables import EntryRow, Moment, SceneRow, SecretRow
from app.persistence.tables_desk import DeskLookRow, DeskNoteRow, DeskSeenRow, ReviewRow

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


class ReviewNow(NamedTuple):
    """One decision about a turn, with the role of whoever took it."""

    entry: int
    number: int
    state: str
    marks: str
    note: str
    cause: int | None
    at: datetime
    role: str | None


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


def _mine(mine: Mine, review: str) -> list[Any]:
    found: list[Any] = [col(EntryRow.desk) == mine.board, col(EntryRow.review) == review]
    if mine.scenes is not None:
        found.append(col(EntryRow.scene).in_(mine.scenes))
    return found


def _of_place(place: Place) -> Any:
    return tuple_(literal(place.at, Moment), place.scene, place.number)


def on_desk(
    connection: Connection, mine: Mine, wanted: Wanted, after: Place | None, limit: int
) -> tuple[OnDesk, ...]:
    """List turns, oldest first, after a place: one statement, whatever lies before and behind."""
    seen = and_(
        col(DeskSeenRow.key_id) == mine.key_id,
        col(DeskSeenRow.scene) == col(EntryRow.scene),
        col(DeskSeenRow.entry) == col(EntryRow.number),
    )
    query = (
        select(*_ENTRY, *_SCENE, col(DeskSeenRow.at))
        .select_from(EntryRow)
        .join(SceneRow, col(SceneRow.id) == col(EntryRow.scene))
        .outerjoin(DeskSeenRow, seen)
        .where(*_mine(mine, wanted.review))
        .order_by(*_PLACE)
        .limit(limit)
    )
    for column, text in (
        (col(EntryRow.scene), wanted.scene),
        (col(EntryRow.seat), wanted.seat),
        (col(EntryRow.act), wanted.act),
        (col(SceneRow.ruleset), wanted.ruleset),
    ):
        if text:
            query = query.where(column == text)
    if wanted.differs:
        query = query.where(col(EntryRow.differs))
    if wanted.fresh:
        query = query.where(_is_fresh(mine))
    if after is not None:
        query = query.where(_of_place(after) < _IS_NEXT)
    return tuple(OnDesk._make(row) for row in connection.execute(query))


def _looked(mine: Mine) -> Any:
    return (
        select(col(DeskLookRow.at))
        .where(col(DeskLookRow.key_id) == mine.key_id, col(DeskLookRow.board) == mine.board)
        .scalar_subquery()
    )


def _note(mine: Mine) -> Any:
    return (
        select(col(DeskNoteRow.text))
        .where(
            col(DeskNoteRow.key_id) == mine.key_id,
            col(DeskNoteRow.board) == mine.board,
            col(DeskNoteRow.scene) == "",
        )
        .scalar_subquery()
    )


def _is_fresh(mine: Mine) -> Any:
    # One comparison and no "or", so that the index leads to the first fresh turn.
    return col(EntryRow.at) > func.coalesce(_looked(mine), literal(_BEFORE_ALL, Moment))


def counts(connection: Connection, mine: Mine) -> DeskCounts:
    """Count what lies on a desk, no further than anybody counts, in one statement."""

    def few(query: Select[Any]) -> Any:
        return select(func.count()).select_from(query.limit(MOST_COUNTED).subquery())

    def turns(review: str, *more: Any) -> Any:
        found = select(col(EntryRow.number)).where(*_mine(mine, review), *more)
        return few(found).scalar_subquery()

    asking = select(col(SceneRow.id)).where(col(SceneRow.board) == mine.board)
    asking = asking.where(col(SceneRow.asks) > 0, col(SceneRow.ended_at).is_(None))
    if mine.scenes is not None:
        asking = asking.where(col(SceneRow.id).in_(mine.scenes))
    row = connection.execute(
        select(
            turns("open"),
            turns("returned"),
            turns("dice"),
            few(asking).scalar_subquery(),
            turns("open", _is_fresh(mine)),
            _looked(mine),
            _note(mine),
        )
    ).one()
    return DeskCounts._make(row)


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


def beside(connection: Connection, mine: Mine, place: Place) -> tuple[Place | None, Place | None]:
    """Name the turns to review before and after a place."""

    def nearest(*, later: bool) -> Place | None:
        query = select(*_PLACE).where(*_mine(mine, "open")).limit(1)
        if later:
            query = query.where(_of_place(place) < _IS_NEXT).order_by(*_PLACE)
        else:
            query = query.where(_of_place(place) > _IS_NEXT)
            query = query.order_by(*(column.desc() for column in _PLACE))
        row = connection.execute(query).first()
        return None if row is None else Place._make(row)

    return nearest(later=False), nearest(later=True)


def set_reviews(connection: Connection, scene: str, states: dict[int, str]) -> None:
    """Put turns of a scene onto the desk, or off it, and count the decision."""
    for state in dict.fromkeys(states.values()):
        numbers = [number for number, wanted in states.items() if wanted == state]
        connection.execute(
            update(EntryRow)
            .where(
                col(EntryRow.scene) == scene,
                col(EntryRow.number).in_(numbers),
                col(EntryRow.review).is_not(None),
            )
            .values(review=state, reviewed=col(EntryRow.reviewed) + 1)
        )


def review_states(connection: Connection, scene: str) -> dict[int, tuple[str, int]]:
    """Tell how the turns of a scene stand on the desk, and after how many decisions."""
    query = select(col(EntryRow.number), col(EntryRow.review), col(EntryRow.reviewed)).where(
        col(EntryRow.scene) == scene, col(EntryRow.review).is_not(None)
    )
    return {number: (str(state), count) for number, state, count in connection.execute(query)}


def returned_of(connection: Connection, scene: str, seats: Collection[str]) -> tuple[int, ...]:
    """List the turns of some seats that wait to be mended."""
    query = (
        select(col(EntryRow.number))
        .where(
            col(EntryRow.scene) == scene,
            col(EntryRow.review) == "returned",
            col(EntryRow.seat).in_(seats),
        )
        .order_by(col(EntryRow.number))
    )
    return tuple(connection.execute(query).scalars())


def add_reviews(connection: Connection, rows: Iterable[dict[str, object]]) -> None:
    """Insert decisions about turns."""
    if found := list(rows):
        connection.execute(insert(ReviewRow), found)


def reviews_of(
    connection: Connection, scene: str, entry: int | None = None
) -> tuple[ReviewNow, ...]:
    """List the decisions about the turns of a scene, or about one, from the first on."""
    query = (
        select(
            *(col(getattr(ReviewRow, name)) for name in ReviewNow._fields[:7]), col(SecretRow.role)
        )
        .select_from(ReviewRow)
        .outerjoin(SecretRow, col(SecretRow.id) == col(ReviewRow.key_id))
        .where(col(ReviewRow.scene) == scene)
        .order_by(col(ReviewRow.at), col(ReviewRow.entry), col(ReviewRow.number))
    )
    if entry is not None:
        query = query.where(col(ReviewRow.entry) == entry)
    return tuple(ReviewNow._make(row) for row in connection.execute(query))
