"""Every way to say no has a code, and every code its words in both languages."""

from __future__ import annotations

import ast
from pathlib import Path

from app.http.problem import kinds
from app.http.refusals import HEADERS, STATUSES
from app.services.errors import CONFLICTS, MISTAKES, STATUS
from tests.api.conftest import Api, Table

APP = Path(__file__).parents[2] / "app"


def test_every_refusal_of_the_services_has_its_words_and_its_status() -> None:
    for error, status in STATUS.items():
        codes = CONFLICTS if error.__name__ == "Conflict" else (error.code,)
        assert [(code, kinds()[code].status) for code in codes] == [(one, status) for one in codes]


def test_every_code_that_the_shells_name_has_its_words() -> None:
    named = {
        node.args[0].value
        for path in (APP / "http").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "problem"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }
    named |= set(STATUSES.values()) | {code for pair in HEADERS.values() for code in pair}
    assert named <= set(kinds())


def test_every_kind_is_said_in_both_languages_with_the_same_facts() -> None:
    for kind in kinds().values():
        assert kind.title.keys() == kind.detail.keys() == {"it", "en"}
        assert kind.title["it"] != kind.title["en"]
        assert kind.detail["it"].count("{") == kind.detail["en"].count("{")


def test_the_list_of_errors_is_whole(api: Api) -> None:
    errors = api("GET", "/errors").json()["errors"]
    listed = {(one["section"], one["code"]) for one in errors}
    assert {("problem", code) for code in kinds()} <= listed
    assert {("mistakes", code) for code in MISTAKES} <= listed
    assert sum(section == "violations" for section, _ in listed) > 20
    for one in errors:
        assert 400 <= one["status"] < 600
        assert one["title"]["it"]
        assert len(one["messages"]["it"]) == len(one["messages"]["en"]) >= 1


def test_a_refusal_speaks_the_language_of_the_request(api: Api) -> None:
    italian, english = api("GET", "/scenes/x"), api("GET", "/scenes/x?lang=en")
    assert italian.headers["content-language"] == "it"
    assert english.headers["content-language"] == "en"
    assert italian.json()["messages"] == english.json()["messages"]
    assert italian.json()["detail"] == italian.json()["messages"]["it"]
    assert english.json()["detail"] == english.json()["messages"]["en"]
    assert english.json()["type"] == "/docs/errors#not_found"
    german = api("GET", "/scenes/x", Accept_Language="de, en;q=0.3")
    assert german.json()["detail"] == german.json()["messages"]["en"]


def test_every_mistake_is_named_at_once_by_its_place_in_the_body(api: Api, table: Table) -> None:
    defence = {"action": "fly", "against": [], "extra": 1}
    body = {"order": {"kind": "turn", "defences": [defence], "main": 3}, "narration": {"x": ""}}
    answer = api(
        "POST", f"/scenes/{table.id}/orders", body, secret=table.seats["hollow"], version=0
    )
    assert answer.status_code == 422
    assert {wrong["field"] for wrong in answer.json()["errors"]} >= {
        "order.defences.0.action",
        "order.defences.0.against",
        "order.defences.0.extra",
        "order.main",
        "narration.x",
    }


def test_everything_that_the_rules_refuse_is_named_at_once_with_its_rule(
    api: Api, table: Table
) -> None:
    attack = {"kind": "attack", "target": "quincy", "tool": "sonido", "aim": "limbs"}
    answer = table.decide(table.seats["hollow"], {"kind": "turn", "by": "hollow", "main": attack})
    assert (answer.status_code, answer.json()["code"]) == (409, "refused")
    found = {(wrong["field"], wrong["code"], wrong["rule"]) for wrong in answer.json()["errors"]}
    assert ("order.main.limb", "limb_missing", "GC-4.24") in found
    assert ("order.main.tool", "tool_not_for_attacks", "GC-3.6") in found
    assert table.version == 1


def test_a_set_up_that_the_rules_refuse_names_its_fields(api: Api) -> None:
    opening = {
        "title": "Senza distanze",
        "setup": {
            "entrants": [
                {"id": name, "team": name, "sheet": {"name": name, "max_hp": 9, "stats": {}}}
                | {"sheet": {"name": name, "max_hp": 9, "max_ep": 9, "stats": {}}}
                for name in ("a", "b")
            ]
        },
    }
    answer = api("POST", "/boards/board/scenes", opening, secret=api.owner)
    assert (answer.status_code, answer.json()["code"]) == (409, "refused")
    assert [(one["field"], one["code"]) for one in answer.json()["errors"]] == [
        ("setup.distances", "distance_missing")
    ]


def test_a_body_of_mistakes_is_not_answered_with_a_multiple_of_itself(api: Api) -> None:
    body = {f"field{number}": 0 for number in range(10_000)}
    answer = api("POST", "/tags/check", body)
    told = answer.json()
    assert len(told["errors"]) == 100
    assert told["left_off"] == 10_001 - 100
    assert len(answer.content) < 100_000
