"""Sessions and keys end when they are ended, and what is kept opens nothing (G17)."""

from __future__ import annotations

import asyncio
import logging
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.http import same_form
from app.http.session import SECURE_COOKIE
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.services import board_time, inbox
from app.services.access import Role
from app.services.board_time import BoardTimeChange
from app.services.boards import owner_link
from app.services.links import principal_of_secret
from app.services.people import reset_link
from tests.api.conftest import BASE, Api, Table, give, signed_up

PASSWORD = "quattro parole qualunque"
TYPED = "parola-canarino-0123456789"
HOOK = "https://discord.com/api/webhooks/1234567890/canarino-webhook-0123456789"


def database(api: Api) -> Database:
    """Give the database of the application."""
    found: Database = api.client.app.state.shared.database
    return found


def send(api: Api, path: str, cookie: str | None = None, **form: str) -> Any:
    """Send a form of a page of ours."""
    headers = {"Sec-Fetch-Site": "same-origin"}
    if cookie is not None:
        headers["Cookie"] = f"{SECURE_COOKIE}={cookie}"
    answer = api.client.post(path, data=form, headers=headers, follow_redirects=False)
    api.client.cookies.clear()
    return answer


def look(api: Api, path: str, cookie: str) -> Any:
    """Look at a page with a cookie, as a script of a page does."""
    headers = {"Cookie": f"{SECURE_COOKIE}={cookie}", "HX-Request": "true"}
    answer = api.client.get(path, headers=headers, follow_redirects=False)
    api.client.cookies.clear()
    return answer


def cookie_of(answer: Any) -> str:
    """Give the cookie that an answer sets."""
    found = re.search(rf"{SECURE_COOKIE}=([^;]+)", answer.headers["set-cookie"])
    assert found is not None
    return found[1]


def test_a_copied_cookie_is_nobody_after_the_log_out(api: Api) -> None:
    entered = send(api, "/signup", name="Rin", password=PASSWORD)
    cookie = cookie_of(entered)
    assert api("GET", "/me", Cookie=f"{SECURE_COOKIE}={cookie}").status_code == 200
    assert send(api, "/logout", cookie).status_code == 303
    assert api("GET", "/me", Cookie=f"{SECURE_COOKIE}={cookie}").status_code == 401


def test_the_cookie_is_another_after_each_log_in_and_change_of_role(api: Api) -> None:
    seen = [cookie_of(send(api, "/signup", name="Rin", password=PASSWORD))]
    seen.append(cookie_of(send(api, "/login", seen[-1], name="Rin", password=PASSWORD)))
    assert api("GET", "/me", Cookie=f"{SECURE_COOKIE}={seen[0]}").status_code == 401
    made = api(
        "POST",
        "/boards",
        {"name": "Karakura"},
        Cookie=f"{SECURE_COOKIE}={seen[-1]}",
        Sec_Fetch_Site="same-origin",
    )
    seen.append(cookie_of(made))
    api.client.cookies.clear()
    assert api("GET", "/me", Cookie=f"{SECURE_COOKIE}={seen[1]}").status_code == 401
    assert len(set(seen)) == 3
    assert all(len(one) >= 22 for one in seen)  # 128 bits in base64


def is_in(api: Api, cookie: str) -> bool:
    """Say whether a cookie is somebody's."""
    return api("GET", "/me", Cookie=f"{SECURE_COOKIE}={cookie}").status_code == 200


def forms(api: Api, table: Table, secret: str) -> dict[str, tuple[str, dict[str, str]]]:
    """List forms that change what their sender may do: each with its path and fields."""
    assert api("PATCH", "/boards/board", {"joining": "open"}, secret=api.owner).status_code == 200
    return {
        "board": ("/boards/new", {"name": "Mia", "language": "it", "key": "key-of-the-form"}),
        "join": ("/boards/board/join", {}),
        "leave": ("/boards/board/leave", {}),
        "accept": (f"/i/{secret}", {"do": "accept"}),
        "keep": ("/me/keys", {}),
        "open": (f"/k/{table.seats['hollow']}", {}),
        "password": ("/me/password", {"old": PASSWORD, "new": "tutt'altra parola lunga"}),
        "log_in": ("/login", {"name": "Rin", "password": PASSWORD}),
    }


@pytest.mark.parametrize(
    "what", ["board", "join", "leave", "accept", "keep", "open", "password", "log_in"]
)
def test_a_form_that_is_sent_twice_is_answered_twice_and_logs_nobody_out(
    api: Api, table: Table, what: str
) -> None:
    invited = api("POST", "/boards/board/invitations", {"role": "player"}, secret=api.owner)
    path, fields = forms(api, table, invited.json()["secret"])[what]
    me = signed_up(api, "Rin")
    if what == "leave":
        give(api, me.person, Role.PLAYER)
    first, second = (send(api, path, me.cookie, **fields) for _ in range(2))
    assert (first.status_code, second.status_code) == (303, 303)
    assert first.headers["location"] == second.headers["location"]
    assert cookie_of(first) == cookie_of(second) != me.cookie
    assert second.headers.get_list("cache-control") == first.headers.get_list("cache-control")
    assert is_in(api, cookie_of(second))
    assert not is_in(api, me.cookie)


