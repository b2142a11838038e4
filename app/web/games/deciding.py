"""The page on which a seat decides: all it may decide now, and a preview that never rolls."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from starlette.responses import Response

from app.services.entry_shapes import Submission
from app.services.errors import STATUS, Conflict, KeyReused, Malformed, Refused, Stale
from app.services.run import run
from app.services.shapes import SceneRead
from app.services.turns import decide
from app.web.forms import text_at
from app.web.games.frame import Form, GamePages
from app.web.games.last import last_told
from app.web.narration import narration_in
from app.web.pages import page, see
from app.web.preview import previewed
from app.web.stage import history, stage_of
from app.web.troubles import troubles_of
from app.web.visit import Visit, version_in

REFUSALS = (Malformed, Refused, Conflict, Stale, KeyReused)


async def deciding_page(
    here: Visit,
    pages: GamePages,
    scene: SceneRead,
    seat: str,
    offered: Any,
    status: int = 200,
    **context: Any,
) -> Response:
    """Show what a seat may decide; ``context`` brings back the form that was refused."""
    entries, _ = await history(here, scene)
    return page(
        here,
        "games/turn.html",
        status,
        **{
            "game": pages,
            "scene": scene,
            "stage": stage_of(scene, here.language),
            "seat": seat,
            "address": f"/scenes/{scene.id}/turn/{quote(seat)}",
            "offered": offered,
            "glance": pages.glance(scene.view, here.language),
            "last": last_told(here, scene, entries),
            "new_key": here.world.token,
            "preview": None,
            **pages.order_context(offered, scene.view, here.language),
            **context,
        },
    )


async def send_decision(
    here: Visit, pages: GamePages, scene: SceneRead, seat: str, offered: Any, form: Form
) -> Response:
    """Decide what the form says; where it is refused, show it as it was filled in."""
    written = pages.write_order(form, seat, offered)
    within = text_at(form, "within")
    if text_at(form, "do") == "preview":  # where scripts do not run
        seen = await previewed(here, scene, form, written)
        return await deciding_page(
            here, pages, scene, seat, offered, data=form, failing=within, preview=seen
        )
    try:
        submission = Submission(
            order=written.order,
            version=version_in(form),
            key=text_at(form, "key"),
            narration=narration_in(form),
            head=text_at(form, "head"),
        )
        decided = await run(here.db, decide, here.world, here.principal, scene.id, submission)
    except REFUSALS as error:
        return await deciding_page(
            here,
            pages,
            scene,
            seat,
            offered,
            STATUS[type(error)],
            data=form,
            failing=within,
            troubles=troubles_of(error, here.request, written.rename),
        )
    return see(f"/scenes/{scene.id}/entries/{decided.number}?sent")


async def preview_decision(
    here: Visit, pages: GamePages, scene: SceneRead, seat: str, offered: Any, form: Form
) -> Response:
    """Say what the decision would meet, and how its post begins; no die falls."""
    written = pages.write_order(form, seat, offered)
    seen = await previewed(here, scene, form, written)
    return page(here, "turns/_preview.html", scene=scene, **seen)
