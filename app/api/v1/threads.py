"""Old threads: read post by post, and kept with the scene that goes on from them."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import Here, answer
from app.api.operations import operation
from app.api.parameters import BoardQuery, SceneId
from app.api.parts import part
from app.api.v1.post_answers import OldPostTold, OldThread, ThreadTold, ThreadTrouble
from app.api.v1.spoken import spoken
from app.http.language import Language
from app.persistence.tables import FIRST_BOARD
from app.posts.thread import PostInThread, Trouble, say_trouble
from app.services import threads
from app.services.thread_shapes import ThreadToRead

router: Final = part()


@router.post("/threads/read", tags=["stateless"])
@operation(ThreadTold, body=ThreadToRead, refuses=("not_found",))
async def read_thread(here: Here, board: BoardQuery = FIRST_BOARD) -> Response:
    """Read an old thread: what is wrong in which line, and how everybody stands at its end."""
    thread = await here.read(ThreadToRead)
    found = await here.run(threads.read_thread, here.principal, board, thread)
    told = ThreadTold(
        posts=tuple(_post(one, here.language) for one in found.posts),
        people=found.people,
        entrants=found.entrants,
    )
    return answer(told)


@router.get("/scenes/{scene_id}/thread", tags=["scenes"])
@operation(OldThread)
async def read_old_posts(here: Here, scene_id: SceneId) -> Response:
    """Read the posts from before a scene that was opened from an old thread."""
    found = await here.run(threads.read_old_posts, here.principal, scene_id)
    return answer(OldThread(posts=tuple(_post(one, here.language) for one in found)))


def _post(post: PostInThread, language: Language) -> OldPostTold:
    return OldPostTold(
        number=post.number,
        who=post.who,
        text=post.text,
        edited=post.edited,
        dice=post.dice,
        header=post.header,
        troubles=tuple(_trouble(one, language) for one in post.troubles),
    )


def _trouble(trouble: Trouble, language: Language) -> ThreadTrouble:
    return ThreadTrouble(
        line=trouble.line,
        rule=trouble.rule,
        code=trouble.code,
        facts=trouble.facts,
        hint=trouble.hint,
        **spoken(language, lambda one: say_trouble(one, trouble)),
    )
