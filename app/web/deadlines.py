"""Deadlines on the page of a scene: the Master's form, and the default once one has passed."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app.services.deadlines import lapse, set_deadline
from app.services.errors import Conflict, KeyReused, Malformed, Refused, Stale
from app.services.run import run
from app.web.forms import text_at, whole_of
from app.web.pages import see
from app.web.scenes import scene_page
from app.web.troubles import troubles_of
from app.web.visit import Here, Id, version_in

router = APIRouter()
STATUS = {Malformed: 422, Refused: 409, Conflict: 409, Stale: 412, KeyReused: 422}


@router.post("/scenes/{scene_id}/deadline")
async def change(here: Here, scene_id: Id) -> Response:
    """Give the awaited so many hours from now on; an empty field takes the deadline away."""
    form = await here.form()
    text = text_at(form, "answer_within").strip()
    hours = (whole_of(text) or 0) if text else None
    try:
        await run(here.db, set_deadline, here.world, here.principal, scene_id, hours)
    except (Malformed, Conflict) as error:
        return await scene_page(
            here,
            scene_id,
            STATUS[type(error)],
            data=form,
            failing="deadline-",
            troubles=troubles_of(error, here.request),
        )
    return see(f"/scenes/{scene_id}#deadline")


@router.post("/scenes/{scene_id}/lapse")
async def apply(here: Here, scene_id: Id) -> Response:
    """Let what is awaited be decided by default, since its deadline has passed."""
    form = await here.form()
    version, key = version_in(form), text_at(form, "key")
    try:
        made = await run(here.db, lapse, here.world, here.principal, scene_id, version, key)
    except (Malformed, Refused, Conflict, Stale, KeyReused) as error:
        return await scene_page(
            here,
            scene_id,
            STATUS[type(error)],
            data=form,
            failing="lapse-",
            troubles=troubles_of(error, here.request),
        )
    return see(f"/scenes/{scene_id}#entry-{made.entries[-1].number}")
