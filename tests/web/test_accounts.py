"""Accounts on the pages: signing up, logging in, invitations, boards of one's own, and limits."""

from __future__ import annotations

import html
import logging
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from app.http.access_log import WithoutSecrets
from app.http.rate import PER_ACCOUNT, PER_ADDRESS, SIGN_UPS, client_address
from app.services import people
from app.web.back import own_path
from tests.support.people import PASSWORD, signed_up
from tests.web.conftest import Client

COOKIE = "__Host-arbitro"
OTHER = "un cavallo corre piano"


def sign_up(client: Client, name: str = "Rin", **more: str) -> Any:
    """Sign up as a browser does."""
    return client.post("/signup", {"name": name, "password": PASSWORD, **more})


def log_in(client: Client, name: str = "Rin", password: str = PASSWORD, **more: Any) -> Any:
    """Log in as a browser does."""
    return client.post("/login", {"name": name, "password": password}, **more)


def make_board(client: Client, name: str = "Seireitei") -> str:
    """Make a board as a browser does; give its address."""
    form = client.http.get("/boards/new").text
    key = re.findall(r'name="key" value="([^"]+)"', form)[0]
    answer = client.post("/boards/new", {"name": name, "language": "it", "key": key})
    assert answer.status_code == 200, answer.text
    return str(answer.url.path)


def invite(client: Client, board: str, **more: str) -> str:
    """Make an invitation as a browser does; give the path of its link."""
    form = {"role": "player", "uses": "1", "days": "7", **more}
    answer = client.post(f"{board}/invitations", form)
    assert answer.status_code == 200, answer.text
    return re.findall(r'value="https://arbitro.example(/i/arb_[^"]+)"', answer.text)[0]


def elsewhere(client: Client) -> Client:
    """Open another browser on the same service."""
    http = TestClient(client.site.app, base_url=client.site.base, raise_server_exceptions=False)
    http.headers["Accept-Language"] = "it"
    return Client(client.site, http)


def text_of(answer: Any) -> str:
    """Give what a page says."""
    return html.unescape(re.sub(r"<[^>]+>|\s+", " ", answer.text))


def test_from_sign_up_to_a_player_on_ones_own_board(client: Client) -> None:
    assert "Iscriviti" in text_of(client.http.get("/"))
    answer = sign_up(client)
    assert answer.url.path == "/"
    assert "Non fai ancora parte di nessuna board" in text_of(answer)
    board = make_board(client)
    page = client.http.get(board)
    assert "Seireitei" in page.text
    assert "Apri la prima" in text_of(page)
    link = invite(client, board)
    assert link not in client.http.get(f"{board}/members").text
    player = elsewhere(client)
    looked = player.http.get(link)
    assert "Seireitei" in looked.text
    assert "set-cookie" not in looked.headers
    form = {"do": "signup", "name": "Sol", "password": PASSWORD}
    arrived = player.post(link, form)
    assert arrived.url.path == board
    assert "Giocatore" in text_of(arrived)
    people_here = text_of(player.http.get(f"{board}/members"))
    assert "Rin" in people_here
    assert "Invita" not in people_here
    assert player.http.get(f"{board}/settings").status_code == 404
    assert player.http.get(link).status_code == 404


def test_one_who_has_an_account_accepts_by_logging_in(client: Client) -> None:
    sign_up(client)
    link = invite(client, board := make_board(client), role="gm")
    signed_up(client.site.db, client.site.world, "Sol")
    player = elsewhere(client)
    wrong = player.post(link, {"do": "login", "name": "Sol", "password": "sbagliata"})
    assert wrong.status_code == 422
    assert "Non c'è un account con questo nome" in text_of(wrong)
    assert "sbagliata" not in wrong.text
    right = player.post(link, {"do": "login", "name": "Sol", "password": PASSWORD})
    assert right.url.path == board
    assert player.http.get(f"{board}/scenes/new").status_code == 200


