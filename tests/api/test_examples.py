"""The document's examples are real: each of them is posted, and what comes back is as described."""

from __future__ import annotations

import re
from typing import Any

import jsonschema_rs
import pytest

from app.api.openapi import EXAMPLES, describe, examples_of
from app.api.v1 import router
from app.http.language import LANGUAGES
from tests.api.conftest import V1, Api, Table

DOCUMENT = describe(router.routes, "it")
OPERATIONS = {
    one["operationId"]: (method.upper(), path.removeprefix(V1), one)
    for path, methods in DOCUMENT["paths"].items()
    for method, one in methods.items()
}
WITH_BODY = sorted(name for name, (_, _, one) in OPERATIONS.items() if "requestBody" in one)


def validator(schema: dict[str, Any]) -> Any:
    """Make a judge of a schema that may refer to the document's components."""
    return jsonschema_rs.validator_for({**schema, "components": DOCUMENT["components"]})


def answered_as_described(name: str, answer: Any) -> None:
    """Hold an answer against what the document says of its operation."""
    _, _, one = OPERATIONS[name]
    described = one["responses"][str(answer.status_code)]
    if "content" not in described:
        assert answer.content == b""
        return
    (media_type, content), *_ = described["content"].items()
    assert answer.headers["content-type"] == media_type
    assert [str(wrong) for wrong in validator(content["schema"]).iter_errors(answer.json())] == []


@pytest.mark.parametrize("name", WITH_BODY)
def test_every_body_has_examples_that_fit_its_schema(name: str) -> None:
    content = OPERATIONS[name][2]["requestBody"]["content"]["application/json"]
    assert content["examples"]
    judge = validator(content["schema"])
    for title, example in content["examples"].items():
        assert [(title, str(wrong)) for wrong in judge.iter_errors(example["value"])] == []


def test_no_example_is_left_over() -> None:
    assert sorted(path.stem for path in EXAMPLES.glob("*.json")) == WITH_BODY


def test_every_example_is_accepted(api: Api) -> None:
    posted = dict.fromkeys(WITH_BODY, 0)

    def post(name: str, *, at: dict[str, Any] | None = None, **how: Any) -> list[Any]:
        method, path, one = OPERATIONS[name]
        answers = []
        for example in examples_of(name).values():
            if "If-Match" in {parameter["name"] for parameter in one.get("parameters", ())}:
                how["version"] = how["seen"]()
            sent = {key: value for key, value in how.items() if key != "seen"}
            answer = api(method, path.format(**(at or {})), example, **sent)
            assert answer.status_code in (200, 201), (name, answer.text)
            answered_as_described(name, answer)
            posted[name] += 1
            answers.append(answer.json())
        return answers

    owner = {"secret": api.owner}
    sheets = post("add_sheet", **owner)
    post("replace_sheet", at={"sheet_id": sheets[0]["id"]}, seen=lambda: 1, **owner)
    opened = post("open_scene", **owner)[0]
    table = Table(api, opened["scene_id"], opened["gm"]["secret"], {})
    at, master = {"scene_id": table.id}, {"secret": table.gm, "seen": lambda: table.version}
    post("preview_order", at=at, secret=table.gm)
    decided = post("submit_order", at=at, **master)
    post("amend_turn", at={**at, "number": decided[1]["number"]}, **master)
    post("void_decision", at=at, **master)
    forum = api.open_scene(dice="forum")
    order = next(iter(examples_of("submit_order").values()))["order"]
    number = forum.decide(forum.gm, order).json()["number"]
    post(
        "give_dice",
        at={"scene_id": forum.id, "number": number},
        secret=forum.gm,
        seen=lambda: forum.version,
    )
    post("change_board", **owner)
    post("adjudicate")
    post("check_tags")
    assert all(posted.values()), posted


def test_every_reading_answers_as_described(api: Api, table: Table) -> None:
    table.decide(table.gm, next(iter(examples_of("submit_order").values()))["order"])
    sheet = next(iter(examples_of("add_sheet").values()))
    sheet_id = api("POST", "/sheets", sheet, secret=api.owner).json()["id"]
    values = {
        "scene_id": table.id,
        "sheet_id": sheet_id,
        "seat": "quincy",
        "number": 1,
        "rule_id": "GC-4.87",
    }
    for name, (method, path, _) in OPERATIONS.items():
        if method == "GET":
            answer = api("GET", path.format(**values), secret=api.owner)
            assert answer.status_code == 200, (name, answer.text)
            answered_as_described(name, answer)


def test_the_example_of_the_book_is_caught(api: Api) -> None:
    wrong, sound = examples_of("check_tags").values()
    found = api("POST", "/tags/check", wrong).json()
    assert not found["sound"]
    (tag,) = found["tags"]
    assert [issue["code"] for issue in tag["issues"]] == ["modifier_mismatch"]
    assert "+9" in tag["issues"][0]["message"]
    assert api("POST", "/tags/check", sound).json()["sound"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_in_the_document_is_said_in_both_languages(language: Any) -> None:
    document = describe(router.routes, language)
    for methods in document["paths"].values():
        for one in methods.values():
            assert one["summary"]
            assert all(parameter["description"] for parameter in one.get("parameters", []))
            assert all(answer["description"] for answer in one["responses"].values())


def test_the_document_is_openapi_3_1_and_whole() -> None:
    assert DOCUMENT["openapi"].startswith("3.1")
    named = set(re.findall(r'"#/components/schemas/(\w+)"', str(DOCUMENT).replace("'", '"')))
    assert named <= set(DOCUMENT["components"]["schemas"])
    jsonschema_rs.meta.validate({"$defs": DOCUMENT["components"]["schemas"]})


def test_the_docs_page_asks_nothing_of_foreign_hosts(api: Api) -> None:
    for path in ("/api/docs", "/api/docs/start.js"):
        page = api.client.get(path)
        assert page.status_code == 200
        assert not re.search(r"//[a-z]", page.text)
        for address in re.findall(r'(?:src|href|url)(?:=|: )"(/[^"]+)"', page.text):
            assert api.client.get(address).status_code == 200, address
