"""The people of a board: who they are, who comes and goes, and boards that somebody makes."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from app.http.principal import with_new_cookie
from app.persistence.codec import decode
from app.services.access import OF_BOARDS, Role
from app.services.boards import read_board
from app.services.errors import Conflict, KeyReused, LoginNeeded, Malformed, NotFound
from app.services.invitations import STAFF, invite, list_invitations, revoke_invitation
from app.services.members import create_board, join, list_members, set_role
from app.services.people_shapes import NewBoard, NewInvitation
from app.services.run import run
from app.services.shapes import Joining, Language
from app.web.back import to_log_in
from app.web.forms import lift, text_at
from app.web.pages import page, see
from app.web.troubles import renew_key, troubles_of
from app.web.visit import Here, Visit, id_in

router = APIRouter()


@router.get("/boards/new")
async def new(here: Here) -> Response:
    """Show the form that makes a board."""
    if here.principal.person is None:
        return to_log_in(here.request)
    if not may_make_boards(here):
        raise NotFound
    return _new_page(here, data={"key": here.world.token(), "language": here.language})


@router.post("/boards/new")
async def make(here: Here) -> Response:
    """Make a board of one's own."""
    form = await here.form()
    only_admins = here.settings.board_makers == "admins"
    try:
        wanted = decode(NewBoard, {name: text_at(form, name) for name in ("name", "language")})
        key = text_at(form, "key")
        board = await run(
            here.db,
            create_board,
            here.world,
            here.principal,
            wanted,
            key,
            only_admins=only_admins,
        )
    except (Malformed, KeyReused) as error:
        if here.principal.person is None:
            raise LoginNeeded from None
        renew_key(form, error, here.world)
        return _new_page(here, 422, data=form, troubles=troubles_of(error, here.request))
    return await with_new_cookie(here.request, see(f"/boards/{board}"))


@router.get("/boards/{board_id}/members")
async def show(here: Here) -> Response:
    """List the people of the board to those who are of it."""
    return await _page(here, done=here.request.query_params.get("done", ""))


@router.post("/boards/{board_id}/members")
async def change(here: Here) -> Response:
    """Give somebody another role, or none any more."""
    form = await here.form()
    gone = text_at(form, "do") == "remove"
    try:
        role = None if gone else decode(Role, text_at(form, "role"), "role")
        person = id_in(form, "person")
        await run(here.db, set_role, here.world, here.principal, here.board, person, role)
    except (Malformed, Conflict) as error:
        return await _refused(here, error, "member-")
    return see(f"{here.at_board}/members?done=changed")


@router.post("/boards/{board_id}/join")
async def enter(here: Here) -> Response:
    """Become a player of a board that is open to everybody."""
    if here.principal.person is None:
        raise LoginNeeded
    await run(here.db, join, here.world, here.principal, here.board)
    return await with_new_cookie(here.request, see(here.at_board))


@router.post("/boards/{board_id}/leave")
async def leave(here: Here) -> Response:
    """Leave a board."""
    if here.principal.person is None:
        raise LoginNeeded
    me = here.principal.person.id
    try:
        await run(here.db, set_role, here.world, here.principal, here.board, me, None)
    except Conflict as error:
        return await _refused(here, error, "member-")
    return await with_new_cookie(here.request, see("/"))


@router.post("/boards/{board_id}/invitations")
async def call_in(here: Here) -> Response:
    """Make an invitation, and show its link once."""
    form = await here.form()
    texts: Any = {name: text_at(form, name) for name in ("role", "uses", "days")}
    try:
        wanted = decode(NewInvitation, lift(NewInvitation, texts))
        secret = await run(here.db, invite, here.world, here.principal, here.board, wanted)
    except Malformed as error:
        return await _refused(here, error, "invite-", data=form)
    return await _page(here, link=f"{here.settings.base_url}/i/{secret}")


@router.post("/boards/{board_id}/invitations/revoke")
async def call_off(here: Here) -> Response:
    """Take an invitation back."""
    invitation = id_in(await here.form(), "invitation")
    await run(here.db, revoke_invitation, here.world, here.principal, here.board, invitation)
    return see(f"{here.at_board}/members?done=revoked#invitations-title")


def may_make_boards(here: Visit) -> bool:
    """Say whether somebody may make boards; the service has the last word."""
    me = here.principal.person
    return me is not None and (me.is_admin or here.settings.board_makers == "anyone")


def _new_page(here: Visit, status: int = 200, **context: Any) -> Response:
    return page(here, "people/new_board.html", status, languages=tuple(Language), **context)


async def _refused(here: Visit, error: Malformed | Conflict, form: str, **context: Any) -> Response:
    status = 409 if isinstance(error, Conflict) else 422
    troubles = troubles_of(error, here.request)
    return await _page(here, status, troubles=troubles, failing=form, **context)


async def _page(here: Visit, status: int = 200, **context: Any) -> Response:
    members = await run(here.db, list_members, here.principal, here.board)
    board = await run(here.db, read_board, here.board)
    is_owner, oversees = here.principal.is_owner(board.id), here.principal.oversees(board.id)
    invitations = (
        await run(here.db, list_invitations, here.world, here.principal, board.id)
        if oversees
        else ()
    )
    return page(
        here,
        "people/members.html",
        status,
        board_name=board.name,
        is_open=board.joining is Joining.OPEN,
        members=members,
        invitations=invitations,
        is_owner=is_owner,
        oversees=oversees,
        roles=OF_BOARDS,
        offered=[role for role in reversed(OF_BOARDS) if is_owner or role not in STAFF],
        **{"done": "", "link": "", **context},
    )
