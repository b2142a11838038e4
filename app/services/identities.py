"""People for whom another service vouches: known again, made anew, or linked to an account."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection

from app.engine.text import Name
from app.integrations.oidc import Vouched
from app.persistence import queries_people as queries
from app.persistence.codec import checked
from app.persistence.database import Database
from app.services.access import Principal
from app.services.errors import Malformed, Mistake
from app.services.people import add_person, log_in_as
from app.services.people_shapes import LoggedIn
from app.services.world import World

MOST_TRIED: Final = 20
LONGEST: Final = 60


def log_in_by(
    db: Database,
    world: World,
    principal: Principal,
    vouched: Vouched,
    *,
    cookie: str | None = None,
    is_open: bool = True,
) -> LoggedIn:
    """Log somebody in for whom another service vouches.

    Who is not known yet is linked to the account that is logged in, or gets a new one; raises
    Malformed where the service takes nobody without an invitation. An address proves nothing: it
    is never what an account is found by.
    """
    with db.write() as connection:
        person = queries.identity(connection, vouched.issuer, vouched.subject)
        if person is None:
            me = principal.person
            if me is None and not is_open:
                raise Malformed(Mistake("invitation", "invitation_needed"))
            person = _new_person(connection, world, vouched.name) if me is None else me.id
            queries.add_identity(
                connection,
                issuer=vouched.issuer,
                subject=vouched.subject,
                person=person,
                created_at=world.now(),
            )
        return log_in_as(connection, world, person, cookie)


def _new_person(connection: Connection, world: World, wanted: str) -> str:
    """Make an account under the name that the other service gives, or one like it that is free."""
    plain = " ".join("".join(one if one.isprintable() else " " for one in wanted).split())
    plain = plain.replace("@", " ").strip()[:LONGEST].strip() or "Giocatore"
    for number in range(1, MOST_TRIED + 1):
        name = plain if number == 1 else f"{plain} {number}"
        try:
            checked(Name, name, "name")
            return add_person(connection, world, name)
        except Malformed:
            continue
    return add_person(connection, world, f"{plain} {world.scene_id()[:8]}")
