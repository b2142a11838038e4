"""People with accounts: their boards, what they hold, and what they keep."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import Here, answer
from app.api.operations import operation
from app.api.parameters import KEYED, Key, KeyId, SceneId
from app.api.parts import part
from app.api.v1.people_answers import BoardList, BoardMade, ClaimList, Secret
from app.http.principal import with_new_cookie
from app.http.session import session_cookie
from app.services import claims, invitations, members, people
from app.services.people_shapes import Invited, NewBoard, PersonRead

router: Final = part("people")


@router.get("/me")
@operation(PersonRead, refuses=("login_needed",))
async def read_me(here: Here) -> Response:
    """Read one's own account."""
    cookie = session_cookie(here.request)
    return answer(await here.run(people.read_me, here.principal, cookie))


@router.post("/me/keys", dependencies=[KEYED])
@operation(PersonRead, body=Secret, refuses=("login_needed", "not_found"))
async def keep_link(here: Here) -> Response:
    """Keep in one's account what a link gives."""
    given = await here.read(Secret)
    await here.run(claims.claim, here.world, here.principal, given.secret)
    me = await here.run(people.read_me, here.principal)
    return await with_new_cookie(here.request, answer(me))


@router.delete("/me/keys/{key_id}", status_code=204, dependencies=[KEYED])
@operation(None, status=204, refuses=("login_needed",))
async def give_up_key(here: Here, key_id: KeyId) -> Response:
    """Give up a scene, a seat or a being that one had kept."""
    await here.run(claims.give_up, here.world, here.principal, key_id)
    return await with_new_cookie(here.request, Response(status_code=204))


@router.get("/boards")
@operation(BoardList)
async def list_boards(here: Here) -> Response:
    """List the boards with which one has anything to do."""
    found = await here.run(members.list_boards, here.principal)
    return answer(BoardList(boards=found))


@router.post("/boards", status_code=201)
@operation(
    BoardMade, body=NewBoard, status=201, refuses=("login_needed", "not_found", "key_reused")
)
async def make_board(here: Here, key: Key) -> Response:
    """Make a board of one's own."""
    new = await here.read(NewBoard)
    settings = here.shared.settings
    board = await here.run(
        members.create_board,
        here.world,
        here.principal,
        new,
        key,
        only_admins=settings.board_makers == "admins",
    )
    made = BoardMade(board_id=board, address=f"{settings.base_url}/boards/{board}")
    where = {"Location": f"/api/v1/boards/{board}"}
    return await with_new_cookie(here.request, answer(made, 201, where))


@router.post("/invitations/accept", dependencies=[KEYED])
@operation(Invited, body=Secret, refuses=("login_needed", "not_found"))
async def accept_invitation(here: Here) -> Response:
    """Accept an invitation to a board."""
    given = await here.read(Secret)
    done = await here.run(invitations.accept_invitation, here.world, here.principal, given.secret)
    return await with_new_cookie(here.request, answer(done))


@router.get("/scenes/{scene_id}/claims")
@operation(ClaimList)
async def list_claims(here: Here, scene_id: SceneId) -> Response:
    """List who keeps which seat in their account, as the Master."""
    return answer(ClaimList(claims=await here.run(claims.list_claims, here.principal, scene_id)))


@router.delete("/scenes/{scene_id}/claims/{key_id}", status_code=204, dependencies=[KEYED])
@operation(None, status=204)
async def revoke_claim(here: Here, scene_id: SceneId, key_id: KeyId) -> Response:
    """Take a seat away from an account that keeps it, as the Master."""
    await here.run(claims.revoke_claim, here.world, here.principal, scene_id, key_id)
    return Response(status_code=204)
