"""The circle closes: rules, the code that cites them, the cases that prove them, the refusals.

What a case expects is what the engine gives, since all of them pass (`arbitro cases`, and a test
of the runner); so a code that a case expects is a code that a case triggers.
"""

import ast
import dataclasses
import re
import tomllib
from collections.abc import Iterator
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from app.catalogue import LANGUAGES, rules, rulings
from app.ops.cases import Case, files_under, read_cases
from app.rulesets import RULESETS
from app.services.games import board_types

ROOT = Path(__file__).parents[2]
# GC-4 alone is a chapter.
RULE = re.compile(
    r"\b(?:GC-[0-9]+\.[0-9]+|(?<!AMB-)(?:WD|CD|BD)-[A-Z]?[0-9]+(?:\.[0-9]+)?[a-z]?)\b"
)
RULING = re.compile(r"\bAMB-(?:[A-Z]+-)?[0-9]+\b")
# Adapters of cases decide nothing: what only they cite is not decided anywhere.
CODE = sorted(path for path in (ROOT / "app").rglob("*.py") if "ops" not in path.parts)
CASES = tuple(
    case for path in files_under(ROOT / "tests" / "cases") for case in read_cases(path, named=True)
)
# The first chapters of the Guida, and what the rulings add to them; then all of it.
WHOLE = sorted(
    id
    for id in rules()
    if (match := re.fullmatch(r"GC-([0-9]+)\.([0-9]+)", id))
    and (int(match[1]) <= 7 or (int(match[1]) == 14 and int(match[2]) <= 20))
)
EVERY = sorted(id for id in rules() if re.fullmatch(r"GC-[0-9]+\.[0-9]+", id))
IMPLEMENTED = sorted(id for id, rule in rules().items() if rule.status == "implemented")


@cache
def cited(pattern: re.Pattern[str]) -> dict[str, str]:
    """Return every id that code cites, with one file that does."""
    return {
        id: str(path.relative_to(ROOT))
        for path in CODE
        for id in pattern.findall(path.read_text(encoding="utf-8"))
    }


def codes() -> Iterator[tuple[str, str]]:
    """Yield the kind and the code of each refusal in the rules; ``*`` stands for what varies."""
    for path in sorted((ROOT / "app" / "rulesets").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("Violation", "Question")
            ):
                yield node.func.id.lower(), code_of(node)


