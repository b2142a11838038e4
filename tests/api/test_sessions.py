"""Sessions and keys end when they are ended, and what is kept opens nothing (G17)."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.http.session import SECURE_COOKIE
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.services import board_time, inbox
from app.services.access import Role
from app.services.board_time import BoardTimeChange
from app.services.boards import owner_link
from app.services.links import principal_of_secret
from app.services.people import reset_link
from tests.api.conftest import Api, Table, give, signed_up

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
