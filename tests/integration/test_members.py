"""Roles on boards: made, joined, invited to, given and taken away; and seats kept in an account."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.services import boards, claims, invitations, links, members, people, scenes
from app.services.access import OF_BOARDS, Principal, Role
from app.services.errors import Conflict, KeyReused, LoginNeeded, Malformed, NotFound
from app.services.people_shapes import NewAccount, NewBoard, NewInvitation
from app.services.shapes import BoardChanges, Joining
from tests.support.people import PASSWORD, Person, board_of, signed_up
from tests.support.table import Table
from tests.support.world import FixedWorld


@pytest.fixture
def rin(db: Database, world: FixedWorld) -> Person:
    """Sign somebody up."""
    return signed_up(db, world, "Rin")


@pytest.fixture
def sol(db: Database, world: FixedWorld) -> Person:
    """Sign somebody else up."""
    return signed_up(db, world, "Sol")


def roles(person: Person, board: str) -> dict[str, str]:
    """List who is what on a board, as somebody sees it."""
    found = members.list_members(person.db, person.now, board)
    return {one.name: one.role.value for one in found}


def invite(owner: Person, board: str, role: Role = Role.PLAYER, uses: int = 1) -> str:
    """Make an invitation."""
    new = NewInvitation(role=role, uses=uses)
    return invitations.invite(owner.db, owner.world, owner.now, board, new)


def accept(person: Person, secret: str) -> None:
    """Accept an invitation."""
    invitations.accept_invitation(person.db, person.world, person.now, secret)


def make(person: Person, board: str, other: Person, role: Role | None) -> None:
    """Give somebody a role."""
    members.set_role(person.db, person.world, person.now, board, other.id, role)


# --------------------------------------------------------------------------------------- boards


def test_who_makes_a_board_owns_it_and_nobody_else_sees_its_people(
    rin: Person, sol: Person
) -> None:
    board = board_of(rin)
    assert rin.now.is_owner(board)
    assert not rin.now.is_owner(FIRST_BOARD)
    assert roles(rin, board) == {"Rin": "owner"}
    assert [one.name for one in members.list_boards(rin.db, rin.now)] == ["Seireitei"]
    assert members.list_boards(rin.db, sol.now) == ()
    with pytest.raises(NotFound):
        members.list_members(rin.db, sol.now, board)


def test_the_same_key_makes_the_same_board(rin: Person, sol: Person) -> None:
    def create(who: Person, name: str) -> str:
        new = NewBoard(name=name)
        return members.create_board(who.db, who.world, who.now, new, "key-of-a-form")

    board = create(rin, "Seireitei")
    assert create(rin, "Seireitei") == board
    assert create(sol, "Seireitei") != board
    with pytest.raises(KeyReused):
        create(rin, "Karakura")


def test_a_service_may_let_only_admins_make_boards(db: Database, world: FixedWorld) -> None:
    rin, boss = signed_up(db, world, "Rin"), signed_up(db, world, "Boss", is_admin=True)
    new = NewBoard(name="Seireitei")
    with pytest.raises(NotFound):
        members.create_board(db, world, rin.now, new, "key-of-a-form", only_admins=True)
    assert members.create_board(db, world, boss.now, new, "key-of-a-form", only_admins=True)
    with pytest.raises(LoginNeeded):
        members.create_board(db, world, Principal(), new, "key-of-a-form")


def test_one_joins_by_oneself_only_where_the_board_is_open(rin: Person, sol: Person) -> None:
    board = board_of(rin)
    with pytest.raises(NotFound):
        members.join(sol.db, sol.world, sol.now, board)
    open_to_all = BoardChanges(joining=Joining.OPEN)
    boards.change_board(rin.db, rin.world, rin.now, board, open_to_all)
    for _ in range(2):
        members.join(sol.db, sol.world, sol.now, board)
    members.join(rin.db, rin.world, rin.now, board)
    assert roles(sol, board) == {"Rin": "owner", "Sol": "player"}


# ---------------------------------------------------------------------------------------- roles


def test_the_owner_gives_roles_and_takes_them_away(rin: Person, sol: Person) -> None:
    board = board_of(rin)
    accept(sol, invite(rin, board))
    with pytest.raises(NotFound):
        make(sol, board, sol, Role.OWNER)
    make(rin, board, sol, Role.GM)
    assert sol.now.oversees(board)
    with pytest.raises(NotFound):
        make(sol, board, rin, None)
    with pytest.raises(Malformed):
        make(rin, board, sol, Role.SEAT)
    make(rin, board, sol, None)
    assert not sol.now.has_role(board)
    with pytest.raises(NotFound):
        make(rin, board, sol, Role.PLAYER)  # who left is invited anew


def test_one_leaves_by_oneself_but_the_last_owner_stays(rin: Person, sol: Person) -> None:
    board = board_of(rin)
    for role in (None, Role.GM):
        with pytest.raises(Conflict) as told:
            make(rin, board, rin, role)
        assert told.value.code == "last_owner"
    accept(sol, invite(rin, board, Role.OWNER))
    make(rin, board, rin, None)
    assert roles(sol, board) == {"Sol": "owner"}


def test_roles_of_one_board_are_none_of_another(rin: Person, sol: Person) -> None:
    mine, other = board_of(rin), board_of(sol, "Karakura")
    assert not rin.now.has_role(other)
    for call in (
        lambda: invite(rin, other),
        lambda: make(rin, other, sol, Role.PLAYER),
        lambda: invitations.list_invitations(rin.db, rin.world, rin.now, other),
        lambda: boards.change_board(rin.db, rin.world, rin.now, other, BoardChanges(name="Mia")),
        lambda: roles(rin, other),
    ):
        with pytest.raises(NotFound):
            call()
    assert roles(rin, mine) == {"Rin": "owner"}


# ---------------------------------------------------------------------------------- invitations


def test_an_invitation_gives_its_role_to_so_many(
    db: Database, world: FixedWorld, rin: Person
) -> None:
    board = board_of(rin)
    secret = invite(rin, board, Role.SPECTATOR, uses=2)
    told = invitations.look_at_invitation(db, world, secret)
    assert (told.board_name, told.role) == ("Seireitei", Role.SPECTATOR)
    accept(rin, secret)  # who is more already uses nothing up
    for name in ("Aki", "Beni"):
        new = NewAccount(name=name, password=PASSWORD)
        people.sign_up(db, world, new, invitation=secret, is_open=False)
    assert roles(rin, board) == {"Aki": "spectator", "Beni": "spectator", "Rin": "owner"}
    with pytest.raises(NotFound):
        accept(signed_up(db, world, "Chie"), secret)
    with pytest.raises(NotFound):
        invitations.look_at_invitation(db, world, secret)
    assert invitations.list_invitations(db, world, rin.now, board) == ()


def test_an_invitation_ends_when_it_is_revoked_or_old(rin: Person, sol: Person) -> None:
    board = board_of(rin)
    secrets = [invite(rin, board) for _ in range(2)]
    first = invitations.list_invitations(rin.db, rin.world, rin.now, board)[0]
    assert secrets[0].startswith(first.prefix) or secrets[1].startswith(first.prefix)
    invitations.revoke_invitation(rin.db, rin.world, rin.now, board, first.id)
    with pytest.raises(NotFound):
        invitations.revoke_invitation(rin.db, rin.world, rin.now, board, first.id)
    gone = next(one for one in secrets if one.startswith(first.prefix))
    with pytest.raises(NotFound):
        accept(sol, gone)
    rin.world.wait(timedelta(days=7))
    for secret in secrets:
        with pytest.raises(NotFound):
            accept(sol, secret)
    assert not sol.now.grants


def test_masters_invite_players_and_only_owners_invite_masters(rin: Person, sol: Person) -> None:
    board = board_of(rin)
    accept(sol, invite(rin, board, Role.GM))
    assert invite(sol, board, Role.PLAYER)
    for role in (Role.GM, Role.OWNER):
        with pytest.raises(NotFound):
            invite(sol, board, role)
    accept(sol, invite(rin, board, Role.OWNER))
    assert invite(sol, board, Role.GM)
    assert roles(sol, board) == {"Rin": "owner", "Sol": "owner"}


def test_who_was_removed_cannot_come_back_by_a_used_invitation(rin: Person, sol: Person) -> None:
    board = board_of(rin)
    secret = invite(rin, board)
    accept(sol, secret)
    make(rin, board, sol, None)
    with pytest.raises(NotFound):
        accept(sol, secret)


@pytest.mark.parametrize("was", [Role.OWNER, Role.GM])
@pytest.mark.parametrize("now", [None, Role.SPECTATOR, Role.PLAYER, Role.GM])
def test_what_one_invites_to_goes_with_the_role_that_allowed_it(
    rin: Person, sol: Person, was: Role, now: Role | None
) -> None:
    board = board_of(rin)
    accept(sol, invite(rin, board, was))
    made = {role: invite(sol, board, role) for role in OF_BOARDS[0 if was is Role.OWNER else 2 :]}
    kept = {role: invite(rin, board, role) for role in OF_BOARDS}
    if was is not now:
        make(rin, board, sol, now)
    for role, secret in made.items():
        stays = now is Role.GM and role in (Role.PLAYER, Role.SPECTATOR)
        name = f"Altra {role}"
        if stays:
            accept(signed_up(rin.db, rin.world, name), secret)
            continue
        for one in (sol, signed_up(rin.db, rin.world, name)):
            with pytest.raises(NotFound):
                accept(one, secret)
    assert roles(rin, board).get("Sol") == (None if now is None else now.value)
    for role, secret in kept.items():
        accept(signed_up(rin.db, rin.world, f"Mia {role}"), secret)


def test_what_one_invites_to_goes_when_one_leaves(rin: Person, sol: Person) -> None:
    board = board_of(rin)
    accept(sol, invite(rin, board, Role.OWNER))
    secret = invite(sol, board, Role.OWNER)
    make(sol, board, sol, None)
    with pytest.raises(NotFound):
        accept(sol, secret)
    assert invitations.list_invitations(rin.db, rin.world, rin.now, board) == ()


def test_what_one_invited_to_in_an_earlier_role_goes_too(rin: Person, sol: Person) -> None:
    board = board_of(rin)
    accept(sol, invite(rin, board, Role.GM))
    secret = invite(sol, board, Role.PLAYER)
    make(rin, board, sol, Role.OWNER)
    make(rin, board, sol, None)
    with pytest.raises(NotFound):
        accept(sol, secret)


def test_who_is_removed_while_they_invite_has_invited_nobody(rin: Person, sol: Person) -> None:
    board = board_of(rin)
    accept(sol, invite(rin, board, Role.OWNER))
    before = sol.now
    make(rin, board, sol, None)
    with pytest.raises(NotFound):
        invitations.invite(rin.db, rin.world, before, board, NewInvitation(role=Role.OWNER))


def test_what_a_link_invites_to_goes_with_the_link(db: Database, world: FixedWorld) -> None:
    secret = boards.owner_link(db, world, FIRST_BOARD)
    owner = links.principal_of_secret(db, world, secret)
    assert owner is not None
    made = invitations.invite(db, world, owner, FIRST_BOARD, NewInvitation(role=Role.OWNER))
    boards.owner_link(db, world, FIRST_BOARD)
    with pytest.raises(NotFound):
        accept(signed_up(db, world, "Rin"), made)


# --------------------------------------------------------------------------------------- claims


def test_a_seat_kept_in_an_account_is_there_without_its_link(table: Table) -> None:
    rin = signed_up(table.db, table.world, "Rin")
    for _ in range(2):
        claims.claim(table.db, table.world, rin.now, table.opened.seat_secrets["hollow"])
    assert rin.now.seats(table.id) == ("hollow",)
    assert not rin.now.is_gm(table)
    (key,) = people.read_me(table.db, rin.now).keys
    assert (key.role, key.scene, key.seat) == (Role.SEAT, table.id, "hollow")
    scenes.read_scene(table.db, rin.now, table.id)
    assert [one.id for one in scenes.list_scenes(table.db, rin.now, None)] == [table.id]
    claims.give_up(table.db, table.world, rin.now, key.id)
    assert rin.now.seats(table.id) == ()
    with pytest.raises(NotFound):
        claims.give_up(table.db, table.world, rin.now, key.id)


def test_the_master_sees_who_keeps_a_seat_and_takes_it_away(table: Table) -> None:
    rin = signed_up(table.db, table.world, "Rin")
    claims.claim(table.db, table.world, rin.now, table.opened.seat_secrets["hollow"])
    (one,) = claims.list_claims(table.db, table.gm, table.id)
    assert (one.name, one.role, one.seat) == ("Rin", Role.SEAT, "hollow")
    for who in (rin.now, table.players["quincy"]):
        with pytest.raises(NotFound):
            claims.list_claims(table.db, who, table.id)
        with pytest.raises(NotFound):
            claims.revoke_claim(table.db, table.world, who, table.id, one.key)
    # A new link alone does not take it away: an account is not its link.
    links.reissue(table.db, table.world, table.gm, table.id, Role.SEAT, "hollow")
    assert rin.now.seats(table.id) == ("hollow",)
    claims.revoke_claim(table.db, table.world, table.gm, table.id, one.key)
    assert rin.now.seats(table.id) == ()
    with pytest.raises(NotFound):
        claims.revoke_claim(table.db, table.world, table.gm, table.id, one.key)


def test_the_owner_of_a_link_to_a_board_becomes_its_owner(table: Table) -> None:
    rin = signed_up(table.db, table.world, "Rin")
    secret = boards.owner_link(table.db, table.world, FIRST_BOARD)
    claims.claim(table.db, table.world, rin.now, secret)
    assert roles(rin, FIRST_BOARD) == {"Rin": "owner"}
    (key,) = people.read_me(table.db, rin.now).keys
    with pytest.raises(NotFound):
        claims.give_up(table.db, table.world, rin.now, key.id)
    boards.owner_link(table.db, table.world, FIRST_BOARD)  # revokes links, not people
    assert rin.now.is_owner(FIRST_BOARD)


def test_only_links_in_force_are_kept_and_only_by_who_is_logged_in(table: Table) -> None:
    rin = signed_up(table.db, table.world, "Rin")
    secret = table.opened.seat_secrets["hollow"]
    with pytest.raises(LoginNeeded):
        claims.claim(table.db, table.world, table.gm, secret)
    links.revoke(table.db, table.world, table.gm, table.id, Role.SEAT, "hollow")
    for unknown in (secret, "", "arb_nothing", "nul\0"):
        with pytest.raises(NotFound):
            claims.claim(table.db, table.world, rin.now, unknown)