def code_of(call: ast.Call) -> str:
    """Return the code a refusal is made with."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    code = named.get("code") or call.args[1]
    if isinstance(code, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "*" for part in code.values
        )
    assert isinstance(code, ast.Constant), f"line {call.lineno}: a code is a literal"
    return str(code.value)


def expected_codes(value: object) -> Iterator[str]:
    """Yield whatever a case expects under ``codes``, ``violations`` or ``questions``."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in ("codes", "violations", "questions"):
                yield from inner
            else:
                yield from expected_codes(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from expected_codes(inner)


TRIGGERED = {code for case in CASES for code in expected_codes(case.expect)}
# The codec refuses these first, so that no case can reach them; a unit test does.
ONLY_BY_TEST = {
    "reason_missing": "tests/unit/guida/test_master.py",
    "enters_basic": "tests/integration/test_beings.py",
    "enters_with_xp": "tests/integration/test_beings.py",
}


def test_every_case_has_an_id_of_its_own_a_title_and_a_rule() -> None:
    ids = [case.id for case in CASES]
    assert sorted(set(ids)) == sorted(ids)
    assert [case.id for case in CASES if not (case.title and case.rules)] == []


def test_every_rule_a_case_names_exists() -> None:
    known = {*rules(), *rulings()}
    unknown = {rule: case.id for case in CASES for rule in case.rules if rule not in known}
    assert unknown == {}


def test_every_rule_that_code_cites_exists() -> None:
    assert {id: path for id, path in cited(RULE).items() if id not in rules()} == {}


def test_every_ruling_that_code_cites_exists() -> None:
    assert {id: path for id, path in cited(RULING).items() if id not in rulings()} == {}


@pytest.mark.parametrize(("whole", "size", "most"), [(WHOLE, 192, 8), (EVERY, 337, 15)])
def test_all_is_implemented_but_for_a_few_rules_with_their_reason(
    whole: list[str], size: int, most: int
) -> None:
    catalogue = ROOT / "app" / "rulesets" / "guida" / "catalogue.toml"
    rows = tomllib.loads(catalogue.read_text(encoding="utf-8"))["rules"]
    left = [id for id in whole if id not in IMPLEMENTED]
    assert len(whole) == size
    assert len(left) <= most
    for id in left:
        assert rows[id]["status"] in ("narrative", "external"), id
        assert rows[id]["reason_it"].strip(), id
        assert rows[id]["reason_en"].strip(), id


@pytest.mark.parametrize("id", sorted(id for id in rules() if id not in IMPLEMENTED))
def test_a_rule_that_is_left_to_people_says_why(id: str) -> None:
    assert rules()[id].status in ("narrative", "external")
    assert all(rules()[id].reason[language].strip() for language in LANGUAGES)


@pytest.mark.parametrize("id", IMPLEMENTED)
def test_an_implemented_rule_is_cited_by_code(id: str) -> None:
    assert id in cited(RULE)


@pytest.mark.parametrize("id", IMPLEMENTED)
def test_an_implemented_rule_is_proved_by_a_case(id: str) -> None:
    assert any(id in case.rules for case in CASES)


@pytest.mark.parametrize(("kind", "code"), sorted(set(codes())))
def test_every_refusal_is_triggered_by_a_case(kind: str, code: str) -> None:
    if code in ONLY_BY_TEST:
        assert f'"{code}"' in (ROOT / ONLY_BY_TEST[code]).read_text(encoding="utf-8")
    else:
        assert any(fnmatchcase(seen, code) for seen in TRIGGERED), f"no case triggers the {kind}"


def settings(case: Case) -> dict[str, Any]:
    """Return the options a case sets, those of a set-up in the wire format included."""
    setup = case.given.get("setup")
    inner = setup if isinstance(setup, dict) else {}
    given = case.given.get("ruleset"), case.given.get("options")
    parts = (*given, inner.get("options"), inner.get("regulation"))
    return {name: value for part in parts if isinstance(part, dict) for name, value in part.items()}


OPTIONS = [
    (game, field)
    for game in RULESETS
    for part in board_types(game).values()
    for field in dataclasses.fields(part)
]


@pytest.mark.parametrize(
    ("game", "option"), OPTIONS, ids=[f"{game}.{field.name}" for game, field in OPTIONS]
)
def test_every_option_has_a_case_for_each_of_its_settings(
    game: str, option: dataclasses.Field[Any]
) -> None:
    found = [settings(case) for case in CASES if case.game == game]
    seen = [str(one[option.name]) for one in found if option.name in one]
    match option.default:
        case bool():
            wanted = {"True", "False"}
        case StrEnum():
            wanted = {str(value) for value in type(option.default)}
        case default:
            assert len(set(seen)) > 1 or (seen and default is None)
            return
    assert set(seen) >= wanted


def twins(game: str, option: str) -> Iterator[set[str]]:
    """Yield what is expected of cases that differ in the setting of one option only.

    Where one setting lets more dice fall than the other, those of the longer list come last.
    """
    key = "ruleset" if game == "guida" else "options"
    alike: dict[str, list[tuple[Any, str, list[Any]]]] = {}
    for case in CASES:
        ruleset = case.given.get(key)
        if case.game == game and isinstance(ruleset, dict) and option in ruleset:
            rest = {name: value for name, value in ruleset.items() if name != option}
            given = {**case.given, key: rest}
            dice = given["dice"] if isinstance(given.get("dice"), list) else []
            given["dice"] = None
            one = (ruleset[option], repr(case.expect), dice)
            alike.setdefault(repr((case.op, given)), []).append(one)
    for cases in alike.values():
        for (value, expected, dice), (other, awaited, more) in combinations(cases, 2):
            fewest = min(len(dice), len(more))
            if value != other and dice[:fewest] == more[:fewest]:
                yield {expected, awaited}


CHOSEN = [
    (game, field)
    for game, field in OPTIONS
    if isinstance(field.default, bool | StrEnum)
    and field.name in {one.name for one in dataclasses.fields(board_types(game)["options"])}
]


@pytest.mark.parametrize(
    ("game", "option"), CHOSEN, ids=[f"{game}.{field.name}" for game, field in CHOSEN]
)
def test_every_option_changes_what_is_expected_of_like_cases(
    game: str, option: dataclasses.Field[Any]
) -> None:
    assert any(len(expected) > 1 for expected in twins(game, option.name))
