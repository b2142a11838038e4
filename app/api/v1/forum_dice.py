"""Dice that the forum rolled, read from its post; and a turn withdrawn before any die fell."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import Here, answer
from app.api.operations import operation
from app.api.parameters import Key, Number, SceneId, Version
from app.api.parts import part
from app.api.v1.answers import PostedDiceRead
from app.api.v1.bodies import OwnReason, PastedPost
from app.api.v1.telling import pasted_told
from app.api.v1.turns import decided
from app.services import posted_dice, taking_back
from app.services.entry_shapes import Decided, PostedDice, TakeBack

router: Final = part("turns")


@router.post("/scenes/{scene_id}/entries/{number}/dice/read")
@operation(PostedDiceRead, body=PastedPost, refuses=("dice_not_awaited",))
async def read_posted_dice(here: Here, scene_id: SceneId, number: Number) -> Response:
    """Say what a pasted post shows of the dice that are awaited; nothing is stored."""
    post = await here.read(PastedPost)
    found = await here.run(
        posted_dice.read_posted_dice, here.principal, scene_id, number, post.text
    )
    return answer(pasted_told(found, here.language))


@router.post("/scenes/{scene_id}/entries/{number}/dice/post", status_code=201)
@operation(
    Decided,
    body=PastedPost,
    status=201,
    refuses=("refused", "key_reused", "dice_not_awaited", "other_edition"),
)
async def give_posted_dice(
    here: Here, scene_id: SceneId, number: Number, version: Version, key: Key
) -> Response:
    """Give the dice that the forum rolled, as its post shows them."""
    post = await here.read(PastedPost)
    posted = PostedDice(text=post.text, version=version, key=key)
    done = await here.run(
        posted_dice.give_posted_dice,
        here.world,
        here.principal,
        scene_id,
        number,
        posted,
        by_plugin=here.has_key,
    )
    return decided(scene_id, done)


@router.post("/scenes/{scene_id}/entries/{number}/withdraw", status_code=201)
@operation(
    Decided,
    body=OwnReason,
    status=201,
    refuses=(
        *("key_reused", "nothing_to_withdraw", "dice_settled", "other_edition"),
        "beacon_missing",
    ),
)
async def withdraw_turn(
    here: Here, scene_id: SceneId, number: Number, version: Version, key: Key
) -> Response:
    """Take back a declared entry of one's own whose dice have not fallen."""
    reason = (await here.read(OwnReason)).reason
    take_back = TakeBack(reason=reason, version=version, key=key)
    done = await here.run(
        taking_back.withdraw, here.world, here.principal, scene_id, number, take_back
    )
    return decided(scene_id, done)
