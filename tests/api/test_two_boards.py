"""Two boards on one service know nothing of each other (RELIABILITY 60).

Whoever has a role on one board asks every route, as the application itself has them, with the ids
of the other board, and gets to the byte what an id gets that nobody has.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from fastapi.routing import iter_route_contexts

from app.api.openapi import examples_of
from app.http.session import SECURE_COOKIE
from app.services.access import Role
from tests.api.conftest import V1, Api, Browser, give, signed_up
from tests.api.test_who_may import NAMES

PLACE = re.compile(r"\{(\w+)(?::\w+)?\}")
OF_A_BOARD = ("board_id", "scene_id", "sheet_id", "being_id")
INSIDE = ("scene_id", "piece_id", "invitation_id", "person_id")
UNKNOWN = "unknown-0000000000000"
KEYS = itertools.count(1)


@dataclass
class Realm:
    """A board with something of every kind on it, and people of every role."""

    board: str
    people: dict[str, Browser]
    links: dict[str, str]
    places: dict[str, str] = field(default_factory=dict)


def realm(api: Api, name: str) -> Realm:
    """Make a board and put something of every kind on it."""
    owner = signed_up(api, f"Chi fa {name}")
    board = owner("POST", "/boards", {"name": name}).json()["board_id"]
    people = {"owner": owner}
    for role in (Role.GM, Role.PLAYER):
        people[role.value] = signed_up(api, f"{role.value} di {name}")
        give(api, people[role.value].person, role, board)

    def make(path: str, body: object, **more: Any) -> Any:
        answer = api("POST", path, body, **{**owner.how(), **more})
        owner.how()
        assert answer.status_code < 300, answer.text
        return answer.json()

    opening = {**examples_of("open_scene")["Dall'inizio"], "seal_hours": 0}
    opened = make(f"/boards/{board}/scenes", opening)
    scene = opened["scene_id"]
    turn = next(iter(examples_of("submit_order").values()))
    hollow = opened["seats"]["hollow"]["secret"]
    decided = api("POST", f"/scenes/{scene}/orders", turn, secret=hollow, version=1)
    assert decided.status_code == 201, decided.text
    sheet = make(f"/boards/{board}/sheets", next(iter(examples_of("add_sheet").values())))
    being = make(f"/boards/{board}/beings", next(iter(examples_of("add_being").values())))
    new = next(iter(examples_of("propose_piece").values()))
    named = {**new["piece"]["data"], "id": f"lama-{name.lower()}"}
    piece = {**new, "piece": {**new["piece"], "data": named}}
    make(f"/boards/{board}/book/pieces", piece)
    make(f"/boards/{board}/invitations", {"role": "player"})
    invited = owner("GET", f"/boards/{board}/invitations").json()["invitations"][0]["id"]
    return Realm(
        board,
        people,
        {"gm_link": opened["gm"]["secret"], "seat_link": hollow},
        {
            "board_id": board,
            "scene_id": scene,
            "sheet_id": sheet["id"],
            "being_id": being["being_id"],
            "piece_id": named["id"],
            "invitation_id": invited,
            "person_id": people["player"].person,
        },
    )


OTHERS = {
    **dict.fromkeys(("number", "line", "first", "last", "precedent"), "1"),
    **dict.fromkeys(("piece_id", "invitation_id", "person_id", "key_id"), UNKNOWN),
    "seat": "hollow",
    "game": "guida",
    "kind": "json",
    "what": "retire",
}
# Enough for every form of a page to be read, so that who sends it is what remains to be asked.
FORM = {
    "reason": "Una ragione.",
    "title": "Un titolo",
    "version": "1",
    "seat": "hollow",
    "seal": "0" * 64,
    "salt": "0" * 32,
    "text": "Un testo.",
    "first": UNKNOWN,
    "second": UNKNOWN,
    "label": "Percezione",
    "sides": "20",
    "count": "1",
    "faces.0": "7",
    "modifiers.0": "0",
    "begins": "2027-01-01T10:00",
    "ends": "2027-01-02T10:00",
    "wording": "1",
    "narration.offensive": "Un balzo.",
}
# A piece is read before it is known for which board; what is wrong with it is told to anybody.
READ_FIRST = {"POST /boards/{board_id}/books/new"}


def routes(api: Api) -> Iterator[tuple[str, str]]:
    """List every route whose address holds an id of something on a board."""
    found = {
        (method, getattr(route, "path_format", ""))
        for route in iter_route_contexts(api.client.app.routes)
        for method in route.methods or ()
    }
    yield from (one for one in sorted(found) if set(PLACE.findall(one[1])) & set(OF_A_BOARD))


@dataclass
class Caller:
    """Somebody who asks: with the cookie of a log-in, with a link, or with nothing at all."""

    api: Api
    headers: dict[str, str]

    def __call__(self, method: str, path: str, places: dict[str, str]) -> tuple[int, str]:
        """Ask; give the status and the text, in which no id stands any more."""
        address = path.format(**{**OTHERS, **places})
        sent = {"Sec-Fetch-Site": "same-origin", "If-Match": '"1"', **self.headers}
        sent["Idempotency-Key"] = f"key-{next(KEYS):08}"
        name = NAMES.get(f"{method} {path}", "") if path.startswith(V1) else ""
        body: dict[str, Any] = {}
        if name and method != "GET":
            body = {"json": next(iter(examples_of(name).values()), {})}
        elif method == "POST":
            body = {"data": {**FORM, "key": "form-00000001"}}
        answer = self.api.client.request(
            method, address, headers=sent, follow_redirects=False, **body
        )
        self.api.client.cookies.clear()
        text = answer.text
        for value in sorted({*places.values()}, key=len, reverse=True):
            text = text.replace(value, "…")
        return answer.status_code, text


def callers(api: Api, one: Realm) -> dict[str, Caller]:
    """Give everybody who has something to do with a board, and how they come."""
    found = {
        name: Caller(api, {"Cookie": f"{SECURE_COOKIE}={browser.cookie}"})
        for name, browser in one.people.items()
    }
    for name, secret in one.links.items():
        found[name] = Caller(api, {"Authorization": f"Bearer {secret}"})
    return found


def foreign(one: Realm) -> dict[str, str]:
    """Put an id that nobody has in the place of each of a board's."""
    return dict.fromkeys(one.places, UNKNOWN)


