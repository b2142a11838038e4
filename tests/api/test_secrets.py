"""Secrets are shown once, hold until they are revoked, and are written down nowhere."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest

from app.api.openapi import examples_of
from app.http.session import SECURE_COOKIE
from tests.api.conftest import BASE, V1, Api, Table
from tests.api.test_examples import OPERATIONS

TURN = next(iter(examples_of("submit_order").values()))


def test_no_secret_is_ever_logged_or_stored(
    api: Api, table: Table, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    key = "key-canary-0123456789"
    secrets = [api.owner, table.gm, *table.seats.values()]
    places = {"scene_id": table.id, "number": 1, "seat": "hollow", "sheet_id": "x"}
    places |= {"board_id": "board"}
    places |= {"line": 1, "first": 1, "last": 1, "precedent": 1, "case_id": "A-1-1"}
    places |= {"being_id": "x", "warrior_id": "guerriero", "token": "x", "piece_id": "x"}
    places |= {"person_id": "x"}
    places |= {"invitation_id": "x", "key_id": "x"}
    for secret in secrets:
        for name, (method, path, _) in OPERATIONS.items():
            if method != "DELETE" and "links" not in path:
                body = next(iter(examples_of(name).values()), None)
                path = path.format(rule_id="GC-4.87", **places)
                api(method, path, body, secret=secret, version=table.version, key=key)
        api("POST", "/tags/check", b"{" + secret.encode(), secret=secret)
        api.client.get(f"/k/{secret}")
        api.client.post(f"/k/{secret}", headers={"Origin": BASE})
        api.client.get(f"/nothing/{secret}?key={secret}")
        api.client.get(f"{V1}/boards/board", headers={"X-API-Key": secret})
        api.client.get(f"{V1}/boards/board", headers={"Authorization": f"Basic {secret}"})
    cookies = [cookie.value for cookie in api.client.cookies.jar]
    assert len(cookies) == 1
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    logged = "\n".join(
        record.getMessage() for record in caplog.records if not record.name.startswith("httpx")
    )
    assert "/api/v1/scenes/{scene_id}/orders" in logged
    for secret in (*secrets, *cookies, key):
        assert str(secret) not in logged
        assert str(secret).encode() not in stored


def test_a_reissued_secret_takes_the_place_of_the_one_before(api: Api, table: Table) -> None:
    old = table.seats["hollow"]
    new = api("POST", f"/scenes/{table.id}/links/seat/hollow", secret=table.gm).json()
    assert new["address"] == f"{BASE}/k/{new['secret']}"
    assert table.decide(old, TURN["order"]).status_code == 401
    assert table.decide(new["secret"], TURN["order"]).status_code == 201
    assert api("GET", f"/scenes/{table.id}", secret=table.seats["quincy"]).status_code == 200


def test_a_revoked_secret_stops_to_hold_at_once(api: Api, table: Table) -> None:
    revoked = api("DELETE", f"/scenes/{table.id}/links/gm", secret=api.owner)
    assert (revoked.status_code, revoked.content) == (204, b"")
    assert api("GET", f"/scenes/{table.id}", secret=table.gm).status_code == 401
    links = api("GET", f"/scenes/{table.id}/links", secret=api.owner).json()["links"]
    assert sorted(link["seat"] for link in links) == ["hollow", "quincy"]


def test_a_listed_link_shows_only_how_its_secret_begins(api: Api, table: Table) -> None:
    listed = api("GET", f"/scenes/{table.id}/links", secret=table.gm)
    assert len(listed.json()["links"]) == 3
    for secret in (table.gm, *table.seats.values()):
        assert secret not in listed.text


@pytest.mark.parametrize("header", ["Authorization", "X-API-Key"])
def test_a_secret_may_come_under_either_header(api: Api, table: Table, header: str) -> None:
    value = f"Bearer {table.gm}" if header == "Authorization" else table.gm
    answer = api.client.get(f"{V1}/scenes/{table.id}", headers={header: value})
    assert answer.json()["is_gm"]


def test_a_browser_acts_through_the_api_only_from_our_own_pages(api: Api, table: Table) -> None:
    opened = api.client.post(
        f"/k/{table.seats['hollow']}", headers={"Origin": BASE}, follow_redirects=False
    )
    cookie = opened.headers["set-cookie"]
    assert cookie.startswith(f"{SECURE_COOKIE}=")
    assert re.search(r"HttpOnly", cookie)
    assert re.search(r"Secure", cookie)
    assert re.search(r"SameSite=lax", cookie, re.IGNORECASE)
    assert "Domain" not in cookie

    def post(**headers: str) -> int:
        answer = api("POST", f"/scenes/{table.id}/orders", TURN, version=table.version, **headers)
        return int(answer.status_code)

    assert api("GET", f"/scenes/{table.id}").json()["mine"] == ["hollow"]
    assert post() == 403
    assert post(Origin="https://forum.example") == 403
    assert post(Origin=BASE, Sec_Fetch_Site="cross-site") == 403
    assert table.version == 1
    assert post(Sec_Fetch_Site="same-origin") == 201


def test_a_secret_in_a_header_comes_before_the_cookie(api: Api, table: Table) -> None:
    api.client.post(f"/k/{table.gm}", headers={"Origin": BASE}, follow_redirects=False)
    assert api("GET", f"/scenes/{table.id}").json()["is_gm"]
    seat = api("GET", f"/scenes/{table.id}", secret=table.seats["hollow"]).json()
    assert (seat["is_gm"], seat["mine"]) == (False, ["hollow"])
    assert api("GET", f"/scenes/{table.id}", secret="x" * 43).status_code == 401