def test_of_an_old_cookie_only_the_very_form_is_answered_and_not_for_long(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    me, other = signed_up(api, "Rin"), signed_up(api, "Sol")
    form = {"name": "Mia", "language": "it", "key": "key-of-the-form"}
    first = send(api, "/boards/new", me.cookie, **form)
    assert send(api, "/boards/new", me.cookie, **form).status_code == 303
    for changed in ({"key": "key-of-another"}, {"name": "Tua"}, {"more": ""}):
        assert send(api, "/boards/new", me.cookie, **form | changed).status_code in (401, 422)
    assert send(api, "/boards/new?more", me.cookie, **form).status_code == 401
    assert send(api, "/me/keys", me.cookie).status_code == 401
    # Somebody else who sends the same has a board of their own.
    theirs = send(api, "/boards/new", other.cookie, **form)
    assert theirs.headers["location"] != first.headers["location"]
    assert cookie_of(theirs) != cookie_of(first)
    monkeypatch.setattr(same_form, "KEPT_FOR", -1.0)
    assert send(api, "/boards/new", me.cookie, **form).status_code == 401


def test_a_form_whose_session_was_ended_since_brings_nobody_back(api: Api) -> None:
    me = signed_up(api, "Rin")
    form = {"name": "Mia", "language": "it", "key": "key-of-the-form"}
    fresh = cookie_of(send(api, "/boards/new", me.cookie, **form))
    assert send(api, "/logout", fresh).status_code == 303
    assert not is_in(api, cookie_of(send(api, "/boards/new", me.cookie, **form)))
    assert send(api, "/logout", fresh).status_code == 303


def test_another_site_gets_no_answer_by_sending_a_form_again(api: Api) -> None:
    me = signed_up(api, "Rin")
    assert send(api, "/me/keys", me.cookie).status_code == 303
    headers = {"Sec-Fetch-Site": "cross-site", "Cookie": f"{SECURE_COOKIE}={me.cookie}"}
    assert api.client.post("/me/keys", headers=headers).status_code == 403


def test_a_call_that_is_sent_again_by_a_browser_gets_its_answer_again(api: Api) -> None:
    me = signed_up(api, "Rin")
    how = {"key": "key-of-the-call", **me.how()}
    first = api("POST", "/boards", {"name": "Mia"}, **how)
    api.client.cookies.clear()
    second = api("POST", "/boards", {"name": "Mia"}, **how)
    assert cookie_of(first) == cookie_of(second)
    assert (first.status_code, first.content) == (201, second.content)
    assert is_in(api, cookie_of(second))


def test_two_clicks_at_the_same_moment_come_to_one_answer(api: Api) -> None:
    me = signed_up(api, "Rin")
    give(api, me.person, Role.PLAYER)
    headers = {"Sec-Fetch-Site": "same-origin", "Cookie": f"{SECURE_COOKIE}={me.cookie}"}

    async def clicks() -> list[Any]:
        transport = httpx.ASGITransport(app=api.client.app)
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as browser:
            clicked = (browser.post("/boards/board/leave", headers=headers) for _ in range(4))
            return await asyncio.gather(*clicked)

    told = asyncio.run(clicks())
    assert {one.status_code for one in told} == {303}
    (cookie,) = {cookie_of(one) for one in told}
    assert is_in(api, cookie)


def test_a_live_page_tells_nothing_more_from_the_moment_its_reader_is_removed(api: Api) -> None:
    """The desk asks every 20 seconds, and nothing of ours stays open: each answer is checked."""
    overseer = signed_up(api, "Chi guarda")
    give(api, overseer.person, Role.GM)
    assert look(api, "/boards/board/desk", overseer.cookie).status_code == 200
    gone = api("DELETE", f"/boards/board/members/{overseer.person}", secret=api.owner)
    assert gone.status_code == 204
    assert look(api, "/boards/board/desk", overseer.cookie).status_code == 404
    assert api("GET", "/boards/board/reviews", **overseer.how()).status_code == 404


def test_a_page_asks_for_news_and_keeps_no_stream_open() -> None:
    """Who adds a stream has to end it for those who are revoked."""
    folder = Path(__file__).parents[2]
    sources = [*folder.glob("app/**/*.py"), *folder.glob("templates/**/*.html")]
    sources += folder.glob("static/js/*.js")
    stream = re.compile(r"EventSource|WebSocket|text/event-stream|sse-connect|ws-connect")
    assert [one.name for one in sources if stream.search(one.read_text(encoding="utf-8"))] == []


def test_a_revoked_link_is_refused_at_the_next_call_wherever_it_was_opened(
    api: Api, table: Table
) -> None:
    secret = table.seats["hollow"]
    cookie = cookie_of(send(api, f"/k/{secret}"))
    page = f"/scenes/{table.id}/turn/hollow"
    assert look(api, page, cookie).status_code == 200
    assert api("GET", f"/scenes/{table.id}", secret=secret).status_code == 200
    api("DELETE", f"/scenes/{table.id}/links/seat/hollow", secret=table.gm)
    assert api("GET", f"/scenes/{table.id}", secret=secret).status_code == 401
    assert look(api, page, cookie).status_code == 404
    assert send(api, f"/k/{secret}").status_code == 404


def test_keys_are_kept_as_digests_with_a_beginning_that_is_shown(api: Api, table: Table) -> None:
    made = api("POST", "/boards/board/invitations", {"role": "player"}, secret=api.owner).json()
    feed = api("POST", "/boards/board/feed", secret=api.owner).json()["address"]
    token = feed.rpartition("/")[2].removesuffix(".atom")
    known = [made["secret"], token, api.owner, table.gm, *table.seats.values()]
    with database(api).read() as connection:
        for name in ("secrets", "invitations", "feeds"):
            rows = connection.execute(text(f"SELECT digest, prefix FROM {name}")).all()
            assert rows
            for digest, prefix in rows:
                assert re.fullmatch("[0-9a-f]{64}", digest)
                assert len(prefix) <= 10
    for secret in known:
        assert any(secret.startswith(prefix) for prefix in _prefixes(api)), secret


def _prefixes(api: Api) -> list[str]:
    with database(api).read() as connection:
        return [
            str(prefix)
            for name in ("secrets", "invitations", "feeds")
            for (prefix,) in connection.execute(text(f"SELECT prefix FROM {name}"))
        ]


def test_no_canary_is_found_in_logs_in_the_database_or_on_a_page_that_refuses(
    app: FastAPI, api: Api, table: Table, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    db = database(api)

    @app.get("/failing")
    async def fail() -> None:
        raise RuntimeError("nobody foresaw this")

    rin = signed_up(api, "Rin")
    give(api, rin.person, Role.PLAYER)
    owner = principal_of_secret(db, api.world, api.owner)
    assert owner is not None
    board_time.change_board_time(db, owner, FIRST_BOARD, BoardTimeChange(webhook=HOOK))
    kept = {
        "password": PASSWORD,
        "typed": TYPED,
        "cookie": rin.cookie,
        "owner": api.owner,
        "gm": table.gm,
        "seat": table.seats["hollow"],
        "invitation": api(
            "POST", "/boards/board/invitations", {"role": "player"}, secret=api.owner
        ).json()["secret"],
        "reset": reset_link(db, api.world, "Rin"),
        "feed": inbox.new_board_feed(db, api.world, owner, FIRST_BOARD),
    }
    # Kept as they are, since they are sent (README): yet in no log and on no page.
    sent = {"webhook": HOOK.rpartition("/")[2], "mail": "token-of-a-mail-0123456789abcdef"}
    pages: list[str] = []
    for secret in (*kept.values(), *sent.values()):
        for path in ("k", "i", "reset", "mail", "s", "nothing"):
            entered = send(api, f"/{path}/{secret}", new="corta", do="login")
            pages.append(entered.text)
        for path in (f"/feeds/{secret}x.atom", f"/scenes/{secret}", f"/failing?key={secret}"):
            looked = look(api, path, rin.cookie)
            pages.append(looked.text)
        for path in ("/login", "/signup", "/me/password"):
            form = {"password": secret, "old": secret, "new": "corta"}
            pages.append(send(api, path, name="Rin", **form).text)
        told = api("GET", f"/boards/{secret}", secret=f"{secret}x")
        pages += [told.text, api("POST", "/tags/check", {"text": [secret]}, secret=secret).text]
    # What is typed into the form of an error comes back as it was, but never a password.
    assert pages
    pages += [look(api, path, rin.cookie).text for path in ("/boards/board/time", "/boards/board")]
    pages.append(api("GET", "/boards/board/time", secret=api.owner).text)
    logged = "\n".join(
        one.getMessage() + str(one.exc_text or "")
        for one in caplog.records
        if not one.name.startswith("httpx")
    )
    assert "/k/{secret}" in logged
    stored = b"".join(one.read_bytes() for one in tmp_path.iterdir())
    for name, secret in {**kept, **sent}.items():
        assert secret not in logged, name
        assert [one for one in pages if secret in one] == [], name
    for name, secret in kept.items():
        assert secret.encode() not in stored, name


def test_a_new_link_of_the_owner_ends_the_one_before(api: Api) -> None:
    assert api("GET", "/boards/board/invitations", secret=api.owner).status_code == 200
    fresh = owner_link(database(api), api.world, FIRST_BOARD)
    assert api("GET", "/boards/board/invitations", secret=api.owner).status_code == 401
    assert api("GET", "/boards/board/invitations", secret=fresh).status_code == 200
