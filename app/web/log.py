"""The log of a scene: every entry told in its order, in pages on screen, whole on paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

from app.persistence.codec import encode, write_json
from app.posts.blocks import Block
from app.posts.write import write_blocks
from app.services.entry_shapes import EntryRead
from app.services.errors import NotFound
from app.services.export import export_scene
from app.services.export_csv import Table, write_csv
from app.services.export_markdown import write_log
from app.services.run import run
from app.services.scenes import read_entries, read_scene
from app.services.shapes import EntryKind, SceneRead
from app.web.entries import source_of
from app.web.forms import whole_of
from app.web.pages import page
from app.web.stage import stage_of
from app.web.visit import Here, Id

router = APIRouter()
A_PAGE: Final = 10
BOM: Final = "\ufeff"  # without it Excel reads UTF-8 as something else
KINDS: Final = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
}


@dataclass(frozen=True, slots=True)
class Told:
    """An entry and its post as it is read; there is none of what is out of sight, or no order."""

    entry: EntryRead
    blocks: tuple[Block, ...]


@router.get("/scenes/{scene_id}/log")
async def show(here: Here, scene_id: Id) -> Response:
    """Show a page of the log, or with ``all`` as much of it as is handed out in one piece."""
    asked = here.request.query_params
    whole = "all" in asked
    after = whole_of(asked.get("after", "")) or 0
    scene = await run(here.db, read_scene, here.principal, scene_id)
    if whole:
        exported = await run(here.db, export_scene, here.principal, scene_id, after)
        entries, following = exported.entries, exported.next
    else:
        entries = await run(
            here.db, read_entries, here.principal, scene_id, after=after, limit=A_PAGE
        )
        last = entries[-1].number if entries else 0
        following = last if 0 < last < len(scene.entries) else None
    return page(
        here,
        "scenes/log.html",
        scene=scene,
        stage=stage_of(scene, here.language),
        told=[_told(entry, scene) for entry in entries],
        whole=whole,
        before=max(0, after - A_PAGE) if after else None,
        following=following,
    )


@router.get("/scenes/{scene_id}/export.{kind}")
async def export(here: Here, scene_id: Id, kind: str) -> Response:
    """Hand out what the reader may know of a scene as a file."""
    if kind not in KINDS:
        raise NotFound
    table = here.request.query_params.get("table", Table.LINES)
    if table not in tuple(Table):
        raise NotFound
    exported = await run(here.db, export_scene, here.principal, scene_id)
    name = f"arbitro-{scene_id}"
    if kind == "csv":
        text, name = BOM + write_csv(exported, Table(table), here.language), f"{name}-{table}"
    else:
        text = write_log(exported) if kind == "md" else write_json(encode(exported))
    head = {"Content-Disposition": f'attachment; filename="{name}.{kind}"'}
    return Response(text, headers=head, media_type=KINDS[kind])


def _told(entry: EntryRead, scene: SceneRead) -> Told:
    has_post = entry.kind is EntryKind.ORDER and entry.seat
    return Told(entry, tuple(write_blocks(source_of(entry, scene))) if has_post else ())
