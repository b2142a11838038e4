"""Who may see and do what on the pages: every route, asked by everybody (G8)."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from tests.web.pages_asked import FORMS, ROUTES, address, places_of
from tests.web.town import ROLES, Town

ALL = dict.fromkeys(ROLES, 200)
WITH_ACCOUNT = ("somebody", "admin", "other_owner", "watcher", "member", "overseer", "owner")
OF_THE_BOARD = tuple(role for role in ROLES[5:])
OVERSEERS = ("overseer", "owner")
MASTERS = ("gm", *OVERSEERS)
OWN_SEAT = ("player", *MASTERS)
ANY_SEAT = ("opponent", *OWN_SEAT)
HEARERS = ("other_owner", *OF_THE_BOARD)


def only(*roles: str, answer: int = 200, others: int = 404) -> Mapping[str, int]:
    """Let these roles in; others are told that there is nothing, or to log in."""
    return {**dict.fromkeys(ROLES, others), **dict.fromkeys(roles, answer)}


def account(answer: int, **more: int) -> Mapping[str, int]:
    """Let in whoever has an account; the API's tests say the same of links."""
    return {**only(*WITH_ACCOUNT, answer=answer, others=401), **more}


EVERYBODY = (
    "/ /boards/{board_id} /boards/{board_id}/beings /boards/{board_id}/books "
    "/boards/{board_id}/dialects "
    "/boards/{board_id}/options /boards/{board_id}/precedents /boards/{board_id}/sheets /cases "
    "/cases/{case_id} /docs/errors /docs/runner /feeds/{token}.atom /help /i/{secret} /inbox "
    "/k/{secret} /login /mail/{token} /mail/{token}/stop /odds /odds/{game} "
    "/reset/{token} /rules /rules/{rule_id} /s/{token} /scenes/{scene_id} "
    "/scenes/{scene_id}/clock /scenes/{scene_id}/dice /scenes/{scene_id}/export.{kind} "
    "/scenes/{scene_id}/entries/{number} /scenes/{scene_id}/entries/{number}/compare "
    "/scenes/{scene_id}/joint/{first}/{last} /scenes/{scene_id}/ledger.jsonl "
    "/scenes/{scene_id}/log /scenes/{scene_id}/luck /scenes/{scene_id}/seals.json "
    "/scenes/{scene_id}/sheet/{seat}/paper /scenes/{scene_id}/strip /scenes/{scene_id}/thread "
    "/scenes/{scene_id}/timeline /signup /tags /verify /warriors /warriors/design /warriors/duel "
    "/warriors/matrix /warriors/matrix.csv /warriors/{warrior_id} /zone"
)
# The status of each answer to the form of tests/web/pages_asked.py; 422 and 409 are of somebody
# who may, but sent too little or at another time.
ROWS: dict[str, Mapping[str, int]] = {
    **{f"GET {path}": ALL for path in EVERYBODY.split()},
    "GET /beings/{being_id}": only(*MASTERS),
    "GET /beings/{being_id}/successor": only(),  # it was not banished
    "GET /boards/new": only(*WITH_ACCOUNT, others=303),
    "GET /boards/{board_id}/beings/new": only(*MASTERS),
    "GET /boards/{board_id}/books/export.csv": only(*OF_THE_BOARD),
    "GET /boards/{board_id}/books/export.json": only(*OF_THE_BOARD),
    "GET /boards/{board_id}/books/format": only(*OF_THE_BOARD),
    "GET /boards/{board_id}/books/import": only(*MASTERS),
    "GET /boards/{board_id}/books/new": only(*OF_THE_BOARD),
    "GET /boards/{board_id}/books/pieces/{piece_id}": only(*OF_THE_BOARD),
    "GET /boards/{board_id}/books/pieces/{piece_id}/edit": only(*OF_THE_BOARD),
    "GET /boards/{board_id}/books/schema.json": only(*OF_THE_BOARD),
    "GET /boards/{board_id}/books/trail": only(*OF_THE_BOARD),
    "GET /boards/{board_id}/desk": only(*MASTERS),
    "GET /boards/{board_id}/desk/scenes": only(*MASTERS),
    "GET /boards/{board_id}/desk/{scene_id}/{number}": only(*MASTERS),
    "GET /boards/{board_id}/games/{game}": only("owner"),
    "GET /boards/{board_id}/members": only(*OF_THE_BOARD),
    "GET /boards/{board_id}/pattern": only("owner"),
    "GET /boards/{board_id}/scenes/import": only(*MASTERS),
    "GET /boards/{board_id}/scenes/new": only(*MASTERS),
    "GET /boards/{board_id}/scenes/new/{game}": only(*MASTERS),
    "GET /boards/{board_id}/settings": only("owner"),
    "GET /boards/{board_id}/sheets/new": only(*MASTERS),
    "GET /boards/{board_id}/template": only("owner"),
    "GET /boards/{board_id}/template/look": only("owner"),
    "GET /boards/{board_id}/time": only("owner"),
    "GET /inbox/settings": only(*HEARERS),
    "GET /login/oidc": only(),  # there is no provider
    "GET /login/oidc/callback": only(),
    "GET /me": only(*WITH_ACCOUNT, others=303),
    "GET /scenes/{scene_id}/audit": only(*ANY_SEAT),
    "GET /scenes/{scene_id}/gm": only(*MASTERS),
    "GET /scenes/{scene_id}/several": {**only(*OWN_SEAT, answer=303), "opponent": 200},
    "GET /scenes/{scene_id}/share": only(*MASTERS),
    "GET /scenes/{scene_id}/sheet/{seat}": only(*OWN_SEAT),
    "GET /scenes/{scene_id}/turn/{seat}": only(*OWN_SEAT),
    "GET /sheets/{sheet_id}": only(*MASTERS),
    "GET /sheets/{sheet_id}/paper": only(*MASTERS),
    "POST /beings/{being_id}/link": only(*MASTERS, answer=201),
    "POST /beings/{being_id}/retire": only(*MASTERS, answer=412),
    "POST /beings/{being_id}/successor": only(*MASTERS, answer=422),
    "POST /boards/new": account(303),
    "POST /boards/{board_id}/beings/duel": only(*MASTERS, answer=422),
    "POST /boards/{board_id}/beings/new": only(*MASTERS, answer=422),
    "POST /boards/{board_id}/books/import": only(*MASTERS, answer=422),
    "POST /boards/{board_id}/books/new": only(*OF_THE_BOARD, answer=422),
    "POST /boards/{board_id}/books/pieces/{piece_id}/edit": only(*OF_THE_BOARD, answer=422),
    "POST /boards/{board_id}/books/pieces/{piece_id}/{what}": only(*MASTERS, answer=303),
    "POST /boards/{board_id}/books/settings": only("owner", answer=303),
    "POST /boards/{board_id}/desk/looked": only(*MASTERS, answer=303),
    "POST /boards/{board_id}/desk/note": only(*MASTERS, answer=303),
    "POST /boards/{board_id}/desk/{scene_id}/{number}": only(*MASTERS, answer=303),
    "POST /boards/{board_id}/desk/{scene_id}/{number}/order": only(*MASTERS, answer=422),
    "POST /boards/{board_id}/desk/{scene_id}/{number}/seen": only(*MASTERS, answer=303),
    "POST /boards/{board_id}/desk/{scene_id}/{number}/void": only(*MASTERS, answer=422),
    "POST /boards/{board_id}/games/{game}": only("owner", answer=303),
    "POST /boards/{board_id}/invitations": only(*OVERSEERS),
    "POST /boards/{board_id}/invitations/revoke": only(*OVERSEERS, answer=303),
    "POST /boards/{board_id}/join": account(404),  # the board takes whom it invites
    "POST /boards/{board_id}/leave": {
        **account(404, owner=409),
        **dict.fromkeys(("watcher", "member", "overseer"), 303),
    },
    "POST /boards/{board_id}/members": only("owner", answer=303),
    "POST /boards/{board_id}/pattern": only("owner", answer=422),
    "POST /boards/{board_id}/pattern/forget": only("owner", answer=303),
    "POST /boards/{board_id}/precedents/{number}/retire": only(*OVERSEERS, answer=303),
    "POST /boards/{board_id}/scenes/import": only(*MASTERS, answer=422),
    "POST /boards/{board_id}/scenes/new": only(*MASTERS, answer=422),
    "POST /boards/{board_id}/scenes/new/{game}": only(*MASTERS, answer=422),
    "POST /boards/{board_id}/settings": only("owner", answer=303),
    "POST /boards/{board_id}/sheets/new": only(*MASTERS, answer=422),
    "POST /boards/{board_id}/template": only("owner", answer=303),
    "POST /boards/{board_id}/template/look": only(*MASTERS),
    "POST /boards/{board_id}/time": only("owner", answer=303),
    "POST /boards/{board_id}/time/feed": only("owner"),
    "POST /i/{secret}": account(303),
    "POST /inbox/feed": only(*HEARERS),
    "POST /inbox/mail": only(*HEARERS, answer=303),
    "POST /inbox/read": only(*HEARERS, answer=303),
    "POST /inbox/settings": only(*HEARERS, answer=303),
    "POST /k/{secret}": only(*ROLES, answer=303),
    "POST /login": only(*ROLES, answer=422),
    "POST /logout": only(*ROLES, answer=303),
    "POST /mail/{token}": ALL,
    "POST /mail/{token}/stop": ALL,
    "POST /me": account(422),
    "POST /me/keys": account(303),
    "POST /me/keys/give-up": account(404),  # it is somebody else's
    "POST /me/log-out": account(303),
    "POST /me/password": account(422),
    "POST /reset/{token}": only(*ROLES, answer=422),
    "POST /scenes/{scene_id}/claims/revoke": only(*MASTERS, answer=303),
    "POST /scenes/{scene_id}/clock": only(*MASTERS, answer=303),
    "POST /scenes/{scene_id}/clock/go-on": only(*MASTERS, answer=409),
    "POST /scenes/{scene_id}/clock/stop": only(*MASTERS, answer=303),
    "POST /scenes/{scene_id}/deadline": only(*MASTERS, answer=303),
    "POST /scenes/{scene_id}/dice/beacon": only(*MASTERS, answer=409),
    "POST /scenes/{scene_id}/dice/seal": only(*MASTERS, answer=303),
    "POST /scenes/{scene_id}/dice/tell": only(*MASTERS, answer=303),
    "POST /scenes/{scene_id}/dice/throw": only(*MASTERS, answer=303),
    "POST /scenes/{scene_id}/entries/{number}/compare": ALL,
    "POST /scenes/{scene_id}/entries/{number}/dice": only(*OWN_SEAT, answer=409),
    "POST /scenes/{scene_id}/entries/{number}/dice/post": only(*OWN_SEAT, answer=409),
    "POST /scenes/{scene_id}/entries/{number}/story": only(*OWN_SEAT, answer=303),
    "POST /scenes/{scene_id}/entries/{number}/withdraw": only(*OWN_SEAT, answer=409),
    "POST /scenes/{scene_id}/lapse": only(*ANY_SEAT, answer=422),
    "POST /scenes/{scene_id}/links": only(*MASTERS),
    "POST /scenes/{scene_id}/orders": only(*MASTERS, answer=422),
    "POST /scenes/{scene_id}/salt": only("player"),
    "POST /scenes/{scene_id}/seal": only("player"),
    "POST /scenes/{scene_id}/several": only("opponent", answer=303),
    "POST /scenes/{scene_id}/share": only(*MASTERS, answer=303),
    "POST /scenes/{scene_id}/sheet/{seat}": only(*ANY_SEAT, answer=422),
    "POST /scenes/{scene_id}/turn/{seat}": only(*OWN_SEAT, answer=422),
    "POST /scenes/{scene_id}/turn/{seat}/preview": only(*OWN_SEAT),
    "POST /scenes/{scene_id}/vacations": only(*OWN_SEAT, answer=303),
    "POST /scenes/{scene_id}/vacations/{number}/end": only(*OWN_SEAT, answer=303),
    "POST /scenes/{scene_id}/void": only(*MASTERS, answer=422),
    "POST /scenes/{scene_id}/waive": only("player", answer=303),
    "POST /sheets/{sheet_id}": only(*MASTERS, answer=422),
    "POST /signup": only(*ROLES, answer=422),
    "POST /tags": ALL,
    "POST /warriors/design": only(*ROLES, answer=422),
    "POST /zone": only(*ROLES, answer=303),
}
# What can be done once: whoever may is asked on a copy of their own.
ONCE = (
    *("/revoke", "/retire", "/tell", "/story", "/several", "/orders"),
    *("/{what}", "/desk/{scene_id}/{number}", "/clock/stop", "/end"),
)


