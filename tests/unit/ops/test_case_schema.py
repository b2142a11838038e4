"""The published schema is made from the code, and every case file fits it."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from app.api.v1.answers import CaseRead
from app.catalogue import rules
from app.config import CASES, STATIC
from app.ops.case_schema import ID, case_schema
from app.ops.cases import files_under
from app.ops.runner import OPS
from app.persistence.codec import json_schema

PUBLISHED = STATIC / "schemas" / "cases.json"
FILES = sorted(files_under(CASES))
JUDGE = jsonschema_rs.validator_for(case_schema())
SOUND: dict[str, Any] = {
    "id": "A-1",
    "chapter": "3 Potenza",
    "title": "One",
    "op": "power",
    "rules": ["GC-3.5"],
    "given": {"potential": 7.5, "stat_bonus": "9/2"},
    "expect": {"power": 12},
    "note": "",
}


def test_the_published_schema_is_that_of_the_code() -> None:
    published = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    assert published == case_schema(), "an op was added or taken away: run `make schema`"


def test_it_is_a_schema_of_its_draft() -> None:
    jsonschema_rs.meta.validate(case_schema())
    assert case_schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert case_schema()["$id"] == ID


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_case_file_fits_the_schema(path: Path) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    assert [f"{list(e.instance_path)}: {e.message}" for e in JUDGE.iter_errors(data)] == []


def test_every_operation_is_in_it() -> None:
    for game, ops in OPS.items():
        for op in ops:
            assert JUDGE.is_valid([{**SOUND, "game": game, "op": op}])


def test_every_rule_of_the_books_may_be_named() -> None:
    assert JUDGE.is_valid([{**SOUND, "rules": list(rules())}])


@pytest.mark.parametrize(
    "change",
    [
        {"op": "fly"},
        {"op": None},
        {"id": ""},
        {"id": "../x"},
        {"title": ""},
        {"rules": []},
        {"rules": ["3.5"]},
        {"chapter": "Potenza"},
        {"chapter": 0},
        {"given": []},
        {"game": "chess"},
        {"notes": "misspelled"},
    ],
)
def test_a_seeded_mistake_does_not_fit(change: dict[str, Any]) -> None:
    assert JUDGE.is_valid([SOUND])
    assert not JUDGE.is_valid([{**SOUND, **change}])


@pytest.mark.parametrize("field", ["id", "title", "op", "rules", "given", "expect"])
def test_what_a_case_cannot_do_without_is_wanted(field: str) -> None:
    case = deepcopy(SOUND)
    del case[field]
    assert not JUDGE.is_valid([case])


@pytest.mark.parametrize("data", [{}, [], [1], "cases"])
def test_what_is_no_list_of_cases_does_not_fit(data: object) -> None:
    assert not JUDGE.is_valid(data)


def test_the_api_leaves_the_three_parts_of_a_case_open() -> None:
    described = json_schema(CaseRead)["$defs"]["CaseRead"]["properties"]
    assert [described[name] for name in ("given", "expect", "got")] == [{}, {}, {}]
