"""Without a scene: a whole fight adjudicated on the spot, and the dice tags of a post checked."""

from __future__ import annotations

from typing import Final

import anyio
from starlette.responses import Response

from app.api.call import Here, about, answer
from app.api.operations import operation
from app.api.parts import part
from app.api.v1.answers import FightTold, TagsChecked
from app.api.v1.bodies import PostText
from app.api.v1.telling import fight_told, tags_told
from app.posts.dice_tag import check_post
from app.services.adjudicate import adjudicate as adjudicate_fight
from app.services.shapes import (
    Adjudication,
)

router: Final = part("stateless")


@router.post("/adjudicate")
@operation(FightTold, body=Adjudication, refuses=("refused",))
async def adjudicate(here: Here) -> Response:
    """Play a fight that is kept elsewhere; nothing is stored."""
    fight = await here.read(Adjudication)
    # A hundred steps take a while, and nothing of it waits for the database.
    with about("setup"):
        played = await anyio.to_thread.run_sync(adjudicate_fight, here.world, fight)
    return answer(fight_told(played, fight.ruleset, here.language))


@router.post("/tags/check")
@operation(TagsChecked, body=PostText)
async def check_tags(here: Here) -> Response:
    """Hold every dice tag of a post against its label."""
    post = await here.read(PostText)
    return answer(tags_told(check_post(post.text), here.language))