def as_unknown(path: str, name: str, found: tuple[int, str], wanted: tuple[int, str]) -> bool:
    """Say whether somebody was answered as for an id that nobody has: with 404, or to log in."""
    first = {404} | ({422} if path in READ_FIRST else set()) | ({401} if "link" in name else set())
    return found == wanted and found[0] in first


@pytest.mark.parametrize("home", ["first", "second"])
def test_another_board_is_to_everybody_what_no_board_is(api: Api, home: str) -> None:
    boards = {"first": realm(api, "Seireitei"), "second": realm(api, "Karakura")}
    other = boards.pop("second" if home == "first" else "first")
    (own,) = boards.values()
    nobody, asking = Caller(api, {}), callers(api, own)
    if home == "second":  # the same code answers: one is enough in the other direction
        asking = {"owner": asking["owner"]}
    told: list[str] = []
    refused = 0
    for method, path in routes(api):
        if nobody(method, path, other.places)[0] < 300:
            continue  # anybody may read this, or ask it, who has its address
        for name, ask in asking.items():
            if "link" in name and "{scene_id}" not in path:
                continue  # the links of a scene are those of its board already
            found, wanted = (ask(method, path, one) for one in (other.places, foreign(other)))
            refused += 1
            if not as_unknown(f"{method} {path}", name, found, wanted):
                told.append(f"{name}: {method} {path}: {found[0]} and {wanted[0]}")
    assert not told, "\n".join(told)
    assert refused > 100 * len(asking) * 2 // 3


def test_what_is_of_another_board_is_not_found_at_ones_own_either(api: Api) -> None:
    own, other = realm(api, "Seireitei"), realm(api, "Karakura")
    asking = callers(api, own)
    told: list[str] = []
    asked = 0
    for method, path in routes(api):
        names = [name for name in PLACE.findall(path) if name in INSIDE]
        if "{board_id}" not in path or not names:
            continue
        mixed = {name: other.places[name] for name in names} | {"board_id": own.board}
        unknown = dict.fromkeys(names, UNKNOWN) | {"board_id": own.board}
        for name in ("owner", "gm"):
            found, wanted = (asking[name](method, path, where) for where in (mixed, unknown))
            asked += 1
            if found != wanted or found[0] != 404:
                told.append(f"{name}: {method} {path}: {found[0]} and {wanted[0]}")
    assert not told, "\n".join(told)
    assert asked > 20


def test_the_comparison_is_not_blind(api: Api) -> None:
    """Those of the board are answered otherwise, so that the refusals above mean something."""
    own = realm(api, "Seireitei")
    found = {
        path: callers(api, own)["owner"](method, path, own.places)[0]
        for method, path in routes(api)
        if method == "GET"
    }
    assert {path for path, status in found.items() if status >= 500} == set()
    opened = {path for path, status in found.items() if status == 200}
    assert {
        "/boards/{board_id}/desk",
        "/boards/{board_id}/members",
        "/boards/{board_id}/settings",
        "/sheets/{sheet_id}",
        "/beings/{being_id}",
        f"{V1}/scenes/{{scene_id}}/links",
        f"{V1}/boards/{{board_id}}/reviews",
        f"{V1}/boards/{{board_id}}/invitations",
    } <= opened
