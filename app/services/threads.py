"""Old threads: read post by post before a scene is opened from them, and read again with it."""

from __future__ import annotations

from app.persistence import queries
from app.persistence.codec import checked
from app.persistence.database import Database
from app.persistence.queries_access import board_now
from app.persistence.queries_thread import imported_posts
from app.posts.thread import PostInThread
from app.posts.thread import read_thread as read
from app.posts.thread_drafts import draft_entrant
from app.posts.words import RULESET
from app.services.access import Principal
from app.services.boards import board_read
from app.services.errors import Malformed, Mistake
from app.services.posts import options_of
from app.services.run import takes_long
from app.services.scene_found import found
from app.services.thread_shapes import (
    MOST_CHARACTERS,
    OldPost,
    OldPostLine,
    OldPosts,
    ThreadFound,
    ThreadToRead,
)

BEGINNING = 160  # characters of a post in a list


@takes_long
def read_thread(
    db: Database, _principal: Principal, board_id: str, thread: ThreadToRead
) -> ThreadFound:
    """Read an old thread under the options of the board; nothing is stored."""
    check_thread(thread.posts, "posts")
    with db.read() as connection:
        board = board_read(board_now(connection, board_id))
    made = read([(one.who, one.text) for one in thread.posts], board.options[RULESET])
    entrants = tuple(
        draft_entrant(place, person, board.language) for place, person in enumerate(made.people)
    )
    return ThreadFound(posts=made.posts, people=made.people, entrants=entrants)


def check_thread(posts: tuple[OldPost, ...], field: str) -> None:
    """Raise Malformed for a thread that is longer than one scene keeps."""
    if sum(len(one.text) for one in posts) > MOST_CHARACTERS:
        raise Malformed(Mistake(field, "too_long", {"most": MOST_CHARACTERS}))


def thread_kept(posts: tuple[OldPost, ...], field: str) -> tuple[tuple[str, str], ...]:
    """Give each post of a thread with its author's name, as a scene keeps it; raise Malformed."""
    posts = checked(OldPosts, posts, field)
    check_thread(posts, field)
    made = read([(one.who, one.text) for one in posts])
    return tuple((one.who, one.text) for one in made.posts)


def list_old_posts(db: Database, _principal: Principal, scene_id: str) -> tuple[OldPostLine, ...]:
    """List the posts from before a scene; they were public, and so is the list."""
    with db.read() as connection:
        found(queries.scene_now(connection, scene_id))
        rows = imported_posts(connection, scene_id, beginning=BEGINNING)
    return tuple(
        OldPostLine(number=row.number, who=row.who, beginning=_beginning(row.text)) for row in rows
    )


@takes_long
def read_old_posts(db: Database, _principal: Principal, scene_id: str) -> tuple[PostInThread, ...]:
    """Read the posts from before a scene, with what is wrong with them under its options."""
    with db.read() as connection:
        scene = found(queries.scene_now(connection, scene_id))
        rows = imported_posts(connection, scene_id)
        board = board_read(board_now(connection, scene.board))
    options = options_of(scene, board.options[RULESET])
    return read([(row.who, row.text) for row in rows], options).posts


def _beginning(text: str) -> str:
    more = "…" if len(text) == BEGINNING else ""
    return " ".join(text.split()) + more
