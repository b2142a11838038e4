"""A post held against what it must hold: template, register, dice, one story (GC-1.1, GC-4.83)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from sqlalchemy import Connection

from app.engine.ruleset import Asked
from app.engine.text import Between, Id, Length
from app.persistence import queries
from app.persistence.database import Database
from app.persistence.queries import SceneNow
from app.persistence.queries_access import board_now
from app.posts.dialects import WITH_TAGS
from app.posts.dice_tag import FoundTag
from app.posts.digest import find_digests
from app.posts.header import Header
from app.posts.lint import BEFORE_UNREAD, LONGEST, Issue, lint_post, vitals_of
from app.posts.read import Reading
from app.posts.words import RULESET
from app.services.access import Principal
from app.services.boards import board_read
from app.services.casting import as_cast
from app.services.entries import Around, entry_read
from app.services.errors import NotFound
from app.services.games import game, read_kept
from app.services.patterns import shows_here
from app.services.retold import Retold, retold
from app.services.run import takes_long
from app.services.scene_found import found
from app.services.shapes import (
    Roller,
)
from app.services.sight import eyes_of

WholePost = Annotated[str, Length(0, LONGEST, lines=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPlace:
    """Where an entry is: its scene, and its number in the history of it."""

    scene_id: Id
    number: Annotated[int, Between(1, 2**31 - 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostToCheck:
    """A post as it was written, or is about to be.

    ``before`` is the same character's post before, from whose vitals the register is added up.
    ``entry`` is the entry of a scene that the post tells: then its dice are known, and the options
    are those of its scene instead of the board's.
    """

    text: WholePost
    before: WholePost = ""
    entry: EntryPlace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PostToRead:
    """A post as it was copied, whichever way; ``before`` is the same character's post before."""

    text: WholePost
    before: WholePost = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vitals:
    """The hit points and the energy that a post shows."""

    hp: int
    ep: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PostRead:
    """A post as it was read, and what is wrong with it; ``before`` are the vitals to start from.

    ``retold`` says whether it tells the entry that was named.
    """

    valid: bool
    header: Header
    before: Vitals | None
    tags: tuple[FoundTag, ...]
    issues: tuple[Issue, ...]
    reading: Reading
    retold: Retold | None = None


@takes_long
def check_post(db: Database, principal: Principal, board: str, post: PostToCheck) -> PostRead:
    """Read a post and list what is wrong with it; nothing is stored.

    Where no entry is named it is read as a post of this board.
    """
    with db.read() as connection:
        place, options, needed = _known(connection, principal, board, post.entry)
        shows = shows_here(connection, place)
        told = _retold(connection, principal, post.entry, post.text)
    before = vitals_of(post.before)
    lint = lint_post(post.text, options=options, before=before, needed=needed, shows=shows)
    unread = before is None and bool(post.before.strip())
    return PostRead(
        valid=lint.valid,
        header=lint.header,
        before=None if before is None else Vitals(hp=before.hp, ep=before.ep),
        tags=lint.tags,
        issues=(*lint.issues, BEFORE_UNREAD) if unread else lint.issues,
        reading=lint.reading,
        retold=told,
    )


@takes_long
def read_post(db: Database, principal: Principal, board: str, post: PostToRead) -> PostRead:
    """Read a post outside of every scene, under the options of a board; nothing is stored."""
    return check_post(db, principal, board, PostToCheck(text=post.text, before=post.before))


def _known(
    connection: Connection, principal: Principal, board_id: str, place: EntryPlace | None
) -> tuple[str, Any, tuple[Asked, ...]]:
    """Find the board and the options that a post is played under, and the dice it must hold."""
    scene = None if place is None else found(queries.scene_now(connection, place.scene_id))
    board = board_read(board_now(connection, board_id if scene is None else scene.board))
    if place is None or scene is None:
        return board.id, board.options[RULESET], ()
    row = queries.entry_full(connection, place.scene_id, place.number)
    if row is None:
        raise NotFound
    around = Around.of(connection, place.scene_id, (row,))
    eyes = eyes_of(as_cast(principal, scene), scene)
    entry = entry_read(game(scene.ruleset), scene, row, around, eyes)
    # Where the service rolls, or the dialect has no tags, a post shows results and nothing live.
    live = scene.dice == Roller.FORUM and entry.dialect in WITH_TAGS
    return board.id, options_of(scene, board.options[RULESET]), entry.asked if live else ()


def _retold(
    connection: Connection, principal: Principal, place: EntryPlace | None, text: str
) -> Retold | None:
    """Compare a post with the entry that it is about, as far as its reader may know that."""
    if place is None:
        return None
    scene = found(queries.scene_now(connection, place.scene_id))
    row = queries.entry_full(connection, place.scene_id, place.number)
    eyes = eyes_of(as_cast(principal, scene), scene)
    return None if row is None else retold(connection, scene, row, find_digests(text), eyes)


def options_of(scene: SceneNow, otherwise: Any) -> Any:
    """Read the options of a scene; one of another edition perhaps only has the board's."""
    ruleset = game(scene.ruleset)
    setup = read_kept(ruleset, ruleset.setup, scene.setup, scene.edition)
    return otherwise if setup is None else setup.options