def test_what_is_wrong_with_a_sign_up_stands_beside_its_field(client: Client) -> None:
    sign_up(elsewhere(client))
    answer = client.post("/signup", {"name": "rin", "password": "corta", "email": "x"})
    assert answer.status_code == 422
    assert "corta" not in answer.text
    assert 'id="e-password"' in answer.text
    twice = sign_up(client, email="rin@example.org", name="rin")
    assert "Qualcuno ha già questo nome" in text_of(twice)
    assert 'value="rin@example.org"' in twice.text


def test_the_cookie_changes_when_what_one_may_do_changes(client: Client) -> None:
    seen = []

    def note() -> None:
        seen.append(client.http.cookies[COOKIE])

    sign_up(client)
    note()
    log_in(client)
    note()
    board = make_board(client)
    note()
    duel = client.site.open_duel()
    client.post(f"/k/{duel.seats['hollow']}")
    note()
    client.post("/me/keys")
    note()
    other = elsewhere(client)
    sign_up(other, "Sol")
    link = invite(other, make_board(other, "Karakura"))
    client.post(link)
    note()
    assert len(set(seen)) == len(seen)
    for old in seen[:-1]:
        answer = elsewhere(client).http.get(
            f"{board}/members", headers={"Cookie": f"{COOKIE}={old}"}
        )
        assert answer.status_code == 404
    assert client.http.get(f"{board}/members").status_code == 200


def test_a_seat_opened_by_a_link_is_kept_and_seen_by_its_master(client: Client) -> None:
    duel = client.site.open_duel()
    sign_up(client)
    assert "data-enter" not in client.http.get(f"/k/{duel.seats['hollow']}").text
    client.post(f"/k/{duel.seats['hollow']}", {"do": "keep"})
    here = elsewhere(client)
    log_in(here)
    assert here.http.get(duel.turn("hollow")).status_code == 200
    master = elsewhere(client)
    master.enter(duel.gm)
    page = master.http.get(f"{duel.path}/gm").text
    assert "Toglilo a Rin" in page
    key = re.findall(r'name="key" value="([\w-]{20,})"', page[page.index("claims/revoke") :])[0]
    assert here.post(f"{duel.path}/claims/revoke", {"key": key}).status_code == 404
    assert "Toglilo" not in master.post(f"{duel.path}/claims/revoke", {"key": key}).text
    assert here.http.get(duel.turn("hollow")).status_code == 404


def test_keeping_needs_an_account_and_entering_none(client: Client) -> None:
    duel = client.site.open_duel()
    answer = client.post(f"/k/{duel.seats['hollow']}", {"do": "keep"})
    assert answer.status_code == 401
    assert "Accedi al tuo account" in answer.text
    assert client.post(f"/k/{duel.seats['hollow']}").status_code == 200
    sign_up(client)
    assert "ha aperto un link che il tuo account non ha" in client.http.get("/me").text
    client.post("/me/keys")
    page = client.http.get("/me")
    assert "ha aperto un link" not in page.text
    assert "<bdi>Duello al ponte</bdi></a> · <bdi>Hollow</bdi>" in page.text
    assert "Duello al ponte Hollow</span>" in page.text
    key = re.findall(r'give-up"><input type="hidden" name="key" value="([^"]+)"', page.text)[0]
    client.post("/me/keys/give-up", {"key": key})
    assert "ha aperto un link" in client.http.get("/me").text  # the browser still has it


def test_a_scene_of_ones_own_board_is_no_link_to_keep(client: Client) -> None:
    sign_up(client)
    client.enter(client.site.owner)
    client.post("/me/keys")
    assert "ha aperto" not in client.http.get("/me").text
    duel = client.site.open_duel()
    client.enter(duel.gm)  # as the browser of whoever opens a scene is let in
    assert "ha aperto" not in client.http.get("/me").text
    client.enter(duel.seats["hollow"])
    assert "ha aperto un link che il tuo account non ha" in client.http.get("/me").text