def test_every_page_has_a_row_and_every_row_a_page() -> None:
    assert sorted(ROWS) == ROUTES


@pytest.mark.parametrize("route", ROUTES)
def test_everybody_gets_what_is_theirs_and_nothing_else(
    town: Town, tmp_path: Path, route: str
) -> None:
    method, path = route.split(" ", 1)[0], address(town, route)
    form = FORMS.get(route, lambda _: {})(town)
    refused = [role for role in ROLES if ROWS[route][role] in (401, 404)]
    allowed = [role for role in ROLES if role not in refused]
    alone = method == "POST" and route.endswith(ONCE)
    found: dict[str, int] = {}
    for group in (refused, *([role] for role in allowed)) if alone else ((*refused, *allowed),):
        with town.copy(tmp_path) as client:
            nothing = town.ask(client, "anonymous", method, "/nothing").text
            for role in group:
                answer = town.ask(client, role, method, path, form)
                found[role] = answer.status_code
                if answer.status_code == 404:
                    assert without_address(answer.text) == without_address(nothing), role
    assert found == dict(ROWS[route])


def without_address(page: str) -> str:
    """Take out of a page the addresses that lead back to it, and how far up they are."""
    back = r'href="(/login[^"]*|\?lang[^"]*|/boards/[^"]*)"|data-log-in="\d+"'
    return re.sub(back, "", page)


