"""Other words for the story of an entry."""

from __future__ import annotations

from dataclasses import fields

from fastapi import APIRouter
from starlette.responses import Response

from app.persistence.codec import decode
from app.services.entry_shapes import Narration, Rewording
from app.services.errors import Conflict, KeyReused, Malformed
from app.services.run import run
from app.services.wordings import correct
from app.web.entries import entry_page
from app.web.forms import lift, text_at
from app.web.pages import see
from app.web.troubles import troubles_of
from app.web.visit import Here, Id, Number

router = APIRouter()


@router.post("/scenes/{scene_id}/entries/{number}/story")
async def story(here: Here, scene_id: Id, number: Number) -> Response:
    """Take other words for the story of an entry."""
    form = await here.form()
    data = {
        "narration": {
            one.name: text_at(form, f"narration.{one.name}") for one in fields(Narration)
        },
        "wording": lift(int, text_at(form, "wording")),
        "key": text_at(form, "key"),
    }
    try:
        rewording = decode(Rewording, data)
        await run(here.db, correct, here.world, here.principal, scene_id, number, rewording)
    except (Malformed, Conflict, KeyReused) as error:
        status = 409 if isinstance(error, Conflict) else 422
        troubles = troubles_of(error, here.request)
        refused = {"data": form, "troubles": troubles, "failing": "story-"}
        return await entry_page(here, scene_id, number, status, **refused)
    return see(f"/scenes/{scene_id}/entries/{number}?corrected")
