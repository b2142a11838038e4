"""Deadlines of a scene: set by the Master, and what follows once one has passed."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import Here, answer, tag
from app.api.operations import operation
from app.api.parameters import KEYED, Key, SceneId, Version
from app.api.parts import part
from app.api.v1.bodies import NewDeadline
from app.api.v1.turns import AT_THIS_POINT
from app.services import deadlines
from app.services.entry_shapes import DecidedSeries
from app.services.shapes import DeadlineRead

router: Final = part("turns")


@router.put("/scenes/{scene_id}/deadline", dependencies=[KEYED])
@operation(DeadlineRead, body=NewDeadline, refuses=("other_edition",))
async def set_deadline(here: Here, scene_id: SceneId) -> Response:
    """Give the awaited so many hours from now on, or as long as they like."""
    new = await here.read(NewDeadline)
    found = await here.run(
        deadlines.set_deadline, here.world, here.principal, scene_id, new.answer_within
    )
    return answer(found)


@router.post("/scenes/{scene_id}/lapse", status_code=201)
@operation(
    DecidedSeries,
    status=201,
    refuses=(*AT_THIS_POINT, "no_deadline", "no_default", "deadline_not_passed"),
)
async def apply_default(here: Here, scene_id: SceneId, key: Key, version: Version) -> Response:
    """Let what is awaited be decided by default, since its deadline has passed."""
    made = await here.run(deadlines.lapse, here.world, here.principal, scene_id, version, key)
    where = {"Location": f"/api/v1/scenes/{scene_id}/entries/{made.entries[0].number}"}
    return answer(made, 201, {**tag(made.version), **where})