FOREIGN = [
    route
    for route in ROUTES
    if re.search(r"\{(board_id|scene_id|sheet_id|being_id)\}", route)
    and ROWS[route]["anonymous"] == 404
]


@pytest.mark.parametrize("route", FOREIGN)
def test_nothing_of_a_board_is_reached_by_the_roles_of_another(
    town: Town, tmp_path: Path, route: str
) -> None:
    method = route.split(" ", 1)[0]
    form = FORMS.get(route, lambda _: {})(town)
    there = places_of(town, town.there)
    mixed = {**there, "board_id": town.here.board}  # a thing of theirs by way of our own board
    ways = (there, mixed) if re.search(r"board_id\}.*\{(scene|piece)_id", route) else (there,)
    unknown = dict.fromkeys(there, "nothing-of-the-kind")
    with town.copy(tmp_path) as client:
        wanted = town.ask(client, "owner", method, address(town, route, unknown), form)
        for places in ways:
            for role in ROLES[5:]:
                answer = town.ask(client, role, method, address(town, route, places), form)
                assert answer.status_code == 404, role
                assert without_address(answer.text) == without_address(wanted.text)


def test_a_board_that_there_is_not_has_no_pages(town: Town, tmp_path: Path) -> None:
    public = [route for route in ROUTES if "{board_id}" in route and ROWS[route] is ALL]
    assert len(public) > 5
    with town.copy(tmp_path) as client:
        nothing = town.ask(client, "owner", "GET", "/nothing").text
        for route in public:
            path = address(town, route, {"board_id": "nothing-of-the-kind"})
            answer = town.ask(client, "owner", "GET", path)
            assert answer.status_code == 404, route
            assert without_address(answer.text) == without_address(nothing), route


def test_a_cookie_of_before_the_log_out_is_nobodys(town: Town, tmp_path: Path) -> None:
    with town.copy(tmp_path) as client:
        for path in ("/", f"/boards/{town.here.board}"):
            pages = [town.ask(client, role, "GET", path).text for role in ROLES[:2]]
            assert pages[0] == pages[1]


def test_no_address_that_is_only_read_changes_anything(town: Town, tmp_path: Path) -> None:
    with town.copy(tmp_path) as client:
        before = told_by(tmp_path / "copy.sqlite3")
        for route in ROUTES:
            if route.startswith("GET"):
                town.ask(client, "owner", "GET", address(town, route))
        assert told_by(tmp_path / "copy.sqlite3") == before


def told_by(file: Path) -> list[str]:
    """Write down all that a database holds, but for when the service was last heard of."""
    with closing(sqlite3.connect(file)) as connection:
        return [line for line in connection.iterdump() if "heartbeats" not in line]
