"""Who may do what with an account: every route of the API, asked by people of every role."""

from __future__ import annotations

import pytest

from app.services.access import Role
from app.services.links import forget
from tests.api.conftest import Api, Browser, Table, enter_being, give, signed_up
from tests.api.test_who_may import (
    EVERYBODY,
    LOGIN,
    ROUTES,
    ROWS,
    fingerprint,
    may,
    prepared,
    table_for,
)

# As whom of those with a link somebody with an account is treated.
LIKE = {
    "chief": "owner",
    "overseer": "gm",
    "member": "stranger",
    "watcher": "stranger",
    "somebody": "anonymous",
    "other_chief": "anonymous",
    "admin": "anonymous",
    "keeping": "player",
    "logged_out": "anonymous",
}
OF_THE_BOARD = {
    "chief": Role.OWNER,
    "overseer": Role.GM,
    "member": Role.PLAYER,
    "watcher": Role.SPECTATOR,
}
LOGGED_IN = tuple(role for role in LIKE if role != "logged_out")
# Whoever is of some board may be told something; the owner of another is told of that one.
HEARERS = tuple(role for role in LIKE if role not in ("somebody", "admin", "logged_out"))
# What an account gives beside that; whoever has no entry is told that there is nothing.
WITH_ACCOUNT = {
    "GET /api/v1/me": may(*LOGGED_IN),
    "POST /api/v1/me/keys": may(*LOGGED_IN),
    "DELETE /api/v1/me/keys/{key_id}": may("keeping", answer=204),
    "POST /api/v1/boards": may(*LOGGED_IN, answer=201),
    "POST /api/v1/invitations/accept": may(*LOGGED_IN),
    "POST /api/v1/boards/{board_id}/join": may(*LOGGED_IN, answer=204),
    "GET /api/v1/boards/{board_id}/invitations": may("chief", "overseer"),
    "POST /api/v1/boards/{board_id}/invitations": may("chief", "overseer", answer=201),
    "DELETE /api/v1/boards/{board_id}/invitations/{invitation_id}": may(
        "chief", "overseer", answer=204
    ),
    "GET /api/v1/notices": may(*HEARERS),
    "POST /api/v1/notices/read": may(*HEARERS),
    "GET /api/v1/notices/settings": may(*HEARERS),
    "PUT /api/v1/notices/settings": may(*HEARERS),
    "POST /api/v1/notices/feed": may(*HEARERS, answer=201),
    "DELETE /api/v1/notices/feed": may(*HEARERS, answer=204),
}


def expected(route: str, role: str) -> int:
    """Give the status with which somebody is answered."""
    if route not in WITH_ACCOUNT:
        return ROWS[route].get(LIKE[role], 404)
    if role == "logged_out" and ROWS[route] == LOGIN:
        return 401
    return WITH_ACCOUNT[route].get(role, 404)


def somebody(api: Api, table: Table, role: str) -> Browser:
    """Let there be somebody of a role."""
    one = signed_up(api, role, is_admin=role == "admin")
    if role in OF_THE_BOARD:
        give(api, one.person, OF_THE_BOARD[role])
    if role == "other_chief":
        assert one("POST", "/boards", {"name": "Karakura"}).status_code == 201
    if role == "keeping":
        kept = one("POST", "/me/keys", {"secret": table.seats["hollow"]})
        assert kept.status_code == 200
    if role == "logged_out":
        forget(api.client.app.state.shared.database, one.cookie)
    return one


def changes(route: str, role: str) -> bool:
    """Say whether a call does something, so that nobody else can be asked after it."""
    quiet = route.startswith("GET") or ROWS[route] == EVERYBODY
    return not quiet and expected(route, role) < 400


ACTING = [(route, role) for route in ROUTES for role in LIKE if changes(route, role)]


def ask(api: Api, route: str, roles: tuple[str, ...]) -> None:
    """Let people ask one after the other, of whom only the last may change anything."""
    table = table_for(api, route)
    being_id, _ = enter_being(api)
    needed = (*roles, "keeping") if "{key_id}" in route else roles
    people = {role: somebody(api, table, role) for role in dict.fromkeys(needed)}
    kept = key_of(people["keeping"]) if "{key_id}" in route else None
    call = prepared(api, table, route, being_id, kept)
    before = fingerprint(api)
    for role in roles:
        answer = call(**people[role].how())
        people[role].how()
        wanted = expected(route, role)
        assert answer.status_code == wanted, (role, answer.text)
        if wanted == 404:
            assert answer.content == api("GET", "/scenes/nothing").content
        if wanted >= 400:
            assert fingerprint(api) == before, role


def key_of(browser: Browser) -> str:
    """Name the seat that somebody keeps."""
    return str(browser("GET", "/me").json()["keys"][0]["id"])


@pytest.mark.parametrize("route", ROUTES)
def test_whoever_may_not_changes_nothing_and_whoever_reads_may(api: Api, route: str) -> None:
    stateless = route.startswith("POST") and ROWS[route] == EVERYBODY
    roles = tuple(role for role in LIKE if not changes(route, role))
    ask(api, route, ("other_chief",) if stateless else roles)


@pytest.mark.parametrize(("route", "role"), ACTING)
def test_whoever_may_does(api: Api, route: str, role: str) -> None:
    ask(api, route, (role,))


def test_a_member_leaves_but_removes_nobody(api: Api) -> None:
    rin, sol = signed_up(api, "Rin"), signed_up(api, "Sol")
    for one in (rin, sol):
        give(api, one.person, Role.PLAYER)
    before = rin.cookie
    assert rin("DELETE", f"/boards/board/members/{sol.person}").status_code == 404
    assert rin("DELETE", f"/boards/board/members/{rin.person}").status_code == 204
    assert rin.cookie != before
    assert rin("GET", "/boards/board/members").status_code == 404


@pytest.mark.parametrize(
    ("path", "extra"),
    [("/boards", {"name": "Mia", "owner": "x"}), ("/me/keys", {"secret": "x", "role": "gm"})],
)
def test_a_role_cannot_be_slipped_in(api: Api, path: str, extra: dict[str, str]) -> None:
    answer = signed_up(api, "Rin")("POST", path, extra)
    assert answer.status_code == 422
    assert [one["code"] for one in answer.json()["errors"]] == ["unknown_field"]


def test_a_cookie_acts_from_pages_of_ours_only(api: Api) -> None:
    rin = signed_up(api, "Rin")
    foreign = {**rin.how(), "Sec_Fetch_Site": "cross-site"}
    for method, path in (("POST", "/boards"), ("DELETE", "/me/keys/x")):
        assert api(method, path, {"name": "Mia"}, **foreign).status_code == 403
    silent = {"Cookie": foreign["Cookie"]}
    assert api("POST", "/boards", {"name": "Mia"}, **silent).status_code == 403
