"""Accounts: signing up, logging in and out, and what ends which session."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from pwdlib import PasswordHash
from sqlalchemy import Connection, text

from app.persistence import queries_access as access
from app.persistence.database import Database
from app.services import links, passwords, people
from app.services.errors import Busy, LoginNeeded, Malformed, NotFound
from app.services.people_shapes import LogIn, NewAccount
from tests.support.people import PASSWORD, logged_in, signed_up
from tests.support.table import Table
from tests.support.world import FixedWorld

OTHER = "un cavallo corre piano"


def sign_up(db: Database, world: FixedWorld, name: str, **more: str) -> people.LoggedIn:
    """Sign up with a good password, unless another is given."""
    return people.sign_up(db, world, NewAccount(**{"name": name, "password": PASSWORD, **more}))


def refused(call: object, *args: object, **more: object) -> list[tuple[str, str]]:
    """Give field and code of each mistake with which a call is refused."""
    with pytest.raises(Malformed) as told:
        call(*args, **more)
    return [(one.field, one.code) for one in told.value.mistakes]


def known(db: Database, world: FixedWorld, cookie: str) -> str | None:
    """Tell who is logged in in a browser."""
    found = links.principal_of_cookie(db, world, cookie)
    return None if found is None or found.person is None else found.person.name


# ---------------------------------------------------------------------------------- signing up


def test_who_signs_up_is_logged_in(db: Database, world: FixedWorld) -> None:
    done = sign_up(db, world, "Rin", email=" rin@example.org ")
    me = people.read_me(db, signed(db, world, done.cookie), done.cookie)
    assert (me.name, me.email, me.has_password, me.is_admin) == (
        "Rin",
        "rin@example.org",
        True,
        False,
    )
    assert [one.here for one in me.browsers] == [True]
    assert me.keys == ()


def signed(db: Database, world: FixedWorld, cookie: str) -> links.Principal:
    """Give who a browser is."""
    found = links.principal_of_cookie(db, world, cookie)
    assert found is not None
    return found


@pytest.mark.parametrize("name", ["Rin", "rin", "R\u200bin", "Rіn", "RIN", " Rin"])
def test_nobody_takes_a_name_that_looks_like_anothers(
    db: Database, world: FixedWorld, name: str
) -> None:
    sign_up(db, world, "Rin")
    assert refused(sign_up, db, world, name) == [("name", "account_name_taken")]


def test_many_people_have_no_address_and_no_two_the_same(db: Database, world: FixedWorld) -> None:
    for name in ("Aki", "Beni", "Chie"):
        sign_up(db, world, name)
    sign_up(db, world, "Dan", email="dan@example.org")
    again = refused(sign_up, db, world, "Emi", email="DAN@example.org")
    assert again == [("email", "account_email_taken")]
    both = refused(sign_up, db, world, "aki", email="dan@example.org")
    assert both == [("name", "account_name_taken"), ("email", "account_email_taken")]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"name": ""}, ("name", "too_short")),
        ({"name": "\u200b"}, ("name", "too_short")),
        ({"name": "rin@example.org"}, ("name", "account_name_at")),
        ({"name": "x" * 81}, ("name", "too_long")),
        ({"name": "Rin\uffff"}, ("name", "bad_text")),
        ({"password": "corta"}, ("password", "too_short")),
        ({"password": "x" * 201}, ("password", "too_long")),
        ({"password": "Password123"}, ("password", "password_guessed")),
        ({"password": "abababababab"}, ("password", "password_guessed")),
        ({"name": "Dieci lettere", "password": "DIECI LETTERE"}, ("password", "password_guessed")),
        ({"password": "P4ssw0rd!2026"}, ("password", "password_guessed")),
        ({"password": "Arbitro 2026!"}, ("password", "password_guessed")),
        ({"password": "forzaroma1927"}, ("password", "password_guessed")),
        ({"name": "Rin Hoshi", "password": "R1nHoshi-1999"}, ("password", "password_guessed")),
        ({"email": "nobody"}, ("email", "email_malformed")),
        ({"email": "no body@example.org"}, ("email", "email_malformed")),
    ],
)
def test_what_cannot_be_an_account_is_refused_by_its_field(
    sqlite: Database, world: FixedWorld, fields: dict[str, str], wrong: tuple[str, str]
) -> None:
    assert wrong in refused(sign_up, sqlite, world, **{"name": "Rin", **fields})
    with sqlite.read() as connection:
        assert connection.execute(text("SELECT count(*) FROM people")).scalar_one() == 0


def test_a_closed_service_takes_nobody_without_an_invitation(
    sqlite: Database, world: FixedWorld
) -> None:
    new = NewAccount(name="Rin", password=PASSWORD)
    wrong = refused(people.sign_up, sqlite, world, new, is_open=False)
    assert wrong == [("invitation", "invitation_needed")]


def test_of_two_who_take_one_name_at_once_one_gets_it(db: Database, world: FixedWorld) -> None:
    ready = threading.Barrier(2)

    def take() -> str:
        ready.wait()
        for _ in range(2):
            try:
                sign_up(db, world, "Rin")
            except Malformed:
                return "taken"
            except Busy:
                continue
            return "mine"
        return "busy"

    with ThreadPoolExecutor(2) as both:
        done = [both.submit(take) for _ in range(2)]
    assert sorted(one.result() for one in done) == ["mine", "taken"]


# ---------------------------------------------------------------------------- passwords


def test_production_hashes_with_argon2id_and_enough_of_it() -> None:
    made = PasswordHash.recommended().hash("x")
    assert made.startswith("$argon2id$v=19$m=65536,t=3,p=4$")


def test_an_unknown_name_costs_one_hash_as_a_wrong_password_does(
    sqlite: Database, world: FixedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_up(sqlite, world, "Rin")
    passwords.nobody()
    hasher, checked = passwords.hasher(), []

    class Counting:
        def verify_and_update(self, password: str, stored: str) -> tuple[bool, str | None]:
            checked.append(stored[:9])
            return hasher.verify_and_update(password, stored)

    monkeypatch.setattr(passwords, "hasher", Counting)
    told = [
        refused(people.log_in, sqlite, world, LogIn(name=name, password="sbagliata"))
        for name in ("Rin", "Nessuno", "nessuno@example.org")
    ]
    assert told == [[("password", "login_unknown")]] * 3
    assert checked == ["$argon2id"] * 3


def test_only_two_passwords_are_hashed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "PATIENCE", 0.05)
    with passwords._place(), passwords._place(), pytest.raises(Busy):
        passwords.fits("qualunque", None)
    assert passwords.fits("qualunque", None) == (False, None)


def test_a_password_is_stored_as_a_hash_only(db: Database, world: FixedWorld) -> None:
    done = sign_up(db, world, "Rin")
    with db.read() as connection:
        rows = connection.execute(text("SELECT password FROM people")).all()
        sessions = connection.execute(text("SELECT digest FROM sessions")).all()
    assert rows[0][0].startswith("$argon2id$")
    assert PASSWORD not in str(rows)
    assert done.cookie not in str(sessions)


# ------------------------------------------------------------------------- logging in and out


def test_one_logs_in_by_name_or_address_however_they_are_typed(
    db: Database, world: FixedWorld
) -> None:
    sign_up(db, world, "Rin Tohsaka", email="rin@example.org")
    for name in ("Rin Tohsaka", "rin  tohsaka", "RIN@example.org"):
        cookie = people.log_in(db, world, LogIn(name=name, password=PASSWORD)).cookie
        assert known(db, world, cookie) == "Rin Tohsaka"


def test_the_cookie_changes_at_log_in_and_links_opened_before_stay(table: Table) -> None:
    rin = signed_up(table.db, table.world, "Rin")
    before = links.open_link(table.db, table.world, table.opened.seat_secrets["hollow"]).cookie
    cookie = logged_in(rin, cookie=before)
    assert cookie != before
    assert links.principal_of_cookie(table.db, table.world, before) is None
    who = signed(table.db, table.world, cookie)
    assert who.seats(table.id) == ("hollow",)
    further = links.open_link(table.db, table.world, table.opened.gm_secret, cookie).cookie
    assert signed(table.db, table.world, further).person == who.person


def test_who_logs_in_where_another_was_does_not_get_what_they_had_opened(table: Table) -> None:
    rin, sol = (signed_up(table.db, table.world, name) for name in ("Rin", "Sol"))
    seat = table.opened.seat_secrets["hollow"]
    opened = links.open_link(table.db, table.world, seat, rin.cookie).cookie
    cookie = logged_in(sol, cookie=opened)
    assert signed(table.db, table.world, cookie).seats(table.id) == ()
    assert links.principal_of_cookie(table.db, table.world, opened) is None


def test_a_planted_or_forgotten_cookie_brings_nothing_to_a_log_in(table: Table) -> None:
    rin = signed_up(table.db, table.world, "Rin")
    assert logged_in(rin, cookie="planted") != "planted"
    old = links.open_link(table.db, table.world, table.opened.gm_secret).cookie
    table.world.wait(links.LIFETIME + timedelta(days=1))
    assert not signed(table.db, table.world, logged_in(rin, cookie=old)).grants


def test_a_cookie_of_a_log_out_is_nobody(db: Database, world: FixedWorld) -> None:
    rin = signed_up(db, world, "Rin")
    links.forget(db, rin.cookie)
    assert links.principal_of_cookie(db, world, rin.cookie) is None


def test_logging_out_everywhere_ends_every_session_of_that_person(
    db: Database, world: FixedWorld
) -> None:
    rin, sol = signed_up(db, world, "Rin"), signed_up(db, world, "Sol")
    other = logged_in(rin)
    people.log_out_everywhere(db, rin.now)
    assert [known(db, world, cookie) for cookie in (rin.cookie, other)] == [None, None]
    assert known(db, world, sol.cookie) == "Sol"


def test_a_renewed_session_is_the_same_under_another_cookie(table: Table) -> None:
    rin = signed_up(table.db, table.world, "Rin")
    cookie = links.open_link(table.db, table.world, table.opened.gm_secret, rin.cookie).cookie
    fresh = links.renew(table.db, table.world, cookie)
    assert fresh not in (None, cookie)
    assert links.principal_of_cookie(table.db, table.world, cookie) is None
    assert signed(table.db, table.world, fresh or "").is_gm(table)
    assert links.renew(table.db, table.world, cookie) is None


# --------------------------------------------------------------------- changing one's account


def test_a_new_password_ends_every_other_session(db: Database, world: FixedWorld) -> None:
    rin = signed_up(db, world, "Rin")
    other = logged_in(rin)
    change = people.change_password
    assert refused(change, db, world, rin.now, "sbagliata", OTHER, cookie=rin.cookie) == [
        ("old", "password_wrong")
    ]
    assert refused(change, db, world, rin.now, PASSWORD, "corta", cookie=rin.cookie) == [
        ("new", "too_short")
    ]
    done = people.change_password(db, world, rin.now, PASSWORD, OTHER, cookie=rin.cookie)
    assert [known(db, world, one) for one in (rin.cookie, other, done.cookie)] == [
        None,
        None,
        "Rin",
    ]
    assert refused(people.log_in, db, world, LogIn(name="Rin", password=PASSWORD))
    assert logged_in(rin, OTHER)


def between(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Do something once, after the next password was checked and before that has an effect."""
    checks, pending = people.fits, [act]

    def fits(password: str, stored: str | None) -> tuple[bool, str | None]:
        found = checks(password, stored)
        if pending:
            pending.pop()()
        return found

    monkeypatch.setattr(people, "fits", fits)


