"""The page of a scene: where the fight stands, and its history."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from app.persistence.json_text import is_broken
from app.services.clock import clock_of_scene
from app.services.errors import NotFound
from app.services.readings import scene_options
from app.services.reviews import read_returned
from app.services.run import run
from app.services.scenes import read_scene
from app.services.threads import list_old_posts
from app.web.forms import whole_of
from app.web.games import PAGES
from app.web.games.scene import game_scene_page
from app.web.options import pinned_shown
from app.web.pages import page
from app.web.several import in_a_row
from app.web.stage import history, stage_of
from app.web.strip import strip_of
from app.web.visit import Here, Id, Visit

router = APIRouter()


@router.get("/scenes/{scene_id}")
async def show(here: Here, scene_id: Id) -> Response:
    """Show a scene to whoever has its address."""
    return await scene_page(here, scene_id)


@router.get("/scenes/{scene_id}/strip")
async def strip(here: Here, scene_id: Id) -> Response:
    """Show where everybody stands, seen from whom the reader chooses; to htmx the map alone."""
    asked = here.request.query_params
    seat = asked.get("seat", "")
    if is_broken(seat):
        raise NotFound
    scene = await run(here.db, read_scene, here.principal, scene_id, seat or None)
    if scene.view is None or scene.ruleset in PAGES:
        raise NotFound
    return page(
        here,
        "scenes/strip_part.html" if here.partly else "scenes/strip.html",
        scene=scene,
        stage=stage_of(scene, here.language),
        strip=strip_of(scene.view, scene.mine, asked.get("from", ""), seat),
    )


async def scene_page(here: Visit, scene_id: str, status: int = 200, **context: Any) -> Response:
    """Fill the page of a scene; ``context`` brings back a form of it that was refused."""
    scene = await run(here.db, read_scene, here.principal, scene_id)
    text = here.request.query_params.get("before", "")
    before = whole_of(text)
    if pages := PAGES.get(scene.ruleset):
        return await game_scene_page(here, pages, scene, before, status, **context)
    entries, older = await history(here, scene, before)
    options = await run(here.db, scene_options, scene_id)
    return page(
        here,
        "scenes/show.html",
        status,
        scene=scene,
        stage=stage_of(scene, here.language),
        strip=None if scene.view is None else strip_of(scene.view, scene.mine),
        row=in_a_row(scene),
        pinned=pinned_shown(here.language, scene.ruleset, options.differing),
        before=await run(here.db, list_old_posts, here.principal, scene_id),
        entries=entries,
        older=older,
        clock=await run(here.db, clock_of_scene, here.world, scene),
        returned=await run(here.db, read_returned, here.principal, scene_id),
        new_key=here.world.token,
        **context,
    )
