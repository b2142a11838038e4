"""Who is what on a board: boards that people make, roles that are given, left and taken away."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from app.persistence import queries_access as access
from app.persistence import queries_people as queries
from app.persistence.codec import checked, load
from app.persistence.database import Database
from app.persistence.queries_access import BoardNow
from app.persistence.queries_desk_own import hand_over
from app.persistence.queries_invitations import revoke_invitations_of
from app.persistence.queries_people import Member
from app.persistence.tables import FIRST_BOARD
from app.services.access import OF_BOARDS, PersonHere, Principal, Role
from app.services.answers import call, remember, remembered
from app.services.board_notices import BoardTelling
from app.services.errors import Conflict, LoginNeeded, Malformed, Mistake, NotFound
from app.services.notices import Telling
from app.services.people_shapes import BoardLine, MemberRead, NewBoard
from app.services.secret import new_secret, secret_row
from app.services.shapes import Joining
from app.services.world import World


def list_boards(db: Database, principal: Principal) -> tuple[BoardLine, ...]:
    """List the boards with which somebody has anything to do, by name, with their role on each."""
    with db.read() as connection:
        named = access.board_names(connection, principal.boards())
    return tuple(BoardLine(id=id, name=name, role=principal.role_on(id)) for id, name in named)


def create_board(
    db: Database,
    world: World,
    principal: Principal,
    new: NewBoard,
    key: str,
    *,
    only_admins: bool = False,
) -> str:
    """Make a board of one's own and give its id; the same key gives the same board again."""
    me = who(principal)
    if only_admins and not me.is_admin:
        raise NotFound
    checked(NewBoard, new, "")
    this = call(f"person {me.id}", key, "create_board", new)
    with db.write() as connection:
        queries.person_now(connection, me.id, lock=True)
        if (done := remembered(connection, this)) is not None:
            return load(str, done)
        board = _insert_board(connection, world, new)
        give_role(connection, world, board, me.id, Role.OWNER)
        remember(connection, this, board, world.now())
    return board


def add_board(db: Database, world: World, new: NewBoard) -> str:
    """Make a board without members and give its id; whoever runs the service may."""
    checked(NewBoard, new, "")
    with db.write() as connection:
        return _insert_board(connection, world, new)


def _insert_board(connection: Connection, world: World, new: NewBoard) -> str:
    first = access.board_now(connection, FIRST_BOARD)
    if first is None:
        raise NotFound
    board = world.scene_id()
    access.add_board(
        connection,
        id=board,
        name=new.name,
        language=new.language.value,
        dialect=first.dialect,  # one service mostly serves forums of one kind
        dice="service",
        openers="gms",
        seal_hours=first.seal_hours,
        options="{}",
        regulation="{}",
        pattern=None,
        template=None,
        joining=Joining.INVITED.value,
        created_at=world.now(),
    )
    return board


def list_members(db: Database, principal: Principal, board: str) -> tuple[MemberRead, ...]:
    """List the people of a board by name, each with the highest of their roles, to its own."""
    if not principal.has_role(board):
        raise NotFound
    with db.read() as connection:
        rows = queries.members(connection, board)
    found: dict[str, MemberRead] = {}
    for row in sorted(rows, key=lambda row: OF_BOARDS.index(Role(row.role))):
        one = MemberRead(person=row.person, name=row.name, role=Role(row.role), since=row.since)
        found.setdefault(row.person, one)
    return tuple(sorted(found.values(), key=lambda one: (one.name.casefold(), one.person)))


def set_role(
    db: Database,
    world: World,
    principal: Principal,
    board: str,
    person: str,
    role: Role | None,
) -> None:
    """Give somebody another role on a board, or none any more, as its owner.

    What they invite to beyond that ends with it. Anybody may give up their own role. Raises
    Conflict where nobody would own the board any more.
    """
    mine = principal.person is not None and principal.person.id == person
    if not principal.is_owner(board) and not (mine and role is None):
        raise NotFound
    if role is not None:
        check_role(role)
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
        _replace(connection, world, board, had, role)
        beyond = [one.value for one in OF_BOARDS if one not in invited_by(role)]
        revoke_invitations_of(connection, board, person, beyond, world.now())
        if not mine:
            BoardTelling(
                connection=connection,
                board=board,
                kind=Telling.ROLE_CHANGED,
                now=world.now(),
                about=f"role {had[0].key_id}",
                facts={"role": "" if role is None else role.value},
            ).to_person(person)


def join(db: Database, world: World, principal: Principal, board: str) -> None:
    """Become a player of a board that lets people join by themselves."""
    me = who(principal)
    with db.write() as connection:
        row = access.board_now(connection, board, lock=True)
        if row is None or row.joining != Joining.OPEN:
            raise NotFound
        raise_role(connection, world, board, me.id, Role.PLAYER)


# ------------------------------------------------------------------- for those who give roles


def who(principal: Principal) -> PersonHere:
    """Give who is logged in; raise LoginNeeded for nobody."""
    if principal.person is None:
        raise LoginNeeded
    return principal.person


def check_role(role: Role) -> None:
    """Raise Malformed for what is no role on a board."""
    if role not in OF_BOARDS:
        raise Malformed(Mistake("role", "unknown_choice", {"choices": tuple(map(str, OF_BOARDS))}))


def invited_by(role: Role | None) -> tuple[Role, ...]:
    """List the roles to which one of a board may invite: owners to all, Masters to no staff."""
    if role is Role.OWNER:
        return OF_BOARDS
    return (Role.PLAYER, Role.SPECTATOR) if role is Role.GM else ()


def raise_role(connection: Connection, world: World, board: str, person: str, role: Role) -> bool:
    """Let somebody be this on a board unless they are as much already; say whether it changed."""
    locked: BoardNow | None = access.board_now(connection, board, lock=True)
    if locked is None:
        raise NotFound
    rows = [row for row in queries.members(connection, board) if row.person == person]
    if any(OF_BOARDS.index(Role(row.role)) <= OF_BOARDS.index(role) for row in rows):
        return False
    if rows:
        _replace(connection, world, board, rows, role)
    else:
        give_role(connection, world, board, person, role)
    return True


def give_role(connection: Connection, world: World, board: str, person: str, role: Role) -> str:
    """Insert the key that stands for a role of somebody, and name it; nobody can open it."""
    row = own_key(world, role, board, person)
    access.add_secrets(connection, [row])
    return str(row["id"])


def _replace(
    connection: Connection, world: World, board: str, had: Sequence[Member], role: Role | None
) -> None:
    """Put a role in the place of what somebody was; what they noted for themselves stays theirs."""
    first, *_ = had
    for row in had:
        queries.revoke_key(connection, row.key_id, row.person, world.now())
    if role is not None:
        hand_over(connection, first.key_id, give_role(connection, world, board, first.person, role))


def own_key(
    world: World,
    role: Role,
    board: str,
    person: str,
    scene: str | None = None,
    seat: str | None = None,
) -> dict[str, object]:
    """Make the row of a key of a person; its secret is told to nobody: the account is the key."""
    return secret_row(world, new_secret(world.token()), role, board, scene, seat, person)
