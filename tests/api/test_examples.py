"""The document's examples are real: each of them is posted, and what comes back is as described."""

from __future__ import annotations

import re
from typing import Any

import jsonschema_rs
import pytest

from app.api.openapi import EXAMPLES, describe, examples_of
from app.api.v1 import ROUTES
from app.http.language import LANGUAGES
from tests.api.conftest import V1, Api
from tests.api.story import tell

DOCUMENT = describe(ROUTES, "it")
OPERATIONS = {
    one["operationId"]: (method.upper(), path.removeprefix(V1), one)
    for path, methods in DOCUMENT["paths"].items()
    for method, one in methods.items()
}
ADDRESSES = {name: (method, path) for name, (method, path, _) in OPERATIONS.items()}
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


def test_every_example_is_accepted_and_every_answer_is_as_described(api: Api) -> None:
    posted: dict[str, int] = {}
    for name, answer in tell(api, ADDRESSES):
        assert answer.status_code < 400, (name, answer.text)
        answered_as_described(name, answer)
        posted[name] = posted.get(name, 0) + 1
    assert posted == {name: len(examples_of(name)) or 1 for name in OPERATIONS}


def test_every_answer_is_shown_by_an_example_that_fits() -> None:
    for name, (_, _, one) in OPERATIONS.items():
        for status, described in one["responses"].items():
            for content in described.get("content", {}).values():
                judge = validator(content["schema"])
                shown = [one["value"] for one in content.get("examples", {}).values()]
                shown += [content["example"]] if "example" in content else []
                assert shown, (name, status)
                wrong = [str(wrong) for example in shown for wrong in judge.iter_errors(example)]
                assert wrong == [], (name, status)


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
    document = describe(ROUTES, language)
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
