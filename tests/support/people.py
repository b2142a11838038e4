"""People with accounts, as tests want them: signed up, logged in, and of some board."""

from __future__ import annotations

from dataclasses import dataclass

from app.persistence.database import Database
from app.services import links, members, people
from app.services.access import Principal
from app.services.people_shapes import LogIn, NewAccount, NewBoard
from app.services.world import World

PASSWORD = "quattro parole qualunque"


@dataclass
class Person:
    """Somebody with an account, and one browser."""

    db: Database
    world: World
    id: str
    name: str
    cookie: str

    @property
    def now(self) -> Principal:
        """Give who their browser is now."""
        found = links.principal_of_cookie(self.db, self.world, self.cookie)
        assert found is not None
        return found


def signed_up(db: Database, world: World, name: str, *, is_admin: bool = False) -> Person:
    """Make an account."""
    new = NewAccount(name=name, password=PASSWORD)
    done = people.sign_up(db, world, new, is_admin=is_admin)
    return Person(db, world, done.person, name, done.cookie)


def logged_in(person: Person, password: str = PASSWORD, cookie: str | None = None) -> str:
    """Log somebody in in another browser; give its cookie."""
    given = LogIn(name=person.name, password=password)
    return people.log_in(person.db, person.world, given, cookie=cookie).cookie


def board_of(person: Person, name: str = "Seireitei") -> str:
    """Let somebody make a board."""
    new = NewBoard(name=name)
    return members.create_board(person.db, person.world, person.now, new, person.world.token())
