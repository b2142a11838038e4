"""The history of a scene, entry by entry, with the posts to paste."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import Here, answer
from app.api.operations import operation
from app.api.parameters import AfterNumber, First, Key, Last, Limit, Number, SceneId
from app.api.parts import part
from app.api.v1.answers import EntryList, EntryTold, JointPost
from app.api.v1.bodies import NewWords
from app.api.v1.telling import joint_told, told
from app.services import luck, scenes
from app.services.entry_shapes import Reworded, Rewording
from app.services.wordings import correct

router: Final = part("entries")


@router.get("/scenes/{scene_id}/entries")
@operation(EntryList)
async def list_entries(
    here: Here, scene_id: SceneId, after: AfterNumber = 0, limit: Limit = 20
) -> Response:
    """Read entries in full, in their order."""
    found = await here.run(scenes.read_entries, here.principal, scene_id, after=after, limit=limit)
    following = found[-1].number if len(found) == limit else None
    address = f"/api/v1/scenes/{scene_id}/entries?after={following}&limit={limit}"
    page = EntryList(entries=tuple(told(one, here.language) for one in found), next=following)
    return answer(page, headers={"Link": f'<{address}>; rel="next"'} if following else None)


@router.get("/scenes/{scene_id}/joint-post/{first}/{last}")
@operation(JointPost)
async def read_joint_post(here: Here, scene_id: SceneId, first: First, last: Last) -> Response:
    """Write the posts of several entries in a row as one."""
    found = await here.run(scenes.read_span, here.principal, scene_id, first, last)
    return answer(joint_told(found))


@router.get("/scenes/{scene_id}/luck")
@operation(luck.SceneLuck)
async def read_luck(here: Here, scene_id: SceneId) -> Response:
    """Tell how lucky the dice of a scene were."""
    return answer(await here.run(luck.scene_luck, here.principal, scene_id))


@router.post("/scenes/{scene_id}/entries/{number}/story", status_code=201)
@operation(
    Reworded,
    body=NewWords,
    status=201,
    refuses=("key_reused", "no_story", "story_taken_back", "other_wording"),
)
async def correct_story(here: Here, scene_id: SceneId, number: Number, key: Key) -> Response:
    """Give the story of an entry other words; nothing is decided anew."""
    new = await here.read(NewWords)
    rewording = Rewording(narration=new.narration, wording=new.wording, key=key)
    done = await here.run(correct, here.world, here.principal, scene_id, number, rewording)
    where = {"Location": f"/api/v1/scenes/{scene_id}/entries/{done.number}"}
    return answer(done, 201, where)


@router.get("/scenes/{scene_id}/entries/{number}")
@operation(EntryTold)
async def read_entry(here: Here, scene_id: SceneId, number: Number) -> Response:
    """Read one entry in full."""
    found = await here.run(scenes.read_entry, here.principal, scene_id, number)
    return answer(told(found, here.language))
