"""The case runner: what it reads, what it counts, what it says, and how it ends."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from app.ops.given import InputRefused
from app.ops.runner import run_paths

ROOT = Path(__file__).parents[3]


def case(**changed: Any) -> dict[str, Any]:
    """Write a case that passes, but for what is changed."""
    sound = {
        "id": "T-1",
        "chapter": "3 Attacks",
        "title": "Power",
        "op": "power",
        "rules": ["GC-3.5"],
        "given": {"potential": 12, "stat_bonus": 9},
        "expect": {"power": 21},
    }
    return {**sound, **changed}


def run(path: Path, chapters: str | None = None) -> tuple[int, list[str]]:
    """Run a path; give the exit status and the lines written."""
    out = io.StringIO()
    return run_paths([path], chapters, out), out.getvalue().splitlines()


def run_cases(folder: Path, *cases: dict[str, Any], chapters: str | None = None) -> Any:
    """Run cases out of a file."""
    file = folder / "cases.json"
    file.write_text(json.dumps(cases), encoding="utf-8")
    return run(file, chapters)


def test_the_projects_own_cases_pass() -> None:
    status, lines = run(ROOT / "tests" / "cases")
    assert (status, lines[:-1]) == (0, [])
    assert lines[-1].endswith(" passed, 0 failed")
    assert int(lines[-1].split()[0]) > 400


def test_a_case_that_matches_passes(tmp_path: Path) -> None:
    assert run_cases(tmp_path, case()) == (0, ["1 passed, 0 failed"])


def test_a_failure_tells_what_was_expected_and_what_came(tmp_path: Path) -> None:
    status, lines = run_cases(tmp_path, case(), case(id="T-2", expect={"power": 22}))
    assert status == 1
    assert lines == [
        "FAILED T-2 Power",
        "  power: expected 22, got 21",
        "1 passed, 1 failed",
    ]


def test_an_op_of_another_edition_fails_by_name(tmp_path: Path) -> None:
    status, lines = run_cases(tmp_path, case(op="levitate"))
    assert status == 1
    assert "  unknown op: guida/levitate" in lines
    assert lines[-1] == "0 passed, 1 failed"


def test_another_game_has_its_own_ops_named_by_the_kind_given(tmp_path: Path) -> None:
    game = {"id": "W", "game": "warrior_dice", "given": {"kind": "power"}, "expect": {}}
    assert "  unknown op: warrior_dice/power" in run_cases(tmp_path, game)[1]
    kind = {"id": "G", "given": {"kind": "power", "potential": 1, "stat_bonus": 1}}
    assert run_cases(tmp_path, {**kind, "expect": {"power": 2}})[0] == 0


def test_a_field_that_no_op_reads_fails_the_case(tmp_path: Path) -> None:
    given = {"potential": 12, "stat_bonus": 9, "moonlight": 3, "cloud": None}
    status, lines = run_cases(tmp_path, case(given=given))
    assert (status, lines[1]) == (1, "  this edition does not know given.moonlight")


def test_an_unread_field_inside_another_is_told_too(tmp_path: Path) -> None:
    given = {"potential": 1, "stat_bonus": 1, "stats": {"strength": {"base_level": 3, "moon": 1}}}
    assert (
        "  this edition does not know given.stats.strength.moon"
        in run_cases(tmp_path, case(given=given))[1]
    )


def test_a_field_that_is_missing_or_of_the_wrong_kind_is_named(tmp_path: Path) -> None:
    wrong = {
        "given.potential is missing": {"stat_bonus": 9},
        "given.potential: True is not a number": {"potential": True},
        "given.potential: 'many' is not a number": {"potential": "many"},
    }
    for told, given in wrong.items():
        assert run_cases(tmp_path, case(given=given))[1][1] == f"  {told}"


def test_an_unknown_option_is_named(tmp_path: Path) -> None:
    given = {"ruleset": {"moonlight": True}, "potential": 12, "stat_bonus": 9}
    assert "  this edition has no option moonlight" in run_cases(tmp_path, case(given=given))[1]


def test_an_option_with_an_impossible_value_is_named(tmp_path: Path) -> None:
    given = {"ruleset": {"rounding_mode": "up"}, "potential": 12, "stat_bonus": 9}
    assert "  ruleset: rounding_mode: unknown_choice" in run_cases(tmp_path, case(given=given))[1]


def test_numbers_never_pass_through_a_float(tmp_path: Path) -> None:
    text = json.dumps([case()]).replace("12", "0.1").replace('"stat_bonus": 9', '"stat_bonus": 0.2')
    (tmp_path / "a.json").write_text(text.replace("21", "0.3"), encoding="utf-8")
    assert run(tmp_path / "a.json")[0] == 0


def test_a_ratio_is_a_number(tmp_path: Path) -> None:
    given = {"potential": "8/3", "stat_bonus": "1/3"}
    assert run_cases(tmp_path, case(given=given, expect={"power": 3}))[0] == 0


@pytest.mark.parametrize(
    ("chapters", "passed"), [("3", 2), ("1-2", 1), ("3-11", 3), ("4-10", 1), (None, 4)]
)
def test_a_run_may_be_limited_to_chapters(
    tmp_path: Path, chapters: str | None, passed: int
) -> None:
    cases = [
        case(id="in 3"),
        case(id="in 11", chapter="11 Conditions"),
        case(id="in 12", chapter="12 Areas"),
        case(id="always", chapter="Exchanges"),
    ]
    assert run_cases(tmp_path, *cases, chapters=chapters) == (0, [f"{passed} passed, 0 failed"])


def test_a_case_without_a_chapter_always_runs(tmp_path: Path) -> None:
    loose = case()
    del loose["chapter"]
    assert run_cases(tmp_path, loose, chapters="9") == (0, ["1 passed, 0 failed"])


@pytest.mark.parametrize("chapters", ["x", "1-", "-3", "4-2", "1-2-3", "٣"])
def test_chapters_that_cannot_be_read_are_refused(tmp_path: Path, chapters: str) -> None:
    status, lines = run_cases(tmp_path, case(), chapters=chapters)
    assert (status, lines[-1]) == (1, "0 passed, 1 failed")


def test_a_folder_is_searched_and_files_without_cases_in_it_are_passed_over(
    tmp_path: Path,
) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "a.json").write_text(json.dumps([case()]), encoding="utf-8")
    (tmp_path / "tables.json").write_text('{"rows": []}', encoding="utf-8")
    (tmp_path / "notes.md").write_text("# Notes", encoding="utf-8")
    assert run(tmp_path) == (0, ["1 passed, 0 failed"])


@pytest.mark.parametrize(
    "text",
    ["", "{", "[1,", "{}", "[]", "7", '[{"id": 1}]', "[NaN]", '[{"given": {}, "given": {}}]'],
)
def test_a_file_without_cases_is_a_failure_where_it_was_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "odd.json"
    file.write_text(text, encoding="utf-8")
    status, lines = run(file)
    assert (status, lines[-1]) == (1, "0 passed, 1 failed")


def test_a_path_that_is_not_there_is_a_failure(tmp_path: Path) -> None:
    status, lines = run(tmp_path / "nowhere.json")
    assert status == 1
    assert lines[-1] == "0 passed, 1 failed"


def test_a_case_that_lacks_its_halves_is_a_failure(tmp_path: Path) -> None:
    whole, half = case(), case()
    del half["expect"]
    assert run_cases(tmp_path, whole, half)[0] == 1


def test_a_rule_that_breaks_fails_its_case_only(tmp_path: Path, monkeypatch: Any) -> None:
    def broken(_given: object) -> dict[str, object]:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(
        "app.ops.runner.OPS", {"guida": {"power": broken, "ok": lambda _: {"a": 1}}}
    )
    status, lines = run_cases(tmp_path, case(), case(id="T-2", op="ok", given={}, expect={"a": 1}))
    assert status == 1
    assert lines[1:] == ["  ZeroDivisionError: division by zero", "1 passed, 1 failed"]


def test_a_refusal_passes_only_where_one_is_expected(tmp_path: Path, monkeypatch: Any) -> None:
    def refusing(_given: object) -> dict[str, object]:
        raise InputRefused("too_dear")

    monkeypatch.setattr(
        "app.ops.runner.OPS", {"guida": {"no": refusing, "yes": lambda _: {"a": 1}}}
    )
    given: dict[str, Any] = {"op": "no", "given": {}}
    told = {"error": True, "codes": ["too_dear"]}
    for expect in ({"error": True}, told, {"error": True, "a": 1}):
        assert run_cases(tmp_path, case(**given, expect=expect))[0] == 0
    assert run_cases(tmp_path, case(**given, expect={"a": 1}))[1][1] == "  it is refused: too_dear"
    other = {"error": True, "codes": ["too_cheap"]}
    assert run_cases(tmp_path, case(**given, expect=other))[0] == 1
    assert run_cases(tmp_path, case(op="yes", given={}, expect={"error": True}))[0] == 1


def test_the_last_line_is_written_to_the_standard_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.json").write_text(json.dumps([case()]), encoding="utf-8")
    assert run_paths([str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 passed, 0 failed"