def test_an_account_is_changed_and_logged_out_everywhere(client: Client) -> None:
    sign_up(client)
    other = elsewhere(client)
    log_in(other)
    assert client.post("/me", {"name": "Rin Tohsaka", "email": "x"}).status_code == 422
    assert "Rin Tohsaka" in client.post("/me", {"name": "Rin Tohsaka", "email": ""}).text
    wrong = client.post("/me/password", {"old": "sbagliata", "new": OTHER})
    assert wrong.status_code == 422
    assert other.http.get("/me").url.path == "/me"
    done = client.post("/me/password", {"old": PASSWORD, "new": OTHER})
    assert "tutti gli altri browser sono usciti" in done.text
    assert other.http.get("/me").url.path == "/login"
    log_in(other, "Rin Tohsaka", OTHER)
    client.post("/me/log-out")
    for browser in (client, other):
        answer = browser.http.get("/me")
        assert (answer.url.path, answer.url.query) == ("/login", b"next=%2Fme")


def test_a_cookie_of_before_the_log_out_opens_nothing(client: Client) -> None:
    sign_up(client)
    old = {"Cookie": f"{COOKIE}={client.http.cookies[COOKIE]}", "Sec-Fetch-Site": "same-origin"}
    client.post("/logout")
    thief = elsewhere(client).http
    assert thief.get("/me", headers=old, follow_redirects=False).status_code == 303
    assert thief.post("/me", headers=old).status_code == 401
    assert thief.get("/api/v1/me", headers=old).status_code == 401


