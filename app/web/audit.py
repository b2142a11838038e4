"""The trail of what Masters did in a scene, newest first, for everybody who plays in it."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter
from starlette.responses import Response

from app.services.audit import read_audit
from app.services.run import run
from app.services.scenes import read_scene
from app.web.audit_words import told_change
from app.web.forms import whole_of
from app.web.pages import page, word_of
from app.web.stage import stage_of
from app.web.visit import Here, Id

router = APIRouter()
A_PAGE = 100


@router.get("/scenes/{scene_id}/audit")
async def show(here: Here, scene_id: Id) -> Response:
    """Show the trail; a page ends where the older lines begin."""
    before = whole_of(here.request.query_params.get("before", ""))
    total = (await run(here.db, read_audit, here.principal, scene_id, limit=0)).total
    end = total if before is None else min(before - 1, total)
    first = max(0, end - A_PAGE)
    found = await run(
        here.db, read_audit, here.principal, scene_id, after=first, limit=max(0, end - first)
    )
    scene = await run(here.db, read_scene, here.principal, scene_id)
    return page(
        here,
        "scenes/audit.html",
        scene=scene,
        stage=stage_of(scene, here.language),
        lines=tuple(reversed(found.lines)),
        older=first + 1 if first else 0,
        word_in=partial(word_of, here.language),
        told_change=partial(told_change, here.language),
    )
