"""The contract of a runner: an engine that shares no code with Arbitro runs the same cases."""

import ast
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app import cli

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "tests" / "support" / "second_engine.py"
CASES = ROOT / "tests" / "cases"
CLAIM = ("--chapter", "1-7", "--op", "power", "--op", "power_outcome", "--op", "range_steps")
# Whole fights belong to no chapter, and to none of these operations.
CASE = {
    "id": "X-1",
    "title": "One",
    "op": "power",
    "rules": ["GC-3.5"],
    "given": {"potential": 7.5, "stat_bonus": "9/2"},
    "expect": {"power": 12},
}


@dataclass(frozen=True)
class Ended:
    """How a run ended, and what it wrote."""

    status: int
    out: str


def second(*words: str) -> Ended:
    """Run the other engine, isolated, so that it cannot import Arbitro."""
    done = subprocess.run(
        [sys.executable, "-I", str(ENGINE), *words], capture_output=True, text=True, check=False
    )
    return Ended(done.returncode, done.stdout)


def arbitro(*words: str) -> Ended:
    """Run Arbitro's own command."""
    done = CliRunner().invoke(cli.app, ["cases", *words])
    return Ended(done.exit_code, done.stdout)


def written(folder: Path, *cases: object, text: str = "") -> str:
    """Write a file of cases."""
    path = folder / "cases.json"
    path.write_text(text or json.dumps(cases), encoding="utf-8")
    return str(path)


def test_the_other_engine_shares_no_code() -> None:
    imported = {
        name
        for node in ast.walk(ast.parse(ENGINE.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module]
        )
    }
    assert {str(name).partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_its_claim_holds_both_count_the_same_and_nothing_fails() -> None:
    other, own = second(*CLAIM, str(CASES)), arbitro(*CLAIM, str(CASES))
    assert (other.status, own.status) == (0, 0)
    assert other.out == own.out
    passed, failed = (int(word) for word in other.out.split()[::2])
    assert passed >= 13
    assert failed == 0


def test_more_than_it_can_do_fails_it() -> None:
    done = second("--chapter", "5", str(CASES))
    assert done.status == 1
    assert "unknown op: power_comparison" in done.out
    counted = [int(word) for word in done.out.splitlines()[-1].split()[::2]]
    own = arbitro("--chapter", "5", str(CASES)).out.splitlines()[-1].split()[::2]
    assert sum(counted) == sum(map(int, own))


# What the contract says of matching and numbers, told to both: they agree on every one.
@pytest.mark.parametrize(
    ("change", "passes"),
    [
        ({}, True),
        ({"expect": {"power": "24/2"}}, True),
        ({"expect": {"power": 12.0}}, True),
        ({"expect": {"power": "12"}}, False),
        ({"expect": {"power": "12/0"}}, False),
        ({"expect": {"power": 12.01}}, False),
        ({"expect": {"power": True}}, False),
        ({"expect": {"power": None}}, False),
        ({"expect": {"power": [12]}}, False),
        ({"expect": {}}, False),
        ({"expect": {"weight": 12}}, False),
        ({"given": {"potential": 7.5, "stat_bonus": 4.5, "stats": None}}, True),
        ({"given": {"potential": 7.5, "stat_bonus": 4.5, "colour": None}}, True),
        ({"given": {"potential": 7.5, "stat_bonus": 4.5, "colour": "red"}}, False),
        ({"given": {"potential": 7.5}}, False),
        ({"given": {"potential": 0.1, "stat_bonus": 0.2}, "expect": {"power": 0.3}}, True),
        ({"op": "fly"}, False),
    ],
)
def test_both_runners_match_alike(tmp_path: Path, change: dict[str, object], passes: bool) -> None:
    path = written(tmp_path, {**CASE, **change})
    for done in (second(path), arbitro(path)):
        assert done.status == (0 if passes else 1), done.out
        lines = done.out.splitlines()
        assert lines[-1] == ("1 passed, 0 failed" if passes else "0 passed, 1 failed")
        if not passes:
            assert lines[0] == "FAILED X-1 One"
            assert all(line.startswith("  ") for line in lines[1:-1])
            assert len(lines) > 2


@pytest.mark.parametrize(
    "text",
    [
        "[",
        '{"not": "cases"}',
        '[{"id": "X-1", "title": "a", "title": "b", "given": {}, "expect": 1, "op": "power"}]',
        '[{"id": "X-1", "title": "a", "given": {"potential": NaN}, "expect": 1, "op": "power"}]',
    ],
)
def test_both_runners_fail_on_what_is_no_file_of_cases(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text=text)
    for done in (second(path), arbitro(path)):
        assert done.status == 1
        assert done.out.startswith(f"FAILED {path}\n  ")
        assert done.out.endswith("\n0 passed, 1 failed\n")


def test_both_runners_pass_over_other_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "notes.json").write_text('{"not": "cases"}', encoding="utf-8")
    written(tmp_path, CASE)
    for done in (second(str(tmp_path)), arbitro(str(tmp_path))):
        assert (done.status, done.out) == (0, "1 passed, 0 failed\n")


def test_both_runners_end_with_2_on_a_command_that_is_not_understood() -> None:
    assert [run().status for run in (second, arbitro)] == [2, 2]
    assert [run("--sky", str(CASES)).status for run in (second, arbitro)] == [2, 2]
