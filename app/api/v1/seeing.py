"""Scenes to look at and to take along: figures over time, exports, summaries to share."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from fastapi import Path, Query
from starlette.responses import Response

from app.api.call import CHECKED, Call, Here, answer
from app.api.operations import operation
from app.api.parameters import KEYED, TOKEN, AfterNumber, Key, SceneId
from app.api.parts import part
from app.api.v1.summary_answers import SharedSummary, SummaryTold
from app.services import summaries
from app.services.errors import NotFound
from app.services.export import SceneExport, export_scene
from app.services.export_csv import Table, write_csv
from app.services.export_markdown import write_log
from app.services.snippets import result
from app.services.summaries import SummaryToken
from app.services.timeline import Timeline, scene_timeline

router: Final = part("seeing", dependencies=[CHECKED])
ExportFormat: TypeAlias = Annotated[str, Query(alias="format", pattern=r"^(json|csv|md)$")]
TableQuery: TypeAlias = Annotated[str, Query(pattern=r"^(lines|dice)$")]
SummaryPath: TypeAlias = Annotated[str, Path(pattern=TOKEN)]
SOME_CSV: Final = (
    "entry,at,seat,act,status,taken_back_by,part,rule,ruling,key,text\r\n"
    "1,2025-03-29T14:00:00+00:00,hollow,turn,resolved,,register,GC-1.2,,vitals,"
    "Hollow apre il Turno 1 con PV 200/200 e PE 100/100.\r\n"
)
SOME_MARKDOWN: Final = "# Duello al ponte\n\n## 1. Turno · Hollow\n\n*29 marzo 2025, 14:00 UTC*\n"


@router.get("/scenes/{scene_id}/timeline")
@operation(Timeline)
async def read_timeline(here: Here, scene_id: SceneId) -> Response:
    """Tell everybody's main figures over the entries of a scene."""
    return answer(await here.run(scene_timeline, here.principal, scene_id))


@router.get("/scenes/{scene_id}/export")
@operation(SceneExport, besides=(("text/csv", SOME_CSV), ("text/markdown", SOME_MARKDOWN)))
async def read_export(
    here: Here,
    scene_id: SceneId,
    kind: ExportFormat = "json",
    table: TableQuery = Table.LINES.value,
    after: AfterNumber = 0,
) -> Response:
    """Hand out everything that the caller may know of a scene."""
    found = await here.run(export_scene, here.principal, scene_id, after)
    headers = {}
    if found.next is not None:
        asked = f"format={kind}&table={table}&after={found.next}"
        headers["Link"] = f'</api/v1/scenes/{scene_id}/export?{asked}>; rel="next"'
    if kind == "json":
        return answer(found, headers=headers)
    if kind == "csv":
        text, media = write_csv(found, Table(table), here.language), "text/csv; charset=utf-8"
    else:
        text, media = write_log(found), "text/markdown; charset=utf-8"
    return Response(text, headers=headers, media_type=media)


@router.get("/scenes/{scene_id}/summary")
@operation(SharedSummary)
async def read_shared_summary(here: Here, scene_id: SceneId) -> Response:
    """Give the link to the summary that is in force, as the Master."""
    link = await here.run(summaries.shared_link, here.principal, scene_id)
    if link is None:
        raise NotFound
    return answer(await _shared(here, link))


@router.post("/scenes/{scene_id}/summary", status_code=201)
@operation(SharedSummary, status=201, refuses=("key_reused",))
async def share_summary(here: Here, scene_id: SceneId, key: Key) -> Response:
    """Make a link to the summary of a scene, as the Master, and revoke the one before."""
    link = await here.run(summaries.share, here.world, here.principal, scene_id, key)
    return answer(await _shared(here, link), 201)


@router.delete("/scenes/{scene_id}/summary", status_code=204, dependencies=[KEYED])
@operation(None, status=204)
async def revoke_summary(here: Here, scene_id: SceneId) -> Response:
    """Revoke the link to the summary of a scene, as the Master."""
    await here.run(summaries.unshare, here.world, here.principal, scene_id)
    return Response(status_code=204)


@router.get("/summaries/{token}")
@operation(SummaryTold)
async def read_summary(here: Here, token: SummaryPath) -> Response:
    """Read the summary that a link leads to, as anybody."""
    found = await here.run(summaries.read_summary, token)
    return answer(SummaryTold(summary=found, result=result(found)))


async def _shared(here: Call, link: SummaryToken) -> SharedSummary:
    address = f"{here.shared.settings.base_url}/s/{link.token}"
    return SharedSummary(
        token=link.token, address=address, made_at=link.made_at, replayed=link.replayed
    )
