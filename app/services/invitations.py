"""Invitations to a board: a link that gives so many people a role on it, until some day."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from sqlalchemy import Connection

from app.persistence import queries_access as access
from app.persistence import queries_invitations as queries
from app.persistence.codec import checked
from app.persistence.database import Database
from app.persistence.queries_invitations import InvitationNow
from app.services.access import Principal, Role
from app.services.answers import digest
from app.services.errors import NotFound
from app.services.members import check_role, raise_role, who
from app.services.people_shapes import InvitationRead, Invited, NewInvitation
from app.services.secret import SHOWN, new_secret
from app.services.world import World

STAFF: Final = (Role.OWNER, Role.GM)
"""The roles to which only an owner invites."""


def invite(db: Database, world: World, principal: Principal, board: str, new: NewInvitation) -> str:
    """Make an invitation and give its secret; Masters invite players and spectators."""
    if not principal.oversees(board):
        raise NotFound
    checked(NewInvitation, new, "")
    check_role(new.role)
    if new.role in STAFF and not principal.is_owner(board):
        raise NotFound
    secret, key = new_secret(world.token()), principal.any_secret(board)
    with db.write() as connection:
        access.board_now(connection, board, lock=True)
        if key is None or not access.is_in_force(connection, key):
            raise NotFound  # their role was taken meanwhile, and with it what they invite to
        now = world.now()
        queries.add_invitation(
            connection,
            id=world.scene_id(),
            board=board,
            role=new.role.value,
            digest=digest(secret),
            prefix=secret[:SHOWN],
            uses=new.uses,
            made_by=key,
            created_at=now,
            expires_at=now + timedelta(days=new.days),
            revoked_at=None,
        )
    return secret


def list_invitations(
    db: Database, world: World, principal: Principal, board: str
) -> tuple[InvitationRead, ...]:
    """List the invitations that hold, to those who look after the board."""
    if not principal.oversees(board):
        raise NotFound
    with db.read() as connection:
        rows = queries.invitations(connection, board, world.now())
    return tuple(
        InvitationRead(
            id=row.id,
            role=Role(row.role),
            prefix=row.prefix,
            uses=row.uses,
            created_at=row.created_at,
            expires_at=row.expires_at,
        )
        for row in rows
    )


def revoke_invitation(
    db: Database, world: World, principal: Principal, board: str, invitation: str
) -> None:
    """Take an invitation back, as one who looks after the board."""
    if not principal.oversees(board):
        raise NotFound
    with db.write() as connection:
        if not queries.revoke_invitation(connection, board, invitation, world.now()):
            raise NotFound


def look_at_invitation(db: Database, world: World, secret: str) -> Invited:
    """Tell to what an invitation invites; raise NotFound for one that does not hold."""
    with db.read() as connection:
        return _told(connection, invitation_now(connection, world, secret, lock=False))


def accept_invitation(db: Database, world: World, principal: Principal, secret: str) -> Invited:
    """Get the role to which one was invited; who has one on the board already keeps the higher."""
    me = who(principal)
    with db.write() as connection:
        found = invitation_now(connection, world, secret)
        accepted(connection, world, found, me.id)
        return _told(connection, found)


def invitation_now(
    connection: Connection, world: World, secret: str, *, lock: bool = True
) -> InvitationNow:
    """Find an invitation by its secret; raise NotFound for one that does not hold."""
    found = queries.invitation(connection, digest(secret), world.now())
    if lock and found is not None:
        if found.board is not None:  # the board first, as whoever takes roles away does
            access.board_now(connection, found.board, lock=True)
        found = queries.invitation(connection, digest(secret), world.now(), lock=True)
    if found is None:
        raise NotFound
    return found


def accepted(connection: Connection, world: World, found: InvitationNow, person: str) -> None:
    """Let somebody have what an invitation gives; what gives them nothing is not used up."""
    if found.board is None or raise_role(connection, world, found.board, person, Role(found.role)):
        queries.use_invitation(connection, found.id)


def _told(connection: Connection, found: InvitationNow) -> Invited:
    board = None if found.board is None else access.board_now(connection, found.board)
    name = "" if board is None else board.name
    return Invited(board=found.board, board_name=name, role=Role(found.role))
