"""Scenes: opened, listed, read, and what a seat may decide in them."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import Call, Here, about, answer, tag
from app.api.operations import operation
from app.api.parameters import AfterId, BoardId, Key, Limit, OfBoard, SceneId, SeatPath, SeatQuery
from app.api.parts import part
from app.api.v1.answers import SceneList, SceneOpened, SeatChoices, SecretLink
from app.services import offered, scenes
from app.services.shapes import (
    OpenScene,
    SceneRead,
)

router: Final = part("scenes")


@router.get("/scenes")
@operation(SceneList)
async def list_scenes(
    here: Here, board: OfBoard = None, after: AfterId = None, limit: Limit = 50
) -> Response:
    """List the scenes of the caller, of all boards or of one."""
    found = await here.run(scenes.list_scenes, here.principal, board, after=after, limit=limit)
    following = found[-1].id if len(found) == limit else None
    of = "" if board is None else f"board={board}&"
    headers = {"Link": f'</api/v1/scenes?{of}after={following}&limit={limit}>; rel="next"'}
    return answer(SceneList(scenes=found, next=following), headers=headers if following else None)


@router.post("/boards/{board_id}/scenes", status_code=201)
@operation(
    SceneOpened,
    body=OpenScene,
    status=201,
    refuses=("not_found", "refused", "key_reused", "opening_reserved"),
)
async def open_scene(here: Here, board_id: BoardId, key: Key) -> Response:
    """Open a scene, and show its secrets this once."""
    opening = await here.read(OpenScene)
    with about("setup"):
        new = await here.run(scenes.open_scene, here.world, here.principal, board_id, opening, key)
    opened = SceneOpened(
        scene_id=new.scene_id,
        address=f"{here.shared.settings.base_url}/scenes/{new.scene_id}",
        gm=secret_link(here, new.gm_secret),
        seats={seat: secret_link(here, secret) for seat, secret in new.seat_secrets.items()},
        replayed=new.replayed,
    )
    return answer(opened, 201, {"Location": f"/api/v1/scenes/{new.scene_id}"})


def secret_link(here: Call, secret: str) -> SecretLink:
    """Show a secret in both forms in which it is of use."""
    return SecretLink(secret=secret, address=here.link(secret))


@router.get("/scenes/{scene_id}")
@operation(SceneRead)
async def read_scene(here: Here, scene_id: SceneId, seat: SeatQuery = None) -> Response:
    """Read a scene as the caller sees it."""
    scene = await here.run(scenes.read_scene, here.principal, scene_id, seat)
    return answer(scene, headers=tag(scene.version))


@router.get("/scenes/{scene_id}/choices/{seat:path}")
@operation(SeatChoices)
async def list_choices(here: Here, scene_id: SceneId, seat: SeatPath) -> Response:
    """List what a seat may decide now."""
    found = await here.run(offered.choices, here.principal, scene_id, seat)
    return answer(SeatChoices(seat=seat, choices=found))