@pytest.mark.parametrize("how", ["change", "reset"])
def test_an_old_password_lets_nobody_in_while_it_becomes_another(
    db: Database, world: FixedWorld, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    rin = signed_up(db, world, "Rin")
    token, me = people.reset_link(db, world, "Rin"), rin.now
    done: list[people.LoggedIn] = []

    def another() -> None:
        if how == "reset":
            done.append(people.reset_password(db, world, token, OTHER))
        else:
            done.append(people.change_password(db, world, me, PASSWORD, OTHER, cookie=rin.cookie))

    between(monkeypatch, another)
    with pytest.raises(Malformed) as told:
        logged_in(rin)
    assert told.value.mistakes[0].code == "login_unknown"
    assert [known(db, world, one.cookie) for one in done] == ["Rin"]
    assert len(people.read_me(db, signed(db, world, done[0].cookie)).browsers) == 1
    assert logged_in(rin, OTHER)


def test_an_old_password_is_not_put_back_by_a_better_hash_of_it(
    db: Database, world: FixedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    rin = signed_up(db, world, "Rin")
    me = rin.now
    checks = people.fits
    monkeypatch.setattr(
        people, "fits", lambda given, stored: (checks(given, stored)[0], "another hash")
    )
    between(
        monkeypatch,
        lambda: people.change_password(db, world, me, PASSWORD, OTHER, cookie=rin.cookie),
    )
    with pytest.raises(Malformed):
        logged_in(rin)
    monkeypatch.setattr(people, "fits", checks)
    assert logged_in(rin, OTHER)


def test_two_who_log_in_while_the_hash_gets_better_both_come_in(
    db: Database, world: FixedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    rin = signed_up(db, world, "Rin")

    def better() -> None:
        with db.write() as connection:
            again = passwords.hasher().hash(PASSWORD)
            people.queries.change_person(connection, rin.id, password=again)

    between(monkeypatch, better)
    assert logged_in(rin)


def test_of_two_changes_by_one_old_password_one_is_refused(
    db: Database, world: FixedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    rin = signed_up(db, world, "Rin")
    me, other = rin.now, logged_in(rin)
    thief = signed(db, world, other)
    between(
        monkeypatch,
        lambda: people.change_password(db, world, me, PASSWORD, OTHER, cookie=rin.cookie),
    )
    change = people.change_password
    assert refused(change, db, world, thief, PASSWORD, "la parola del ladro", cookie=other) == [
        ("old", "password_wrong")
    ]
    assert logged_in(rin, OTHER)


@pytest.mark.parametrize("what", ["renew", "open"])
def test_a_session_that_is_ended_while_it_is_renewed_does_not_go_on(
    table: Table, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    rin = signed_up(table.db, table.world, "Rin")
    read = access.opened_links

    def ended(connection: Connection, name: str) -> tuple[str, ...]:
        found = read(connection, name)
        people.queries.end_sessions_of(connection, rin.id)  # as it looks when another one did
        return found

    monkeypatch.setattr(access, "opened_links", ended)
    if what == "renew":
        assert links.renew(table.db, table.world, rin.cookie) is None
    else:
        seat = table.opened.seat_secrets["hollow"]
        cookie = links.open_link(table.db, table.world, seat, rin.cookie).cookie
        assert known(table.db, table.world, cookie) is None
    assert known(table.db, table.world, rin.cookie) is None


def test_a_change_of_the_password_ends_the_link_that_would_set_another(
    db: Database, world: FixedWorld
) -> None:
    rin = signed_up(db, world, "Rin")
    signed_up(db, world, "Sol")
    token, others = (people.reset_link(db, world, name) for name in ("Rin", "Sol"))
    people.change_password(db, world, rin.now, PASSWORD, OTHER, cookie=rin.cookie)
    with pytest.raises(NotFound):
        people.reset_password(db, world, token, "la parola del ladro")
    assert logged_in(rin, OTHER)
    assert people.reset_password(db, world, others, OTHER)


def test_one_changes_name_and_address_but_not_to_those_of_others(
    db: Database, world: FixedWorld
) -> None:
    rin = signed_up(db, world, "Rin")
    sign_up(db, world, "Sol", email="sol@example.org")
    people.change_account(db, rin.now, "RIN", "rin@example.org")
    people.change_account(db, rin.now, "RIN", "Rin@example.org")
    me = people.read_me(db, rin.now)
    assert (me.name, me.email) == ("RIN", "Rin@example.org")
    wrong = refused(people.change_account, db, rin.now, "sol", "SOL@example.org")
    assert wrong == [("name", "account_name_taken"), ("email", "account_email_taken")]
    people.change_account(db, rin.now, "Rin", "")
    assert people.read_me(db, rin.now).email == ""


def test_a_reset_link_works_once_and_ends_every_session(db: Database, world: FixedWorld) -> None:
    rin = signed_up(db, world, "Rin")
    lost = people.reset_link(db, world, "rin")
    token = people.reset_link(db, world, "rin")
    for unknown in (lost, "x"):
        with pytest.raises(NotFound):
            people.reset_password(db, world, unknown, OTHER)
    assert refused(people.reset_password, db, world, token, "corta") == [("new", "too_short")]
    done = people.reset_password(db, world, token, OTHER)
    assert [known(db, world, one) for one in (rin.cookie, done.cookie)] == [None, "Rin"]
    with pytest.raises(NotFound):
        people.reset_password(db, world, token, PASSWORD)
    assert logged_in(rin, OTHER)


def test_a_reset_link_holds_for_a_day(db: Database, world: FixedWorld) -> None:
    signed_up(db, world, "Rin")
    token = people.reset_link(db, world, "rin")
    world.wait(people.RESET_HOLDS)
    with pytest.raises(NotFound):
        people.reset_password(db, world, token, OTHER)
    with pytest.raises(NotFound):
        people.reset_link(db, world, "Nessuno")


def test_who_is_not_logged_in_has_no_account_to_change(table: Table) -> None:
    for who in (table.gm, links.Principal()):
        for call in (people.read_me, people.log_out_everywhere):
            with pytest.raises(LoginNeeded):
                call(table.db, who)
        with pytest.raises(LoginNeeded):
            people.change_account(table.db, who, "Rin", "")
        with pytest.raises(LoginNeeded):
            people.change_password(table.db, table.world, who, "", OTHER, cookie=None)
