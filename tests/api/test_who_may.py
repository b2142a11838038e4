"""Who may do what: every route of the API, asked by everybody, with the answer each one gets."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest
from fastapi.routing import iter_route_contexts

from app.api.openapi import examples_of
from app.config import Settings
from app.engine.seal import seal_of
from app.main import create_app
from app.services.access import Role
from tests.api.conftest import DUEL, V1, Api, Table, banish, enter_being, give, signed_up
from tests.api.story import SilentBeacon
from tests.api.test_examples import OPERATIONS

ROLES = (
    *("anonymous", "player", "opponent", "stranger", "gm", "owner", "other_gm"),
    *("keeper", "other_keeper", "revoked"),
)

# What a route answers to whom; whoever has no entry is told that there is nothing.
EVERYBODY = dict.fromkeys(ROLES, 200)
READERS_OF_SHEETS = dict.fromkeys(("gm", "owner", "other_gm"), 200)
KEEPER = {"keeper": 200}
HEARERS = dict.fromkeys(("player", "opponent", "stranger", "gm", "owner", "other_gm"), 200)
MASTER = ("gm", "owner")
OF_THE_BOARD = tuple(role for role in ROLES if role not in ("anonymous", "revoked"))
MASTERS = ("gm", "owner", "other_gm")
OWN_SEAT = ("player", *MASTER)


def may(*roles: str, answer: int = 200) -> dict[str, int]:
    """Let these roles in."""
    return dict.fromkeys(roles, answer)


LOGIN = dict.fromkeys(ROLES, 401)  # a link is no account

ROWS = {
    "GET /api/v1/me": LOGIN,
    "POST /api/v1/me/keys": LOGIN,
    "DELETE /api/v1/me/keys/{key_id}": LOGIN,
    "GET /api/v1/boards": EVERYBODY,
    "POST /api/v1/boards": LOGIN,
    "POST /api/v1/invitations/accept": LOGIN,
    "GET /api/v1/boards/{board_id}/members": may(*OF_THE_BOARD),
    "PUT /api/v1/boards/{board_id}/members/{person_id}": may("owner"),
    "DELETE /api/v1/boards/{board_id}/members/{person_id}": may("owner", answer=204),
    "POST /api/v1/boards/{board_id}/join": LOGIN,
    "GET /api/v1/boards/{board_id}/invitations": may("owner"),
    "POST /api/v1/boards/{board_id}/invitations": may("owner", answer=201),
    "DELETE /api/v1/boards/{board_id}/invitations/{invitation_id}": may("owner", answer=204),
    "GET /api/v1/scenes/{scene_id}/claims": may(*MASTER),
    "DELETE /api/v1/scenes/{scene_id}/claims/{key_id}": may(*MASTER, answer=204),
    "GET /api/docs": EVERYBODY | may("revoked"),
    "GET /api/docs/start.js": EVERYBODY | may("revoked"),
    "GET /api/v1/openapi.json": EVERYBODY | may("revoked"),
    "GET /healthz": EVERYBODY | may("revoked"),
    "GET /api/v1/boards/{board_id}": EVERYBODY,
    "PATCH /api/v1/boards/{board_id}": may("owner"),
    "GET /api/v1/boards/{board_id}/pattern": may("owner"),
    "PUT /api/v1/boards/{board_id}/pattern": may("owner"),
    "DELETE /api/v1/boards/{board_id}/pattern": may("owner"),
    "GET /api/v1/boards/{board_id}/sheets": READERS_OF_SHEETS,
    "POST /api/v1/boards/{board_id}/sheets": dict.fromkeys(READERS_OF_SHEETS, 201),
    "GET /api/v1/sheets/{sheet_id}": READERS_OF_SHEETS,
    "PUT /api/v1/sheets/{sheet_id}": READERS_OF_SHEETS,
    "GET /api/v1/boards/{board_id}/beings": EVERYBODY,
    "POST /api/v1/boards/{board_id}/beings": dict.fromkeys(READERS_OF_SHEETS, 201),
    "GET /api/v1/boards/{board_id}/book": may(*OF_THE_BOARD),
    "PUT /api/v1/boards/{board_id}/book": may("owner"),
    "GET /api/v1/boards/{board_id}/book/pieces": may(*OF_THE_BOARD),
    "POST /api/v1/boards/{board_id}/book/pieces": may(*OF_THE_BOARD, answer=201),
    "GET /api/v1/boards/{board_id}/book/pieces/{piece_id}": may(*OF_THE_BOARD),
    "POST /api/v1/boards/{board_id}/book/pieces/{piece_id}/versions": may(
        *OF_THE_BOARD, answer=201
    ),
    "POST /api/v1/boards/{board_id}/book/pieces/{piece_id}/approve": may(*MASTERS),
    "POST /api/v1/boards/{board_id}/book/pieces/{piece_id}/return": may(*MASTERS),
    "POST /api/v1/boards/{board_id}/book/pieces/{piece_id}/retire": may(*MASTERS),
    "GET /api/v1/boards/{board_id}/book/trail": may(*OF_THE_BOARD),
    "GET /api/v1/book/schema": EVERYBODY,
    "GET /api/v1/boards/{board_id}/book/export": may(*OF_THE_BOARD),
    "POST /api/v1/boards/{board_id}/book/import": may(*MASTERS),
    "GET /api/v1/beings/{being_id}": READERS_OF_SHEETS | KEEPER,
    "POST /api/v1/beings/{being_id}/successor": dict.fromkeys(READERS_OF_SHEETS | KEEPER, 201),
    "POST /api/v1/beings/{being_id}/retire": READERS_OF_SHEETS | KEEPER,
    "POST /api/v1/beings/{being_id}/link": dict.fromkeys(READERS_OF_SHEETS | KEEPER, 201),
    "GET /api/v1/scenes": EVERYBODY,
    "POST /api/v1/boards/{board_id}/scenes": {
        **may("gm", "other_gm", answer=409),  # who is told that the owner opens them
        **may("owner", answer=201),
    },
    "GET /api/v1/scenes/{scene_id}": EVERYBODY,
    "GET /api/v1/scenes/{scene_id}/choices/{seat}": may(*OWN_SEAT),
    "POST /api/v1/scenes/{scene_id}/preview": may(*OWN_SEAT),
    "POST /api/v1/scenes/{scene_id}/orders": may(*OWN_SEAT, answer=201),
    "POST /api/v1/scenes/{scene_id}/series": may(*OWN_SEAT, answer=201),
    "PUT /api/v1/scenes/{scene_id}/deadline": may(*MASTER),
    "GET /api/v1/scenes/{scene_id}/clock": EVERYBODY,
    "PUT /api/v1/scenes/{scene_id}/clock": may(*MASTER),
    "POST /api/v1/scenes/{scene_id}/clock/stop": may(*MASTER),
    "POST /api/v1/scenes/{scene_id}/clock/go-on": may(*MASTER),
    "POST /api/v1/scenes/{scene_id}/vacations": may(*OWN_SEAT, answer=201),
    "POST /api/v1/scenes/{scene_id}/vacations/{number}/end": may(*OWN_SEAT),
    "GET /api/v1/boards/{board_id}/time": EVERYBODY,
    "PUT /api/v1/boards/{board_id}/time": may("owner"),
    "POST /api/v1/boards/{board_id}/feed": may("owner", answer=201),
    "DELETE /api/v1/boards/{board_id}/feed": may("owner", answer=204),
    "GET /api/v1/notices": HEARERS,
    "POST /api/v1/notices/read": HEARERS,
    "GET /api/v1/notices/settings": HEARERS,
    "PUT /api/v1/notices/settings": HEARERS,
    "POST /api/v1/notices/feed": dict.fromkeys(HEARERS, 201),
    "DELETE /api/v1/notices/feed": dict.fromkeys(HEARERS, 204),
    "POST /api/v1/scenes/{scene_id}/lapse": may("player", "opponent", *MASTER, answer=201),
    "GET /api/v1/scenes/{scene_id}/joint-post/{first}/{last}": EVERYBODY,
    "POST /api/v1/scenes/{scene_id}/entries/{number}/dice": may(*OWN_SEAT, answer=201),
    "POST /api/v1/scenes/{scene_id}/entries/{number}/dice/read": may(*OWN_SEAT),
    "POST /api/v1/scenes/{scene_id}/entries/{number}/dice/post": may(*OWN_SEAT, answer=201),
    "POST /api/v1/scenes/{scene_id}/entries/{number}/withdraw": may(*OWN_SEAT, answer=201),
    "POST /api/v1/scenes/{scene_id}/entries/{number}/story": may(*OWN_SEAT, answer=201),
    "POST /api/v1/scenes/{scene_id}/entries/{number}/amend": may(*MASTER, answer=201),
    "POST /api/v1/scenes/{scene_id}/entries/{number}/amend/preview": may(*MASTER),
    "POST /api/v1/scenes/{scene_id}/void": may(*MASTER, answer=201),
    "GET /api/v1/boards/{board_id}/reviews": READERS_OF_SHEETS,
    "GET /api/v1/boards/{board_id}/reviews/waiting": READERS_OF_SHEETS,
    "GET /api/v1/boards/{board_id}/reviews/errors": READERS_OF_SHEETS,
    "POST /api/v1/boards/{board_id}/reviews/looked": READERS_OF_SHEETS,
    "GET /api/v1/boards/{board_id}/reviews/note": READERS_OF_SHEETS,
    "PUT /api/v1/boards/{board_id}/reviews/note": READERS_OF_SHEETS,
    "GET /api/v1/scenes/{scene_id}/entries/{number}/review": may(*OWN_SEAT, "opponent"),
    "POST /api/v1/scenes/{scene_id}/entries/{number}/review": may(*MASTER, answer=201),
    "PUT /api/v1/scenes/{scene_id}/entries/{number}/seen": may(*MASTER),
    "GET /api/v1/scenes/{scene_id}/audit": may(*OWN_SEAT, "opponent"),
    "GET /api/v1/scenes/{scene_id}/entries": EVERYBODY,
    "GET /api/v1/scenes/{scene_id}/entries/{number}": EVERYBODY,
    "GET /api/v1/scenes/{scene_id}/dice": EVERYBODY,
    "GET /api/v1/scenes/{scene_id}/ledger": EVERYBODY,
    "GET /api/v1/scenes/{scene_id}/extras": EVERYBODY,
    "POST /api/v1/scenes/{scene_id}/seals": may("player"),
    "POST /api/v1/scenes/{scene_id}/salts": may("player"),
    "POST /api/v1/scenes/{scene_id}/waivers": may("opponent"),
    "POST /api/v1/scenes/{scene_id}/checks": may(*MASTER, answer=201),
    "POST /api/v1/scenes/{scene_id}/promises": may(*MASTER, answer=201),
    "POST /api/v1/scenes/{scene_id}/ledger/{line}/open": may(*MASTER, answer=201),
    "POST /api/v1/scenes/{scene_id}/beacon-fallback": may(*MASTER),
    "GET /api/v1/scenes/{scene_id}/luck": EVERYBODY,
    "GET /api/v1/boards/{board_id}/precedents": EVERYBODY,
    "GET /api/v1/boards/{board_id}/precedents/{precedent}": EVERYBODY,
    "POST /api/v1/boards/{board_id}/precedents/{precedent}/retire": may(*MASTER),
    "GET /api/v1/scenes/{scene_id}/timeline": EVERYBODY,
    "GET /api/v1/scenes/{scene_id}/export": EVERYBODY,
    "GET /api/v1/scenes/{scene_id}/summary": may(*MASTER),
    "POST /api/v1/scenes/{scene_id}/summary": may(*MASTER, answer=201),
    "DELETE /api/v1/scenes/{scene_id}/summary": may(*MASTER, answer=204),
    "GET /api/v1/summaries/{token}": EVERYBODY,
    "GET /api/v1/scenes/{scene_id}/suggestions": may(*MASTER),
    "GET /api/v1/boards/{board_id}/options": EVERYBODY,
    "GET /api/v1/scenes/{scene_id}/options": EVERYBODY,
    "GET /api/v1/scenes/{scene_id}/links": may(*MASTER),
    "POST /api/v1/scenes/{scene_id}/links/gm": may(*MASTER, answer=201),
    "POST /api/v1/scenes/{scene_id}/links/seat/{seat}": may(*MASTER, answer=201),
    "DELETE /api/v1/scenes/{scene_id}/links/gm": may(*MASTER, answer=204),
    "DELETE /api/v1/scenes/{scene_id}/links/seat/{seat}": may(*MASTER, answer=204),
    "POST /api/v1/adjudicate": EVERYBODY,
    "POST /api/v1/odds": EVERYBODY,
    "POST /api/v1/read": EVERYBODY,
    "POST /api/v1/posts/check": EVERYBODY,
    "POST /api/v1/scenes/{scene_id}/compare": EVERYBODY,
    "POST /api/v1/threads/read": EVERYBODY,
    "GET /api/v1/scenes/{scene_id}/thread": EVERYBODY,
    "POST /api/v1/tags/check": EVERYBODY,
    "GET /api/v1/warriors": EVERYBODY,
    "GET /api/v1/warriors/{warrior_id}": EVERYBODY,
    "GET /api/v1/duels/matrix": EVERYBODY,
    "POST /api/v1/duels/odds": EVERYBODY,
    "POST /api/v1/duels/matchups": EVERYBODY,
    "GET /api/v1/rules": EVERYBODY,
    "GET /api/v1/rules/{rule_id}": EVERYBODY,
    "GET /api/v1/books": EVERYBODY,
    "GET /api/v1/glossary": EVERYBODY,
    "GET /api/v1/errors": EVERYBODY,
    "GET /api/v1/cases": EVERYBODY,
    "GET /api/v1/cases/{case_id}": EVERYBODY,
    "GET /api/v1/coverage": EVERYBODY,
}
OF_THE_FORUM = ("/dice", "/dice/read", "/dice/post", "/withdraw")
UNAUTHENTICATED = ("/api/docs", "/api/docs/start.js", "/api/v1/openapi.json", "/healthz")


def routes() -> Iterator[str]:
    """List every route that is not a page, as the application itself has them."""
    app = create_app(Settings(database_url="sqlite:///unused.db"))
    for route in iter_route_contexts(app.routes):
        path = getattr(route, "path_format", "")
        if path.startswith("/api") or path == "/healthz":
            yield from (f"{method} {path}" for method in sorted(route.methods or ()))


ROUTES = sorted(set(routes()))
NAMES = {f"{method} {V1}{path}": name for name, (method, path, _) in OPERATIONS.items()}


def test_every_route_has_a_row_and_every_row_a_route() -> None:
    assert sorted(ROWS) == ROUTES


def people_around(api: Api, table: Table) -> dict[str, str | None]:
    """Give everybody the secret they come with."""
    other = api.open_scene()
    revoked = other.seats["hollow"]
    api("DELETE", f"/scenes/{other.id}/links/seat/hollow", secret=other.gm)
    return {
        "anonymous": None,
        "player": table.seats["hollow"],
        "opponent": table.seats["quincy"],
        "stranger": other.seats["quincy"],
        "gm": table.gm,
        "owner": api.owner,
        "other_gm": other.gm,
        "revoked": revoked,
    }


def table_for(api: Api, route: str) -> Table:
    """Open a scene in which a route has something to do."""
    forum = route.startswith("POST") and route.endswith(OF_THE_FORUM)
    api.world.beacon = SilentBeacon()
    return api.open_scene(
        dice="forum" if forum else "service",
        seal_hours=24 if route.endswith(("/seals", "/salts", "/waivers")) else 0,
        beacon=route.endswith("/beacon-fallback"),
        **({**DUEL, "answer_within": 24} if route.endswith("/lapse") else {}),
    )


def answer_due(route: str, role: str) -> int:
    """Give the status that a role is answered with; what has no row in a table is not found."""
    if role == "revoked" and not route.endswith(UNAUTHENTICATED):
        return 401
    return ROWS[route].get(role, 404)


def groups_of(route: str) -> Iterator[tuple[str, ...]]:
    """Put together the roles that may ask one after another, since nothing changes by it."""
    changes = not route.startswith("GET ")
    alone = [role for role in ROLES if changes and answer_due(route, role) < 400]
    yield tuple(role for role in ROLES if role not in alone)
    yield from ((role,) for role in alone)


CELLS = [(route, roles) for route in ROUTES for roles in groups_of(route) if roles]


@pytest.mark.parametrize(("route", "roles"), CELLS)
def test_everybody_gets_what_is_theirs_and_nothing_else(
    api: Api, route: str, roles: tuple[str, ...]
) -> None:
    table = table_for(api, route)
    being_id, keeper = enter_being(api)
    others = {"keeper": keeper, "other_keeper": enter_being(api, 1)[1]}
    people = people_around(api, table) | others
    call = prepared(api, table, route, being_id)
    before = fingerprint(api)
    for role in roles:
        expected = answer_due(route, role)
        answer = call(secret=people[role])
        assert answer.status_code == expected, (role, answer.text)
        if expected == 404:
            assert answer.content == api("GET", "/scenes/nothing").content, role
    if answer_due(route, roles[0]) >= 400 or route.startswith("GET "):
        assert fingerprint(api) == before


def test_every_cell_of_the_matrix_is_asked_once() -> None:
    asked = [(route, role) for route, roles in CELLS for role in roles]
    assert sorted(asked) == sorted((route, role) for route in ROUTES for role in ROLES)


DECIDED_BEFORE = {
    *("give_dice", "read_posted_dice", "give_posted_dice", "withdraw_turn"),
    *("amend_turn", "void_decision", "read_entry", "list_entries", "read_joint_post"),
    *("correct_story", "compare_post", "preview_amendment"),
}
ON_THE_DESK = {"read_review", "decide_review", "mark_seen"}


def lead_up(api: Api, table: Table, name: str, turn: Any, body: Any) -> None:
    """Let happen what an operation follows."""
    if name == "apply_default":
        api.world.moment += timedelta(days=1)
    if name == "let_clock_go_on":
        api("POST", f"/scenes/{table.id}/clock/stop", {"reason": "Ferie."}, secret=table.gm)
    if name == "end_vacation":
        away = next(iter(examples_of("add_vacation").values()))
        api("POST", f"/scenes/{table.id}/vacations", away, secret=table.gm)
    if name == "give_up_beacon":
        table.decide(table.gm, turn)
        api.world.moment += timedelta(days=2)
    if name == "tell_sealed":
        trap = next(iter(examples_of("promise").values()))
        api("POST", f"/scenes/{table.id}/promises", trap, secret=table.gm)
    if name == "show_salt":
        own = {"seat": "hollow", "seal": seal_of(table.id, "hollow", body["salt"])}
        api("POST", f"/scenes/{table.id}/seals", own, secret=table.seats["hollow"])
        other = {"seat": "quincy"}
        api("POST", f"/scenes/{table.id}/waivers", other, secret=table.seats["quincy"])


def prepared(api: Api, table: Table, route: str, being_id: str, key_id: str | None = None) -> Any:
    """Bring the scene to where the route has something to do, and return the call."""
    method, path = route.split(" ", 1)
    if not path.startswith(V1) or path.endswith("openapi.json"):
        return lambda secret=None, **_: api.client.request(
            method, path, headers={"Authorization": f"Bearer {secret}"} if secret else {}
        )
    name = NAMES[route]
    body = next(iter(examples_of(name).values()), None)
    turn = next(iter(examples_of("submit_order").values()))["order"]
    sheet_id = "none"
    number = 1
    if name in DECIDED_BEFORE:
        number = table.decide(table.gm, turn).json()["number"]
    if name in ON_THE_DESK:
        number = table.decide(table.seats["hollow"], turn).json()["number"]
    if "{sheet_id}" in path:
        sheet = next(iter(examples_of("add_sheet").values()))
        sheet_id = api("POST", "/boards/board/sheets", sheet, secret=api.owner).json()["id"]
    if name == "add_being":  # those of the examples are there already
        body = {"sheet": {"kind": "printed", "warrior": "gregor_kaprov"}}
    if name == "add_successor":
        banish(api, being_id)
    lead_up(api, table, name, turn, body)
    token = "none"
    if name in ("read_shared_summary", "read_summary"):
        where = f"/scenes/{table.id}/summary"
        token = api("POST", where, None, secret=table.gm).json()["token"]
    if "{precedent}" in path:
        line = {"kind": "manual", "combatant": "hollow", "change": "ep", "amount": -5}
        table.decide(table.seats["hollow"], {**line, "reason": "Uno sforzo."})
        answered = {"kind": "answer", "question": "q-m1", "choice": "deny", "reason": "No."}
        kept = {"order": answered, "keep_as_precedent": True}
        where = f"/scenes/{table.id}/orders"
        done = api("POST", where, kept, secret=table.gm, version=table.version)
        assert done.json()["precedent"] == 1, done.text
    piece_version = prepare_piece(api, name) if "{piece_id}" in path else 0
    if name == "keep_link":
        body = {"secret": table.seats["quincy"]}
    if name == "accept_invitation":
        new = {"role": "spectator", "uses": 9}
        made = api("POST", "/boards/board/invitations", new, secret=api.owner)
        body = {"secret": made.json()["secret"]}
    if name == "join_board":
        api("PATCH", "/boards/board", {"joining": "open"}, secret=api.owner)
    places = {
        **people_of(api, table, path, key_id),
        "board_id": "board",
        "piece_id": PIECE,
        "precedent": 1,
        "token": token,
        "being_id": being_id,
        "line": 1,
        "scene_id": table.id,
        "sheet_id": sheet_id,
        "number": number,
        "first": number,
        "last": number,
        "seat": "hollow",
        "warrior_id": "guerriero",
        "rule_id": "GC-4.87",
        "case_id": "A-5-1",
    }
    parameters = {one["name"] for one in OPERATIONS[name][2].get("parameters", ())}
    version = 1 if name in ("replace_sheet", "retire_being") else piece_version or table.version
    version = 0 if name == "decide_review" else version
    return lambda **how: api(
        method,
        path.removeprefix(V1).format(**places),
        body,
        version=version if "If-Match" in parameters else None,
        **how,
    )


PIECE = "lama-di-luna"


def prepare_piece(api: Api, name: str) -> int:
    """Put a piece into the book, to decide on, to follow or to retire; give its version."""
    new = next(iter(examples_of("propose_piece").values()))
    decided = name not in ("approve_piece", "return_piece")
    body = {**new, "approve": decided}
    answer = api("POST", "/boards/board/book/pieces", body, secret=api.owner)
    return int(answer.headers["ETag"].strip('"'))


def people_of(api: Api, table: Table, path: str, key_id: str | None) -> dict[str, str]:
    """Let there be a member, an invitation, or a seat kept in an account, where one is named."""
    found = {}
    if "{person_id}" in path:
        found["person_id"] = signed_up(api, "Chiunque").person
        give(api, found["person_id"], Role.PLAYER)
    if "{invitation_id}" in path:
        api("POST", "/boards/board/invitations", {"role": "player"}, secret=api.owner)
        listed = api("GET", "/boards/board/invitations", secret=api.owner).json()
        found["invitation_id"] = listed["invitations"][0]["id"]
    if "{key_id}" in path:
        found["key_id"] = key_id or kept_by_somebody(api, table)
    return found


def kept_by_somebody(api: Api, table: Table) -> str:
    """Let somebody keep a seat in their account; name what they keep."""
    kept = {"secret": table.seats["hollow"]}
    return str(signed_up(api, "Chi tiene")("POST", "/me/keys", kept).json()["keys"][0]["id"])


def fingerprint(api: Api) -> dict[str, list[tuple[Any, ...]]]:
    """Give every row of the database, without when secrets and sessions were used last."""
    path = api.client.app.state.shared.database.url.database
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        found = {name: connection.execute(f"SELECT * FROM {name}") for (name,) in tables}
        return {
            name: [
                tuple(
                    value
                    for value, column in zip(row, rows.description, strict=True)
                    if column[0] not in ("used_at", "seen_at")
                )
                for row in rows
            ]
            for name, rows in found.items()
        }
