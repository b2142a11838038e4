"""Who is what on a board: roles given and taken, invitations, seats that people take as theirs."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Connection

from app.engine.text import Name
from app.persistence import queries_access as access
from app.persistence import queries_people as queries
from app.persistence.codec import checked, load
from app.persistence.database import Database
from app.persistence.queries_people import InvitationNow
from app.persistence.tables import FIRST_BOARD
from app.services.access import OF_BOARDS, Principal, Role
from app.services.answers import call, digest, remember, remembered
from app.services.errors import Conflict, Malformed, Mistake, NotFound
from app.services.people_shapes import (
    InvitationRead,
    Invited,
    MemberRead,
    NewInvitation,
)
from app.services.secret import SHOWN, new_secret, secret_row
from app.services.shapes import Joining
from app.services.world import World

STAFF = (Role.OWNER, Role.GM)


def list_members(db: Database, principal: Principal, board: str) -> tuple[MemberRead, ...]:
    """List the people of a board, to those who are of it."""
    if not principal.has_role(board):
        raise NotFound
    with db.read() as connection:
        rows = queries.members(connection, board)
    return tuple(
        MemberRead(person=row.person, name=row.name, role=Role(row.role), since=row.since)
        for row in rows
    )


def create_board(
    db: Database, world: World, principal: Principal, name: str, language: str, key: str
) -> str:
    """Make a board of one's own and give its id; the same key gives the same board again."""
    me = principal.person
    if me is None:
        raise NotFound
    checked(Name, name, "name")
    this = call(f"person {me.id}", key, "create_board", name, language)
    with db.write() as connection:
        if (done := remembered(connection, this)) is not None:
            return load(str, done)
        first, now = access.board_now(connection, FIRST_BOARD), world.now()
        if first is None:
            raise NotFound
        board = world.scene_id()
        access.add_board(
            connection,
            id=board,
            name=name,
            language=language,
            dialect=first.dialect,
            dice="service",
            openers="gms",
            seal_hours=first.seal_hours,
            options="{}",
            regulation="{}",
            pattern=None,
            template=None,
            joining=Joining.INVITED.value,
            created_at=now,
        )
        give_role(connection, world, board, me.id, Role.OWNER)
        remember(connection, this, board, now)
    return board


def set_role(
    db: Database,
    world: World,
    principal: Principal,
    board: str,
    person: str,
    role: Role | None,
) -> None:
    """Give somebody another role on a board, or none any more, as its owner.

    Anybody may give up their own. Raises Conflict where nobody would own the board any more.
    """
    mine = principal.person is not None and principal.person.id == person
    if not principal.is_owner(board) and not (mine and role is None):
        raise NotFound
    if role is not None and role not in OF_BOARDS:
        raise Malformed(Mistake("role", "unknown_choice", {"choices": tuple(map(str, OF_BOARDS))}))
    with db.write() as connection:
        access.board_now(connection, board, lock=True)
        rows = queries.members(connection, board)
        had = [row for row in rows if row.person == person]
        if not had:
            raise NotFound
        owners = {row.person for row in rows if row.role == Role.OWNER}
        if owners == {person} and role is not Role.OWNER:
            raise Conflict("last_owner")
        if role is not None and [row.role for row in had] == [role]:
            return
        for row in had:
            queries.revoke_key(connection, row.key_id, person, world.now())
        if role is not None:
            give_role(connection, world, board, person, role)


def join(db: Database, world: World, principal: Principal, board: str) -> None:
    """Become a player of a board that lets people join by themselves."""
    if principal.person is None:
        raise NotFound
    with db.write() as connection:
        row = access.board_now(connection, board, lock=True)
        if row is None or row.joining != Joining.OPEN:
            raise NotFound
        if not _is_member(connection, board, principal.person.id):
            give_role(connection, world, board, principal.person.id, Role.PLAYER)


# --------------------------------------------------------------------------------- invitations


