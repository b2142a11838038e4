"""The same call twice comes to the same as once; another call with its key comes to nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from app.api.openapi import examples_of
from tests.api.conftest import Api, Table
from tests.api.test_examples import OPERATIONS

TURN = next(iter(examples_of("submit_order").values()))
Call = Callable[..., Any]
OF_THE_FORUM = {"give_dice", "give_posted_dice", "withdraw_turn"}


def keyed(name: str) -> bool:
    """Say whether an operation asks for a key."""
    parameters = OPERATIONS[name][2].get("parameters", ())
    return "Idempotency-Key" in {one["name"] for one in parameters}


def prepared(api: Api, name: str) -> tuple[Call, Table]:
    """Bring a scene to where the operation has something to do, and return its call."""
    table = api.open_scene(dice="forum" if name in OF_THE_FORUM else "service")
    number = 1
    if name in {*OF_THE_FORUM, "amend_turn", "void_decision"}:
        number = table.decide(table.gm, TURN["order"]).json()["number"]
    method, path, _ = OPERATIONS[name]
    version = table.version
    address = path.format(
        board_id="board",
        scene_id=table.id,
        number=number,
        seat="hollow",
        sheet_id="none",
        being_id="none",
        piece_id="none",
        person_id="none",
        invitation_id="none",
        key_id="none",
        precedent=1,
        line=1,
        warrior_id="guerriero",
    )

    def call(key: str | None, body: object = None, **how: Any) -> Any:
        sent = next(iter(examples_of(name).values()), None) if body is None else body
        how.setdefault("version", version)
        return api(method, address, sent, secret=api.owner, key=key, **how)

    return call, table


DECIDING = ["submit_order", *sorted(OF_THE_FORUM), "amend_turn", "void_decision"]
REPLAYED = ["open_scene", "add_sheet", "add_being", "propose_piece", *DECIDING]
OTHER_BODIES: dict[str, Any] = {
    "open_scene": {**examples_of("open_scene")["Dall'inizio"], "title": "Un'altra"},
    "add_sheet": list(examples_of("add_sheet").values())[1],
    "add_being": list(examples_of("add_being").values())[1],
    "propose_piece": list(examples_of("propose_piece").values())[1],
    "submit_order": {**TURN, "narration": {"offensive": "Altrimenti."}},
    "give_dice": {"faces": [7]},
    "give_posted_dice": {"text": "Un altro post."},
    "withdraw_turn": {"reason": "Un altro motivo."},
    "amend_turn": {"order": {"kind": "place", "by": "gm", "behind": [], "reason": "Altro."}},
    "void_decision": {"reason": "Un altro motivo."},
}


@pytest.mark.parametrize("name", REPLAYED)
def test_a_repeated_call_gives_the_first_answer_byte_for_byte(api: Api, name: str) -> None:
    call, table = prepared(api, name)
    first = call("key-of-a-call")
    assert first.status_code == 201, first.text
    after = (table.version, len(api("GET", "/scenes", secret=api.owner).json()["scenes"]))
    for _ in range(3):
        again = call("key-of-a-call")
        assert (again.status_code, again.content) == (201, first.content)
        assert again.headers["location"] == first.headers["location"]
    assert after == (
        table.version,
        len(api("GET", "/scenes", secret=api.owner).json()["scenes"]),
    )


@pytest.mark.parametrize("name", REPLAYED)
def test_a_repeated_call_says_that_it_was_answered_before(api: Api, name: str) -> None:
    call, _ = prepared(api, name)
    assert "idempotency-replayed" not in call("key-of-a-call").headers
    assert call("key-of-a-call").headers["idempotency-replayed"] == "true"


@pytest.mark.parametrize("name", REPLAYED)
def test_a_key_serves_for_one_call_only(api: Api, name: str) -> None:
    call, table = prepared(api, name)
    assert call("key-of-a-call").status_code == 201
    after = table.version
    other = call("key-of-a-call", OTHER_BODIES[name])
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")
    assert table.version == after


@pytest.mark.parametrize("name", sorted(filter(keyed, OPERATIONS)))
def test_whatever_changes_something_asks_for_a_key(api: Api, name: str) -> None:
    call, table = prepared(api, name)
    before = table.version
    missing = call(None)
    assert (missing.status_code, missing.json()["code"]) == (400, "idempotency_key_missing")
    short = call("seven77")
    assert (short.status_code, short.json()["code"]) == (400, "idempotency_key_malformed")
    assert table.version == before


def test_only_what_changes_nothing_asks_for_no_key() -> None:
    without = {name for name, (method, _, _) in OPERATIONS.items() if method != "GET"}
    assert {name for name in without if not keyed(name)} == {
        "preview_order",
        "preview_amendment",
        "adjudicate",
        "tell_odds",
        "work_out_duel",
        "work_out_matchups",
        "read_posted_dice",
        "check_post",
        "read_post",
        "compare_post",
        "read_thread",
        "check_tags",
    }


@pytest.mark.parametrize("name", DECIDING)
def test_who_changes_a_scene_says_which_version_was_seen(api: Api, name: str) -> None:
    call, table = prepared(api, name)
    before = table.version
    missing = call("key-of-a-call", version=None)
    assert (missing.status_code, missing.json()["code"]) == (428, "version_missing")
    stale = call("key-of-another", version=before + 1)
    assert (stale.status_code, stale.json()["code"]) == (412, "stale")
    assert str(before) in stale.json()["detail"]
    assert table.version == before
    done = call("key-of-a-third")
    assert done.status_code == 201
    assert done.headers["etag"] == f'"{done.json()["version"]}"' == f'"{table.version}"'


def test_a_changed_sheet_names_the_version_it_was_changed_from(api: Api) -> None:
    sheet = examples_of("add_sheet")["Hollow"]
    kept = api("POST", "/boards/board/sheets", sheet, secret=api.owner)
    address, changed = f"/sheets/{kept.json()['id']}", {"sheet": sheet["sheet"]}
    assert kept.headers["etag"] == f'"{kept.json()["version"]}"'
    assert api("PUT", address, changed, secret=api.owner).json()["code"] == "version_missing"
    version = kept.json()["version"]
    again = api("PUT", address, changed, secret=api.owner, version=version)
    assert again.json()["version"] == version + 1
    stale = api("PUT", address, changed, secret=api.owner, version=version)
    assert (stale.status_code, stale.json()["code"]) == (412, "stale")
