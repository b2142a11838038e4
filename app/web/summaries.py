"""The summary of a fight, which its Master shares by a link; anybody may follow it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fastapi import APIRouter
from starlette.responses import Response

from app.services.errors import KeyReused, Malformed, NotFound
from app.services.run import run
from app.services.scenes import read_scene
from app.services.snippets import outcome, result, snippets
from app.services.summaries import SummaryRead, read_summary, share, shared_link, unshare
from app.web.forms import text_at
from app.web.pages import page, see
from app.web.timeline import drawn_of
from app.web.troubles import troubles_of
from app.web.visit import Here, Id, Visit, choice_in

router = APIRouter()
MOST_SEEN: Final = 24  # moments that are shown at once


@router.get("/s/{token}")
async def show(here: Here, token: Id) -> Response:
    """Show a summary to whoever has its link, as a spectator would see the fight."""
    found = await run(here.db, read_summary, token)
    answer = page(here, "summaries/show.html", **_told(here, found, address_of(here, token)))
    answer.headers["X-Robots-Tag"] = "noindex"
    return answer


@router.get("/scenes/{scene_id}/share")
async def offer(here: Here, scene_id: Id) -> Response:
    """Show the Master the link that is in force, and what to paste."""
    return await _offered(here, scene_id)


async def _offered(here: Visit, scene_id: str, status: int = 200, **context: Any) -> Response:
    link = await run(here.db, shared_link, here.principal, scene_id)
    scene = await run(here.db, read_scene, here.principal, scene_id)
    address = ""
    texts: Mapping[str, str] = {}
    if link is not None:
        address = address_of(here, link.token)
        told = await run(here.db, read_summary, link.token)
        texts = snippets(told, address, scene.dialect)
    return page(
        here,
        "summaries/share.html",
        status,
        scene=scene,
        link=link,
        address=address,
        snippets=texts,
        new_key=here.world.token,
        done=here.request.query_params.get("done", ""),
        **context,
    )


@router.post("/scenes/{scene_id}/share")
async def change(here: Here, scene_id: Id) -> Response:
    """Make a new link, which revokes the one before, or only revoke."""
    form = await here.form()
    back = f"/scenes/{scene_id}/share"
    if not (await run(here.db, read_scene, here.principal, scene_id)).is_gm:
        raise NotFound
    if choice_in(form, "do", ("make", "revoke")) == "revoke":
        await run(here.db, unshare, here.world, here.principal, scene_id)
        return see(f"{back}?done=revoked")
    try:
        await run(here.db, share, here.world, here.principal, scene_id, text_at(form, "key"))
    except (Malformed, KeyReused) as error:
        return await _offered(here, scene_id, 422, troubles=troubles_of(error, here.request))
    return see(f"{back}?done=made")


def address_of(here: Visit, token: str) -> str:
    """Spell the address at which a summary is found."""
    return f"{here.settings.base_url}/s/{token}"


def _told(here: Visit, found: SummaryRead, address: str) -> dict[str, Any]:
    return {
        "ruleset": found.ruleset,
        "summary": found,
        "drawn": drawn_of(found.timeline, found.ruleset, here.language),
        "result": result(found),
        "outcome": outcome(found),
        "moments": found.moments[:MOST_SEEN],
        "more": len(found.moments) - MOST_SEEN,
        "address": address,
    }
