"""The Master's page in the frame of the games: deadlines, pause, taking back, closing, links."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from starlette.responses import Response

from app.engine.ruleset import GM
from app.rulesets import RULESETS
from app.services.claims import list_claims
from app.services.links import list_links
from app.services.offered import choices
from app.services.run import run
from app.services.shapes import SceneRead
from app.web.games.frame import GamePages
from app.web.pages import page
from app.web.stage import history, stage_of
from app.web.visit import Visit


async def game_gm_page(
    here: Visit, pages: GamePages, scene: SceneRead, status: int = 200, **context: Any
) -> Response:
    """Show the Master what may be done in a scene; ``context`` brings back a refused form."""
    offered = await run(here.db, choices, here.principal, scene.id, GM)
    entries, _ = await history(here, scene)
    stage = stage_of(scene, here.language)
    shown = {
        "done": "",
        "kept": "",
        "game": pages,
        "scene": scene,
        "stage": stage,
        "glance": None if scene.view is None else pages.glance(scene.view, here.language),
        "orders": offered.orders,
        "reasoned": _reasoned(scene.ruleset),
        "awaited": [(seat, stage.names.get(seat, seat)) for seat in scene.awaited.seats],
        "decided": [one for one in entries if str(one.number) == context.get("done", "")],
        "takes_back": any(one.voided_by is None and one.voids is None for one in entries),
        "links": await run(here.db, list_links, here.principal, scene.id),
        "claims": await run(here.db, list_claims, here.principal, scene.id),
        "new_key": here.world.token,
        "seat": GM,
        **context,
    }
    return page(here, "games/gm.html", status, **shown)


def _reasoned(ruleset: str) -> tuple[str, ...]:
    """List the kinds of orders that ask for a public reason."""
    orders: tuple[Any, ...] = RULESETS[ruleset].orders
    return tuple(one.kind for one in orders if any(part.name == "reason" for part in fields(one)))
