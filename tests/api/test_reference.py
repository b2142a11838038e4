"""What may be looked up: searches of the rules, the cases and how they go, what they prove."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalogue import rules, rulings
from app.ops.casebook import casebook
from tests.api.conftest import Api


def listed(api: Api, query: str = "") -> dict[str, Any]:
    """List cases."""
    answer = api("GET", f"/cases?{query}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_without_words_every_rule_is_listed(api: Api) -> None:
    found = api("GET", "/rules").json()
    assert [rule["id"] for rule in found["rules"]] == list(rules())
    assert [ruling["id"] for ruling in found["rulings"]] == list(rulings())
    assert found["found"] == []


def test_a_search_says_where_its_words_are(api: Api) -> None:
    found = api("GET", "/rules?q=SCHIV%C3%80TA").json()
    ids = [one["id"] for one in found["found"]]
    assert "GC-4.57" in ids
    assert {one["id"] for part in ("rules", "rulings") for one in found[part]} == set(ids)
    (match,) = [one for one in found["found"] if one["id"] == "GC-4.57"]
    assert {"title.it", "glossary"} <= set(match["fields"])
    assert "dodge" in match["terms"]


def test_rules_are_narrowed_to_a_state_and_say_why_they_are_left(api: Api) -> None:
    found = api("GET", "/rules?status=narrative").json()
    assert [one["status"] for one in found["rules"]] == ["narrative"] * len(found["rules"])
    assert found["rules"]
    assert all(set(one["reason"]) == {"it", "en"} for one in found["rules"])
    assert found["rulings"] == []


@pytest.mark.parametrize(
    "query",
    [
        *("status=done", f"q={'a' * 101}"),
    ],
)
def test_a_search_that_cannot_be_is_refused(api: Api, query: str) -> None:
    assert api("GET", f"/rules?{query}").json()["code"] == "parameter_malformed"


@pytest.mark.parametrize(
    "query", ["chapter=x", "chapter=-1", "result=maybe", "rule=5.3", "op=A%20B", "limit=0"]
)
def test_a_wish_for_cases_that_cannot_be_is_refused(api: Api, query: str) -> None:
    assert api("GET", f"/cases?{query}").json()["code"] == "parameter_malformed"


def test_the_cases_are_paged_whole(api: Api) -> None:
    numbers: list[int] = []
    after = 0
    while True:
        page = listed(api, f"limit=100&after={after}")
        numbers += [one["number"] for one in page["cases"]]
        if page["next"] is None:
            break
        after = page["next"]
    assert numbers == list(range(1, len(casebook().cases) + 1))
    assert page["passed"] + page["failed"] == len(numbers)


def test_cases_are_narrowed_by_chapter_op_rule_and_result(api: Api) -> None:
    found = listed(api, "chapter=5&op=power_outcome&rule=GC-5.4&result=passed")
    assert [one["id"] for one in found["cases"]] == ["A-5-1"]
    assert (found["passed"], found["failed"], found["next"]) == (1, 0, None)
    assert listed(api, "chapter=5&op=power_outcome&result=failed")["cases"] == []
    assert {one["chapter"] for one in listed(api, "chapter=0")["cases"]} == {None}


def test_a_case_is_read_whole(api: Api) -> None:
    read = api("GET", "/cases/A-3-1").json()
    assert read["given"] == {"potential": 7.5, "stat_bonus": 4}
    assert read["expect"] == {"power": 11.5, "stat_bonus": 4}
    assert read["got"]["power"] == 11.5
    assert (read["case"]["passed"], read["wrong"]) == (True, [])


def test_every_case_can_be_answered(api: Api) -> None:
    ops: set[str] = set()
    for one in casebook().cases:
        if one.case.op not in ops:
            ops.add(one.case.op)
            assert api("GET", f"/cases/{one.id}").status_code == 200, one.id


def test_a_case_that_is_not_there_is_not_found(api: Api) -> None:
    assert api("GET", "/cases/nothing").json()["code"] == "not_found"


def test_coverage_adds_up(api: Api) -> None:
    told = api("GET", "/coverage").json()
    for figure in ("rules", "proved"):
        assert sum(one[figure] for one in told["chapters"]) == told["total"][figure]
    for part in (*told["chapters"], told["total"]):
        assert part["proved"] + len(part["unproved"]) == part["rules"]
        assert part["share"] == (100 * part["proved"] // part["rules"] if part["rules"] else 100)
    assert told["total"]["chapter"] is None
