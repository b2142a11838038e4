"""What people took as theirs: links to boards, scenes, seats and beings kept in their account."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection

from app.persistence import queries_access as access
from app.persistence import queries_people as queries
from app.persistence.database import Database
from app.persistence.queries import scene_now
from app.persistence.queries_access import SecretNow
from app.services.access import OF_BOARDS, Principal, Role
from app.services.answers import digest
from app.services.errors import NotFound
from app.services.members import own_key, raise_role, who
from app.services.people_shapes import ClaimRead, KeyRead
from app.services.world import World


def claim(db: Database, world: World, principal: Principal, secret: str) -> None:
    """Take what a link gives as one's own, so that it is there in every browser."""
    me = who(principal)
    with db.write() as connection:
        queries.person_now(connection, me.id, lock=True)
        link = access.secret_by_digest(connection, digest(secret))
        if link is None:
            raise NotFound
        _take(connection, world, me.id, link)


def claim_opened(db: Database, world: World, principal: Principal, cookie: str) -> None:
    """Take what the links give that this browser has opened, as far as they are in force."""
    me = who(principal)
    with db.write() as connection:
        queries.person_now(connection, me.id, lock=True)
        for link in access.links_opened(connection, digest(cookie)):
            _take(connection, world, me.id, link)


def not_yet_mine(principal: Principal, mine: Iterable[KeyRead]) -> int:
    """Count what a browser has opened beyond what its owner's account holds.

    The Master of one scene adds nothing to who oversees its board: whoever opens a scene there
    holds that link without having followed any.
    """
    kept = {one.id for one in mine}
    held = {(one.role, one.board, one.scene, one.seat) for one in mine}
    ranks = {one.board: OF_BOARDS.index(one.role) for one in mine if is_role(one.role, one.scene)}
    overseen = {board for board, rank in ranks.items() if rank <= OF_BOARDS.index(Role.GM)}
    return sum(
        OF_BOARDS.index(one.role) < ranks.get(one.board, len(OF_BOARDS))
        if is_role(one.role, one.scene_id)
        else (one.role, one.board, one.scene_id, one.seat) not in held
        and not (one.role is Role.GM and one.board in overseen)
        for one in principal.grants
        if one.secret_id not in kept
    )


def is_role(role: Role, scene: str | None) -> bool:
    """Say whether a key is a role on a board, which is left on the page of its members."""
    return scene is None and role in OF_BOARDS


def _take(connection: Connection, world: World, me: str, link: SecretNow) -> None:
    role = Role(link.role)
    if is_role(role, link.scene):
        raise_role(connection, world, link.board, me, role)
        return
    given = (link.role, link.board, link.scene, link.seat)
    held = queries.held_by(connection, me)
    if given not in [(one.role, one.board, one.scene, one.seat) for one in held]:
        row = own_key(world, role, link.board, me, link.scene, link.seat)
        access.add_secrets(connection, [row])


def give_up(db: Database, world: World, principal: Principal, key: str) -> None:
    """Give up a scene, a seat or a being that one had taken; roles are left by `set_role`."""
    me = who(principal)
    with db.write() as connection:
        for one in queries.held_by(connection, me.id):
            if one.id == key and not is_role(Role(one.role), one.scene):
                queries.revoke_key(connection, key, me.id, world.now())
                return
    raise NotFound


def list_claims(db: Database, principal: Principal, scene_id: str) -> tuple[ClaimRead, ...]:
    """List who keeps which seat of a scene in their account, to its Master."""
    with db.read() as connection:
        scene = scene_now(connection, scene_id)
        if scene is None or not principal.is_gm(scene):
            raise NotFound
        rows = queries.claims(connection, scene_id)
    return tuple(
        ClaimRead(
            key=row.key_id,
            person=row.person,
            name=row.name,
            role=Role(row.role),
            seat=row.seat,
            since=row.since,
        )
        for row in rows
    )


def revoke_claim(db: Database, world: World, principal: Principal, scene_id: str, key: str) -> None:
    """Take a seat of a scene away from an account that keeps it, as the Master."""
    with db.write() as connection:
        scene = scene_now(connection, scene_id)
        if scene is None or not principal.is_gm(scene):
            raise NotFound
        if not queries.revoke_claim(connection, scene_id, key, world.now()):
            raise NotFound
