"""The Master's desk: all turns to review of all their scenes, oldest first, a page at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from app.engine.ruleset import Awaited
from app.persistence import queries_desk as queries
from app.persistence.codec import checked, load
from app.persistence.database import Database
from app.persistence.queries import is_id, scene_now
from app.persistence.queries_desk import Mine, OnDesk, Place, Wanted
from app.persistence.queries_desk_own import note_of, put_look, put_note, put_seen
from app.services.access import Principal, Role, ScenePlace
from app.services.desk_shapes import (
    AskingLine,
    DeskLine,
    DeskRead,
    OwnNote,
    Review,
    TurnPlace,
)
from app.services.errors import NotFound
from app.services.scene_found import found
from app.services.world import World

A_PAGE: Final = 50
MOST_ASKING: Final = 200
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICRO: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskFilter:
    """Which turns of the desk are wanted; what is empty is any."""

    state: Review = Review.OPEN
    scene_id: str = ""
    seat: str = ""
    act: str = ""
    ruleset: str = ""
    differs: bool = False
    fresh: bool = False


def mine_of(principal: Principal, board: str) -> Mine:
    """Say whose desk it is: who oversees the board sees all of it, a scene's Master that scene.

    Raises NotFound for whoever is the Master of nothing. All that a desk asks about roles is here.
    """
    key = principal.own_key(board)
    if key is None or not principal.is_any_gm(board):
        raise NotFound
    if principal.oversees(board):
        return Mine(board, None, key)
    grants = (one for one in principal.grants if one.board == board)
    scenes = [one.scene_id for one in grants if one.role is Role.GM]
    return Mine(board, tuple(id for id in scenes if id is not None), key)


def read_desk(
    db: Database,
    principal: Principal,
    board: str,
    wanted: DeskFilter,
    *,
    after: str | None = None,
    limit: int = A_PAGE,
) -> DeskRead:
    """Read a page of the desk; two statements, however much lies on it."""
    mine = mine_of(principal, board)
    place = None if after is None else _place(after)
    with db.read() as connection:
        rows = queries.on_desk(connection, mine, _wanted(wanted), place, limit + 1)
        counts = queries.counts(connection, mine)
    shown = rows[:limit]
    looked = counts.looked_at
    return DeskRead(
        turns=tuple(_line(row, looked) for row in shown),
        after=_spelled(shown[-1]) if len(rows) > limit else None,
        open=counts.open,
        returned=counts.returned,
        dice=counts.dice,
        questions=counts.questions,
        fresh=counts.fresh,
        looked_at=looked,
        note=counts.note or "",
    )


def read_waiting(
    db: Database, principal: Principal, board: str, *, only_questions: bool = False
) -> tuple[AskingLine, ...]:
    """List the scenes that go on, with whom they wait for and how long; the longest first."""
    mine = mine_of(principal, board)
    with db.read() as connection:
        rows = queries.asking(connection, mine, only_questions=only_questions, limit=MOST_ASKING)
    return tuple(_asking(row) for row in rows)


def _asking(row: queries.Asking) -> AskingLine:
    awaited = load(Awaited, row.awaited)
    # One that has not moved since names are kept has none: then they are called by their seats.
    names = None if row.awaited_names is None else load(tuple[str, ...], row.awaited_names)
    return AskingLine(
        scene_id=row.id,
        title=row.title,
        ruleset=row.ruleset,
        awaited=awaited,
        names=awaited.seats if names is None else names,
        waiting=row.waiting,
        since=row.since,
        answer_by=row.answer_by,
    )


def beside(
    db: Database, principal: Principal, board: str, place: TurnPlace
) -> tuple[TurnPlace | None, TurnPlace | None]:
    """Name the turns to review before and after one of them."""
    mine = mine_of(principal, board)
    with db.read() as connection:
        row = queries.desk_entry(connection, place.scene_id, place.number)
        if row is None:
            raise NotFound
        before, after = queries.beside(connection, mine, Place(row.at, row.scene, row.number))
    return turn_place(before), turn_place(after)


def look(db: Database, world: World, principal: Principal, board: str) -> datetime:
    """Note that everything on the desk was looked over by now."""
    mine = mine_of(principal, board)
    now = world.now()
    with db.write() as connection:
        put_look(connection, mine.key_id, board, now)
    return now


def see(
    db: Database, world: World, principal: Principal, place: TurnPlace, *, seen: bool = True
) -> None:
    """Mark a turn as viewed, or as not viewed, for the reader alone."""
    with db.write() as connection:
        scene = found(scene_now(connection, place.scene_id))
        key = principal.own_key(scene.board)
        if key is None or not principal.is_gm(scene):
            raise NotFound
        if queries.desk_entry(connection, place.scene_id, place.number) is None:
            raise NotFound
        put_seen(connection, key, place.scene_id, place.number, world.now() if seen else None)


def read_note(db: Database, principal: Principal, board: str, scene_id: str = "") -> OwnNote:
    """Read one's own note about a scene, or about the board."""
    key = _note_key(principal, board, scene_id)
    with db.read() as connection:
        return OwnNote(text=note_of(connection, key, board, scene_id))


def write_note(
    db: Database, world: World, principal: Principal, board: str, scene_id: str, text: str
) -> OwnNote:
    """Write one's own note; an empty one is forgotten."""
    note = checked(OwnNote, OwnNote(text=text), "note")
    key = _note_key(principal, board, scene_id)
    with db.write() as connection:
        scene = scene_now(connection, scene_id) if scene_id else None
        if scene_id and (scene is None or scene.board != board):
            raise NotFound
        put_note(connection, key, board, scene_id, note.text, world.now())
    return OwnNote(text=note.text)


def turn_place(place: Place | None) -> TurnPlace | None:
    """Name a turn without its age."""
    return None if place is None else TurnPlace(scene_id=place.scene, number=place.number)


def _note_key(principal: Principal, board: str, scene_id: str) -> str:
    mine = mine_of(principal, board)
    if scene_id and not principal.is_gm(ScenePlace(scene_id, board)):
        raise NotFound
    return mine.key_id


def _wanted(wanted: DeskFilter) -> Wanted:
    return Wanted(
        review=wanted.state.value,
        scene=wanted.scene_id,
        seat=wanted.seat,
        act=wanted.act,
        ruleset=wanted.ruleset,
        differs=wanted.differs,
        fresh=wanted.fresh,
    )


def _line(row: OnDesk, looked: datetime | None) -> DeskLine:
    return DeskLine(
        scene_id=row.scene,
        number=row.number,
        at=row.at,
        seat=row.seat,
        who=row.who or row.seat,
        act=row.act,
        state=Review(row.review),
        version=row.reviewed,
        differs=row.differs,
        title=row.title,
        ruleset=row.ruleset,
        questions=row.asks,
        fresh=looked is None or row.at > looked,
        seen=row.seen_at is not None,
    )


def _spelled(row: OnDesk) -> str:
    """Spell where a page ends; a scene's id has no full stop in it."""
    return f"{(row.at - _EPOCH) // _MICRO}.{row.number}.{row.scene}"


def _place(text: str) -> Place:
    """Read where a page ends; raise NotFound for what is no such place."""
    at, _, rest = text.partition(".")
    number, _, scene = rest.partition(".")
    if not (_is_count(at, 17) and _is_count(number, 9) and is_id(scene)):
        raise NotFound
    return Place(_EPOCH + int(at) * _MICRO, scene, int(number))


def _is_count(text: str, most: int) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= most
