"""One entry of a scene: the post to copy, the dice to bring back, what happened and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from app.posts.blocks import Die
from app.posts.dialects import DIALECTS, render
from app.posts.templates import write_posts
from app.posts.write import PostSource, write_blocks
from app.services import retold
from app.services.desk_shapes import ReviewRead, ReviewTold
from app.services.entry_shapes import EntryRead
from app.services.errors import NotFound
from app.services.patterns import has_pattern
from app.services.reviews import read_review
from app.services.run import run
from app.services.scenes import read_entry, read_scene
from app.services.sealing import read_dice
from app.services.shapes import (
    EntryKind,
    Roller,
    SceneRead,
    Status,
)
from app.web.games import PAGES
from app.web.pages import page
from app.web.review_numbers import marks_told, numbers_of
from app.web.stage import stage_of
from app.web.strip import Strip, strip_of
from app.web.visit import Here, Id, Number, Visit

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Reviewed:
    """How a turn stands on the desk: the last decision about it, with its marks in words."""

    found: ReviewRead
    last: ReviewTold | None
    marks: tuple[tuple[str, str], ...]


@router.get("/scenes/{scene_id}/entries/{number}")
async def show(here: Here, scene_id: Id, number: Number) -> Response:
    """Show an entry to whoever has the address of its scene."""
    asked = here.request.query_params
    done = {name: name in asked for name in ("sent", "withdrawn", "corrected")}
    return await entry_page(here, scene_id, number, **done)


async def entry_page(
    here: Visit, scene_id: str, number: int, status: int = 200, **context: Any
) -> Response:
    """Show an entry, with what became of a form on its page."""
    scene = await run(here.db, read_scene, here.principal, scene_id)
    entry = await run(here.db, read_entry, here.principal, scene_id, number)
    told = entry.kind is EntryKind.ORDER and entry.seat
    source = source_of(entry, scene)
    blocks = write_blocks(source) if told else ()
    dice = [block for block in blocks if isinstance(block, Die)]
    declared = entry.status is Status.DECLARED and entry.voided_by is None
    by_forum = scene.dice is Roller.FORUM
    waits = None
    if declared and not by_forum:
        waits = await run(here.db, read_dice, here.principal, scene_id)
    may_give = scene.is_gm or entry.seat in scene.mine
    knows_forum = False
    if declared and by_forum:
        knows_forum = DIALECTS[entry.dialect].verified or await run(
            here.db, has_pattern, scene.board
        )
    may_correct = bool(told) and may_give and entry.voided_by is None
    texts = write_posts([source], entry.dialect) if blocks else {}
    return page(
        here,
        "entries/show.html",
        status,
        **{
            "scene": scene,
            "entry": entry,
            "stage": stage_of(scene, here.language),
            "strip": _strip(scene),
            "ordered": _ordered(here, scene, entry),
            "compares": scene.ruleset not in PAGES,
            "blocks": blocks,
            "text": texts.get(entry.dialect, ""),
            "dice": [render([die], entry.language, entry.dialect) for die in dice],
            "others": [(name, text) for name, text in texts.items() if name != entry.dialect],
            "awaited": declared and by_forum and may_give,
            "review": await _review(here, scene, entry),
            "waits": waits,
            "knows_forum": knows_forum,
            "pasted": None,
            "may_withdraw": declared and entry.seat in scene.mine,
            "may_rewrite": may_give and entry.seat in scene.awaited.seats,
            "may_correct": may_correct,
            "new_key": here.world.token,
            "sent": False,
            "withdrawn": False,
            "corrected": False,
            **context,
        },
    )


async def _review(here: Visit, scene: SceneRead, entry: EntryRead) -> Reviewed | None:
    """Tell how a turn stands on the Master's desk, to whoever may know it."""
    try:
        found = await run(here.db, read_review, here.principal, scene.id, entry.number)
    except NotFound:
        return None
    numbers = numbers_of(scene, entry, found, here.language)
    last = found.decisions[-1] if found.decisions else None
    return Reviewed(found, last, marks_told(numbers, last.marks if last else ()))


def _ordered(here: Visit, scene: SceneRead, entry: EntryRead) -> tuple[str, ...]:
    """Tell the order of an entry where the findings do not, to whoever may know it."""
    pages = PAGES.get(scene.ruleset)
    if pages is None or entry.order is None:
        return ()
    return pages.told(entry.order, stage_of(scene, here.language).names, here.language)


def _strip(scene: SceneRead) -> Strip | None:
    """Draw who stands where, in the game that has places."""
    if scene.view is None or scene.ruleset in PAGES:
        return None
    return strip_of(scene.view, scene.mine)


def source_of(entry: EntryRead, scene: SceneRead) -> PostSource:
    """Gather what the post of an entry is written from."""
    rolled_here = scene.dice is Roller.SERVICE
    provenance = entry.provenance or ("service" if rolled_here else "")
    return replace(retold.source_of(entry), provenance=provenance)
