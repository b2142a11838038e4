"""Secret links of a scene: which are in force, a new one instead of an old one, none at all."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import Here, answer
from app.api.operations import operation
from app.api.parameters import KEYED, SceneId, SeatPath
from app.api.parts import part
from app.api.v1.answers import LinkList, SecretLink
from app.api.v1.scenes import secret_link
from app.services import links
from app.services.access import Role

router: Final = part("links")


@router.get("/scenes/{scene_id}/links")
@operation(LinkList)
async def list_links(here: Here, scene_id: SceneId) -> Response:
    """List the links in force, as the Master."""
    return answer(LinkList(links=await here.run(links.list_links, here.principal, scene_id)))


@router.post("/scenes/{scene_id}/links/gm", status_code=201, dependencies=[KEYED])
@operation(SecretLink, status=201)
async def reissue_gm_link(here: Here, scene_id: SceneId) -> Response:
    """Make a new secret for the Master and revoke the one before."""
    secret = await here.run(links.reissue, here.world, here.principal, scene_id, Role.GM, None)
    return answer(secret_link(here, secret), 201)


@router.post("/scenes/{scene_id}/links/seat/{seat:path}", status_code=201, dependencies=[KEYED])
@operation(SecretLink, status=201)
async def reissue_seat_link(here: Here, scene_id: SceneId, seat: SeatPath) -> Response:
    """Make a new secret for a seat and revoke the one before."""
    secret = await here.run(links.reissue, here.world, here.principal, scene_id, Role.SEAT, seat)
    return answer(secret_link(here, secret), 201)


@router.delete("/scenes/{scene_id}/links/gm", status_code=204, dependencies=[KEYED])
@operation(None, status=204)
async def revoke_gm_link(here: Here, scene_id: SceneId) -> Response:
    """Revoke the secret of the Master."""
    await here.run(links.revoke, here.world, here.principal, scene_id, Role.GM, None)
    return Response(status_code=204)


@router.delete("/scenes/{scene_id}/links/seat/{seat:path}", status_code=204, dependencies=[KEYED])
@operation(None, status=204)
async def revoke_seat_link(here: Here, scene_id: SceneId, seat: SeatPath) -> Response:
    """Revoke the secret of a seat."""
    await here.run(links.revoke, here.world, here.principal, scene_id, Role.SEAT, seat)
    return Response(status_code=204)
