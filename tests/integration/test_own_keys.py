"""Who holds an account and has opened a link as well: the account's key comes first."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.services import audit, boards, desk, links, members, scenes, sheets
from app.services.access import Principal, Role
from app.services.desk_shapes import TurnPlace
from app.services.shapes import BoardChanges, OpenedScene, Openers, OpenScene
from tests.support.fights import HOLLOW, attack, defend, duel
from tests.support.people import Person, signed_up
from tests.support.table import Table, known, set_table
from tests.support.world import FixedWorld


class OrderedWorld(FixedWorld):
    """Makes ids that are each greater, or each smaller, than those before."""

    def __init__(self, *, rising: bool) -> None:
        super().__init__()
        self._ids = count(1) if rising else count(10**9, -1)

    def scene_id(self) -> str:
        """Make the next id."""
        return f"id-{next(self._ids):019}"


@pytest.fixture(params=[True, False], ids=["rising", "falling"])
def world(request: Any) -> FixedWorld:
    """Make ids in both orders: of two keys, neither may come first by its id alone."""
    return OrderedWorld(rising=request.param)


@pytest.fixture
def master(db: Database, world: FixedWorld) -> Person:
    """Let somebody with an account be a Master of the board."""
    return _of_board(db, world, "Mastro", Role.GM)


def _of_board(db: Database, world: FixedWorld, name: str, role: Role) -> Person:
    person = signed_up(db, world, name)
    with db.write() as connection:
        members.give_role(connection, world, FIRST_BOARD, person.id, role)
    return person


def enter(person: Person, secret: str) -> None:
    """Let somebody open a link in their browser."""
    person.cookie = links.open_link(person.db, person.world, secret, person.cookie).cookie


def holder(table: Table, secret: str) -> Principal:
    """Give somebody who has nothing but a link."""
    return known(links.principal_of_secret(table.db, table.world, secret))


def write(person: Person, scene: str, text: str) -> None:
    """Write a note to oneself."""
    desk.write_note(person.db, person.world, person.now, FIRST_BOARD, scene, text)


def read(db: Database, principal: Principal, scene: str) -> str:
    """Read one's own note."""
    return desk.read_note(db, principal, FIRST_BOARD, scene).text


@pytest.mark.parametrize("role", [Role.OWNER, Role.GM, Role.PLAYER])
@pytest.mark.parametrize("shared", ["gm", "owner"])
def test_no_holder_of_a_shared_link_reads_the_notes_of_an_account(
    db: Database, world: FixedWorld, role: Role, shared: str
) -> None:
    link = boards.owner_link(db, world, FIRST_BOARD)
    table = set_table(db, world, owner=known(links.principal_of_secret(db, world, link)))
    secret = link if shared == "owner" else table.opened.gm_secret
    person = _of_board(db, world, "Mastro", role)
    enter(person, secret)
    other = holder(table, secret)
    table.decide("hollow", attack())
    for scene in ("", table.id):
        write(person, scene, f"Segreto {scene}")
        assert read(db, person.now, scene) == f"Segreto {scene}"
        assert read(db, other, scene) == ""
    desk.see(db, world, person.now, TurnPlace(scene_id=table.id, number=1))
    desk.look(db, world, person.now, FIRST_BOARD)
    mine, theirs = (
        desk.read_desk(db, one, FIRST_BOARD, desk.DeskFilter()) for one in (person.now, other)
    )
    assert (mine.note, [one.seen for one in mine.turns], mine.fresh) == ("Segreto ", [True], 0)
    assert (theirs.note, [one.seen for one in theirs.turns], theirs.fresh) == ("", [False], 1)


def test_notes_to_oneself_stay_when_one_s_role_becomes_another(
    db: Database, world: FixedWorld, master: Person
) -> None:
    table = set_table(db, world)
    owner = _of_board(db, world, "Padrona", Role.OWNER)
    for scene in ("", table.id):
        write(master, scene, f"Nota {scene}")
    members.set_role(db, world, owner.now, FIRST_BOARD, master.id, Role.OWNER)
    assert [read(db, master.now, scene) for scene in ("", table.id)] == [
        "Nota ",
        f"Nota {table.id}",
    ]


def test_what_a_master_with_an_account_does_is_named_whatever_links_they_opened(
    db: Database, world: FixedWorld, master: Person
) -> None:
    table = set_table(db, world)
    enter(master, table.opened.gm_secret)
    table.decide("hollow", attack())
    table.gm = master.now
    table.decide("gm", defend(*(one.id for one in table.state().incoming), by="quincy"))
    links.revoke(db, world, master.now, table.id, Role.SEAT, "quincy")
    told = audit.read_audit(db, table.players["hollow"], table.id).lines
    assert [(one.kind, one.by, one.who) for one in told] == [
        ("in_place", "gm", "Mastro"),
        ("link_revoked", "gm", "Mastro"),
    ]


def opened(db: Database, world: FixedWorld, principal: Principal) -> OpenedScene:
    """Open a scene by a form whose key is always the same."""
    opening = OpenScene(title="Duello", setup=duel(), seal_hours=0)
    return scenes.open_scene(db, world, principal, FIRST_BOARD, opening, "key-of-the-form")


@pytest.mark.parametrize("role", [None, *Role][:5])
def test_the_same_form_opens_one_scene_though_the_browser_is_its_master_since(
    db: Database, world: FixedWorld, role: Role | None
) -> None:
    owner = known(links.principal_of_secret(db, world, boards.owner_link(db, world, FIRST_BOARD)))
    boards.change_board(db, world, owner, FIRST_BOARD, BoardChanges(openers=Openers.ANYONE))
    person = signed_up(db, world, "Chi apre")
    if role is not None:
        with db.write() as connection:
            members.give_role(connection, world, FIRST_BOARD, person.id, role)
    first = opened(db, world, person.now)
    enter(person, first.gm_secret)
    assert opened(db, world, person.now) == replace(first, replayed=True)


@pytest.mark.parametrize("seat", [None, "hollow"])
def test_the_same_form_opens_one_scene_without_an_account_too(
    db: Database, world: FixedWorld, seat: str | None
) -> None:
    table = set_table(db, world)
    boards.change_board(db, world, table.owner, FIRST_BOARD, BoardChanges(openers=Openers.ANYONE))
    secret = None if seat is None else table.opened.seat_secrets[seat]
    cookie = None if secret is None else links.open_link(db, world, secret).cookie
    who = Principal() if cookie is None else links.principal_of_cookie(db, world, cookie)
    first = opened(db, world, known(who))
    cookie = links.open_link(db, world, first.gm_secret, cookie).cookie
    since = known(links.principal_of_cookie(db, world, cookie))
    assert opened(db, world, since) == replace(first, replayed=True)
    # Under the same key somebody else, or the same browser with another form, opens their own.
    assert opened(db, world, table.owner).scene_id != first.scene_id
    opening = OpenScene(title="Un altro", setup=duel(), seal_hours=0)
    other = scenes.open_scene(db, world, since, FIRST_BOARD, opening, "key-of-the-form")
    assert other.scene_id != first.scene_id


def test_a_sheet_is_stored_once_though_its_keeper_s_role_is_another_since(
    db: Database, world: FixedWorld, master: Person
) -> None:
    def stored() -> str:
        return sheets.add_sheet(db, world, master.now, FIRST_BOARD, HOLLOW, "key-of-sheet").id

    first = stored()
    enter(master, boards.owner_link(db, world, FIRST_BOARD))
    assert stored() == first
