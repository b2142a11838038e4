"""Secret links: what they open, how they end, and that nothing stored opens anything."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import text

from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.services import boards, links, scenes
from app.services.access import ANONYMOUS, Principal, Role
from app.services.errors import NotFound
from tests.support.counting import counted
from tests.support.fights import attack
from tests.support.table import Table, known, owner_of, set_table
from tests.support.world import FixedWorld


def opened(table: Table, secret: str, cookie: str | None = None) -> str:
    """Open a link in a browser; give its cookie."""
    return links.open_link(table.db, table.world, secret, cookie).cookie


def browser(table: Table, cookie: str) -> Principal | None:
    """Tell who a browser is."""
    return links.principal_of_cookie(table.db, table.world, cookie)


def test_a_link_opens_what_it_is_for(table: Table) -> None:
    link = links.open_link(table.db, table.world, table.opened.seat_secrets["hollow"])
    assert (link.role, link.scene_id, link.seat) == (Role.SEAT, table.id, "hollow")
    who = known(browser(table, link.cookie))
    assert who.seats(table.id) == ("hollow",)
    assert not who.is_gm(table)
    assert not who.is_any_gm(FIRST_BOARD)


def test_a_browser_may_open_several_links(table: Table) -> None:
    cookie = opened(table, table.opened.seat_secrets["hollow"])
    cookie = opened(table, table.opened.gm_secret, cookie)
    cookie = opened(table, table.opened.gm_secret, cookie)
    who = known(browser(table, cookie))
    assert who.is_gm(table)
    assert who.seats(table.id) == ("hollow",)
    assert len(who.grants) == 2


def test_the_cookie_changes_whenever_a_link_is_opened(table: Table) -> None:
    first = opened(table, table.opened.seat_secrets["hollow"])
    second = opened(table, table.opened.gm_secret, first)
    assert first != second
    assert browser(table, first) is None


def test_a_cookie_that_somebody_planted_gains_nothing(table: Table) -> None:
    cookie = opened(table, table.opened.seat_secrets["hollow"], "planted")
    assert cookie != "planted"
    assert browser(table, "planted") is None


def test_a_browser_that_logs_out_is_nobody(table: Table) -> None:
    cookie = opened(table, table.opened.gm_secret)
    links.forget(table.db, cookie)
    assert browser(table, cookie) is None
    links.forget(table.db, cookie)


@pytest.mark.parametrize("secret", ["", "arb_unknown", "nul\0", "\ud800", "x" * 10_000], ids=ascii)
def test_an_unknown_secret_opens_nothing(table: Table, secret: str) -> None:
    with pytest.raises(NotFound):
        opened(table, secret)
    assert links.principal_of_secret(table.db, table.world, secret) is None
    assert browser(table, secret) is None


def test_a_secret_is_not_a_cookie_nor_the_other_way_round(table: Table) -> None:
    cookie = opened(table, table.opened.gm_secret)
    assert browser(table, table.opened.gm_secret) is None
    assert links.principal_of_secret(table.db, table.world, cookie) is None


# ----------------------------------------------------------------------- revoked and reissued


@pytest.mark.parametrize(("role", "seat"), [(Role.GM, None), (Role.SEAT, "hollow")])
def test_a_revoked_secret_ends_at_once_wherever_it_was_opened(
    table: Table, role: Role, seat: str | None
) -> None:
    secret = table.opened.seat_secrets[seat] if seat else table.opened.gm_secret
    cookie = opened(table, secret)
    links.revoke(table.db, table.world, table.owner, table.id, role, seat)
    assert known(browser(table, cookie)).grants == ()
    assert links.principal_of_secret(table.db, table.world, secret) is None
    with pytest.raises(NotFound):
        opened(table, secret)


def test_a_reissued_link_replaces_the_one_before(table: Table) -> None:
    old = table.opened.seat_secrets["hollow"]
    new = links.reissue(table.db, table.world, table.gm, table.id, Role.SEAT, "hollow")
    assert new != old
    assert links.principal_of_secret(table.db, table.world, old) is None
    who = known(links.principal_of_secret(table.db, table.world, new))
    assert who.seats(table.id) == ("hollow",)
    other = table.opened.seat_secrets["quincy"]
    assert links.principal_of_secret(table.db, table.world, other) is not None


def test_only_the_master_gives_links_and_only_those_of_the_scene(table: Table) -> None:
    elsewhere = set_table(table.db, FixedWorld(seed="other"), owner=table.owner)
    for who in (ANONYMOUS, table.players["hollow"], elsewhere.gm):
        with pytest.raises(NotFound):
            links.reissue(table.db, table.world, who, table.id, Role.SEAT, "hollow")
        with pytest.raises(NotFound):
            links.revoke(table.db, table.world, who, table.id, Role.GM, None)
        with pytest.raises(NotFound):
            links.list_links(table.db, who, table.id)
    for role, seat in ((Role.SEAT, "nobody"), (Role.SEAT, None), (Role.GM, "hollow")):
        with pytest.raises(NotFound):
            links.reissue(table.db, table.world, table.gm, table.id, role, seat)
    with pytest.raises(NotFound):
        links.reissue(table.db, table.world, table.owner, table.id, Role.OWNER, None)
    with pytest.raises(NotFound):
        links.list_links(table.db, table.owner, "nowhere")


def test_links_are_listed_without_their_secrets(table: Table) -> None:
    opened(table, table.opened.seat_secrets["hollow"])
    lines = links.list_links(table.db, table.gm, table.id)
    assert [(line.role, line.seat) for line in lines] == [
        (Role.GM, None),
        (Role.SEAT, "hollow"),
        (Role.SEAT, "quincy"),
    ]
    for line in lines:
        secret = table.opened.seat_secrets[line.seat] if line.seat else table.opened.gm_secret
        assert secret.startswith(line.prefix)
        assert len(line.prefix) < 12
        assert line.used_at is not None  # by the browser, or as a Bearer


def test_a_new_owner_link_revokes_the_one_before(db: Database, world: FixedWorld) -> None:
    old = boards.owner_link(db, world, FIRST_BOARD)
    assert owner_of(db, world).is_owner
    assert links.principal_of_secret(db, world, old) is None


# -------------------------------------------------------------------------------- time and rest


def test_a_browser_is_forgotten_when_it_stays_away_for_long(table: Table) -> None:
    cookie = opened(table, table.opened.gm_secret)
    table.world.wait(links.LIFETIME - timedelta(days=1))
    assert known(browser(table, cookie)).is_gm(table)
    table.world.wait(links.LIFETIME - timedelta(days=1))
    assert known(browser(table, cookie)).is_gm(table)
    table.world.wait(links.LIFETIME + timedelta(seconds=1))
    assert browser(table, cookie) is None
    fresh = opened(table, table.opened.seat_secrets["hollow"], cookie)
    assert not known(browser(table, fresh)).is_gm(table)


def test_a_page_costs_no_write_to_know_who_asks(table: Table) -> None:
    cookie = opened(table, table.opened.gm_secret)
    with counted(table.db) as count:
        browser(table, cookie)
        links.principal_of_secret(table.db, table.world, table.opened.gm_secret)
    assert [one.split()[0] for one in count.statements if "BEGIN" not in one] == ["SELECT"] * 2


def test_nothing_that_is_stored_opens_anything(table: Table) -> None:
    cookie = opened(table, table.opened.gm_secret)
    key = table.key()
    table.decide("hollow", attack(), key=key)
    reissued = links.reissue(table.db, table.world, table.gm, table.id, Role.GM, None)
    secrets = [cookie, key, reissued, table.opened.gm_secret, *table.opened.seat_secrets.values()]
    with table.db.read() as connection:
        for name in ("secrets", "sessions", "grants", "idempotency", "entries", "scenes", "boards"):
            stored = str(connection.execute(text(f"SELECT * FROM {name}")).all())
            assert not [secret for secret in secrets if secret in stored]
            assert not [secret for secret in secrets if secret[4:] in stored]


# ----------------------------------------------------------------------------- what is listed


def test_everybody_is_listed_the_scenes_they_have_to_do_with(table: Table) -> None:
    table.world.wait(timedelta(minutes=1))
    other = set_table(table.db, table.world, owner=table.owner)
    assert [line.id for line in scenes.list_scenes(table.db, table.owner, FIRST_BOARD)] == [
        other.id,
        table.id,
    ]
    assert [line.id for line in scenes.list_scenes(table.db, table.gm, FIRST_BOARD)] == [table.id]
    assert [
        line.id for line in scenes.list_scenes(table.db, other.players["hollow"], FIRST_BOARD)
    ] == [other.id]
    assert scenes.list_scenes(table.db, ANONYMOUS, FIRST_BOARD) == ()


def test_scenes_are_listed_page_by_page_each_exactly_once(table: Table) -> None:
    ids = {table.id}
    for _ in range(6):  # all of the same instant
        ids.add(set_table(table.db, table.world, owner=table.owner).id)
    seen: list[str] = []
    after: str | None = None
    while page := scenes.list_scenes(table.db, table.owner, FIRST_BOARD, after=after, limit=3):
        seen += [line.id for line in page]
        after = page[-1].id
        set_table(table.db, _later(table.world), owner=table.owner)  # arrives while one reads
    assert len(seen) == len(set(seen))
    assert set(seen) == ids
    assert scenes.list_scenes(table.db, table.owner, FIRST_BOARD, after="nowhere") == ()


def _later(world: FixedWorld) -> FixedWorld:
    world.wait(timedelta(seconds=1))
    return world
