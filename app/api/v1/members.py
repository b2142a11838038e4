"""The people of a board: their roles, and invitations."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import Call, Here, answer
from app.api.operations import operation
from app.api.parameters import KEYED, BoardId, InvitationId, PersonId
from app.api.parts import part
from app.api.v1.people_answers import InvitationList, InvitationMade, MemberList, NewRole
from app.http.principal import with_new_cookie
from app.services import invitations, members
from app.services.people_shapes import NewInvitation

router: Final = part("people")


@router.get("/boards/{board_id}/members")
@operation(MemberList)
async def list_members(here: Here, board_id: BoardId) -> Response:
    """List the people of a board, as one of them."""
    return answer(await _members(here, board_id))


@router.post("/boards/{board_id}/join", status_code=204, dependencies=[KEYED])
@operation(None, status=204, refuses=("login_needed",))
async def join_board(here: Here, board_id: BoardId) -> Response:
    """Become a player of a board that is open."""
    await here.run(members.join, here.world, here.principal, board_id)
    return await with_new_cookie(here.request, Response(status_code=204))


@router.put("/boards/{board_id}/members/{person_id}", dependencies=[KEYED])
@operation(MemberList, body=NewRole, refuses=("last_owner",))
async def set_role(here: Here, board_id: BoardId, person_id: PersonId) -> Response:
    """Give somebody another role, as the owner."""
    new = await here.read(NewRole)
    await here.run(members.set_role, here.world, here.principal, board_id, person_id, new.role)
    return await _own(here, person_id, answer(await _members(here, board_id)))


@router.delete("/boards/{board_id}/members/{person_id}", status_code=204, dependencies=[KEYED])
@operation(None, status=204, refuses=("last_owner",))
async def remove_member(here: Here, board_id: BoardId, person_id: PersonId) -> Response:
    """Remove somebody from a board as its owner, or leave it."""
    await here.run(members.set_role, here.world, here.principal, board_id, person_id, None)
    return await _own(here, person_id, Response(status_code=204))


@router.get("/boards/{board_id}/invitations")
@operation(InvitationList)
async def list_invitations(here: Here, board_id: BoardId) -> Response:
    """List the invitations that hold."""
    found = await here.run(invitations.list_invitations, here.world, here.principal, board_id)
    return answer(InvitationList(invitations=found))


@router.post("/boards/{board_id}/invitations", status_code=201, dependencies=[KEYED])
@operation(InvitationMade, body=NewInvitation, status=201)
async def invite(here: Here, board_id: BoardId) -> Response:
    """Make an invitation."""
    new = await here.read(NewInvitation)
    secret = await here.run(invitations.invite, here.world, here.principal, board_id, new)
    address = f"{here.shared.settings.base_url}/i/{secret}"
    return answer(InvitationMade(secret=secret, address=address), 201)


@router.delete(
    "/boards/{board_id}/invitations/{invitation_id}", status_code=204, dependencies=[KEYED]
)
@operation(None, status=204)
async def revoke_invitation(here: Here, board_id: BoardId, invitation_id: InvitationId) -> Response:
    """Take an invitation back."""
    await here.run(
        invitations.revoke_invitation, here.world, here.principal, board_id, invitation_id
    )
    return Response(status_code=204)


async def _members(here: Call, board: str) -> MemberList:
    return MemberList(members=await here.run(members.list_members, here.principal, board))


async def _own(here: Call, person: str, done: Response) -> Response:
    """Change the cookie of whoever has changed their own role."""
    me = here.principal.person
    return await with_new_cookie(here.request, done) if me and me.id == person else done
