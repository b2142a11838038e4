"""People: signing up, logging in and out, and what an account holds."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection

from app.engine.alike import drawn, folded, plain
from app.engine.text import Name
from app.persistence import queries_access as access
from app.persistence import queries_people as queries
from app.persistence.codec import checked
from app.persistence.database import Database
from app.services.access import Principal, Role
from app.services.answers import digest
from app.services.called import names_of
from app.services.errors import Malformed, Mistake, NotFound
from app.services.invitations import accepted, invitation_now
from app.services.links import is_over
from app.services.members import who
from app.services.passwords import fits, hash_of
from app.services.people_shapes import (
    BrowserRead,
    Email,
    KeyRead,
    LoggedIn,
    LogIn,
    NewAccount,
    PersonRead,
)
from app.services.run import takes_long
from app.services.world import World

RESET: Final = "reset"
# Whatever a mail could be sent to, without the quoting and comments that nobody types.
_PLAIN: Final = r"[^\s@<>\"(),:;\[\\\]]"
_LABEL: Final = r"[^\s@.<>\"(),:;\[\\\]]+"
_EMAIL: Final = re.compile(rf"{_PLAIN}{{1,64}}@{_LABEL}(?:\.{_LABEL})+")
RESET_HOLDS: Final = timedelta(hours=24)
MOST_ROUNDS: Final = 3
"""How often a password is checked that is another one each time; only one that changes often is."""


@takes_long
def sign_up(
    db: Database,
    world: World,
    new: NewAccount,
    *,
    cookie: str | None = None,
    invitation: str | None = None,
    is_open: bool = True,
    is_admin: bool = False,
) -> LoggedIn:
    """Make an account and log its owner in; with an ``invitation`` they also get its role.

    Raises Malformed where somebody has the name or the address, and where the service takes nobody
    without an invitation (``is_open`` false).
    """
    checked(NewAccount, new, "")
    check_name(new.name)
    email = _email(new.email)
    secret = hash_of(new.password, new.name)
    with db.write() as connection:
        invited = None if invitation is None else invitation_now(connection, world, invitation)
        if invited is None and not is_open:
            raise Malformed(Mistake("invitation", "invitation_needed"))
        person = add_person(
            connection, world, new.name, email=email, password=secret, is_admin=is_admin
        )
        if invited is not None:
            accepted(connection, world, invited, person)
        return log_in_as(connection, world, person, cookie)


@takes_long
def log_in(db: Database, world: World, given: LogIn, *, cookie: str | None = None) -> LoggedIn:
    """Log somebody in; whether the account or only the password is unknown is not told."""
    checked(LogIn, given, "")
    for _ in range(MOST_ROUNDS):
        with db.read() as connection:
            found = _find(connection, given.name)
        right, better = fits(given.password, None if found is None else found.password)
        if found is None or not right:
            break
        with db.write() as connection:
            # It takes long to check a password, which may be another one by now.
            if _still_has(connection, found):
                if better is not None:
                    queries.change_person(connection, found.id, password=better)
                return log_in_as(connection, world, found.id, cookie)
    raise Malformed(Mistake("password", "login_unknown"))


def log_out_everywhere(db: Database, principal: Principal) -> None:
    """Log somebody out of every browser."""
    me = who(principal).id
    with db.write() as connection:
        queries.person_now(connection, me, lock=True)  # nobody comes in, or is renewed, meanwhile
        queries.end_sessions_of(connection, me)


@takes_long
def change_password(
    db: Database, world: World, principal: Principal, old: str, new: str, *, cookie: str | None
) -> LoggedIn:
    """Change one's own password, which ends every other session and any link that sets another."""
    me = who(principal).id
    with db.read() as connection:
        person = queries.person_now(connection, me)
    if person is None:
        raise NotFound
    if person.password is not None and not fits(old, person.password)[0]:
        raise Malformed(Mistake("old", "password_wrong"))
    secret = hash_of(new, person.name, "new")
    with db.write() as connection:
        if not _still_has(connection, person):
            raise Malformed(Mistake("old", "password_wrong"))
        queries.end_one_time_of(connection, me)
        queries.change_person(connection, me, password=secret)
        done = log_in_as(connection, world, me, cookie)
        queries.end_sessions_of(connection, me, digest(done.cookie))
    return done


def change_account(db: Database, principal: Principal, name: str, email: str) -> None:
    """Change one's own name and address; raise Malformed where somebody has them."""
    me = who(principal).id
    check_name(name)
    address = _email(email)
    with db.write() as connection:
        person = queries.person_now(connection, me, lock=True)
        if person is None:
            raise NotFound
        keys = _free_keys(connection, name, address, by_other_than=me)
        queries.change_person(connection, me, name=name, email=address, **keys)


def list_people(db: Database) -> tuple[queries.PersonNow, ...]:
    """List everybody by name; whoever runs the service may."""
    with db.read() as connection:
        return queries.people(connection)


def set_admin(db: Database, name: str, is_admin: bool) -> None:
    """Let somebody look after the service, or no longer; whoever runs it may."""
    with db.write() as connection:
        person = _find(connection, name)
        if person is None:
            raise NotFound
        queries.change_person(connection, person.id, is_admin=is_admin)


def reset_link(db: Database, world: World, name: str) -> str:
    """Make a link by which somebody may set a new password once; whoever runs the service may."""
    token = world.token()
    with db.write() as connection:
        person = _find(connection, name)
        if person is None:
            raise NotFound
        now = world.now()
        queries.add_one_time(
            connection,
            digest=digest(token),
            person=person.id,
            purpose=RESET,
            created_at=now,
            expires_at=now + RESET_HOLDS,
            used_at=None,
        )
    return token