def test_no_secret_of_a_person_is_ever_logged_or_stored(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    canary = "un canarino nella miniera"
    seen = [canary]
    client.post("/signup", {"name": "Rin", "password": canary})
    seen.append(client.http.cookies[COOKIE])
    seen.append(invite(client, make_board(client)).removeprefix("/i/"))
    client.http.get(f"/i/{seen[-1]}")
    token = people.reset_link(client.site.db, client.site.world, "Rin")
    seen.append(token)
    client.http.get(f"/reset/{token}")
    client.post("/me/password", {"old": "sbagliata", "new": canary})
    client.post("/login", {"name": canary, "password": canary})
    client.post("/signup", {"name": "x" * 100, "password": canary, "email": canary})
    seen.append(client.http.cookies[COOKIE])
    path = Path(str(client.site.db.url.database))
    stored = b"".join(one.read_bytes() for one in path.parent.glob(f"{path.name}*"))
    logged = "\n".join(one for name, _, one in caplog.record_tuples if not name.startswith("httpx"))
    for secret in seen:
        assert secret not in logged
        assert secret.encode() not in stored


@pytest.mark.parametrize("path", ["/k/arb_x", "/i/arb_x", "/reset/x"])
def test_a_server_that_logs_addresses_logs_none_with_a_secret(path: str) -> None:
    record = logging.LogRecord("uvicorn", 20, "", 0, "%s %s", ("GET", f"{path}?a=b"), None)
    WithoutSecrets().filter(record)
    assert record.getMessage() == f"GET {path.rpartition('/')[0]}/…?a=b"


def test_a_reset_link_sets_a_new_password_once(client: Client) -> None:
    sign_up(client)
    token = people.reset_link(client.site.db, client.site.world, "Rin")
    other = elsewhere(client)
    assert other.http.get(f"/reset/{token}").text == other.http.get("/reset/nothing").text
    assert other.post(f"/reset/{token}", {"new": "corta"}).status_code == 422
    assert other.post(f"/reset/{token}", {"new": OTHER}).url.path == "/me"
    assert other.post(f"/reset/{token}", {"new": OTHER}).status_code == 404
    assert client.http.get("/me").url.path == "/login"


# ----------------------------------------------------------------------------- where one goes on


@pytest.mark.parametrize(
    "hostile",
    [
        *("https://evil.test", "//evil.test", "/\\evil.test", "\\\\evil.test", "/%09/evil.test"),
        *(
            "/a/..//evil.test",
            "/../x",
            "/\t/evil.test",
            "javascript:alert(1)",
            "",
            "x",
            "/%2f/evil",
        ),
        *("/\u2028/evil.test", "http:evil.test", "/a//evil.test", "/.//evil.test", "/" + "a" * 400),
        *(
            "/logout",
            "/login",
            "/k/arb_secret",
            "/i/arb_secret",
            "/a?next=//evil.test",
            "/a@evil.test",
        ),
    ],
)
def test_nobody_is_sent_elsewhere_after_a_log_in(client: Client, hostile: str) -> None:
    assert own_path(hostile) == "/"
    sign_up(client)
    form = {"name": "Rin", "password": PASSWORD, "next": hostile}
    answer = client.post("/login", form, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


@pytest.mark.parametrize("own", ["/me", "/scenes/a-b_c/turn/hollow", "/boards/x/members?done=y"])
def test_one_comes_back_to_where_one_was(client: Client, own: str) -> None:
    sign_up(client)
    form = {"name": "Rin", "password": PASSWORD, "next": own}
    assert client.post("/login", form, follow_redirects=False).headers["location"] == own
    assert f'value="{own}"' in client.http.get("/login", params={"next": own}).text


# --------------------------------------------------------------------------------------- limits


def test_guessing_ends_for_the_account_whatever_address_is_claimed(client: Client) -> None:
    signed_up(client.site.db, client.site.world, "Rin")
    answers = [
        log_in(client, "Rin", f"sbagliata {n}", headers={"X-Forwarded-For": f"10.0.0.{n}"})
        for n in range(PER_ACCOUNT.amount + 1)
    ]
    assert [one.status_code for one in answers] == [422] * PER_ACCOUNT.amount + [429]
    assert 0 < int(answers[-1].headers["retry-after"]) <= 15 * 60
    assert "Troppi tentativi" in answers[-1].text
    assert log_in(client, "ＲＩＮ").status_code == 429
    assert log_in(client, "Nessuno").status_code == 422


def test_an_address_that_is_refused_locks_nobody_out_and_leaves_no_trace(client: Client) -> None:
    signed_up(client.site.db, client.site.world, "Rin")
    away = ("192.0.2.9", 1)
    other = Client(client.site, TestClient(client.site.app, client.site.base, client=away))
    for number in range(PER_ADDRESS.amount):
        log_in(client, f"Nessuno {number}", "sbagliata")
    attempts = client.site.app.state.shared.attempts
    kept = len(attempts._limiter.storage.events)
    for name in ("Rin", *(f"Mai visto {number}" for number in range(5))):
        for _ in range(PER_ACCOUNT.amount):
            assert log_in(client, name, "sbagliata").status_code == 429
    assert len(attempts._limiter.storage.events) == kept
    assert log_in(other).status_code == 200


def test_nobody_tries_out_whose_addresses_have_accounts(client: Client) -> None:
    sign_up(client, "Vittima", email="v@example.org")
    other = elsewhere(client)
    sign_up(other, "Mallory")
    tried = [
        other.post("/me", {"name": name, "email": f"u{number}@example.org"})
        for number, name in enumerate(["Mallory", "Mallory II"] * (PER_ACCOUNT.amount // 2))
    ]
    assert {one.status_code for one in tried} == {200}
    late = other.post("/me", {"name": "Mallory", "email": "v@example.org"})
    assert late.status_code == 429
    assert 0 < int(late.headers["retry-after"]) <= 15 * 60


def test_coming_in_forgives_what_was_mistyped(client: Client) -> None:
    signed_up(client.site.db, client.site.world, "Rin")
    for _ in range(3):
        for _ in range(PER_ACCOUNT.amount - 1):
            assert log_in(client, "Rin", "sbagliata").status_code == 422
        if client.http.cookies.get(COOKIE):
            client.http.cookies.clear()
        answer = log_in(client)
        if answer.status_code == 429:  # the address has its own limit
            break
        assert answer.url.path == "/"
    assert client.http.get("/me").status_code == 200


def test_one_address_makes_only_so_many_accounts(client: Client) -> None:
    codes = [
        sign_up(client, f"Numero {n} di molti").status_code for n in range(SIGN_UPS.amount + 1)
    ]
    assert codes == [200] * SIGN_UPS.amount + [429]


def test_too_many_attempts_are_logged_without_a_name(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(PER_ACCOUNT.amount + 1):
        log_in(client, "Tohsaka", "segretissima")
    said = [one for one in caplog.messages if "too many attempts" in one]
    assert said == ["too many attempts: log_in, by account"]
    assert not {"Tohsaka", "segretissima"} & set(" ".join(caplog.messages).split())


@pytest.mark.parametrize(
    ("host", "counted"),
    [("192.0.2.7", "192.0.2.7"), ("2001:db8::1:2", "2001:db8::/64"), ("testclient", "testclient")],
)
def test_an_address_counts_as_its_household(host: str, counted: str) -> None:
    scope = {"type": "http", "client": (host, 1), "headers": [(b"x-forwarded-for", b"10.0.0.1")]}
    assert client_address(Request(scope)) == counted


def test_an_account_is_not_told_from_none(client: Client) -> None:
    signed_up(client.site.db, client.site.world, "Rin")
    pages = [log_in(client, name, "sbagliata").text for name in ("Rin", "Nix")]
    assert pages[0].replace("Rin", "Nix") == pages[1]


# ------------------------------------------------------------------------------------- settings


def test_a_closed_service_takes_only_the_invited_and_boards_only_of_admins(client: Client) -> None:
    closed = client.site.app.state.shared.settings.model_copy(
        update={"sign_up": "invitation", "board_makers": "admins"}
    )
    object.__setattr__(client.site.app.state.shared, "settings", closed)
    assert "su invito" in client.http.get("/signup").text
    assert sign_up(client).status_code == 422
    signed_up(client.site.db, client.site.world, "Boss", is_admin=True)
    log_in(client, "Boss")
    link = invite(client, make_board(client))
    guest = elsewhere(client)
    assert (
        guest.post(link, {"do": "signup", "name": "Sol", "password": PASSWORD}).status_code == 200
    )
    assert guest.http.get("/boards/new").status_code == 404
    form = {"name": "Mia", "language": "it", "key": "key-of-a-form"}
    assert guest.post("/boards/new", form).status_code == 404


def test_an_open_board_is_joined_and_left(client: Client) -> None:
    sign_up(client)
    board = make_board(client)
    guest = elsewhere(client)
    sign_up(guest, "Sol")
    assert "Entra come giocatore" not in guest.http.get(board).text
    assert guest.post(f"{board}/join").status_code == 404
    settings = client.http.get(f"{board}/settings").text
    assert 'name="joining"' in settings
    from app.services.boards import change_board
    from app.services.links import principal_of_cookie
    from app.services.shapes import BoardChanges, Joining

    site = client.site
    owner = principal_of_cookie(site.db, site.world, client.http.cookies[COOKIE])
    assert owner is not None
    id = board.rpartition("/")[2]
    change_board(site.db, site.world, owner, id, BoardChanges(joining=Joining.OPEN))
    assert "Entra come giocatore" in guest.http.get(board).text
    assert "Giocatore" in text_of(guest.post(f"{board}/join"))
    guest.post(f"{board}/leave")
    assert guest.http.get(f"{board}/members").status_code == 404
    stuck = client.post(f"{board}/leave")
    assert stuck.status_code == 409
    assert "senza proprietario" in stuck.text
