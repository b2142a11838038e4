"""The page of a scene in the frame of the games: its state at a glance, and its history."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from app.services.clock import clock_of_scene
from app.services.readings import scene_options
from app.services.reviews import read_returned
from app.services.run import run
from app.services.shapes import SceneRead
from app.web.games.foreseen import warnings_of
from app.web.games.frame import GamePages
from app.web.games.last import last_told
from app.web.options import pinned_shown
from app.web.pages import page
from app.web.stage import history, stage_of
from app.web.visit import Visit


async def game_scene_page(
    here: Visit, pages: GamePages, scene: SceneRead, before: int | None, status: int, **context: Any
) -> Response:
    """Show a scene of a game; ``context`` brings back a form of it that was refused."""
    entries, older = await history(here, scene, before)
    options = await run(here.db, scene_options, scene.id)
    return page(
        here,
        "games/scene.html",
        status,
        game=pages,
        scene=scene,
        stage=stage_of(scene, here.language),
        glance=None if scene.view is None else pages.glance(scene.view, here.language),
        returned=await run(here.db, read_returned, here.principal, scene.id),
        pinned=pinned_shown(here.language, scene.ruleset, options.differing),
        warnings=await warnings_of(here, scene),
        last=last_told(here, scene, entries) if before is None else (),
        entries=entries,
        older=older,
        clock=await run(here.db, clock_of_scene, here.world, scene),
        new_key=here.world.token,
        **context,
    )