@takes_long
def reset_password(
    db: Database, world: World, token: str, new: str, *, cookie: str | None = None
) -> LoggedIn:
    """Set a new password by a link that works once, and log out of every other browser."""
    with db.read() as connection:
        person = _by_link(connection, world, token, lock=False)
    secret = hash_of(new, person.name, "new")
    with db.write() as connection:
        queries.person_now(connection, person.id, lock=True)  # as a change of the password does
        person = _by_link(connection, world, token)
        queries.use_one_time(connection, digest(token), world.now())
        queries.change_person(connection, person.id, password=secret)
        queries.end_sessions_of(connection, person.id)
        return log_in_as(connection, world, person.id, cookie)


def read_me(db: Database, principal: Principal, cookie: str | None = None) -> PersonRead:
    """Read one's own account: what it holds, and where it is logged in."""
    me = who(principal).id
    here = None if cookie is None else digest(cookie)
    with db.read() as connection:
        person = queries.person_now(connection, me)
        if person is None:
            raise NotFound
        held = queries.held_by(connection, me)
        browsers = queries.sessions_of(connection, me)
        seats = {(one.scene, one.seat) for one in held if one.scene and one.seat}
        names = names_of(connection, seats)
    return PersonRead(
        id=person.id,
        name=person.name,
        email=person.email or "",
        has_password=person.password is not None,
        is_admin=person.is_admin,
        created_at=person.created_at,
        keys=tuple(
            KeyRead(
                id=one.id,
                role=Role(one.role),
                board=one.board,
                board_name=one.board_name,
                scene=one.scene,
                scene_title=one.title,
                seat=one.seat,
                seat_name=names.get((one.scene, one.seat), one.seat),
                since=one.created_at,
            )
            for one in held
        ),
        browsers=tuple(
            BrowserRead(since=since, seen=seen, here=name == here) for name, since, seen in browsers
        ),
    )


# -------------------------------------------------------- for those who make accounts elsewhere


def add_person(
    connection: Connection,
    world: World,
    name: str,
    *,
    email: str | None = None,
    password: str | None = None,
    is_admin: bool = False,
) -> str:
    """Insert an account and give its id; raise Malformed where somebody has the name."""
    check_name(name)
    keys = _free_keys(connection, name, email)
    person = world.scene_id()
    queries.add_person(
        connection,
        id=person,
        name=name,
        email=email,
        password=password,
        is_admin=is_admin,
        created_at=world.now(),
        **keys,
    )
    return person


def log_in_as(connection: Connection, world: World, person: str, cookie: str | None) -> LoggedIn:
    """Let a browser be somebody's, under a new cookie; what it had opened before it keeps."""
    now = world.now()
    opened: tuple[str, ...] = ()
    if cookie is not None:
        rows = access.session_now(connection, digest(cookie))
        # What somebody else had opened here is not theirs, though they did not log out.
        if not is_over(rows, now) and rows[0].person in (None, person):
            opened = access.opened_links(connection, digest(cookie))
        access.end_session(connection, digest(cookie))
    fresh = world.token()  # a cookie that somebody planted before must not gain anything
    access.add_session(connection, digest(fresh), person, list(opened), now)
    return LoggedIn(cookie=fresh, person=person)


def _find(connection: Connection, name: str) -> queries.PersonNow | None:
    if "@" in name:
        return queries.person_by(connection, email_key=plain(name))
    return queries.person_by(connection, name_key=folded(name))


def _still_has(connection: Connection, person: queries.PersonNow) -> bool:
    """Lock an account, and say whether its password is what it was."""
    now = queries.person_now(connection, person.id, lock=True)
    return now is not None and now.password == person.password


def _by_link(
    connection: Connection, world: World, token: str, *, lock: bool = True
) -> queries.PersonNow:
    found = queries.one_time(connection, digest(token), lock=lock)
    if found is None or found.purpose != RESET or found.used_at is not None:
        raise NotFound
    if found.expires_at <= world.now():
        raise NotFound
    person = queries.person_now(connection, found.person)
    if person is None:
        raise NotFound
    return person


def check_name(name: str) -> None:
    """Raise Malformed for what cannot be the name of an account."""
    checked(Name, name, "name")
    if "@" in name:  # an address would be found before the name
        raise Malformed(Mistake("name", "account_name_at"))
    if not folded(name):
        raise Malformed(Mistake("name", "too_short", {"least": 1}))


def _free_keys(
    connection: Connection, name: str, email: str | None, by_other_than: str | None = None
) -> dict[str, str | None]:
    """Give what a name and an address are compared by; raise Malformed where they are taken."""
    key, strokes = folded(name), drawn(name)
    address = None if email is None else plain(email)
    taken = queries.taken(
        connection,
        name_key=key,
        name_drawn=strokes,
        email_key=address,
        by_other_than=by_other_than,
    )
    if taken:
        raise Malformed(*(Mistake(one, f"account_{one}_taken") for one in taken))
    return {"name_key": key, "name_drawn": strokes, "email_key": address}


def _email(text: str) -> str | None:
    """Read an address; an empty one is none."""
    text = text.strip()
    if not text:
        return None
    checked(Email, text, "email")
    if _EMAIL.fullmatch(text) is None:
        raise Malformed(Mistake("email", "email_malformed"))
    return text
