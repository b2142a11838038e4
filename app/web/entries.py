"""One entry of a scene: the post to copy, the dice to bring back, what happened and why."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from app.persistence.codec import decode
from app.posts.blocks import Die
from app.posts.dialects import offered, render
from app.posts.write import PostSource, write_blocks
from app.services.entry_shapes import (
    EntryRead,
    GivenDice,
)
from app.services.errors import Conflict, KeyReused, Malformed, Refused, Stale
from app.services.run import run
from app.services.scenes import read_entry, read_scene
from app.services.sealing import read_dice
from app.services.shapes import (
    EntryKind,
    Roller,
    SceneRead,
    Status,
)
from app.services.turns import give_dice
from app.web.forms import lift, rows_at, text_at
from app.web.pages import page, see
from app.web.stage import stage_of
from app.web.strip import strip_of
from app.web.troubles import troubles_of
from app.web.visit import Here, Id, Number, Visit, version_in

router = APIRouter()


@router.get("/scenes/{scene_id}/entries/{number}")
async def show(here: Here, scene_id: Id, number: Number) -> Response:
    """Show an entry to whoever has the address of its scene."""
    return await _entry_page(here, scene_id, number, sent="sent" in here.request.query_params)


@router.post("/scenes/{scene_id}/entries/{number}/dice")
async def dice(here: Here, scene_id: Id, number: Number) -> Response:
    """Take the natural dice that the forum rolled, and resolve the turn with them."""
    form = await here.form()
    data: dict[str, Any] = {
        name: [lift(kind, text_at(form, f"{name}.{index}")) for index in rows_at(form, name)]
        for name, kind in (("faces", int), ("modifiers", Fraction | None))
    }
    data |= {"version": version_in(form), "key": text_at(form, "key")}
    try:
        given = decode(GivenDice, data)
        await run(here.db, give_dice, here.world, here.principal, scene_id, number, given)
    except (Malformed, Refused, Conflict, Stale, KeyReused) as error:
        status = {Refused: 409, Conflict: 409, Stale: 412}.get(type(error), 422)
        troubles = troubles_of(error, here.request)
        return await _entry_page(here, scene_id, number, status, data=form, troubles=troubles)
    return see(f"/scenes/{scene_id}/entries/{number}?sent")


async def _entry_page(
    here: Visit, scene_id: str, number: int, status: int = 200, **context: Any
) -> Response:
    scene = await run(here.db, read_scene, here.principal, scene_id)
    entry = await run(here.db, read_entry, here.principal, scene_id, number)
    told = entry.kind is EntryKind.ORDER and entry.seat
    blocks = write_blocks(source_of(entry, scene)) if told else ()
    dice = [block for block in blocks if isinstance(block, Die)]
    declared = entry.status is Status.DECLARED and entry.voided_by is None
    by_forum = scene.dice is Roller.FORUM
    waits = None
    if declared and not by_forum:
        waits = await run(here.db, read_dice, here.principal, scene_id)
    may_give = scene.is_gm or entry.seat in scene.mine
    shapes = offered(entry.dialect) if blocks else ()
    texts = {name: render(blocks, entry.language, name) for name in shapes}
    return page(
        here,
        "entries/show.html",
        status,
        **{
            "scene": scene,
            "entry": entry,
            "stage": stage_of(scene, here.language),
            "strip": None if scene.view is None else strip_of(scene.view, scene.mine),
            "blocks": blocks,
            "text": texts.get(entry.dialect, ""),
            "dice": [render([die], entry.language, entry.dialect) for die in dice],
            "others": [(name, text) for name, text in texts.items() if name != entry.dialect],
            "awaited": declared and by_forum and may_give,
            "waits": waits,
            "may_rewrite": may_give and entry.seat in scene.awaited.seats,
            "new_key": here.world.token,
            "sent": False,
            **context,
        },
    )


def source_of(entry: EntryRead, scene: SceneRead) -> PostSource:
    """Gather what the post of an entry is written from."""
    rolled_here = scene.dice is Roller.SERVICE
    return PostSource(
        ruleset=entry.ruleset,
        language=entry.language,
        findings=entry.findings,
        asked=entry.asked,
        rolls=entry.rolls,
        narration=entry.narration,
        provenance=entry.provenance or ("service" if rolled_here else ""),
        proof=None if entry.proof is None else entry.proof.facts(),
    )
