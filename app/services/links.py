"""Secret links: opened once in a browser, or sent with each call by a plugin."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from app.engine.ruleset import GM, Seat
from app.persistence import queries_access as queries
from app.persistence.database import Database
from app.persistence.queries import scene_now
from app.persistence.queries_access import SessionNow
from app.services.access import Grant, InScene, PersonHere, Principal, Role, ScenePlace
from app.services.answers import digest
from app.services.casting import cast
from app.services.deeds import DeedKind, note_deed
from app.services.errors import NotFound
from app.services.secret import new_secret, secret_row
from app.services.shapes import (
    LinkLine,
    Opened,
)
from app.services.world import World

LIFETIME: Final = timedelta(days=180)
"""How long a browser is remembered after it was last seen."""
OFTEN: Final = timedelta(days=1)
"""How often it is noted that a browser was seen; every page would be a write each."""


def open_link(db: Database, world: World, secret: str, cookie: str | None = None) -> Opened:
    """Give a browser what a secret grants, beside what its cookie had; the cookie changes."""
    now = world.now()
    with db.write() as connection:
        found = queries.secret_by_digest(connection, digest(secret))
        if found is None:
            raise NotFound
        held: dict[str, None] = {}
        person: str | None = None
        if cookie is not None:
            old = digest(cookie)
            rows = queries.session_now(connection, old)
            links = queries.opened_links(connection, old)
            # Somebody may have ended it in between: then nothing of it goes on.
            if queries.end_session(connection, old) and not is_over(rows, now):
                held = dict.fromkeys(links)
                person = rows[0].person
        queries.end_sessions_before(connection, now - LIFETIME)
        fresh = world.token()  # a cookie that somebody planted before must not gain anything
        opened = list({**held, found.id: None})
        queries.add_session(connection, digest(fresh), person, opened, now)
        queries.use_secret(connection, found.id, now)
    return Opened(
        cookie=fresh,
        role=Role(found.role),
        board=found.board,
        scene_id=found.scene,
        seat=found.seat,
    )


def principal_of_cookie(db: Database, world: World, cookie: str) -> Principal | None:
    """Tell who a browser is; None for a cookie that is unknown, forgotten or too old."""
    now = world.now()
    with db.read() as connection:
        rows = queries.session_now(connection, digest(cookie))
    see_browser(db, cookie, rows, now)
    return principal_in(rows, now)


def see_browser(db: Database, cookie: str, rows: tuple[SessionNow, ...], now: datetime) -> None:
    """Note that a browser was here, if that was last noted long ago."""
    if not is_over(rows, now) and now - rows[0].seen_at > OFTEN:
        with db.write() as connection:
            queries.see_session(connection, digest(cookie), now)


def principal_in(rows: tuple[SessionNow, ...], now: datetime) -> Principal | None:
    """Tell who a browser is by what is stored of its session; None for one that is over."""
    if is_over(rows, now):
        return None
    first = rows[0]
    return Principal(
        tuple(
            Grant(
                row.id,
                Role(row.role),
                row.board,
                row.scene,
                row.seat,
                kept=row.holder is not None,
            )
            for row in rows
            if row.id is not None and row.role is not None and row.board is not None
        ),
        None
        if first.person is None
        else PersonHere(first.person, first.name or "", is_admin=bool(first.is_admin)),
    )


def principal_of_secret(db: Database, world: World, secret: str) -> Principal | None:
    """Tell who a Bearer secret is; None for one that is unknown or revoked."""
    now = world.now()
    with db.read() as connection:
        found = queries.secret_by_digest(connection, digest(secret))
    if found is None:
        return None
    if found.used_at is None or now - found.used_at > OFTEN:
        with db.write() as connection:
            queries.use_secret(connection, found.id, now)
    grant = Grant(found.id, Role(found.role), found.board, found.scene, found.seat)
    return Principal((grant,))


def list_links(db: Database, principal: Principal, scene_id: str) -> tuple[LinkLine, ...]:
    """List the links of a scene that are in force, as its Master."""
    with db.read() as connection:
        scene = scene_now(connection, scene_id)
        if scene is None or not principal.is_gm(scene):
            raise NotFound
        rows = queries.secrets_of_scene(connection, scene_id)
    return tuple(
        LinkLine(
            role=Role(row.role),
            seat=row.seat,
            prefix=row.prefix,
            created_at=row.created_at,
            used_at=row.used_at,
        )
        for row in rows
    )


def reissue(
    db: Database, world: World, principal: Principal, scene_id: str, role: Role, seat: Seat | None
) -> str:
    """Make a new secret for the Master or a seat of a scene, and revoke the one before."""
    secret = new_secret(world.token())
    with db.write() as connection:
        board = _board_of_link(connection, principal, scene_id, role, seat)
        queries.revoke_secrets(connection, role, board, scene_id, seat, world.now())
        queries.add_secrets(connection, [secret_row(world, secret, role, board, scene_id, seat)])
        place = ScenePlace(scene_id, board)
        _note(connection, world, principal, place, seat, DeedKind.LINK)
    return secret


def revoke(
    db: Database, world: World, principal: Principal, scene_id: str, role: Role, seat: Seat | None
) -> None:
    """Revoke the secret of the Master or a seat of a scene, at once."""
    with db.write() as connection:
        board = _board_of_link(connection, principal, scene_id, role, seat)
        queries.revoke_secrets(connection, role, board, scene_id, seat, world.now())
        place = ScenePlace(scene_id, board)
        _note(connection, world, principal, place, seat, DeedKind.LINK_REVOKED)


def _note(
    connection: Connection,
    world: World,
    principal: Principal,
    scene: InScene,
    seat: Seat | None,
    kind: DeedKind,
) -> None:
    about = seat or GM
    note_deed(connection, world, principal, scene.board, kind, scene=scene.id, about=about)


def forget(db: Database, cookie: str) -> None:
    """Log a browser out; its cookie opens nothing any more."""
    with db.write() as connection:
        queries.end_session(connection, digest(cookie))


def renew(db: Database, world: World, cookie: str) -> str | None:
    """Give a browser another cookie for the same session, since what it may do has changed.

    None for a cookie that opens nothing.
    """
    now = world.now()
    with db.write() as connection:
        rows = queries.session_now(connection, digest(cookie))
        if is_over(rows, now):
            return None
        opened = queries.opened_links(connection, digest(cookie))
        if not queries.end_session(connection, digest(cookie)):
            return None  # it was ended in between, as by another password
        fresh = world.token()
        queries.add_session(connection, digest(fresh), rows[0].person, list(opened), now)
    return fresh


def is_over(rows: tuple[SessionNow, ...], now: datetime) -> bool:
    """Say whether a browser's session is unknown, or has not been used for too long."""
    return not rows or now - rows[0].seen_at > LIFETIME


def _board_of_link(
    connection: Connection, principal: Principal, scene_id: str, role: Role, seat: Seat | None
) -> str:
    """Tell of which board a link of a scene is.

    Raises NotFound for one that the scene does not have, or that is not theirs to give.
    """
    scene = scene_now(connection, scene_id, lock=True)
    if scene is None or not principal.is_gm(scene):
        raise NotFound
    seats = (one.seat for one in cast(scene))
    wanted: tuple[Seat | None, ...] = (None,) if role is Role.GM else tuple(seats)
    if role not in (Role.GM, Role.SEAT) or seat not in wanted:
        raise NotFound
    return scene.board