def invite(db: Database, world: World, principal: Principal, board: str, new: NewInvitation) -> str:
    """Make an invitation and give its secret; Masters invite players and spectators."""
    checked(NewInvitation, new, "")
    if new.role not in OF_BOARDS:
        raise Malformed(Mistake("role", "unknown_choice", {"choices": tuple(map(str, OF_BOARDS))}))
    needs_owner = new.role in STAFF
    if not (principal.is_owner(board) if needs_owner else principal.oversees(board)):
        raise NotFound
    secret = new_secret(world.token())
    with db.write() as connection:
        now = world.now()
        queries.add_invitation(
            connection,
            id=world.scene_id(),
            board=board,
            role=new.role.value,
            digest=digest(secret),
            prefix=secret[:SHOWN],
            uses=new.uses,
            made_by=principal.any_secret(board),
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
        found = invitation_now(connection, world, secret)
        board = None if found.board is None else access.board_now(connection, found.board)
    return Invited(
        board=found.board, board_name="" if board is None else board.name, role=Role(found.role)
    )


def accept_invitation(db: Database, world: World, principal: Principal, secret: str) -> Invited:
    """Get the role to which one was invited; who has one on the board already keeps the higher."""
    if principal.person is None:
        raise NotFound
    with db.write() as connection:
        found = invitation_now(connection, world, secret)
        accepted(connection, world, found, principal.person.id)
    return look_at_invitation_of(db, found)


def look_at_invitation_of(db: Database, found: InvitationNow) -> Invited:
    """Tell to what an invitation has invited that was just used up."""
    with db.read() as connection:
        board = None if found.board is None else access.board_now(connection, found.board)
    name = "" if board is None else board.name
    return Invited(board=found.board, board_name=name, role=Role(found.role))


def invitation_now(connection: Connection, world: World, secret: str) -> InvitationNow:
    """Find an invitation by its secret; raise NotFound for one that does not hold."""
    found = queries.invitation(connection, digest(secret), world.now(), lock=True)
    if found is None:
        raise NotFound
    return found


def accepted(connection: Connection, world: World, found: InvitationNow, person: str) -> None:
    """Let somebody have what an invitation gives."""
    if found.board is not None:
        rows = [row for row in queries.members(connection, found.board) if row.person == person]
        ranks = [OF_BOARDS.index(Role(row.role)) for row in rows]
        if ranks and min(ranks) <= OF_BOARDS.index(Role(found.role)):
            return  # what they are is as much already, and somebody else may come by it
        for row in rows:
            queries.revoke_key(connection, row.key_id, person, world.now())
        give_role(connection, world, found.board, person, Role(found.role))
    queries.use_invitation(connection, found.id)


# ----------------------------------------------------------------- links that people make theirs


def claim(db: Database, world: World, principal: Principal, secret: str) -> None:
    """Take what a link gives as one's own, so that it is there in every browser."""
    if principal.person is None:
        raise NotFound
    me = principal.person.id
    with db.write() as connection:
        link = access.secret_by_digest(connection, digest(secret))
        if link is None:
            raise NotFound
        for one in queries.held_by(connection, me):
            if (one.role, one.board, one.scene, one.seat) == (
                link.role,
                link.board,
                link.scene,
                link.seat,
            ):
                return
        role = Role(link.role)
        unopened = new_secret(world.token())  # nobody is told it: the account is the key
        row = secret_row(world, unopened, role, link.board, link.scene, link.seat, me)
        access.add_secrets(connection, [row])


def give_up(db: Database, world: World, principal: Principal, key: str) -> None:
    """Give up a scene or a seat that one had taken as one's own; roles are left by `set_role`."""
    if principal.person is None:
        raise NotFound
    me = principal.person.id
    with db.write() as connection:
        held = {one.id: one for one in queries.held_by(connection, me)}
        if key not in held or _is_role(held[key]):
            raise NotFound
        queries.revoke_key(connection, key, me, world.now())


def give_role(connection: Connection, world: World, board: str, person: str, role: Role) -> None:
    """Insert the key that stands for a role of somebody; nobody can open it."""
    unopened = new_secret(world.token())
    row = secret_row(world, unopened, role, board, person=person)
    access.add_secrets(connection, [row])


def _is_member(connection: Connection, board: str, person: str) -> bool:
    return any(row.person == person for row in queries.members(connection, board))


def _is_role(held: queries.Held) -> bool:
    return held.scene is None and Role(held.role) in OF_BOARDS
