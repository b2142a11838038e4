"""What may be looked up: searches of the rules, the cases and how they go, what they prove."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalogue import rules, rulings
from app.catalogue import terms as terms_of
from app.ops.casebook import casebook
from app.rulesets import RULESETS
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


@pytest.mark.parametrize("game", RULESETS)
def test_everything_can_be_kept_to_a_game(api: Api, game: str) -> None:
    found = api("GET", f"/rules?game={game}").json()
    assert {one["ruleset"] for part in ("rules", "rulings") for one in found[part]} == {game}
    terms = api("GET", f"/glossary?game={game}").json()["terms"]
    assert [one["id"] for one in terms] == list(terms_of(game))
    doubts = api("GET", f"/boards/board/options?game={game}").json()["ambiguities"]
    assert [one["id"] for one in doubts] == [one["id"] for one in found["rulings"]]
    assert {one["game"] for one in listed(api, f"game={game}")["cases"]} == {game}
    told = api("GET", f"/coverage?game={game}").json()
    assert {one["game"] for one in (*told["chapters"], told["total"])} == {game}
    assert told["total"]["rules"] + len(told["total"]["left_to_people"]) == len(found["rules"])


def test_the_books_tell_their_chapters_and_every_rule_its_own(api: Api) -> None:
    books = {one["ruleset"]: one for one in api("GET", "/books").json()["books"]}
    assert list(books) == list(RULESETS)
    for one in api("GET", "/rules").json()["rules"]:
        chapter = books[one["ruleset"]]["chapters"][one["chapter"] - 1]
        assert chapter["number"] == one["chapter"]


@pytest.mark.parametrize("id", ["WD-A1", "CD-69c", "BD-H12.4", "AMB-WD-3", "AMB-18", "GC-5.3"])
def test_a_rule_of_any_game_is_read_by_its_id(api: Api, id: str) -> None:
    assert api("GET", f"/rules/{id}").json()["id"] == id
    assert api("GET", f"/cases?rule={id}&limit=1").status_code == 200


@pytest.mark.parametrize("path", ["/rules", "/glossary", "/cases"])
def test_a_game_that_is_not_played_here_has_nothing(api: Api, path: str) -> None:
    found = api("GET", f"{path}?game=chess").json()
    assert not any(found[part] for part in ("rules", "terms", "cases") if part in found)
    assert api("GET", f"{path}?game=No%20game").json()["code"] == "parameter_malformed"


def test_the_doubts_of_a_game_that_is_not_played_here_are_not_found(api: Api) -> None:
    assert api("GET", "/boards/board/options?game=chess").json()["code"] == "not_found"
